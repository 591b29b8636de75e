"""When rounds begin: one field a round."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.enums import BEFORE_PLAY
from tournament.forms.registration import MomentInput
from tournament.models import Round


class RoundTimesForm(forms.Form):
    """A start for each round that has not begun, in the active time zone; may be left empty."""

    def __init__(self, *args: Any, rounds: Iterable[Round], several: bool, **kwargs: Any) -> None:
        """`several`: the rounds are of more than one event, which the labels then name. Needs
        `stage.event`."""
        super().__init__(*args, **kwargs)
        for round_ in rounds:
            event = round_.stage.event
            self.fields[field_of(round_.pk)] = forms.DateTimeField(
                label=f"{event.name} · {round_.title}" if several else round_.title,
                required=False,
                disabled=round_.state not in BEFORE_PLAY,
                initial=round_.starts_at,
                widget=MomentInput(),
                help_text="" if round_.state in BEFORE_PLAY else _("已经开打，不能再改。"),
            )

    def times(self) -> dict[int, datetime | None]:
        """Round's id → its start. The form is valid."""
        return {
            int(name.removeprefix("round_")): moment
            for name, moment in self.cleaned_data.items()
            if not self.fields[name].disabled
        }


def field_of(round_id: int) -> str:
    """The name of a round's field."""
    return f"round_{round_id}"
