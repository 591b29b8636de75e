"""When what a table has come to cannot change by playing on any more (C7.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import SYSTEM, Actor
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.seals import plan_seal
from tournament.enums import Role, StageKind, State
from tournament.models import Competition, Event, Round, Table
from tournament.permissions import demand, is_chief


@transaction.atomic
def finalize_round(*, acting: Acting, round_: Round) -> tuple[Table, ...]:
    """The chief referee declares a confirmed last round final (C7.1); returns its tables.

    Raises `NotAllowed`, `Conflict` unless the round is the last and confirmed.
    """
    demand(is_chief(acting), Role.CHIEF)
    return _finalize_last(acting, round_)


def finalize_due(
    now: datetime | None = None, *, also: Callable[[tuple[Table, ...]], None] = lambda finals: None
) -> tuple[Table, ...]:
    """The site's clock: every last round that has been confirmed for the competition's
    `final_minutes` is final (C7.1). Returns the tables whose sheets are final with it.

    Each round is a transaction of its own, in which `also` is called with its tables; a round that
    somebody else has made final or put off meanwhile is passed over.
    """
    now = now or timezone.now()
    due = [
        round_
        for round_ in Round.objects.filter(
            is_last=True, state=State.CONFIRMED, confirmed_at__isnull=False
        ).select_related("stage__event__competition")
        if round_.confirmed_at is not None
        and round_.confirmed_at + timedelta(minutes=round_.stage.event.competition.final_minutes)
        <= now
    ]
    tables: list[Table] = []
    for round_ in due:
        try:
            with transaction.atomic():
                finals = _finalize_last(SYSTEM, round_)
                also(finals)
        except Conflict:
            continue
        tables += finals
    return tuple(tables)


def make_final(tables: Iterable[Table], now: datetime) -> tuple[Table, ...]:
    """Confirmed tables become final, and their rounds where all are; returns those changed."""
    changed = [table for table in tables if table.state == State.CONFIRMED]
    ids = [table.pk for table in changed]
    if not ids:
        return ()
    Table.objects.filter(pk__in=ids).update(state=State.FINAL, final_at=now)
    rounds = {table.round_id for table in changed}
    open_rounds = Table.objects.filter(round__in=rounds).exclude(state=State.FINAL)
    Round.objects.filter(pk__in=rounds).exclude(
        pk__in=list(open_rounds.values_list("round", flat=True))
    ).update(state=State.FINAL, final_at=now)
    for table in changed:
        table.state, table.final_at = State.FINAL, now
    return tuple(changed)


def _finalize_last(acting: Actor, round_: Round) -> tuple[Table, ...]:
    event = Event.objects.get(stages__rounds=round_.pk)
    competition = lock(Competition.objects.get(pk=event.competition_id))
    event = lock(event)
    round_ = lock(round_)
    if not round_.is_last or round_.state != State.CONFIRMED:
        raise Conflict(_("只有全部确认的最后一轮可以定局，请刷新后再看。"))
    now = timezone.now()
    tables = make_final(list(round_.tables.all()), now)
    if not _open_events(competition):
        competition.ended_at = now
        competition.save(update_fields=["ended_at"])
        plan_seal(competition_id=competition.pk)
    audit(
        actor=acting,
        action="round.final",
        scope=competition.scope,
        subject=round_,
        data={"ended": competition.is_over},
    )
    bump(event.scope, competition.scope)
    return tables


def _open_events(competition: Competition) -> bool:
    """Whether an event of the competition has no final last round of its knock-out yet."""
    over = Round.objects.filter(
        stage__kind=StageKind.KNOCKOUT, is_last=True, state=State.FINAL
    ).values("stage__event_id")
    return competition.events.exclude(pk__in=over).exists()
