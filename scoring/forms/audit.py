"""What the page 操作记录 is narrowed by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.audit_words import KINDS
from scoring.queries_audit import Wanted
from tournament.forms.registration import MomentInput
from tournament.models import Round

MOST_TABLES = 100_000


class AuditForm(forms.Form):
    """All may be left empty. `kinds`, `actors` (key → name, "" for the site) and `rounds` (with
    `stage.event`) are what there is to choose from; `several` events are told apart."""

    kind = forms.ChoiceField(label=_("什么事"), required=False)
    who = forms.ChoiceField(label=_("谁做的"), required=False)
    round = forms.TypedChoiceField(
        label=pgettext_lazy("audit", "轮次"), required=False, coerce=int, empty_value=None
    )
    table = forms.IntegerField(
        label=_("桌号"), required=False, min_value=1, max_value=MOST_TABLES, localize=False
    )
    since = forms.DateTimeField(label=_("从"), required=False, widget=MomentInput())
    until = forms.DateTimeField(label=_("到"), required=False, widget=MomentInput())

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        kinds: Collection[str],
        actors: Mapping[str, str],
        rounds: Iterable[Round],
        several: bool,
    ) -> None:
        super().__init__(data)
        every = [("", _("全部"))]
        known = [(kind, name) for kind, name in KINDS.items() if kind in kinds]
        other = [(kind, kind) for kind in sorted(set(kinds) - set(KINDS))]
        self._choose("kind", [*every, *known, *other])
        people = sorted(actors.items(), key=lambda pair: (pair[1] == "", pair[1]))
        self._choose("who", [*every, *((key, name or _("网站")) for key, name in people)])
        titles = [
            (round_.pk, f"{round_.stage.event.name} · {round_.title}" if several else round_.title)
            for round_ in rounds
        ]
        self._choose("round", [*every, *titles])

    def _choose(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    def clean(self) -> dict[str, Any]:
        """A table's number is one in a round."""
        given = self.cleaned_data
        if given.get("table") is not None and given.get("round") is None:
            self.add_error("round", _("请选这一桌是哪一轮的。"))
        if given.get("since") and given.get("until") and given["since"] > given["until"]:
            self.add_error("until", _("“到”要在“从”之后。"))
        return given

    def wanted(self) -> Wanted:
        """What was chosen. The form is valid."""
        return Wanted(**self.cleaned_data)
