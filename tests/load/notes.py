"""What everybody did and was answered, noted while the day runs; the reckoning reads it.

An action is *acked* once the server has said that it is done, or has shown it done after an
answer was lost; *refused* where it said no; *lost* where nobody heard of it again: it may have
been done, once at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Fate(StrEnum):
    """What became of an action, as far as who did it knows."""

    LOST = "lost"
    ACKED = "acked"
    REFUSED = "refused"


@dataclass
class Note:
    """One action at a table.

    `kind` is enter, correct, void, restore, submit or agree. For those of a hand: its `number`,
    the `version` that the action makes of it, and `values`, which its payload then holds (None
    once it counts for nothing). `key` is the request's.
    """

    kind: str
    table: int
    number: int = 0
    version: int = 0
    key: str = ""
    values: Mapping[str, object] | None = None
    fate: Fate = Fate.LOST
    tries: int = 0


@dataclass
class Notes:
    """Everything that was done and seen in a day; times in seconds."""

    actions: list[Note] = field(default_factory=list)
    entries: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    strange: list[str] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    """How long an entry that could not be sent at once waited on its phone."""

    def act(self, note: Note) -> Note:
        """Notes an action before it is sent."""
        self.actions.append(note)
        return note

    def of(self, *kinds: str, fate: Fate | None = None) -> list[Note]:
        """The actions of these kinds, of one fate where told."""
        return [n for n in self.actions if n.kind in kinds and fate in (None, n.fate)]

    def wonder(self, what: str) -> None:
        """Notes an answer that nobody should get."""
        self.strange.append(what)
