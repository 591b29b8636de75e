"""Everything that is stored of one person in one competition, as JSON for that person.

Nobody else is in it: the others at a table are their numbers, and names are taken out of what was
typed. Nothing of a draft is in it, as whoever asks may not see drafts.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.db.models import Q

from core.models import AuditRow, Job
from scoring.domain.board import Board
from scoring.domain.boards import load_boards
from scoring.models import Penalty, Protest
from tournament.domain.erasing import names_in
from tournament.erased import Names
from tournament.models import (
    Attendance,
    Call,
    Competition,
    Consent,
    DeviceLink,
    Draw,
    Entrant,
    Entry,
    ImportBatch,
    Seat,
)
from tournament.queries.public import OPEN_STATES

FORMAT, VERSION = "duozhu-person", 1
ABOUT = [
    "这是这场比赛存着的关于您的全部内容。别人只写编号。每一项是什么：见网站的“隐私说明”。",
    "All that is stored of you in this competition. Others are their numbers. What each part is: "
    "see the site's page on privacy.",
]
Row = dict[str, Any]


def personal_data(entry: Entry) -> Row:
    """Needs `competition` and `person`. As many queries for any number of tables."""
    competition, person = entry.competition, entry.person
    entrants = list(
        Entrant.objects.filter(Q(entry=entry) | Q(partner=entry))
        .select_related("event", "entry", "partner")
        .order_by("event__position", "pk")
    )
    others = _others(competition, entry)
    links = list(DeviceLink.objects.filter(_of(entry, "entry", "entrant__")).order_by("pk"))
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": ABOUT,
        "competition": {"name": competition.name, "starts_on": competition.starts_on},
        "person": {
            "name": person.name,
            "reading": person.reading,
            "phone": person.phone,
            "mail": person.mail,
            "birth_year": person.birth_year,
            "note": person.note,
            "has_account": person.user_id is not None,
        },
        "entry": _entry(entry),
        "consents": [
            {"text": others.out_of(one.text), "given_at": one.given_at}
            for one in Consent.objects.filter(entry=entry)
        ],
        "links": [
            {"made_at": one.created_at, "for": others.out_of(one.label), "ended_at": one.revoked_at}
            for one in links
        ],
        "events": [_event(one, entry) for one in entrants],
        "draws": _draws(entrants),
        "tables": _tables(entrants, others),
        "roll": [
            {"round": one.round.number, "absent_at": one.absent_at, "seated_at": one.seated_at}
            for one in Attendance.objects.filter(entrant__in=entrants).select_related("round")
        ],
        "calls": [
            {"at": one.called_at, "kind": one.kind, "text": others.out_of(one.text)}
            for one in Call.objects.filter(link__in=links).order_by("pk")
        ],
        "lists": [
            {"imported_at": one.confirmed_at, "can_be_undone_until": one.expires_at}
            for one in ImportBatch.objects.filter(competition=competition).order_by("pk")
            if entry.pk in one.ids
        ],
        "mails": [
            {"about": one.kind, "at": one.created_at, "state": one.state}
            for one in Job.objects.filter(
                kind="mail-moved-up", payload={"entry": entry.pk}
            ).order_by("pk")
        ],
        "log": _log(competition, entry, entrants, links),
    }


def as_json(data: Row) -> str:
    """The file's text; times in ISO 8601."""
    return json.dumps(data, ensure_ascii=False, indent=1, default=_plain) + "\n"


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _of(entry: Entry, own: str, prefix: str) -> Q:
    """Rows of the entry itself, or of an entrant that it plays as."""
    return Q(**{own: entry}) | Q(**{f"{prefix}entry": entry}) | Q(**{f"{prefix}partner": entry})


def _others(competition: Competition, entry: Entry) -> Names:
    """Everybody else's names, to be taken out; his own stays."""
    people = Entry.objects.filter(competition=competition)
    pks = {pk for pair in people.values_list("person_id", "person_before_id") for pk in pair if pk}
    found = names_in(competition, pks - {entry.person_id})
    return Names({k: v for k, v in found.words.items() if k != entry.person.name}, found.others)


def _entry(entry: Entry) -> Row:
    return {
        "number": entry.number,
        "unit": entry.unit,
        "status": entry.status,
        "entered_at": entry.created_at,
        "arrived_at": entry.checked_in_at,
        "moved_up_at": entry.moved_up_at,
        "badge_printed_at": entry.badge_printed_at,
        "paid": entry.paid,
        "needs_fixed_table": entry.needs_fixed_table,
        "taken_over_from_somebody": entry.person_before_id is not None,
        "wants": list(entry.wants.order_by("position").values_list("name", flat=True)),
        "kept_apart_with_a_group": entry.apart_groups.exists(),
    }


def _event(entrant: Entrant, entry: Entry) -> Row:
    other = entrant.partner if entrant.entry_id == entry.pk else entrant.entry
    return {
        "event": entrant.event.name,
        "status": entrant.status,
        "seed": entrant.seed,
        "preliminary_rank": entrant.prelim_rank,
        "partner_number": other.number if other else None,
    }


