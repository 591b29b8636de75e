"""Forms of the public tools: a hand to be counted, a record to be checked.

They only read what was typed; what can be is for the engine to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from engine.errors import ZipaiError
from engine.events import Special
from engine.files import decode
from engine.options import Option
from engine.rules import PRESETS, Rules
from scoring.domain.errors import in_language
from scoring.evidence import RECORD_LIMIT
from scoring.forms.entry import RECORD_BYTES, SPECIALS, CardsField
from scoring.otherwise import Named
from tournament.forms.rules import SHOWN, preset_choices, spoken

SOURCES = (
    ("own-flip", _("自摸")),
    ("discard", _("点炮")),
    ("flip", _("别人翻")),
    ("deal", _("起手")),
)
SEATS = (("2", _("2 人")), ("3", _("3 人")), ("4", _("4 人，一人坐醒")))
OPTION: Final = "rule."
"""What stands before an option's name in an address."""
AS_PRESET: Final = "preset"
"""Stands for an option that is as the preset has it."""
NONE: Final = "none of them"
"""Stands for an option of several values of which none counts."""
USUAL: Final[Mapping[str, str]] = {
    "source": "own-flip",
    "preset": "competition",
    "seats": "3",
    **{OPTION + option.name: AS_PRESET for option in SHOWN},
}
"""What an address leaves out."""
_MELDS_APART: Final = re.compile(r"[\n,，;；、]+")
_KIND_APART: Final = re.compile(r"^(吃|碰|过扫|扫穿|扫|开舵|开招)\s*")
MOST_TURNED: Final = 20
"""More cards than any win turns at a table of three (R8.3)."""


class CalculatorForm(forms.Form):
    """A hand, how it was won, and under which rules. Sent by GET: the address is the hand."""

    use_required_attribute = False

    hand = CardsField(
        label=_("手牌"),
        max_length=120,
        help_text=_("不含胡的那张，例如 四四四捌捌八。"),
    )
    table = forms.CharField(
        label=_("桌上的牌"),
        required=False,
        max_length=200,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("一行一组：吃 二七十，碰 九，扫 壹。"),
    )
    card = CardsField(label=_("胡牌"), max_length=4, help_text=_("不写就看听哪些牌。"))
    xing = CardsField(label=_("翻醒"), max_length=4 * MOST_TURNED)
    source = forms.ChoiceField(label=_("怎样胡的"), choices=SOURCES, widget=forms.RadioSelect)
    special = forms.ChoiceField(
        label=_("特殊胡"), required=False, choices=SPECIALS, widget=forms.RadioSelect
    )
    last_card = forms.BooleanField(label=_("海底（墩已摸完，没有牌可翻醒）"), required=False)
    preset = forms.ChoiceField(label=_("规则"), widget=forms.RadioSelect)
    seats = forms.ChoiceField(label=_("几人桌"), choices=SEATS, widget=forms.RadioSelect)

    def __init__(self, query: QueryDict) -> None:
        data = query.copy()
        for name, value in USUAL.items():
            if not data.get(name):
                data[name] = value
        data["table"] = "\n".join(_lines(data.get("table", "")))
        super().__init__(data)
        self.fields["preset"].choices = preset_choices()  # type: ignore[attr-defined]
        for option in SHOWN:
            self.fields[OPTION + option.name] = _field(option)

    @property
    def option_fields(self) -> list[dict[str, Any]]:
        """The options' fields with the rule that each belongs to."""
        return [{"field": self[OPTION + option.name], "rule": option.rule} for option in SHOWN]

    @property
    def has_options(self) -> bool:
        """Whether an option was changed."""
        return any(self.data.get(OPTION + option.name) != AS_PRESET for option in SHOWN)

    def named(self) -> Named:
        """The rules that were chosen. The form is valid."""
        given = self.cleaned_data
        changes: dict[str, object] = {
            option.name: [] if value == NONE else value
            for option in SHOWN
            if (value := given[OPTION + option.name]) != AS_PRESET
        }
        plain = PRESETS[given["preset"]].with_options({"seats": given["seats"]})
        rules: Rules = plain.with_options(changes)
        return Named(given["preset"] if rules == plain else "", rules)

    @property
    def melds(self) -> list[str]:
        """The melds on the table as cli.md writes them, `碰 九`, whatever parts them."""
        return [_KIND_APART.sub(r"\1 ", line) for line in _lines(self.cleaned_data["table"])]

    def payload(self) -> dict[str, object]:
        """The slip of `scoring.evidence`: 甲 has won, 乙 discarded."""
        given = self.cleaned_data
        source, special = given["source"], given["special"]
        return {
            "source": source,
            "winner": "甲",
            "payer": "乙" if source == "discard" else None,
            "dealer": "乙" if special == Special.DIHU else "甲",
            "special": special or None,
            "last_card": given["last_card"],
            "hand": given["hand"],
            "table": self.melds,
            "card": "" if source == "deal" else given["card"],
            "xing": given["xing"],
        }

    def query(self) -> str:
        """The shortest address that is this form: what is usual is left out."""
        pairs = []
        for name in self.fields:
            value = str(self.data.get(name) or "").strip()
            if name == "table":
                value = ",".join(_lines(value))
            if value and value != USUAL.get(name):
                pairs.append((name, value))
        return urlencode(pairs, safe=",")


