"""When what is confirmed becomes final (C7.1): for pages, which say so beside every result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournament.enums import State
from tournament.models import Competition, Round


@dataclass(frozen=True)
class Finality:
    """How final a result is: `due` is when the last round's is, None where it is not the clock
    that decides."""

    state: str
    is_last: bool
    due: datetime | None


def finality(state: str, round_: Round, competition: Competition) -> Finality:
    """Of a table of `round_` in `state`, or of the round itself."""
    due = None
    counts = round_.is_last and round_.state == State.CONFIRMED and state == State.CONFIRMED
    if counts and round_.confirmed_at is not None:
        due = round_.confirmed_at + timedelta(minutes=competition.final_minutes)
    return Finality(state, round_.is_last, due)
