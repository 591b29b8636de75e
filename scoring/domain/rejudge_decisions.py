"""A rejudge applied or dismissed, as a whole and with a reason (C11, C9.1)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.job_control import stop_job
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from engine import __version__ as engine_version
from scoring.domain.board import Board, load_table
from scoring.domain.closing import settle_again
from scoring.domain.errors import TieOpen
from scoring.domain.library import index_tables
from scoring.domain.rejudging import BATCH, stamp_of
from scoring.enums import RejudgeState, SheetState
from scoring.models import (
    Confirmation,
    HandVersion,
    Rejudge,
    RejudgedHand,
    RejudgedTable,
    Sheet,
)
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import Competition, Event, Round, Table
from tournament.permissions import demand, is_chief


class Outdated(Conflict):
    """Sheets, rules or the engine are not those that the differences were computed from."""

    code = "rejudge-outdated"


@transaction.atomic
def apply_rejudge(*, acting: Acting, rejudge: Rejudge, reason: str) -> Rejudge:
    """Every difference becomes a new version of its hand, and the rules those of the event.

    Confirmed tables are settled again: where the next one has a hand, who has played on stays
    (C9.1, "stands as played"). Rulings stay. Raises `NotAllowed`, `Outdated`, `TieOpen` (places
    the chief referee has to fix first), `Conflict` unless it is shown, `DomainError`
    `reason-needed`.
    """
    demand(is_chief(acting), Role.CHIEF)
    event = _hold_all(rejudge)
    rejudge = _decide(acting, rejudge, RejudgeState.APPLIED, reason)
    if rejudge.engine_version != engine_version or rejudge.stamp != stamp_of(event):
        raise Outdated(_("算好以后又有记分表改过，差别可能不一样了。请重算后再决定。"))
    tables = list(rejudge.tables.select_related("table__sheet", "table__round"))
    ties = [table for table in tables if table.has_tie]
    if ties:
        raise TieOpen(_tie_sentence(ties), ())
    hands = list(
        RejudgedHand.objects.filter(at__rejudge=rejudge).select_related("version__hand", "at")
    )
    _write_versions(acting, rejudge, hands, {table.pk: table for table in tables})
    event.preset, event.options = rejudge.preset, rejudge.options
    event.rules_digest = rejudge.rules_digest
    event.save(update_fields=["preset", "options", "rules_digest"])
    Confirmation.objects.filter(
        sheet__table__in=[table.table_id for table in tables],
        sheet__state=SheetState.SUBMITTED,
        is_current=True,
    ).update(is_current=False)
    for table in tables:
        _settle(acting, table, rejudge)
        audit(
            actor=acting,
            action="sheet.rejudge",
            scope=acting.scope,
            subject=table.table.sheet,
            data={"rejudge": rejudge.pk, "net": table.nets_after},
        )
    index_tables(
        Table.objects.filter(round__stage__event=event).order_by("pk").values_list("pk", flat=True)
    )
    audit(
        actor=acting,
        action="rejudge.apply",
        scope=acting.scope,
        subject=rejudge,
        data={
            "hands": len(hands),
            "before": rejudge.before_digest,
            "digest": rejudge.rules_digest,
            "engine": rejudge.engine_version,
        },
    )
    sheets = [table.table.sheet.scope for table in tables]
    bump(acting.scope, event.scope, *sheets)
    return rejudge


@transaction.atomic
def dismiss_rejudge(*, acting: Acting, rejudge: Rejudge, reason: str) -> Rejudge:
    """Nothing changes: hands and rules stay. Raises as `apply_rejudge`, and may be done while
    it is still computed."""
    demand(is_chief(acting), Role.CHIEF)
    rejudge = _decide(acting, rejudge, RejudgeState.DISMISSED, reason)
    if rejudge.job is not None:
        stop_job(lock(rejudge.job))
    audit(actor=acting, action="rejudge.dismiss", scope=acting.scope, subject=rejudge)
    return rejudge


def _hold_all(rejudge: Rejudge) -> Event:
    """Competition, event and all its rounds, tables and sheets locked, in this order."""
    event = Event.objects.get(pk=rejudge.event_id)
    lock(Competition.objects.get(pk=event.competition_id))
    event = lock(event)
    for rows in (
        Round.objects.filter(stage__event=event),
        Table.objects.filter(round__stage__event=event),
        Sheet.objects.filter(table__round__stage__event=event),
    ):
        list(rows.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    return event


def _decide(acting: Acting, rejudge: Rejudge, state: RejudgeState, reason: str) -> Rejudge:
    rejudge = lock(rejudge)
    if not rejudge.is_open:
        raise Conflict(_("这次重判已经决定，请刷新后再看。"))
    if state == RejudgeState.APPLIED and rejudge.state != RejudgeState.SHOWN:
        raise Conflict(_("还在重算，算完看过差别才能采用。"))
    if not reason.strip():
        raise DomainError(_("请写明理由。"), code="reason-needed")
    rejudge.state, rejudge.reason = state, reason.strip()[:200]
    rejudge.decided_by_id, rejudge.decided_at = acting.user_id, timezone.now()
    rejudge.save(update_fields=["state", "reason", "decided_by", "decided_at"])
    return rejudge


def _tie_sentence(ties: Sequence[RejudgedTable]) -> str:
    numbers = _("、").join(f"{table.table.round.title} {table.table.number}" for table in ties)
    return str(
        _("采用后这些桌有人同分：%(tables)s。请先到那些桌裁定名次，再重算。") % {"tables": numbers}
    )


def _write_versions(
    acting: Acting,
    rejudge: Rejudge,
    hands: Sequence[RejudgedHand],
    tables: dict[int, RejudgedTable],
) -> None:
    made = [_version(acting, rejudge, hand, tables[hand.at_id].table) for hand in hands]
    old = [hand.version_id for hand in hands]
    for start in range(0, len(old), BATCH):
        HandVersion.objects.filter(pk__in=old[start : start + BATCH]).update(is_current=False)
    HandVersion.objects.bulk_create(made, batch_size=BATCH)
    for hand, version in zip(hands, made, strict=True):
        hand.made = version
    RejudgedHand.objects.bulk_update(hands, ["made"], batch_size=BATCH)


def _version(acting: Acting, rejudge: Rejudge, hand: RejudgedHand, table: Table) -> HandVersion:
    """The hand's new version; not legal any more: the old values, 待裁."""
    old = hand.version
    fields = {
        field.attname: getattr(old, field.attname)
        for field in HandVersion._meta.concrete_fields
        if field.name not in ("id", "created_at")
    }
    made = HandVersion(
        **fields
        | {
            "version": old.version + 1,
            "is_current": True,
            "engine_version": rejudge.engine_version,
            "rules_digest": rejudge.rules_digest,
            "reason": rejudge.reason,
            "is_after_final": table.state == State.FINAL,
            "author_id": acting.user_id,
            "link_id": acting.link_id,
        }
    )
    for name, value in ({"is_flagged": True} if hand.after is None else hand.after).items():
        setattr(made, name, value)
    return made


def _settle(acting: Acting, row: RejudgedTable, rejudge: Rejudge) -> None:
    """Places of a confirmed table anew, where they change (C9.1)."""
    if row.effects is None:
        return
    sheet = row.table.sheet
    settle_again(
        acting=acting,
        board=Board(sheet, load_table(row.table_id)),
        reason=rejudge.reason,
        effects_shown=True,
        as_played=True,
    )
