"""The style guide: every part of the look with sample data. Wired only where DEBUG is on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from core.qr import qr_svg


class SampleForm(forms.Form):
    """Each kind of field once."""

    name = forms.CharField(label="名称", help_text="写在每一页的页头，例如“2026 桂林字牌公开赛”。")
    date = forms.DateField(label="日期", widget=forms.DateInput(attrs={"type": "date"}))
    rules = forms.ChoiceField(
        label="规则", choices=[("competition", "竞赛规则"), ("local", "民间")]
    )
    venue = forms.CharField(label="地点", required=False)
    lines = forms.CharField(label="名单", widget=forms.Textarea(attrs={"rows": 4}), required=False)
    open = forms.BooleanField(label="公开报名", required=False)


SEATS = [("甲", "甲 莫家骏"), ("乙", "乙 阳秀英"), ("丙", "丙 秦国栋")]


class SampleResultForm(forms.Form):
    """The fields of a result line and of a slip, by the names the partials expect."""

    source = forms.ChoiceField(
        label="怎样胡的",
        widget=forms.RadioSelect,
        choices=[
            ("own-flip", "自摸"),
            ("discard", "点炮"),
            ("flip", "别人翻"),
            ("deal", "起手"),
            ("draw", "荒庄"),
        ],
    )
    winner = forms.ChoiceField(label="谁胡", widget=forms.RadioSelect, choices=SEATS)
    payer = forms.ChoiceField(label="谁点炮", widget=forms.RadioSelect, choices=SEATS)
    hu = forms.IntegerField(label="胡数", min_value=0)
    xing_count = forms.IntegerField(label="醒数", min_value=0)
    special = forms.ChoiceField(
        label="特殊胡",
        widget=forms.RadioSelect,
        required=False,
        choices=[
            ("", "无"),
            ("天胡", "天胡"),
            ("地胡", "地胡"),
            ("三笼", "三笼"),
            ("五坎", "五坎"),
        ],
    )
    hand = forms.CharField(
        label="手牌", required=False, help_text="不含胡的那张，例如 四四四捌捌八。"
    )
    table = forms.CharField(
        label="桌上的牌", required=False, widget=forms.Textarea(attrs={"rows": 3}),
        help_text="一行一组：吃 二七十，碰 九，扫 壹。",
    )  # fmt: skip
    card = forms.CharField(label="胡牌", required=False)
    xing = forms.CharField(label="翻醒", required=False)


def _line(
    entrant: int, name: str, unit: str, net: int | None, advances: bool = False
) -> dict[str, Any]:
    return {
        "entrant": entrant,
        "name": name,
        "unit": unit,
        "url": f"#e{entrant}",
        "net": net,
        "advances": advances,
    }


def _bye(entrant: int, name: str, unit: str) -> dict[str, Any]:
    return {"bye": True, "entrant": entrant, "name": name, "unit": unit, "url": "#", "span": 1}


def _table(label: str, state: str, word: str, span: int, *lines: dict[str, Any]) -> dict[str, Any]:
    return {
        "label": label,
        "url": "#",
        "state": state,
        "state_label": word,
        "span": span,
        "fed": span > 1,
        "lines": lines,
    }


def _waiting(text: str) -> dict[str, Any]:
    return {"entrant": None, "waiting": text, "net": None}


def sample_bracket() -> dict[str, Any]:
    """Twelve entrants, `fixed` with byes: 7 byes and two tables, three tables, a final."""
    filler = {"entrant": None, "name": "周裁判", "filler": True, "net": 1}
    first = [
        {
            "zone": "甲区",
            "part": 1,
            "slots": [
                _table(
                    "第 1 桌", "final", "已定", 1,
                    _line(1, "莫家骏", "象山区", 14, True),
                    _line(2, "阳秀英", "七星区", -3),
                    _line(3, "秦国栋", "临桂", -11),
                ),
                _bye(4, "蒋月明", "叠彩区"),
                _bye(5, "唐志强", "灵川"),
            ],
        },
        {
            "zone": "乙区",
            "part": 2,
            "slots": [
                _bye(6, "覃小兰", "阳朔"),
                _table(
                    "第 2 桌", "final", "已定", 1,
                    _line(7, "廖德胜", "秀峰区", 6, True),
                    filler,
                    _line(8, "欧阳建国", "荔浦", -7),
                ),
                _bye(9, "曾凤娇", "兴安"),
            ],
        },
        {
            "zone": "丙区",
            "part": 3,
            "slots": [
                _bye(10, "李桂生", "雁山区"),
                _bye(11, "韦春花", "恭城"),
                _bye(12, "黄永福", "平乐"),
            ],
        },
    ]  # fmt: skip
    second = [
        {
            "zone": "",
            "part": 0,
            "slots": [
                _table(
                    "第 3 桌", "confirmed", "已确认", 3,
                    _line(1, "莫家骏", "象山区", 8, True),
                    _line(4, "蒋月明", "叠彩区", 2),
                    _line(5, "唐志强", "灵川", -10),
                ),
                _table(
                    "第 4 桌", "open", "第 7 局", 3,
                    _line(6, "覃小兰", "阳朔", 3),
                    _line(7, "廖德胜", "秀峰区", -5),
                    _line(9, "曾凤娇", "兴安", 2),
                ),
                _table(
                    "第 5 桌", "published", "未开始", 3,
                    _line(10, "李桂生", "雁山区", None),
                    _line(11, "韦春花", "恭城", None),
                    _line(12, "黄永福", "平乐", None),
                ),
            ],
        }
    ]  # fmt: skip
    final = _table(
        "决赛", "planned", "", 9,
        _line(1, "莫家骏", "象山区", None), _waiting("第 4 桌胜者"), _waiting("第 5 桌胜者"),
    )  # fmt: skip
    titles = ("第一轮", "第二轮", "决赛")
    states = (("final", "已定"), ("running", "进行中"), ("planned", "未开始"))
    groups = (first, second, [{"zone": "", "part": 0, "slots": [final]}])
    return {
        "label": "对阵图",
        "loose": False,
        "rounds": [
            {
                "number": number,
                "title": titles[number - 1],
                "state": states[number - 1][0],
                "state_label": states[number - 1][1],
                "prev": number - 1 or None,
                "next": number + 1 if number < 3 else None,
                "feeds": groups[number - 1],
            }
            for number in (1, 2, 3)
        ],
    }


def sample_ledger() -> dict[str, Any]:
    """Six rows of a sheet: a plain win, 点炮, 荒, a flagged hand, a penalty, a 加赛."""

    def cells(*rows: tuple[int, int, bool, str]) -> list[dict[str, Any]]:
        return [
            {"delta": delta, "total": total, "won": won, "mark": mark}
            for delta, total, won, mark in rows
        ]

    def row(label: str, dealer: str, marks: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        return {"label": label, "dealer": dealer, "kind": "hand", "cells": marks, **more}

    return {
        "caption": "第 4 桌",
        "players": [
            {"seat": "甲", "name": "覃小兰", "unit": "阳朔", "url": "#"},
            {"seat": "乙", "name": "廖德胜", "unit": "秀峰区", "url": "#"},
            {"seat": "丙", "name": "周裁判", "unit": "", "filler": True},
        ],
        "rows": [
            row("1", "甲", cells((10, 10, True, "自"), (-5, -5, False, ""), (-5, -5, False, "")),
                url="#hand-1", state="checked", state_label="已核牌"),
            row("2", "甲", cells((-6, 4, False, "炮"), (6, 1, True, ""), (0, -5, False, "")),
                url="#hand-2"),
            row("3", "乙", [], drawn=True, url="#hand-3"),
            row("4", "乙", cells((-3, 1, False, ""), (-3, -2, False, ""), (6, 1, True, "")),
                url="#hand-4", state="flagged", state_label="待裁"),
            row("判罚", "", cells((-2, -1, False, ""), (1, -1, False, ""), (1, 2, False, "")),
                kind="penalty"),
        ],
        "nets": [
            {"net": -1, "place": 3, "advances": False, "deducted": 2},
            {"net": 1, "place": 1, "advances": True, "deducted": 0},
            {"net": 2, "place": None, "advances": False, "deducted": 0},
        ],
    }  # fmt: skip


def sample_hands() -> list[dict[str, Any]]:
    """An explained win with every kind of meld, and a drawn hand."""
    melds = [
        ("坎", "四四四", 3), ("碰", "八八八", 1), ("吃", "二七十", 3), ("扫", "壹壹壹", 6),
        ("过扫", "陆陆陆", 6), ("扫穿", "贰贰贰贰", 12), ("开舵", "九九九九", 6),
        ("顺", "三四五", 0), ("搭", "柒柒七", 0), ("将", "拾拾", 0),
    ]  # fmt: skip
    return [
        {
            "anchor": "hand-1",
            "url": "#hand-1",
            "title": "第 1 局",
            "outcome": "覃小兰 自摸 柒",
            "state": "checked",
            "state_label": "已核牌",
            "melds": [{"kind": kind, "cards": cards, "hu": hu} for kind, cards, hu in melds],
            "card": "柒",
            "xing_cards": "七",
            "sum": {
                "hu": 17,
                "base": 2,
                "terms": [{"label": "自摸", "value": 1}, {"label": "下醒", "value": 2}],
                "times": 1,
                "total": 5,
                "unit": "舵",
            },
            "deltas": [
                {"name": "覃小兰", "delta": 10},
                {"name": "廖德胜", "delta": -5},
                {"name": "周裁判", "delta": -5},
            ],
            "claimed": "结果行写的是 15 胡、4 舵；按牌算是 17 胡、5 舵。",
            "ruled": "按 5 舵记。理由：下醒两张，桌上漏数一张。",
        },
        {"anchor": "hand-3", "title": "第 3 局", "outcome": "荒庄", "melds": [], "sum": None},
    ]


def sample_standings() -> dict[str, Any]:
    """Five rows with a prize, a tie, a cut and a withdrawal."""
    rows: list[dict[str, Any]] = [
        {"place": "1", "prize": "一等奖", "name": "莫家骏", "unit": "象山区", "first": True,
         "url": "#", "cells": ["决赛", "+22", "+1.8"], "reason": "决赛净舵 12 ＞ 9"},
        {"place": "2", "prize": "二等奖", "name": "李桂生", "unit": "雁山区", "url": "#",
         "cells": ["决赛", "+17", "+1.4"], "reason": "净舵相同，加赛胜"},
        {"place": "3", "prize": "三等奖", "name": "覃小兰", "unit": "阳朔", "url": "#", "cut": True,
         "cells": ["决赛", "−3", "−0.3"]},
        {"place": "4", "tied": True, "prize": "优秀奖", "name": "蒋月明", "unit": "叠彩区",
         "url": "#", "cells": ["第二轮", "+2", "+0.2"]},
        {"place": "4", "tied": True, "name": "欧阳建国", "unit": "荔浦", "url": "#",
         "cells": ["第二轮", "+2", "+0.2"], "note": "退赛"},
    ]  # fmt: skip
    return {"caption": "名次", "columns": ["到达", "净舵", "每局"], "rows": rows}


def sample_context() -> dict[str, Any]:
    """What the style guide shows, by the names its partials document."""
    wrong = SampleForm(
        {"name": "", "date": "2026-13-01", "rules": "local", "lines": "莫家骏 象山区"}
    )
    states = (
        ("planned", "未抽签"), ("drawn", "已抽签"), ("published", "已公布"), ("running", "进行中"),
        ("submitted", "待确认"), ("confirmed", "已确认"), ("final", "已定"), ("flagged", "待裁"),
        ("checked", "已核牌"),
    )  # fmt: skip
    url = "https://example.org/t/q7hk"
    return {
        "bracket": sample_bracket(),
        "loose_bracket": {**sample_bracket(), "loose": True},
        "ledger": sample_ledger(),
        "hands": sample_hands(),
        "standings": sample_standings(),
        "form": wrong,
        "result_form": SampleResultForm(
            {"source": "discard", "winner": "甲", "payer": "乙", "hu": 17}
        ),
        "empty_form": SampleResultForm(),
        "states": states,
        "qr": qr_svg(url),
        "qr_url": url,
        "tabs": [
            {"label": label, "url": f"#{label}", "current": label == "对阵图"}
            for label in ("秩序册", "对阵图", "名次", "选手", "竞赛规程")
        ],
        "tabs_label": _("本次比赛"),
    }


def styleguide(request: HttpRequest) -> HttpResponse:
    """Every part of the look on one page."""
    return render(request, "public/styleguide.html", sample_context())