def _draws(entrants: Iterable[Entrant]) -> list[Row]:
    """His own line in each published draw's list: number, unit, seed, a hash of the name."""
    events = [one.event_id for one in entrants]
    own = tuple(f"{one.entry.number}\t" for one in entrants if one.entry.number)
    draws = Draw.objects.filter(stage__event__in=events, published_at__isnull=False)
    return [
        {"event": draw.stage.event.name, "drawn_at": draw.drawn_at, "line": line}
        for draw in draws.select_related("stage__event").order_by("pk")
        for line in draw.lines.splitlines()
        if line.startswith(own)
    ]


def _tables(entrants: Iterable[Entrant], others: Names) -> list[Row]:
    """His seats at tables that everybody may see, with his own part of each hand. As many queries
    however many tables, but for those of an event's boards (`load_boards`)."""
    playing = {one.pk for one in entrants}
    seats = list(
        Seat.objects.filter(Q(entrant__in=playing) | Q(stands_for__in=playing))
        .filter(table__state__in=OPEN_STATES, round__state__in=OPEN_STATES)
        .select_related("table__round__stage__event")
        .order_by("round__stage__kind", "round__number", "pk")
    )
    tables = [seat.table_id for seat in seats]
    beside: dict[int, list[Seat]] = defaultdict(list)
    for one in (
        Seat.objects.filter(table__in=tables)
        .select_related("entrant__entry")
        .order_by("table", "position")
    ):
        beside[one.table_id].append(one)
    boards = {
        board.table.pk: board
        for event in {one.event for one in entrants}
        for board in load_boards(event)
        if board.table.pk in beside
    }
    said = _said(tables, others)
    return [_table(seat, playing, beside, boards, others) | said(seat) for seat in seats]


def _table(
    seat: Seat,
    playing: Collection[int],
    beside: Mapping[int, Sequence[Seat]],
    boards: Mapping[int, Board],
    others: Names,
) -> Row:
    round_, board = seat.table.round, boards.get(seat.table_id)
    return {
        "event": round_.stage.event.name,
        "round": round_.title,
        "table": seat.table.number,
        "seat": seat.name,
        "gave_the_seat_up": seat.entrant_id not in playing,
        "place": seat.place,
        "advances": seat.advances,
        "points_in_twelfths": seat.points,
        "forfeited": seat.forfeits,
        "with": [
            one.entrant.number if one.entrant else None
            for one in beside[seat.table_id]
            if one.pk != seat.pk
        ],
        **(_played(board, seat.position, others) if board else {"net": None, "hands": []}),
    }


def _played(board: Board, at: int, others: Names) -> Row:
    return {
        "net": board.figure(board.sums.seats[at].net),
        "hands": [
            {
                "number": version.hand.number,
                "points": version.deltas[at],
                "won": None if version.winners is None else at in version.winners,
                "paid_for_it": version.payer == at,
                "evidence": version.evidence,
                "is_void": version.is_void,
                "reason": others.out_of(version.reason),
                "entered_at": version.created_at,
            }
            for version in board.versions
        ],
        "rulings": [
            {"points": one.deltas[at], "reason": others.out_of(one.reason), "at": one.created_at}
            for one in board.rulings.values()
        ],
    }


def _said(tables: Collection[int], others: Names) -> Callable[[Seat], Row]:
    """The penalties of his seat and the protests from it, taken back or not. Two queries."""
    penalties = list(
        Penalty.objects.filter(sheet__table__in=tables).select_related("sheet").order_by("pk")
    )
    protests = list(
        Protest.objects.filter(sheet__table__in=tables).select_related("sheet").order_by("pk")
    )

    def of(seat: Seat) -> Row:
        def his(one: Penalty | Protest) -> bool:
            return (one.sheet.table_id, one.position) == (seat.table_id, seat.position)

        return {
            "penalties": [
                {
                    "level": one.level,
                    "points": one.deltas[seat.position],
                    "deducted": one.deducted,
                    "reason": others.out_of(one.reason),
                    "at": one.created_at,
                    "taken_back_at": one.voided_at,
                }
                for one in filter(his, penalties)
            ],
            "protests": [
                {
                    "text": others.out_of(one.text),
                    "at": one.created_at,
                    "state": one.state,
                    "answer": others.out_of(one.answer),
                    "appeal": others.out_of(one.appeal),
                    "final_answer": others.out_of(one.final_answer),
                }
                for one in filter(his, protests)
            ],
        }

    return of


def _log(
    competition: Competition,
    entry: Entry,
    entrants: Iterable[Entrant],
    links: Iterable[DeviceLink],
) -> list[Row]:
    """What was done to his entry, and what was done by his links: when and what."""
    subjects = [f"entry:{entry.pk}", *(f"entrant:{one.pk}" for one in entrants)]
    own = [one.pk for one in links]
    rows = AuditRow.objects.filter(Q(subject__in=subjects) | Q(link_id__in=own))
    return [
        {"at": row.at, "action": row.action, "by_own_link": row.link_id in own}
        for row in rows.filter(scope=competition.scope).order_by("pk")
    ]
