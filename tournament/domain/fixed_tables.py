"""Who cannot walk from table to table is marked, and the mark is taken back (C5.3, C9.5)."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.entries import ListFrozen
from tournament.enums import EntryStatus, Role
from tournament.models import Competition, Draw, Entry
from tournament.permissions import demand, leads

MARK, UNMARK = "entry.fixed-table", "entry.fixed-table-undo"


@transaction.atomic
def mark_fixed_table(*, acting: Acting, entry: Entry, fixed: bool = True) -> Entry:
    """`fixed`: he sits at one table in a preliminary that is drawn from now on; referees are told
    at every table. Private: nobody else sees it (C7.4).

    Raises `NotAllowed`, `ListFrozen` while a frozen list waits for its words (the draw counts on
    the mark), `Conflict` where he has left or nothing would change.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    competition = lock(Competition.objects.get(pk=entry.competition_id))
    for event in competition.events.order_by("pk"):
        lock(event)
    entry = lock(entry)
    waiting = Draw.objects.filter(stage__event__competition=competition, number=None)
    if waiting.exists():
        raise ListFrozen(_("名单已经冻结，等待抽签；要改请先取消冻结。"))
    if entry.needs_fixed_table == fixed:
        raise Conflict(_("没有变化，请刷新后再看。"))
    if fixed and entry.status == EntryStatus.WITHDRAWN:
        raise Conflict(_("这名选手已经不在赛，请刷新后再看。"))
    entry.needs_fixed_table = fixed
    entry.save(update_fields=["needs_fixed_table"])
    audit(actor=acting, action=MARK if fixed else UNMARK, scope=competition.scope, subject=entry)
    bump(competition.desk_scope)
    return entry