def _lines(table: str) -> list[str]:
    return [line.strip() for line in _MELDS_APART.split(table) if line.strip()]


def _field(option: Option) -> forms.ChoiceField:
    """An option as a list whose first entry leaves it to the preset."""
    values: list[tuple[str, str]] = [
        (option.write(value), spoken(text)) for value, text in option.values.items()
    ]
    if option.many:
        names = list(option.values)
        subsets = [
            tuple(name for i, name in enumerate(names) if bits >> i & 1)
            for bits in range(1, 1 << len(names))
        ]
        values = [(option.write(chosen), spoken(option.describe(chosen))) for chosen in subsets]
        values.append((NONE, spoken(option.describe(()))))
    return forms.ChoiceField(
        label=spoken((option.zh, option.en)), choices=[(AS_PRESET, _("照所选的规则")), *values]
    )


class RecordCheckForm(forms.Form):
    """A record, pasted or as a file; which of its hands, and which step, is looked at."""

    use_required_attribute = False

    text = forms.CharField(
        label=_("牌谱"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "off", "class": "zpr"}
        ),
        help_text=_("粘贴字牌谱，或在下面选文件。一次最多大约三十副牌。"),
    )
    file = forms.FileField(label=_("文件"), required=False, allow_empty_file=True)
    hand = forms.IntegerField(required=False, widget=forms.HiddenInput)
    step = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """A file's text takes the place of the typed one, and stays in the form."""
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        text = cleaned.get("text", "")
        if file is not None:
            text = self._read(file)
        elif not text.strip():
            self.add_error("text", _("请粘贴一副牌谱，或选一个文件。"))
        if len(text) > RECORD_LIMIT:
            self.add_error("file" if file else "text", TOO_LONG)
        cleaned["text"] = text.replace("\r\n", "\n")
        return cleaned

    def _read(self, file: Any) -> str:
        if file.size > RECORD_BYTES:
            self.add_error("file", TOO_LONG)
            return ""
        try:
            text = decode(file.read())
        except ZipaiError as error:
            self.add_error("file", in_language(error))
            return ""
        if not text.strip():
            self.add_error("file", _("文件是空的。请另选一个，或把牌谱粘贴在上面。"))
        data = cast(QueryDict, self.data).copy()
        data["text"] = text[: RECORD_LIMIT + 1]
        self.data = data
        return text


TOO_LONG = _("太长了，这里一次最多查大约三十副牌。请分几次查。")
