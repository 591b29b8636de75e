"""A table calls for a referee (呼叫裁判), and a referee takes the call."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.enums import CallKind, Role, State
from tournament.models import Call, Competition, Table
from tournament.permissions import demand, is_at_table, referees

CALLABLE = (State.PUBLISHED, State.RUNNING, State.CONFIRMED)


@transaction.atomic
def call_referee(*, acting: Acting, table: Table, kind: CallKind, text: str = "") -> Call:
    """The table wants a referee. Where one is called already, that call stands as it is.

    By the table's link or that of who sits there. Raises `NotAllowed`, `Conflict` for a table
    that is not on.
    """
    table = lock(table)
    _demand_at_table(acting, table)
    if table.state not in CALLABLE:
        raise Conflict(
            _("这一桌现在是“%(state)s”，有事请直接找裁判。") % {"state": State(table.state).label}
        )
    found = table.calls.filter(answered_at=None).first()
    if found is not None:
        return found
    call = Call.objects.create(
        table=table,
        kind=kind,
        text=text.strip()[:100],
        called_at=timezone.now(),
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    _note(acting, "call.make", call)
    return call


@transaction.atomic
def take_call_back(*, acting: Acting, call: Call) -> Call:
    """The table needs nobody any more (C9.5). Raises `NotAllowed`; twice changes nothing."""
    table = lock(Table.objects.get(pk=call.table_id))
    _demand_at_table(acting, table)
    return _answer(acting, call, "call.take-back")


@transaction.atomic
def answer_call(*, acting: Acting, call: Call) -> Call:
    """A referee goes there. Raises `NotAllowed`; where another one was faster, his stands."""
    demand(referees(acting), Role.CHIEF, Role.REFEREE)
    lock(Table.objects.get(pk=call.table_id))
    return _answer(acting, call, "call.answer")


@transaction.atomic
def reopen_call(*, acting: Acting, call: Call) -> Call:
    """Takes an answer back (C9.5). Raises `NotAllowed`, `Conflict` where the table has called
    again meanwhile."""
    demand(referees(acting), Role.CHIEF, Role.REFEREE)
    table = lock(Table.objects.get(pk=call.table_id))
    call = lock(call)
    if call.answered_at is None:
        return call
    if table.calls.filter(answered_at=None).exists():
        raise Conflict(_("这一桌又呼叫了一次，请看新的那一次。"))
    call.answered_at = call.answered_by = call.answered_link = None
    call.save(update_fields=["answered_at", "answered_by", "answered_link"])
    _note(acting, "call.reopen", call)
    return call


def _demand_at_table(acting: Acting, table: Table) -> None:
    seated = frozenset(
        pk for pk in table.seats.values_list("entrant_id", flat=True) if pk is not None
    )
    demand(is_at_table(acting, table.pk, seated), Role.TABLE, Role.ENTRANT)


def _answer(acting: Acting, call: Call, action: str) -> Call:
    call = lock(call)
    if call.answered_at is None:
        call.answered_at = timezone.now()
        call.answered_by_id, call.answered_link_id = acting.user_id, acting.link_id
        call.save(update_fields=["answered_at", "answered_by", "answered_link"])
        _note(acting, action, call)
    return call


def _note(acting: Acting, action: str, call: Call) -> None:
    audit(
        actor=acting,
        action=action,
        scope=acting.scope,
        subject=call,
        data={"table": call.table_id, "kind": call.kind},
    )
    bump(Competition(pk=acting.competition_id).desk_scope)
