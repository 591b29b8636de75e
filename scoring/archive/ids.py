"""Ids inside JSON columns and audit rows: which values are ids, and of what. Pure.

`swap(kind, id)` gives the other name of a row of a kind (a model's name, lower case); it gets None
where nothing is named. The same functions serve both ways, to the archive and back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Swap = Callable[[str, int | None], int | None]
Change = Callable[[Any, Swap], Any]


def one(kind: str) -> Change:
    """An id."""
    return lambda value, swap: swap(kind, value)


def each(kind: str) -> Change:
    """A list of ids, or of lists of them."""

    def change(value: Any, swap: Swap) -> Any:
        if isinstance(value, list):
            return [change(item, swap) for item in value]
        return swap(kind, value)

    return change


def keyed(kind: str, inner: Change | None = None) -> Change:
    """An object whose keys are ids."""

    def change(value: Mapping[str, Any], swap: Swap) -> dict[str, Any]:
        return {
            str(swap(kind, int(key))): inner(item, swap) if inner else item
            for key, item in value.items()
        }

    return change


def fields(**inner: Change) -> Change:
    """An object in which these keys, where they are there, hold ids."""

    def change(value: Any, swap: Swap) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {
            key: inner[key](item, swap) if key in inner else item for key, item in value.items()
        }

    return change


def rows(*kinds: str | None) -> Change:
    """A list of lists whose items are ids of these kinds, or no ids (None)."""

    def change(value: list[list[Any]], swap: Swap) -> list[list[Any]]:
        return [
            [
                item if kind is None else swap(kind, item)
                for kind, item in zip(kinds, row, strict=True)
            ]
            for row in value
        ]

    return change


_EFFECTS = fields(
    places=lambda value, swap: [fields(entrant_id=one("entrant"))(item, swap) for item in value],
    moves=lambda value, swap: [
        fields(
            feed=fields(seat_id=one("seat"), table_id=one("table"), entrant_id=one("entrant")),
            after=one("entrant"),
        )(item, swap)
        for item in value
    ],
    champion=each("entrant"),
)

COLUMNS: Mapping[str, Change] = {
    "tournament.Draw.absent": each("entrant"),
    "tournament.Seat.stood_in": each("entrant"),
    "tournament.SchedulePublication.snapshot": fields(
        sessions=keyed("session"),
        rounds=keyed("round"),
        tables=keyed(
            "table",
            fields(
                round=one("round"),
                session=one("session"),
                room=one("room"),
                referee=one("membership"),
            ),
        ),
    ),
    "scoring.RejudgedTable.effects": _EFFECTS,
}
"""The JSON columns that hold ids."""

NO_IDS = frozenset(
    {
        "core.AuditRow.said",
        "tournament.Draw.plan",
        "tournament.Draw.log",
        "tournament.Draw.result",
        "tournament.Event.options",
        "tournament.Stage.lateness",
        "tournament.ScreenSettings.parts",
        "scoring.TieBreak.tied",
        "scoring.TieBreak.order",
        "scoring.HandVersion.payload",
        "scoring.HandVersion.computed",
        "scoring.HandVersion.winners",
        "scoring.Recording.cards",
        "scoring.Recording.steps",
        "scoring.Ruling.places",
        "scoring.VerdictSettings.amounts",
        "scoring.Rejudge.options",
        "scoring.Rejudge.before_options",
        "scoring.Rejudge.summary",
        "scoring.RejudgedTable.nets_before",
        "scoring.RejudgedTable.nets_after",
        "scoring.RejudgedHand.after",
    }
)
"""The JSON columns that hold none: numbers of entries, positions of seats, points."""

_LEFT = fields(
    moved_up=each("entry"), seat=one("seat"), instead=one("entrant"), event=one("event"),
    partner=one("entry"),
)  # fmt: skip
_TABLES = fields(tables=each("table"), longer=each("table"))
_ENTRIES = fields(entries=each("entry"))
_MEMBER = fields(user=one("user"))
_SEATS = fields(
    undoes=one("auditrow"), entrant=one("entrant"), entrants=each("entrant"), source=one("table"),
    stands_for=one("entrant"), instead=one("entrant"), **{"with": one("seat")},
)  # fmt: skip

AUDIT: Mapping[str, Change] = {
    "attendance.mark": fields(entrants=each("entrant")),
    "call.": fields(table=one("table")),
    "clock.extra": _TABLES,
    "competition.change": _LEFT,
    "competition.units": fields(events=each("event")),
    "draw.freeze": fields(absent=each("entrant")),
    "draw.unfreeze": fields(absent=each("entrant")),
    "entrant.": _LEFT,
    "entrant.pair": fields(partner=one("entry")),
    "entrant.part": fields(partner=one("entry")),
    "entry.": _LEFT,
    "entry.check-in-many": _ENTRIES,
    "entry.check-out-many": _ENTRIES,
    "entry.events": fields(events=each("event")),
    "entry.numbers": fields(numbers=keyed("entry")),
    "event.move": fields(order=each("event")),
    "import.undo": _ENTRIES,
    "invitation.accept": fields(user=one("user"), by=one("user")),
    "link.issue": fields(table=one("table"), entrant=one("entrant"), entry=one("entry")),
    "link.issue-badges": _ENTRIES,
    "link.issue-tables": _TABLES,
    "member.": _MEMBER,
    "preliminary.close": fields(going_on=each("entrant")),
    "preliminary.tie-break": fields(tied=each("entrant")),
    "preliminary.no-tie-break": fields(round=one("round")),
    "rejudge.propose": fields(event=one("event")),
    "round.call-time": _TABLES,
    "round.uncall-time": _TABLES,
    "round.times": keyed("round"),
    "ruling.give": fields(before=one("ruling")),
    "ruling.drop": fields(restored=one("ruling")),
    "schedule.batch": fields(session=one("session")),
    "schedule.table": keyed("table", fields(room_id=one("room"), referee_id=one("membership"))),
    "screen.ceremony": fields(draw=one("draw")),
    "seat.": _SEATS,
    "sheet.rejudge": fields(rejudge=one("rejudge")),
    "sheet.replay": fields(because_of=one("sheet"), seated=each("entrant")),
    "table.confirm": fields(advance=each("entrant"), champion=one("entrant")),
    "table.correct": fields(
        places=rows("entrant", None, None), moves=rows("table", "entrant", "entrant")
    ),
    "table.replay": fields(because_of=one("table")),
    "table.start": fields(final=each("table")),
}
"""By action, or by its beginning up to the dot, what of an audit row's data are ids."""


TOKEN = "token"


def audited(action: str, data: Any, swap: Swap) -> Any:
    """The data of an audit row with its ids renamed. The token of a program may be in any."""
    if not isinstance(data, Mapping):
        return data
    change = AUDIT.get(action) or AUDIT.get(action.partition(".")[0] + ".")
    rest = {key: value for key, value in data.items() if key != TOKEN}
    made = change(rest, swap) if change else rest
    return {**made, TOKEN: swap("apitoken", data[TOKEN])} if TOKEN in data else made


def subject(text: str, swap: Swap) -> str:
    """`hand:17` with its id renamed; what names no row stays."""
    kind, colon, number = text.partition(":")
    if not colon or not number.removeprefix("-").isdecimal():
        return text
    return f"{kind}:{swap(kind, int(number))}"
