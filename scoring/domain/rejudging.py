"""Rejudging an event (C11): proposed by the chief referee, computed in the background, shown."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.domain import jobs
from core.domain.audit import audit
from core.domain.job_control import stop_job
from core.domain.locks import lock
from core.domain.versions import fresh
from core.errors import Conflict, DomainError
from engine import __version__ as engine_version
from engine.errors import ZipaiError
from engine.rules import Rules, preset
from scoring.counted import EntryError
from scoring.domain.board import Board
from scoring.domain.boards import load_boards, with_versions
from scoring.enums import Evidence, RejudgeState
from scoring.models import HandVersion, Rejudge, RejudgedHand, RejudgedTable, Sheet
from scoring.models.rejudge import OPEN
from scoring.recount import is_recounted, recount, says_the_same, values
from tournament.acting import Acting
from tournament.domain.handing_on import FED
from tournament.domain.results import Effects, Feed, Move, PlaceChange
from tournament.domain.tables import effects_among
from tournament.enums import Discipline, Role
from tournament.models import Event, Seat, Table
from tournament.permissions import demand, is_chief

KIND = "rejudge"
STEP = 10
"""Tables between two reports of progress."""
BATCH = 500


class NothingToRejudge(Conflict):
    """The rules proposed are those in force, and the engine is the one that counted."""

    code = "same-rules"


@dataclass(frozen=True)
class Judged:
    """What would change at one table: of its hands by version id, None where one is not legal
    any more (then `errors` says why), and the boards without and with it."""

    before: Board
    after: Board
    hands: Mapping[int, Mapping[str, object] | None]
    errors: Mapping[int, EntryError]

    @property
    def has_tie(self) -> bool:
        """Whether the places of a confirmed table cannot be told (C8.6)."""
        return self.before.is_done and bool(self.after.open_ties)

    @property
    def settles_otherwise(self) -> bool:
        """Whether places of a confirmed table change."""
        if not self.before.is_done or self.has_tie:
            return False
        return bool(self.before.open_ties) or self.before.results != self.after.results


@transaction.atomic
def propose_rejudge(
    *, acting: Acting, event: Event, preset_id: str, options: Mapping[str, object]
) -> Rejudge:
    """All hands of the event are to be computed under these rules by this engine.

    The rules in force may be given where a newer engine is to judge. Raises `NotAllowed`,
    `Conflict` (`rejudge-open`, `not-frozen`: until the first hand the organizer changes them),
    `NothingToRejudge`, `DomainError` (`bad-option`, `unknown-rules`).
    """
    demand(is_chief(acting), Role.CHIEF)
    event = lock(event)
    if event.discipline != Discipline.ZIPAI or not event.is_frozen:
        raise Conflict(_("第一局还没有记分，规则可以直接改，不用重判。"), code="not-frozen")
    if event.rejudges.filter(state__in=OPEN).exists():
        raise Conflict(_("这个项目已有一次重判还没有决定。"), code="rejudge-open")
    rules = _rules(preset_id, options)
    if rules.digest == event.rules_digest and not has_older_engine(event):
        raise NothingToRejudge(_("这和现在的规则一样，没有要重判的。"))
    made = Rejudge.objects.create(
        event=event,
        preset=preset_id,
        options=rules.as_json(),
        rules_digest=rules.digest,
        before_preset=event.preset,
        before_options=event.options,
        before_digest=event.rules_digest,
        engine_version=engine_version,
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    audit(
        actor=acting,
        action="rejudge.propose",
        scope=acting.scope,
        subject=made,
        data={"event": event.pk, "preset": preset_id, "digest": rules.digest},
    )
    _start(acting, made)
    return made


def _rules(preset_id: str, options: Mapping[str, object]) -> Rules:
    try:
        return preset(preset_id).with_options(options)
    except ZipaiError as error:
        zh = (get_language() or "zh").startswith("zh")
        raise DomainError(error.zh if zh else error.en, code=error.code) from error


def has_older_engine(event: Event) -> bool:
    """Whether hands were counted by another version of the engine, and nobody has decided
    on a rejudge by this one yet. Two queries at most."""
    counted = HandVersion.objects.filter(
        hand__sheet__table__round__stage__event=event, is_current=True, is_void=False
    ).exclude(evidence=Evidence.TOTALS)
    if not counted.exclude(engine_version=engine_version).exists():
        return False
    return not event.rejudges.filter(
        engine_version=engine_version,
        rules_digest=event.rules_digest,
        state__in=(RejudgeState.APPLIED, RejudgeState.DISMISSED),
    ).exists()


@transaction.atomic
def recompute_rejudge(*, acting: Acting, rejudge: Rejudge) -> Rejudge:
    """The differences are computed anew, as hands have been entered or changed since.

    Raises `NotAllowed`, `Conflict` once it is decided.
    """
    demand(is_chief(acting), Role.CHIEF)
    rejudge = lock(rejudge)
    if not rejudge.is_open:
        raise Conflict(_("这次重判已经决定，请刷新后再看。"))
    audit(actor=acting, action="rejudge.recompute", scope=acting.scope, subject=rejudge)
    _start(acting, rejudge)
    return rejudge


def _start(acting: Acting, rejudge: Rejudge) -> None:
    if rejudge.job is not None:
        stop_job(lock(rejudge.job))
    rejudge.state, rejudge.engine_version = RejudgeState.COMPUTING, engine_version
    rejudge.job = jobs.enqueue(
        kind=KIND, payload={"rejudge": rejudge.pk}, scope=acting.scope, actor=acting
    )
    rejudge.save(update_fields=["state", "engine_version", "job"])


def compute(job: jobs.Running) -> Mapping[str, object]:
    """The background job: counts every hand of the event and writes down what would change."""
    pk = cast(int, job.payload["rejudge"])
    rejudge = Rejudge.objects.select_related("event").filter(pk=pk, job=job.job.pk).first()
    if rejudge is None or rejudge.state != RejudgeState.COMPUTING:
        return {}
    stamp = stamp_of(rejudge.event)
    boards = load_boards(rejudge.event)
    flags = _flags_before(rejudge.event)
    judged = []
    for done, board in enumerate(boards):
        if done % STEP == 0:
            job.progress(done, len(boards))
        found = judge(board, rejudge, flags)
        if found.hands:
            judged.append(found)
    job.progress(len(boards), len(boards))
    summary = {
        "tables": len(boards),
        "hands": sum(is_recounted(v) for board in boards for v in board.versions),
        "changed": sum(len(one.hands) for one in judged),
        "changed_tables": len(judged),
        "illegal": sum(len(one.errors) for one in judged),
        "places": sum(one.settles_otherwise for one in judged),
        "ties": sum(one.has_tie for one in judged),
    }
    with transaction.atomic():
        rejudge = lock(rejudge)
        if rejudge.state != RejudgeState.COMPUTING or rejudge.job_id != job.job.pk:
            return {}
        _write(rejudge, judged)
        rejudge.state, rejudge.stamp, rejudge.summary = RejudgeState.SHOWN, stamp, summary
        rejudge.save(update_fields=["state", "stamp", "summary"])
    return summary


def stamp_of(event: Event) -> str:
    """SHA-256 (hex) of what the event and all its sheets are now: their versions, and the
    rules in force. Three queries."""
    digest = Event.objects.values_list("rules_digest", flat=True).get(pk=event.pk)
    sheets = Sheet.objects.filter(table__round__stage__event=event).order_by("pk")
    scopes = [*event.scopes, *map(Table.scope_of, sheets.values_list("table_id", flat=True))]
    seen = [pair for pair in zip(scopes, fresh(scopes), strict=True) if pair[1]]
    text = json.dumps([digest, seen], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _flags_before(event: Event) -> dict[int, bool]:
    """Of hands that an earlier rejudge made 待裁: whether they were before it. One query."""
    found = RejudgedHand.objects.filter(
        at__rejudge__event=event, made__is_current=True, after__isnull=True
    )
    return dict(found.values_list("made_id", "version__is_flagged"))


def judge(board: Board, rejudge: Rejudge, flags: Mapping[int, bool]) -> Judged:
    """What the rejudge would change at a table. No query beyond the board's."""
    options = {**rejudge.options, "seats": board.table.seat_count}
    rules = preset(rejudge.preset).with_options(options)
    hands: dict[int, Mapping[str, object] | None] = {}
    errors: dict[int, EntryError] = {}
    for version in board.versions:
        if not is_recounted(version):
            continue
        is_flagged = flags.get(version.pk, version.is_flagged)
        try:
            after = recount(version, rules, rejudge.preset, is_flagged=is_flagged)
        except EntryError as error:
            if not version.is_flagged:
                hands[version.pk], errors[version.pk] = None, error
            continue
        if not says_the_same(values(version), after):
            hands[version.pk] = after
    changed = {pk: {"is_flagged": True} if after is None else after for pk, after in hands.items()}
    return Judged(board, with_versions(board, changed), hands, errors)


