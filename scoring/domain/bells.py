"""全场到点: time is called at every table of a round at once, and taken back (C6.4, C9.5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from core.models import AuditRow
from scoring.enums import SheetState
from scoring.models import Sheet
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import Event, Round, Table
from tournament.permissions import demand, is_chief
from tournament.queries.clock import clock_of


@dataclass(frozen=True)
class Rung:
    """The tables (ids) at which time was called, and those that play on in their extra time."""

    called: tuple[int, ...]
    longer: tuple[int, ...]


@transaction.atomic
def call_time_everywhere(*, acting: Acting, round_: Round) -> Rung:
    """Time is called at every running table of the round whose sheet is open; one whose own extra
    time is not over plays on.

    Raises `NotAllowed`; `Conflict` where there is no such table.
    """
    demand(is_chief(acting), Role.CHIEF)
    event = lock(Event.objects.get(stages__rounds=round_.pk))
    round_ = lock(round_)
    now, clock = timezone.now(), clock_of(round_)
    waiting = list(
        round_.tables.select_for_update().filter(state=State.RUNNING, called_at=None).order_by("pk")
    )
    sheets = Sheet.objects.select_for_update().filter(
        table__in=[table.pk for table in waiting], state=SheetState.OPEN
    )
    open_sheets = {sheet.table_id: sheet for sheet in sheets.order_by("pk")}
    waiting = [table for table in waiting if table.pk in open_sheets]
    longer = [
        table.pk
        for table in waiting
        if clock is not None and clock.extra.get(table.pk) and not clock.is_over(now, table.pk)
    ]
    called = [table for table in waiting if table.pk not in longer]
    if not called:
        raise Conflict(_("现在没有要停的桌，请刷新后再看。"))
    ids = [table.pk for table in called]
    round_.tables.filter(pk__in=ids).update(called_at=now)
    audit(
        actor=acting,
        action="round.call-time",
        scope=acting.scope,
        subject=round_,
        data={"tables": ids, "longer": longer, "at": now.isoformat()},
    )
    bump(event.scope, *(open_sheets[pk].scope for pk in ids))
    return Rung(tuple(ids), tuple(longer))


def still_called(round_: Round) -> list[Table]:
    """The tables at which the newest 全场到点 still holds: running, their sheet open. Three
    queries at most."""
    rows = AuditRow.objects.filter(action="round.call-time", subject=f"round:{round_.pk}")
    row = rows.order_by("-pk").first()
    if row is None or "at" not in row.data:
        return []
    called = round_.tables.filter(
        pk__in=row.data["tables"],
        called_at=datetime.fromisoformat(row.data["at"]),
        state=State.RUNNING,
    )
    return list(called.exclude(sheet__state=SheetState.SUBMITTED).order_by("pk"))


@transaction.atomic
def uncall_time_everywhere(*, acting: Acting, round_: Round) -> tuple[int, ...]:
    """The newest 全场到点 is taken back where the sheet is open still; play goes on there.

    Returns the tables' ids. Raises `NotAllowed`; `Conflict` where there is none.
    """
    demand(is_chief(acting), Role.CHIEF)
    event = lock(Event.objects.get(stages__rounds=round_.pk))
    round_ = lock(round_)
    ids = [table.pk for table in still_called(round_)]
    held = list(round_.tables.select_for_update().filter(pk__in=ids).order_by("pk"))
    if not held:
        raise Conflict(_("现在没有可以撤销的全场到点，请刷新后再看。"))
    sheets = Sheet.objects.select_for_update().filter(table__in=ids).order_by("pk")
    open_sheets = [sheet for sheet in sheets if sheet.state == SheetState.OPEN]
    ids = [sheet.table_id for sheet in open_sheets]
    round_.tables.filter(pk__in=ids).update(called_at=None)
    audit(
        actor=acting,
        action="round.uncall-time",
        scope=acting.scope,
        subject=round_,
        data={"tables": ids},
    )
    bump(event.scope, *(sheet.scope for sheet in open_sheets))
    return tuple(ids)
