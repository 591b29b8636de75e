"""When what is confirmed becomes final (C7.1): for pages, which say so beside every result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from tournament.enums import State
from tournament.models import Competition


class Ending(Protocol):
    """What is asked of a round, or of a row that tells of one."""

    @property
    def state(self) -> str:
        """Its state (C7)."""

    @property
    def is_last(self) -> bool:
        """Whether a champion comes out of it."""

    @property
    def is_prelim(self) -> bool:
        """Whether it is a preliminary's: the knock-out's first hand makes it final."""

    @property
    def confirmed_at(self) -> datetime | None:
        """When all its tables were confirmed."""


@dataclass(frozen=True)
class Finality:
    """How final a result is: `due` is when the last round's is, None where it is not the clock
    that decides."""

    state: str
    is_last: bool
    due: datetime | None
    is_prelim: bool = False


def finality(state: str, round_: Ending, competition: Competition) -> Finality:
    """Of a table of `round_` in `state`, or of the round itself."""
    due = None
    counts = round_.is_last and round_.state == State.CONFIRMED and state == State.CONFIRMED
    if counts and round_.confirmed_at is not None:
        due = round_.confirmed_at + timedelta(minutes=competition.final_minutes)
    return Finality(state, round_.is_last, due, round_.is_prelim)
