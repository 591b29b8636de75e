"""停和: a player who may not win for some hands, and what is entered all the same (C6.5)."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict
from scoring.domain.board import Board
from scoring.evidence import Counted


class Stopped(Conflict):
    """A stopped player is entered as winner: the hand wants a flag (待裁) or a reason."""

    code = "stopped-winner"

    def __init__(self, names: list[str]) -> None:
        super().__init__(
            _("%(who)s 这一局停和，不能胡。请标为待裁交裁判长，或写明为什么算。")
            % {"who": gettext("、").join(names)}
        )
        self.names = names


def stopped_winners(board: Board, counted: Counted, number: int) -> list[int]:
    """The positions of those who win the hand with this number although they may not."""
    stopped = board.stopped(number)
    return [position for position in counted.winners or () if position in stopped]


def check_stopped(
    board: Board, counted: Counted, number: int, *, is_flagged: bool, reason: str
) -> None:
    """Raises `Stopped` unless the hand is flagged or comes with a reason. What the engine has
    computed stays as it is."""
    found = stopped_winners(board, counted, number)
    if found and not is_flagged and not reason.strip():
        raise Stopped([board.seats[position].name for position in found])
