"""The planner's form: sent by GET, so that the address is the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import time
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournament.pairing.plan import RoundLength
from tournament.pairing.planner import MOST, Cut, Style, Terms
from tournament.pairing.presets import of_units, standard_rounds
from tournament.pairing.timetable import Hall

PRESETS: Final = ("standard", "single", "units")
UNITS: Final = "units"
MOST_PRELIMINARY: Final = 12
USUAL: Final[Mapping[str, str]] = {
    "n": "50", "each": "4", "size": "3-1", "style": "usual", "prelim": "usual", "cut": "usual",
    "hands": "12", "minutes": "50", "final": "24", "dozen": "50", "begin": "09:00",
    "end": "18:00", "pause": "10", "noon": "12:00", "lunch": "60", "units": "12", "zipai": "3",
    "chess": "2", "pairs": "1", "game": "60", "against": "none",
}  # fmt: skip
"""What an address leaves out, and an empty field stands for."""
OF_HALL: Final = (
    "n", "tables", "referees", "each", "begin", "end", "pause", "noon", "lunch", "dozen",
)  # fmt: skip
"""What stays where another preset is taken."""
SIZE_CHOICES: Final = (
    ("3-1", _("3 人桌，晋级 1 人")),
    ("2-1", _("2 人对局")),
    ("4-1", _("4 人桌，晋级 1 人")),
    ("4-2", _("4 人桌，晋级 2 人")),
)
STYLES: Final = (
    ("usual", _("固定签表，通常的办法")),
    ("byes", _("固定签表，首轮轮空")),
    ("compact", _("固定签表，四人桌")),
    ("redraw", _("每轮重抽，第二名补位")),
)
AGAINST: Final = (
    ("none", _("不比较")),
    ("standard", _("桂林字牌·标准")),
    ("byes", _("单淘汰，首轮轮空")),
    ("compact", _("单淘汰，四人桌")),
    ("redraw", _("单淘汰，每轮重抽")),
    ("fours", _("单淘汰，4 人桌晋级 2 人")),
)
COMPARED: Final[Mapping[str, Mapping[str, Any]]] = {
    "standard": {"style": Style.USUAL},
    "byes": {"style": Style.BYES},
    "compact": {"style": Style.COMPACT},
    "redraw": {"style": Style.REDRAW},
    "fours": {"table_size": 4, "advance": 2, "style": Style.USUAL},
}
CUTS: Final = (("usual", _("通常的人数")), ("down", _("少一级")), ("up", _("多一级")))


def number_field(
    label: Any, least: int, most: int, help_text: Any = "", *, required: bool = True
) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    wrong = format_lazy(_("请填 {least} 到 {most} 之间的整数。"), least=least, most=most)
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        required=required,
        help_text=help_text,
        widget=widget,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), wrong),
    )


def _clock(label: Any) -> forms.TimeField:
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(
        label=label,
        input_formats=["%H:%M"],
        widget=widget,
        error_messages={"invalid": _("请填几点几分，例如 09:00。")},
    )


class PlannerForm(forms.Form):
    """How many, in which hall, by which format; `against` is another format beside it."""

    use_required_attribute = False

    n = number_field(_("选手人数"), 2, MOST)
    units = number_field(_("几个单位"), 1, 200)
    zipai = number_field(_("每单位字牌几人"), 0, 20)
    chess = number_field(_("每单位象棋几人"), 0, 20)
    pairs = number_field(_("每单位双升几对"), 0, 20)
    tables = number_field(_("几张桌"), 1, 999, _("不写就是要几张有几张。"), required=False)
    referees = number_field(_("几名裁判"), 1, 999, _("不写就是够用。"), required=False)
    each = number_field(_("一名裁判同时看几桌"), 1, 99)
    size = forms.ChoiceField(label=_("淘汰赛几人一桌"), choices=SIZE_CHOICES)
    style = forms.ChoiceField(label=_("淘汰赛怎样排"), choices=STYLES)
    two = forms.BooleanField(label=_("首轮 3 进 2（每轮重抽时）"), required=False)
    prelim = forms.ChoiceField(label=_("预赛"))
    cut = forms.ChoiceField(label=_("预赛后晋级"), choices=CUTS)
    hands = number_field(_("每桌几局"), 0, 99, _("写 0 就只按时间。"))
    minutes = number_field(_("每轮几分钟"), 0, 600, _("写 0 就不限时。"))
    final = number_field(_("决赛几局"), 0, 99, _("写 0 就和别的轮一样。"))
    game = number_field(_("象棋、双升每轮几分钟"), 1, 600)
    dozen = number_field(_("12 局大约几分钟"), 6, 240)
    begin = _clock(_("几点开始"))
    end = _clock(_("最晚几点结束"))
    pause = number_field(_("两轮之间休息几分钟"), 0, 120)
    noon = _clock(_("几点左右午休"))
    lunch = number_field(_("午休几分钟"), 0, 240, _("写 0 就不午休。"))
    against = forms.ChoiceField(label=_("和哪种赛制比较"), choices=AGAINST)
    kind = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, query: QueryDict) -> None:
        data = query.copy()
        for name, value in USUAL.items():
            if not data.get(name, "").strip():
                data[name] = value
        if data.get("kind") != UNITS:
            data["kind"] = ""
        super().__init__(data)
        rounds = [(str(k), _("%(n)d 轮") % {"n": k}) for k in range(1, MOST_PRELIMINARY + 1)]
        choices = [("usual", _("标准：3 轮，9 人以下 4 轮")), ("0", _("不打预赛")), *rounds]
        self.fields["prelim"].choices = choices  # type: ignore[attr-defined]

    @property
    def is_of_units(self) -> bool:
        """Whether several events of units are planned."""
        return bool(self.data.get("kind") == UNITS)

    @property
    def of_format(self) -> list[forms.BoundField]:
        """The fields of the format, as the page folds them."""
        names = ("prelim", "cut", "size", "style", "two", "hands", "minutes", "final")
        return [self[name] for name in (("game",) if self.is_of_units else names)]

    @property
    def of_day(self) -> list[forms.BoundField]:
        """The fields of the day."""
        names = ("begin", "end", "pause", "noon", "lunch", "dozen", "each")
        return [self[name] for name in names]

    def is_open(self, fields: list[forms.BoundField]) -> bool:
        """Whether one of these is not as usual, or wrong."""
        return any(
            field.errors or str(self.data.get(field.name) or "") != USUAL.get(field.name, "")
            for field in fields
        )

    @property
    def opens_format(self) -> bool:
        """Whether the format is shown unfolded."""
        return self.is_open(self.of_format)

    @property
    def opens_day(self) -> bool:
        """Whether the day is shown unfolded."""
        return self.is_open(self.of_day)

    @property
    def preset(self) -> str:
        """The preset that this is; "" where the format was changed."""
        if self.is_of_units:
            return UNITS
        given = {f.name: str(self.data.get(f.name) or "") for f in self.of_format}
        changed = {name for name, value in given.items() if value != USUAL.get(name, "")}
        if not changed:
            return "standard"
        return "single" if changed == {"prelim"} and given["prelim"] == "0" else ""

    def terms(self) -> tuple[Terms, ...]:
        """The events' formats. The form is valid."""
        given = self.cleaned_data
        if self.is_of_units:
            counts = {name: given[name] for name in ("zipai", "chess", "pairs")}
            found = of_units(given["units"], **counts, minutes=given["game"])
            return tuple(replace(one, dozen=given["dozen"]) for one in found)
        size, advance = map(int, given["size"].split("-"))
        n, rounds = given["n"], given["prelim"]
        return (
            Terms(
                n,
                size,
                advance,
                Style(given["style"]),
                first_two=given["two"],
                preliminary=standard_rounds(n) if rounds == "usual" else int(rounds),
                cut=Cut(given["cut"]),
                length=RoundLength(given["hands"] or None, given["minutes"] or None),
                final=RoundLength(given["final"]) if given["final"] else None,
                dozen=given["dozen"],
            ),
        )

    def other(self) -> Terms | None:
        """The format beside it: as many people and as long rounds; None where none is wanted."""
        wanted = self.cleaned_data["against"]
        if wanted == "none" or self.is_of_units:
            return None
        (mine,) = self.terms()
        plain = Terms(mine.entrants, length=mine.length, final=mine.final, dozen=mine.dozen)
        if wanted == "standard":
            plain = replace(plain, preliminary=standard_rounds(mine.entrants))
        return replace(plain, **COMPARED[wanted])

    def hall(self) -> Hall:
        """What there is, and the day."""
        given = self.cleaned_data
        return Hall(
            tables=given["tables"],
            referees=given["referees"],
            tables_each=given["each"],
            begin=_minutes(given["begin"]),
            end=_minutes(given["end"]),
            pause=given["pause"],
            lunch_at=_minutes(given["noon"]) if given["lunch"] else None,
            lunch=given["lunch"],
        )

    def query(self) -> str:
        """The shortest address that is this form: what is usual is left out."""
        return self._query(tuple(self.fields))

    def carried(self) -> str:
        """The query that takes this format into a competition: the number stands in any case."""
        query = self.query()
        return query if query.startswith("n=") else f"n={USUAL['n']}&{query}".rstrip("&")

    def query_of(self, preset: str) -> str:
        """The address of a preset in the same hall."""
        more = {"single": {"prelim": "0"}, UNITS: {"kind": UNITS}}.get(preset, {})
        return self._query(OF_HALL, more)

    def _query(self, names: tuple[str, ...], more: Mapping[str, str] | None = None) -> str:
        pairs = []
        for name in names:
            value = str(self.data.get(name) or "").strip()
            if value and value != USUAL.get(name):
                pairs.append((name, value))
        return urlencode([*pairs, *(more or {}).items()], safe=":")


def planner_query(values: Mapping[str, object]) -> str:
    """An address' query for these values of the fields; what is usual is left out."""
    data = QueryDict(mutable=True)
    for name, value in values.items():
        data[name] = str(value)
    return PlannerForm(data).query()


def _minutes(moment: time) -> int:
    return moment.hour * 60 + moment.minute
