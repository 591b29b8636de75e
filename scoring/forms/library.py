"""Forms of the 牌谱库: what is looked for, and a file that becomes a collection."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from engine.result import DRAW_KIND
from scoring.enums import Evidence
from scoring.forms.entry import SPECIALS
from scoring.forms.tools import SOURCES
from scoring.forms.verdicts import UploadForm
from scoring.meld_bits import NAMES, bits_named
from scoring.queries_library import Asked, Open, named
from scoring.templatetags.zipai import KIND_NAMES
from tournament.forms.rules import preset_choices

ANY = ("", _("都可以"))
LEVELS = (
    (Evidence.RECORD, Evidence.RECORD.label),
    (Evidence.SLIP, Evidence.SLIP.label),
    (Evidence.RESULT, Evidence.RESULT.label),
)
MOST_CHOICES = 200
MOST_NUMBER = 999


class LibraryForm(forms.Form):
    """A question to the library, by GET: its address can be passed on."""

    use_required_attribute = False

    player = forms.CharField(
        label=_("选手"), required=False, max_length=40, help_text=_("姓名或拼音的一部分。")
    )
    won = forms.BooleanField(label=_("只看他胡的"), required=False)
    where = forms.ChoiceField(label=_("哪场比赛、哪个牌谱集"), required=False)
    how = forms.ChoiceField(
        label=_("怎样胡的"), required=False, choices=(ANY, *SOURCES, (DRAW_KIND, _("荒庄")))
    )
    special = forms.ChoiceField(label=_("特殊胡"), required=False)
    hu_from = forms.IntegerField(
        label=_("胡数，从"), required=False, min_value=0, max_value=MOST_NUMBER
    )
    hu_to = forms.IntegerField(
        label=_("胡数，到"), required=False, min_value=0, max_value=MOST_NUMBER
    )
    xing_from = forms.IntegerField(
        label=_("醒，至少"), required=False, min_value=0, max_value=MOST_NUMBER
    )
    rules = forms.ChoiceField(label=_("规则"), required=False)
    evidence = forms.ChoiceField(label=_("记到多细"), required=False, choices=(ANY, *LEVELS))
    melds = forms.MultipleChoiceField(
        label=_("有这些组"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("选几种，就找每一种都有的。"),
    )
    entrant = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def __init__(self, query: QueryDict, found: Open) -> None:
        super().__init__(query)
        self.found = found
        places = [(one.code, one.name) for one in found.competitions.values()][:MOST_CHOICES]
        collections = [(f"+{pk}", name) for pk, name in found.collections.items()][:MOST_CHOICES]
        choices: dict[str, list[Any]] = {
            "where": [ANY, (_("比赛"), places), (_("牌谱集"), collections)],
            "rules": [ANY, *preset_choices()],
            "special": [ANY, *((value, label) for value, label in SPECIALS if value)],
            "melds": [(name, KIND_NAMES.get(name, name)) for name in NAMES],  # type: ignore[call-overload]
        }
        for name, pairs in choices.items():
            self.fields[name].choices = pairs  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """The range has to be one."""
        given = super().clean() or {}
        low, high = given.get("hu_from"), given.get("hu_to")
        if low is not None and high is not None and low > high:
            self.add_error("hu_to", _("“到”不能小于“从”。"))
        return given

    @property
    def is_detailed(self) -> bool:
        """Whether something is asked that stands in the folded part."""
        return any(self.data.get(name) for name in ("melds", "xing_from", "rules", "evidence"))

    @property
    def asked(self) -> Asked:
        """The question. The form is valid."""
        given = self.cleaned_data
        where = given["where"]
        shown = named(self.found.competitions, where)
        return Asked(
            player=given["player"],
            entrant=given["entrant"],
            won=given["won"],
            competition=shown.pk if shown else None,
            collection=int(where[1:]) if where.startswith("+") else None,
            rules=given["rules"],
            evidence=given["evidence"],
            source=given["how"],
            special=given["special"],
            hu_from=given["hu_from"],
            hu_to=given["hu_to"],
            xing_from=given["xing_from"],
            melds=bits_named(given["melds"]),
        )

    @property
    def query(self) -> str:
        """The shortest address of this question, without what is not asked. The form is valid."""
        pairs: list[tuple[str, Any]] = []
        for name, value in self.cleaned_data.items():
            if name == "melds":
                pairs += [(name, one) for one in value]
            elif value is not None and value is not False and value != "":
                pairs.append((name, "on" if value is True else value))
        return urlencode(pairs)


class CollectionForm(UploadForm):
    """A file of many records, and what people will call the collection."""

    name = forms.CharField(label=_("名称"), max_length=80, help_text=_("例如 2017 年实战牌谱。"))
    field_order = ("name", "file")
