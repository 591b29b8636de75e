"""牌谱库: hands of published competitions and records that collectors show, looked for by what is
in them. Nothing of a draft, no name that is masked (C7.4).

Only the narrow rows of `LibraryHand` are filtered, so that any question reads one small table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum

from core.models import User
from engine.files import parse
from engine.record import Record, export
from scoring.enums import Evidence
from scoring.models import Collection, HandVersion, LibraryHand, UploadedRecord
from scoring.nameless import nameless
from scoring.play_statistics import Group
from scoring.queries_public import SeatRow, seat_rows
from tournament.domain.pasting import clean
from tournament.models import Competition, Entrant, Event, Seat

SEAT_BITS = range(1, 16)
MOST_ENTRANTS = 500
"""Entrants that a name is searched among; more are no help to anybody."""
A_READ = 200


class Shown(NamedTuple):
    """A published competition."""

    pk: int
    code: str
    name: str
    mask: bool


@dataclass(frozen=True)
class Asked:
    """A question to the library; what is empty or None is not asked.

    `player` is a name or its pinyin, `entrant` the id of one, `won` only what he won; `source`
    the engine's name of how it was won, or `draw`; `melds` bits of `scoring.meld_bits`.
    """

    player: str = ""
    entrant: int | None = None
    won: bool = False
    competition: int | None = None
    collection: int | None = None
    rules: str = ""
    evidence: str = ""
    source: str = ""
    special: str = ""
    hu_from: int | None = None
    hu_to: int | None = None
    xing_from: int | None = None
    melds: int = 0


class Open(NamedTuple):
    """What everybody may see, by id: competitions and collections."""

    competitions: dict[int, Shown]
    collections: dict[int, str]


def open_to_all() -> Open:
    """Published competitions and collections, newest first. Two queries."""
    found = Competition.objects.filter(published_at__isnull=False).order_by("-starts_on", "-pk")
    shown = [Shown(*row) for row in found.values_list("pk", "code", "name", "mask_names")]
    collections = Collection.objects.filter(published_at__isnull=False)
    names = collections.order_by("-published_at", "-pk").values_list("pk", "name")
    return Open({one.pk: one for one in shown}, dict(names))


def scopes_of(found: Open) -> list[str]:
    """The scopes whose versions move when an answer changes. One query."""
    events = Event.objects.filter(competition__in=list(found.competitions)).order_by("pk")
    pks = events.values_list("pk", flat=True)
    return ["collections", *(scope for pk in pks for scope in Event(pk=pk).scopes)]


def hands(found: Open, asked: Asked) -> QuerySet[LibraryHand]:
    """The hands that fit, newest first. Asks at most two queries to know who is meant."""
    rows = LibraryHand.objects.filter(
        Q(competition__in=list(found.competitions)) | Q(competition=None), is_public=True
    )
    if asked.player or asked.entrant is not None:
        rows = rows.filter(_played(_entrants(found, asked), won=asked.won))
    equal = {
        "competition": asked.competition,
        "collection": asked.collection,
        "rules": asked.rules,
        "evidence": asked.evidence,
        "source": asked.source,
        "special": asked.special,
        "hu__gte": asked.hu_from,
        "hu__lte": asked.hu_to,
        "xing__gte": asked.xing_from,
    }
    rows = rows.filter(**{name: value for name, value in equal.items() if value not in (None, "")})
    if (asked.hu_from, asked.hu_to, asked.xing_from) != (None, None, None):
        rows = rows.filter(winners__gt=0)
    if asked.melds:
        rows = rows.annotate(held=F("melds").bitand(asked.melds)).filter(held=asked.melds)
    return rows.order_by("-pk")


def _entrants(found: Open, asked: Asked) -> list[int]:
    """Who is meant, by id. Where names are masked nobody is found by his name."""
    if asked.entrant is not None:
        return [asked.entrant]
    text = clean(asked.player)
    joined = text.replace(" ", "")
    named = [pk for pk, one in found.competitions.items() if not one.mask]
    fits = Q()
    for member in ("entry", "partner"):
        fits |= Q(**{f"{member}__person__name__icontains": joined})
        fits |= Q(**{f"{member}__person__reading__contains": joined.lower()})
    entrants = Entrant.objects.filter(fits, event__competition__in=named).order_by("-pk")
    return list(entrants.values_list("pk", flat=True)[:MOST_ENTRANTS])


def _played(entrants: Sequence[int], *, won: bool) -> Q:
    """The hands that one of these played himself: those of his tables until he left."""
    tables: dict[int, list[int]] = {}
    late = Q(pk__in=())
    seats = Seat.objects.filter(entrant__in=entrants).order_by("pk")
    for table, position, left in seats.values_list("table", "position", "sat_in_from"):
        if left is None:
            tables.setdefault(position, []).append(table)
        else:
            mine = Q(winners__in=_with(position)) if won else Q()
            late |= Q(table=table, number__lt=left) & mine
    for position, at in tables.items():
        mine = Q(winners__in=_with(position)) if won else Q()
        late |= Q(table__in=at) & mine
    return late


def _with(position: int) -> list[int]:
    """The values of `winners` in which this seat has won."""
    return [bits for bits in SEAT_BITS if bits >> position & 1]


class Hit(NamedTuple):
    """A hand that was found: its row, what counts of it as computed, and where it is.

    `version` has the columns of `_VERSION`, `seats` who sat there, both empty for a record that
    was uploaded, of which `record` has number, `computed` and the collection's id.
    """

    row: LibraryHand
    version: dict[str, Any]
    seats: list[SeatRow]
    record: UploadedRecord | None


_TABLE = "hand__sheet__table"
_VERSION = (
    "hand_id", "winners", "payer", "computed", f"{_TABLE}__number", f"{_TABLE}__round__number",
    f"{_TABLE}__round__name", f"{_TABLE}__round__is_last", f"{_TABLE}__round__stage__kind",
)  # fmt: skip


def hits(found: Open, rows: Sequence[LibraryHand]) -> list[Hit]:
    """What is shown of these rows. Four queries at most."""
    of_tables = [row for row in rows if row.hand_id is not None]
    versions: dict[int, dict[str, Any]] = {}
    if of_tables:
        current = HandVersion.objects.filter(
            is_current=True, hand__in=[row.hand_id for row in of_tables]
        )
        versions = {values["hand_id"]: values for values in current.order_by().values(*_VERSION)}
    seats: dict[int, list[SeatRow]] = {}
    for mask in (False, True):
        tables = {
            row.table_id
            for row in of_tables
            if row.competition_id and found.competitions[row.competition_id].mask == mask
        }
        if tables:
            for seat in seat_rows(Seat.objects.filter(table__in=tables), mask=mask):
                seats.setdefault(seat.table, []).append(seat)
    uploaded = [row.record_id for row in rows if row.record_id is not None]
    records = UploadedRecord.objects.defer("text").in_bulk(uploaded) if uploaded else {}
    return [
        Hit(
            row,
            versions.get(row.hand_id or 0, {}),
            seats.get(row.table_id or 0, []),
            records.get(row.record_id or 0),
        )
        for row in rows
    ]


def texts(found: Open, rows: QuerySet[LibraryHand], most: int) -> Iterator[str]:
    """The ZPR of the recorded hands among these, the newest `most`, piece by piece; without
    anything that people wrote where names are masked."""
    recorded = rows.filter(evidence=Evidence.RECORD)
    wanted = list(recorded.values_list("hand_id", "record_id", "competition_id")[:most])
    for start in range(0, len(wanted), A_READ):
        some = wanted[start : start + A_READ]
        current = HandVersion.objects.filter(
            is_current=True,
            evidence=Evidence.RECORD,
            hand__in=[hand for hand, _record, _competition in some if hand],
        )
        played = dict(current.order_by().values_list("hand_id", "payload__text"))
        uploaded = UploadedRecord.objects.filter(
            pk__in=[record for _hand, record, _competition in some if record]
        )
        kept = dict(uploaded.order_by().values_list("pk", "text"))
        for number, (hand, record, competition) in enumerate(some, start):
            text = played.get(hand) if hand else kept.get(record)
            if text is not None:
                mask = bool(competition) and found.competitions[competition].mask
                yield ("\n" if number else "") + export(_as_shown(str(text), mask=mask))


def _as_shown(text: str, *, mask: bool) -> Record:
    record = parse(text)
    return nameless(record) if mask else record


def groups(rows: QuerySet[LibraryHand], most: int) -> tuple[list[Group], dict[int, int], bool]:
    """The newest `most` of these hands by how they were won; how many were won with so many 胡;
    whether there are more. Hands that were ruled on are left out. Three queries."""
    plain = rows.filter(is_ruled=False)
    last = plain.values_list("pk", flat=True)[most - 1 : most + 1]
    ends = list(last)
    counted = plain.filter(pk__gte=ends[0]) if ends else plain
    dealer_won = Q(pk__in=())
    for seat in range(4):
        dealer_won |= Q(dealer=seat, winners__in=_with(seat))
    found = (
        counted.order_by("seats", "source", "special")
        .values("seats", "source", "special")
        .annotate(
            hands=Count("pk"),
            sum_hu=Sum("hu"),
            sum_xing=Sum("xing"),
            dealer_won=Count("pk", filter=dealer_won),
            sum_dealer=Sum("dealer_net", default=0),
            dealer_hands=Count("dealer_net"),
        )
    )
    spread = (
        counted.filter(winners__gt=0).order_by("hu").values_list("hu").annotate(hands=Count("pk"))
    )
    return (
        [
            Group(
                seats=one["seats"],
                source=one["source"],
                special=one["special"],
                hands=one["hands"],
                hu=one["sum_hu"],
                xing=one["sum_xing"],
                dealer_won=one["dealer_won"],
                dealer_net=one["sum_dealer"],
                dealer_hands=one["dealer_hands"],
            )
            for one in found
        ],
        dict(spread),
        len(ends) > 1,
    )


def public_record(pk: int) -> UploadedRecord | None:
    """An uploaded record that everybody sees, with its collection. One query."""
    found = UploadedRecord.objects.filter(pk=pk, is_public=True)
    return found.select_related("collection").first()


def named(found: Mapping[int, Shown], code: str) -> Shown | None:
    """The published competition with this address."""
    return next((one for one in found.values() if one.code == code), None)


def own_collections(user: User) -> QuerySet[Collection]:
    """An account's collections, newest first, each with `count` records. One query."""
    found = Collection.objects.filter(owner=user).annotate(count=Count("records"))
    return found.select_related("job").order_by("-pk")


def collection_counts(collection: Collection) -> dict[str, int]:
    """How many `records` it has, and how many of them everybody finds, as `shown`. One query."""
    return collection.records.aggregate(
        records=Count("pk"), shown=Count("pk", filter=Q(is_public=True))
    )
