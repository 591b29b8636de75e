"""Which hand is to be recorded, and who deals it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.events import SEATS
from scoring.domain.board import Board
from scoring.evidence import MOST
from scoring.forms.entry import names_of


class BeginForm(forms.Form):
    """The next hand and whose turn it is to deal, unless told otherwise."""

    number = forms.IntegerField(label=_("第几局"), min_value=1, max_value=MOST)
    dealer = forms.ChoiceField(label=_("庄家"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = names_of(board)
        self.fields["dealer"].choices = [  # type: ignore[attr-defined]
            (str(position), f"{SEATS[position]} {name}") for position, name in enumerate(names)
        ]