def _write(rejudge: Rejudge, judged: list[Judged]) -> None:
    """The rows of what would change, in place of those of an earlier computation."""
    rejudge.tables.all().delete()
    following = _following(rejudge.event)
    tables = RejudgedTable.objects.bulk_create(
        [
            RejudgedTable(
                rejudge=rejudge,
                table=one.before.table,
                nets_before=[seat.net for seat in one.before.sums.seats],
                nets_after=[seat.net for seat in one.after.sums.seats],
                effects=_effects(one, following) if one.settles_otherwise else None,
                has_tie=one.has_tie,
            )
            for one in judged
        ],
        batch_size=BATCH,
    )
    RejudgedHand.objects.bulk_create(
        [
            RejudgedHand(
                at=table,
                version_id=pk,
                after=after,
                sentence_zh=one.errors[pk].zh if pk in one.errors else "",
                sentence_en=one.errors[pk].en if pk in one.errors else "",
            )
            for table, one in zip(tables, judged, strict=True)
            for pk, after in one.hands.items()
        ],
        batch_size=BATCH,
    )


def _following(event: Event) -> dict[int, list[Seat]]:
    """The seats that each table feeds, by its id. One query."""
    found: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(FED, source__round__stage__event=event).select_related("table"):
        found[seat.source_id or 0].append(seat)
    return found


def _effects(one: Judged, following: Mapping[int, list[Seat]]) -> dict[str, Any]:
    board = one.before
    found = effects_among(
        board.table, board.seats, following.get(board.table.pk, ()), one.after.results
    )
    return asdict(found)


def read_effects(stored: Mapping[str, Any]) -> Effects:
    """The effects that a `RejudgedTable` keeps as JSON."""
    champion = stored["champion"]
    return Effects(
        places=tuple(PlaceChange(**change) for change in stored["places"]),
        moves=tuple(Move(Feed(**move["feed"]), move["after"]) for move in stored["moves"]),
        champion=None if champion is None else (champion[0], champion[1]),
    )
