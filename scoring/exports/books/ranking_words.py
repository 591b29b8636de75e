"""The ranking rules of an event in plain words (C8), by the options it has. Plain sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.finishes import spoken
from scoring.shown_games import counted_name
from scoring.standings import prizes_to
from tournament.enums import CountedBy, Discipline, StageKind, Style
from tournament.models import Event, Stage


def ranking_words(event: Event, stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Sections `{title, lines}`: a table, the preliminary, who goes on, the standings, prizes."""
    knockout = next(one for one in stages if one.kind == StageKind.KNOCKOUT)
    preliminary = next((one for one in stages if one.kind == StageKind.PRELIM), None)
    sections = [{"title": _("一桌的名次"), "lines": _table(event, knockout, preliminary)}]
    if preliminary is not None:
        sections.append({"title": _("预赛的名次"), "lines": _preliminary(event, preliminary)})
    sections.append({"title": _("谁晋级"), "lines": _advance(knockout)})
    sections.append({"title": _("最后的名次和奖项"), "lines": _standings(event)})
    return sections


def _table(event: Event, knockout: Stage, preliminary: Stage | None) -> list[str]:
    lines: list[str] = []
    if event.discipline == Discipline.ZIPAI:
        lines.append(_("先比净舵：这一桌各局得失的和，判罚和裁决都算在内。"))
        if knockout.extra_hands:
            lines.append(
                _("净舵相同而关系到晋级或奖项：同分的人加赛一局，其他人陪打；最多加赛三局。")
            )
        lines += [_("再比胡牌手数，多的在前。"), _("再比点炮次数，少的在前。")]
    else:
        by_games = [_("先比胜局。"), _("再比得分（记了得分的话）。")]
        by_points = [_("先比总分。"), _("再比胜局。")]
        lines += by_points if event.counted_by == CountedBy.POINTS else by_games
        if knockout.extra_hands:
            lines.append(_("仍相同而关系到晋级或奖项：同分的人加赛一盘；最多加赛三盘。"))
    if preliminary is not None:
        lines.append(_("再比预赛名次。"))
    lines.append(_("最后看公开签：它由抽签时现场的话决定，谁也不能事先知道。"))
    lines.append(_("同分的人里有人缺某一项数据（例如只记了总分），这一项就跳过，对谁都不用。"))
    return lines


def _preliminary(event: Event, stage: Stage) -> list[str]:
    first = _("每桌第一名 3 分、第二名 1 分，其余 0 分；同名次的平分。预赛共 %(n)d 轮。") % {
        "n": stage.round_count or 0
    }
    lines = [
        first,
        _("积分相同依次比：%(counted)s、赢的桌数、胡牌手数、点炮次数（少者先）、最好的一轮。")
        % {"counted": counted_name(event)},
    ]
    if stage.extra_hands:
        lines.append(_("晋级线上或奖项线上还分不出：这几个人加赛一桌。"))
    lines.append(_("最后看公开签。进淘汰赛以后从 0 开始，预赛的分不带进去。"))
    return lines


def _advance(stage: Stage) -> list[str]:
    if stage.style == Style.REDRAW:
        return [
            _("每一轮的桌上第一名晋级。名额还有空的，从第二名里选最好的补上。"),
            _("第二名之间比每局净舵，再比每局胡牌手数、每局点炮次数（少者先）、公开签。"),
            _("线上还有人同分时，谁也不晋级，直到分出先后。"),
        ]
    return [
        _("每桌前 %(n)d 名晋级，轮空的直接进下一轮。") % {"n": stage.advance},
        _("陪打的人没有名次，也不晋级；排在他后面的选手顶上。"),
        _("线上还有人同分时，谁也不晋级，直到分出先后。"),
    ]


def _standings(event: Event) -> list[str]:
    prizes = [
        _("第 %(n)d 名：%(prize)s") % {"n": one.first, "prize": spoken(one)}
        if one.first == one.last
        else _("第 %(a)d–%(b)d 名：%(prize)s")
        % {"a": one.first, "b": one.last, "prize": spoken(one)}
        for one in prizes_to(event.prizes)
    ]
    after = (
        _("先看打到第几轮，再看那一桌的名次，再看那一桌每局的净舵。")
        if event.discipline == Discipline.ZIPAI
        else _("先看打到第几轮，再看那一桌的名次，再看那一桌的%(counted)s。")
        % {"counted": counted_name(event)}
    )
    return [after, _("第三名以后完全相同的并列。"), *prizes]
