"""牌谱库: the rows in which hands are looked for, kept as what they repeat is.

They are written where a table is confirmed, changed afterwards or opened again, in the same
transaction; `index_all` makes them anew from what they repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import FilteredRelation, Q

from core.domain import jobs
from engine.events import SEATS
from engine.rules import preset
from scoring.enums import Evidence
from scoring.meld_bits import bits_of
from scoring.models import HandVersion, LibraryHand, UploadedRecord
from tournament.enums import DONE
from tournament.models import Table

KIND = "index-library"
A_STEP = 200
"""Tables that are read at once."""
_COLUMNS = [
    field.name for field in LibraryHand._meta.concrete_fields if field.name not in ("id", "hand")
]
_TABLE = "hand__sheet__table"
_EVENT = f"{_TABLE}__round__stage__event"
DELTAS = ("delta_1", "delta_2", "delta_3", "delta_4")
_READ = (
    "hand_id", "hand__number", f"{_TABLE}_id", f"{_TABLE}__seat_count", f"{_EVENT}__competition_id",
    f"{_EVENT}__preset", f"{_EVENT}__options", "evidence", "source", "special", "hu", "xing",
    "total", "winners", "dealer", "computed", "ruled__id", *DELTAS,
)  # fmt: skip


def index_tables(tables: Iterable[int]) -> None:
    """The rows of these tables as they stand: none where one is not confirmed.

    Hands of which only points are known, void hands and 加赛 have none. Three queries. Call it
    inside the transaction that changes them.
    """
    tables = list(tables)
    found = (
        HandVersion.objects.filter(
            is_current=True,
            is_void=False,
            hand__tie_break__isnull=True,
            evidence__in=(Evidence.RESULT, Evidence.SLIP, Evidence.RECORD),
            **{f"{_TABLE}__in": tables, f"{_TABLE}__state__in": DONE},
        )
        .annotate(
            ruled=FilteredRelation("hand__rulings", condition=Q(hand__rulings__is_current=True))
        )
        .order_by("hand__sheet__confirmed_at", _TABLE, "hand__number")
        .values_list(*_READ)
    )
    rows = [_row(dict(zip(_READ, values, strict=True))) for values in found]
    LibraryHand.objects.filter(table__in=tables).exclude(
        hand__in=[row.hand_id for row in rows]
    ).delete()
    LibraryHand.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["hand"], update_fields=_COLUMNS, batch_size=200
    )


def drop_tables(tables: Iterable[int]) -> None:
    """These tables are not confirmed any more: none of their hands is found."""
    LibraryHand.objects.filter(table__in=list(tables)).delete()


def _row(values: Mapping[str, Any]) -> LibraryHand:
    """A counted hand's row."""
    dealer = values["dealer"] or 0
    rules = preset(values[f"{_EVENT}__preset"]).with_options(values[f"{_EVENT}__options"])
    return LibraryHand(
        hand_id=values["hand_id"],
        table_id=values[f"{_TABLE}_id"],
        competition_id=values[f"{_EVENT}__competition_id"],
        is_public=True,
        is_ruled=values["ruled__id"] is not None,
        number=values["hand__number"],
        seats=values[f"{_TABLE}__seat_count"],
        rules=values[f"{_EVENT}__preset"],
        evidence=values["evidence"],
        source=values["source"],
        special=values["special"],
        hu=values["hu"] or 0,
        xing=values["xing"] or 0,
        total=values["total"] or 0,
        winners=seats_bits(values["winners"] or ()),
        dealer=dealer,
        dealer_net=values[DELTAS[dealer]] if rules.unit == "duo" else None,
        melds=bits_of((values["computed"] or {}).get("melds")),
    )


def row_of_record(
    record: UploadedRecord, *, rules: str, seats: int, dealer: int, in_duo: bool
) -> LibraryHand:
    """An uploaded record's row, not saved. `rules`: the preset's id; `in_duo`: points are 舵."""
    computed = record.computed
    return LibraryHand(
        record=record,
        collection_id=record.collection_id,
        is_public=record.is_public,
        number=record.number,
        seats=seats,
        rules=rules,
        evidence=Evidence.RECORD,
        source=computed["kind"],
        special=computed["special"] or "",
        hu=computed["hu"],
        xing=computed["xing"],
        total=computed["total"],
        winners=seats_bits(SEATS.index(seat) for seat in computed["winner"]),
        dealer=dealer,
        dealer_net=computed["deltas"][dealer] if in_duo else None,
        melds=bits_of(computed["melds"]),
    )


def seats_bits(positions: Iterable[int]) -> int:
    """A bit for each of these seats."""
    return sum(1 << seat for seat in positions)


def index_all(job: jobs.Running | None = None) -> Mapping[str, object]:
    """Makes the rows of every confirmed table anew, a few tables at a time; also the job of this
    name. Those of uploaded records stand with them."""
    tables = list(Table.objects.order_by("confirmed_at", "pk").values_list("pk", flat=True))
    for start in range(0, len(tables), A_STEP):
        with transaction.atomic():
            held = Table.objects.filter(pk__in=tables[start : start + A_STEP]).order_by("pk")
            index_tables(held.select_for_update().values_list("pk", flat=True))
        if job is not None:
            job.progress(min(start + A_STEP, len(tables)), len(tables))
    return {"hands": LibraryHand.objects.count()}
