"""What the parts of both books share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.bracket import Urls
from scoring.shown_games import event_word
from tournament.models import Competition, Event

NO_URLS = Urls("0/", "0/")
"""Paper has no links: where a shown value wants addresses, these are never printed."""


@dataclass(frozen=True)
class Part:
    """A part of a book: its heading, the file of `print/book/` that prints it, and what with;
    `is_major` begins a new page."""

    title: str
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    is_major: bool = False


def titled(title: str, event: Event, events: Sequence[Event]) -> str:
    """A part's heading, with the event's name where there are several."""
    return f"{title} · {event.name}" if len(events) > 1 or event_word(event) else title


def events_of(competition: Competition) -> list[Event]:
    """The events in order, each knowing the competition. Needs one query."""
    events = list(competition.events.order_by("position", "pk"))
    for event in events:
        event.competition = competition
    return events
