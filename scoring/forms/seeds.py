"""Which earlier standings to seed by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Event


class StandingForm(forms.Form):
    """An event that is over, and how many of its best are seeds."""

    earlier = forms.ChoiceField(label=_("按哪场比赛的名次"))
    top = forms.IntegerField(label=_("前多少名做种子"), min_value=1, max_value=999, initial=9)

    def __init__(self, *args: Any, events: Sequence[Event], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["earlier"].choices = [  # type: ignore[attr-defined]
            (
                str(one.pk),
                f"{one.competition.starts_on:%Y-%m-%d} {one.competition.name} · {one.name}",
            )
            for one in events
        ]
