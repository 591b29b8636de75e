"""The form of an event's format. Its fields are named as the planner's, so that an address of the
planner fills it in."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournament.domain.formats import Format
from tournament.forms.planner import (
    CUTS,
    MOST_PRELIMINARY,
    SIZE_CHOICES,
    STYLES,
    USUAL,
    number_field,
)
from tournament.pairing.plan import DOZEN
from tournament.pairing.planner import MOST, Cut, Style
from tournament.pairing.presets import standard_rounds

PRESETS: Final = ("standard", "single")
NAMES: Final = (
    "n", "size", "style", "two", "third", "prelim", "cut", "hands", "minutes", "final", "prizes",
)  # fmt: skip


class FormatForm(forms.Form):
    """Preliminary, knock-out, lengths, prizes, and for how many entrants it is worked out."""

    use_required_attribute = False

    n = number_field(_("按多少名选手算"), 2, MOST)
    prelim = forms.ChoiceField(label=_("预赛"))
    cut = forms.ChoiceField(label=_("预赛后晋级"), choices=CUTS)
    size = forms.ChoiceField(label=_("淘汰赛几人一桌"), choices=SIZE_CHOICES)
    style = forms.ChoiceField(label=_("淘汰赛怎样排"), choices=STYLES, widget=forms.RadioSelect)
    two = forms.BooleanField(
        label=_("首轮 3 进 2"),
        required=False,
        help_text=_("只能和每轮重抽、3 人桌一起用，至少 7 人。"),
    )
    third = forms.BooleanField(
        label=_("加打一桌争第三名"),
        required=False,
        help_text=_("只用于 2 人对局：决赛前一轮的两名负者再打一桌。"),
    )
    hands = number_field(_("每桌几局"), 1, 99)
    minutes = number_field(_("每轮几分钟"), 0, 600, _("写 0 就不限时。"))
    final = number_field(_("决赛几局"), 1, 99)
    prizes = number_field(_("奖到第几名"), 1, 999, _("前三名一、二、三等奖，往后优秀奖。"))

    def __init__(self, data: QueryDict | None, *, stands: Format, entrants: int) -> None:
        """`data` is what was sent or stands in the address; what it leaves out is as `stands`.

        An address of the planner leaves out what is usual there.
        """
        values = {**_written(stands), "n": str(max(entrants, 2))}
        given = QueryDict(mutable=True)
        if data is not None and data.get("preset", "") in PRESETS:
            values = {**values, **_preset(str(data["preset"]))}
            values["n"] = data.get("n") or values["n"]
        elif data is not None and any(name in data for name in NAMES):
            usual = {name: USUAL[name] for name in NAMES if name in USUAL}
            values = {**values, **usual, "two": "", "third": data.get("third", "")}
            values |= {name: str(data[name]) for name in NAMES if data.get(name, "").strip()}
        values |= _with_hands(values)
        for name, value in values.items():
            if value:
                given[name] = value
        super().__init__(given)
        rounds = [(str(k), _("%(n)d 轮") % {"n": k}) for k in range(1, MOST_PRELIMINARY + 1)]
        self.fields["prelim"].choices = [  # type: ignore[attr-defined]
            ("0", _("不打预赛")),
            ("usual", _("标准：3 轮，9 人以下 4 轮")),
            *rounds,
        ]

    @property
    def of_field(self) -> list[forms.BoundField]:
        """For how many, the preliminary, the tables."""
        return [self[name] for name in ("n", "prelim", "cut", "size")]

    @property
    def of_knockout(self) -> list[forms.BoundField]:
        """How the knock-out goes on."""
        return [self[name] for name in ("style", "two", "third")]

    @property
    def of_length(self) -> list[forms.BoundField]:
        """Lengths and prizes."""
        return [self[name] for name in ("hands", "minutes", "final", "prizes")]

    def wanted(self) -> Format:
        """The format. The form is valid."""
        given = self.cleaned_data
        size, advance = map(int, given["size"].split("-"))
        rounds = given["prelim"]
        return Format(
            table_size=size,
            advance=advance,
            style=Style(given["style"]),
            first_two=given["two"],
            third_table=given["third"],
            preliminary=standard_rounds(given["n"]) if rounds == "usual" else int(rounds),
            cut=Cut(given["cut"]),
            hands=given["hands"],
            minutes=given["minutes"] or None,
            final_hands=given["final"],
            prizes=given["prizes"],
        )


def _written(stands: Format) -> dict[str, str]:
    return {
        "size": f"{stands.table_size}-{stands.advance}",
        "style": stands.style.value,
        "two": "on" if stands.first_two else "",
        "third": "on" if stands.third_table else "",
        "prelim": str(stands.preliminary),
        "cut": stands.cut.value,
        "hands": str(stands.hands),
        "minutes": str(stands.minutes or 0),
        "final": str(stands.final_hands),
        "prizes": str(stands.prizes),
    }


def _preset(name: str) -> dict[str, str]:
    """桂林字牌·标准 or 单淘汰 as values of the fields (C5.6)."""
    usual = {key: USUAL[key] for key in NAMES if key in USUAL and key != "n"}
    prelim = "usual" if name == "standard" else "0"
    return {**usual, "two": "", "third": "", "prizes": "9", "prelim": prelim}


def _with_hands(values: dict[str, Any]) -> dict[str, str]:
    """The planner's 0 hands (by time alone) as the hands that fit into its minutes; its final of
    0 hands as long as the other rounds."""
    hands = str(values["hands"])
    minutes = str(values["minutes"])
    if hands == "0" and minutes.isdecimal() and int(minutes):
        hands = str(max(1, int(minutes) * 12 // DOZEN))
    return {"hands": hands, "final": hands if values["final"] == "0" else values["final"]}
