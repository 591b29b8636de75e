"""The round's clock and what one table gets beyond it (C6.4, C9.2). At its end nothing happens
by itself: a bell and a sign, until a referee calls time."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import Event, ExtraTime, Round, Table
from tournament.permissions import demand, leads, referees

LONGEST = 600
"""The most minutes a clock or an extra time may have."""

BEGUN = (State.PUBLISHED, State.RUNNING)


@transaction.atomic
def start_clock(*, acting: Acting, round_: Round, minutes: int | None = None) -> Round:
    """The round's clock begins now, of `minutes` or of those the round has already.

    Raises `NotAllowed`; `Conflict` where the round is not on or its clock goes already;
    `DomainError` (`clock-minutes`) without a number of minutes from 1 to `LONGEST`.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    event, round_ = _lock(round_)
    if round_.state not in BEGUN:
        raise Conflict(
            _("“%(round)s”现在是“%(state)s”，不能计时。")
            % {"round": round_.title, "state": State(round_.state).label}
        )
    if round_.clock_started_at is not None:
        raise Conflict(_("这一轮已经在计时，请刷新后再看。"))
    minutes = round_.minutes if minutes is None else minutes
    if minutes is None or not 1 <= minutes <= LONGEST:
        raise DomainError(
            _("请填这一轮打多少分钟，1 到 %(most)d。") % {"most": LONGEST}, code="clock-minutes"
        )
    round_.minutes, round_.clock_started_at = minutes, timezone.now()
    round_.save(update_fields=["minutes", "clock_started_at"])
    _note(acting, event, "clock.start", round_, {"minutes": minutes})
    return round_


@transaction.atomic
def stop_clock(*, acting: Acting, round_: Round) -> Round:
    """Takes the clock's start back (C9.5): the round has no clock until it is started again.

    Raises `NotAllowed`, `Conflict` where it does not go or the round is done.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    event, round_ = _lock(round_)
    if round_.clock_started_at is None or round_.state not in BEGUN:
        raise Conflict(_("这一轮没有在计时，请刷新后再看。"))
    started = round_.clock_started_at
    round_.clock_started_at = None
    round_.save(update_fields=["clock_started_at"])
    _note(acting, event, "clock.stop", round_, {"started": started.isoformat()})
    return round_


@transaction.atomic
def give_time(
    *, acting: Acting, round_: Round, tables: Collection[int], minutes: int, reason: str
) -> list[ExtraTime]:
    """These tables of the round (ids) play so many minutes longer; one row each, in their order.

    Raises `NotAllowed`; `DomainError` (`clock-minutes`, `reason-needed`); `Conflict` where a
    table is not of this round or done.
    """
    demand(referees(acting), Role.CHIEF, Role.REFEREE)
    event, round_ = _lock(round_)
    if not 1 <= minutes <= LONGEST:
        raise DomainError(
            _("加时请填 1 到 %(most)d 分钟。") % {"most": LONGEST}, code="clock-minutes"
        )
    if not reason.strip():
        raise DomainError(_("请写为什么加时。"), code="reason-needed")
    found = list(
        round_.tables.filter(pk__in=tables, state__in=BEGUN)
        .select_for_update(no_key=True)
        .order_by("pk")
    )
    if not found or len(found) != len(set(tables)):
        raise Conflict(_("有的桌已经打完，或不在这一轮，请刷新后再看。"))
    given = ExtraTime.objects.bulk_create(
        ExtraTime(
            table=table,
            minutes=minutes,
            reason=reason.strip()[:200],
            author_id=acting.user_id,
            link_id=acting.link_id,
        )
        for table in found
    )
    data = {"minutes": minutes, "tables": [table.pk for table in found]}
    _note(acting, event, "clock.extra", found[0] if len(found) == 1 else round_, data)
    return given


@transaction.atomic
def take_time_back(*, acting: Acting, extra: ExtraTime) -> ExtraTime:
    """Extra time that was given by mistake no longer counts; twice changes nothing (C9.5).

    Raises `NotAllowed`.
    """
    demand(referees(acting), Role.CHIEF, Role.REFEREE)
    table = Table.objects.select_related("round").get(pk=extra.table_id)
    event, _round = _lock(table.round)
    extra = lock(extra)
    if extra.voided_at is None:
        extra.voided_at = timezone.now()
        extra.save(update_fields=["voided_at"])
        _note(acting, event, "clock.extra-back", table, {"minutes": extra.minutes})
    return extra


def _lock(round_: Round) -> tuple[Event, Round]:
    event = lock(Event.objects.get(stages__rounds=round_.pk))
    return event, lock(round_)


def _note(
    acting: Acting, event: Event, action: str, subject: Round | Table, data: dict[str, object]
) -> None:
    audit(actor=acting, action=action, scope=acting.scope, subject=subject, data=data)
    bump(event.scope)
