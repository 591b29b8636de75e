"""What can be taken back at a sheet by who asks, for its buttons (C9.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.domain.undo import confirmed_by, submitted_by
from scoring.enums import SheetState
from scoring.forms.entry import names_of
from scoring.views.referee.pages import Page
from tournament.domain.gaps import is_gap
from tournament.domain.seating import met_table
from tournament.enums import BEFORE_PLAY, State
from tournament.models import Entrant, Seat
from tournament.permissions import Action, is_chief, may


@dataclass(frozen=True)
class Undoable:
    """One flag a button; `confirmations` are the seats (None: a referee) that he may take back."""

    call: bool = False
    submit: bool = False
    confirmations: tuple[dict[str, Any], ...] = ()
    reopen: bool = False
    unfinal: bool = False
    answers: bool = False

    @property
    def is_any(self) -> bool:
        """Whether there is a button to show."""
        return bool(self.call or self.submit or self.confirmations or self.reopen or self.unfinal)


def undoable(page: Page, confirmed: int) -> Undoable:
    """`confirmed` is how many have. At most two queries, none while the sheet is open."""
    board, acting, sheet = page.board, page.acting, page.board.sheet
    if sheet.pk is None:
        return Undoable()
    met, chief = board.met(reason="-", effects_shown=True), is_chief(acting)
    answers = may(acting, Action.RULE, met)
    if board.table.state == State.CONFIRMED:
        return Undoable(reopen=chief and not _has_begun(page), answers=answers)
    if board.table.state == State.FINAL:
        unfinal = chief and board.round.is_last and board.round.state == State.FINAL
        return Undoable(unfinal=unfinal, answers=answers)
    if sheet.state == SheetState.OPEN:
        call = board.is_called and may(acting, Action.CALL_TIME, met)
        return Undoable(call=call, answers=answers)
    names = names_of(board)
    mine = confirmed_by(acting, sheet) if may(acting, Action.SEND_BACK, met) else []
    own = may(acting, Action.SUBMIT_SHEET, met) and not confirmed
    return Undoable(
        submit=own and (chief or submitted_by(acting, sheet)),
        confirmations=tuple(
            {
                "position": one.position,
                "name": "" if one.position is None else names[one.position],
            }
            for one in mine
        ),
        answers=answers,
    )


def gap_buttons(page: Page) -> dict[str, bool | list[Seat]]:
    """Whether a seat wants filling by who asks, and which he may empty again. No query."""
    seats = page.board.seats
    if not may(page.acting, Action.LATE_ENTRY, met_table(page.board.table)):
        return {"wanted": False, "filled": []}
    return {
        "wanted": any(is_gap(seat) for seat in seats),
        "filled": [seat for seat in seats if seat.gap_filled],
    }


def gone_from(page: Page) -> list[Entrant]:
    """Who left a seat of this table before its first hand and may come back (C9.5). One query at
    most."""
    if page.board.table.state not in BEFORE_PLAY:
        return []
    ids = [pk for seat in page.board.seats for pk in (seat.stands_for_id, *seat.stood_in) if pk]
    if not ids:
        return []
    return list(
        Entrant.objects.filter(pk__in=ids).select_related("entry__person", "partner__person")
    )


def _has_begun(page: Page) -> bool:
    """Whether the next table has a hand."""
    fed = Seat.objects.filter(source=page.board.table)
    return fed.exclude(table__state__in=BEFORE_PLAY).exists()
