"""Which forms a hand or game can be entered in (C6.1, C10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.domain.board import Board
from scoring.enums import Evidence
from scoring.forms.entry import EntryForm, RecordForm, ResultForm, SlipForm, TotalsForm
from scoring.forms.game import GameForm

FORMS: Mapping[str, type[EntryForm]] = {
    str(form.evidence): form for form in (ResultForm, SlipForm, RecordForm, TotalsForm, GameForm)
}
"""The forms by their level of evidence, in the order of the page's tabs."""


def levels(board: Board) -> Sequence[str]:
    """The levels that can be entered here."""
    return [level for level in FORMS if (level == Evidence.GAME) != board.is_counted]
