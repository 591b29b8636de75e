"""“Replay from here” (C9.1): sheets that hang on a corrected one count for nothing any more."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.versions import bump
from scoring.domain.board import Board
from scoring.domain.library import drop_tables
from scoring.enums import PenaltyLevel, SheetState
from scoring.models import Confirmation, HandVersion, Penalty, Ruling, Sheet, TieBreak
from tournament.acting import Acting
from tournament.domain.reopening import dependents, void_dependents
from tournament.domain.results import Effects
from tournament.enums import Role, State
from tournament.models import Seat, Table
from tournament.permissions import ReasonNeeded, demand, is_chief

NOTHING = {"is_void": True, "is_flagged": False, "winners": None, "payer": None}
"""What a void version has in place of the outcome."""


def replay_from(*, acting: Acting, board: Board, effects: Effects, reason: str) -> list[Sheet]:
    """Voids every sheet that depends on what changes at `board`'s table; returns them open and
    empty, with a word to their tables. Call it inside the transaction of the correction.

    Hands get a void version more, rulings, confirmations and penalties fall, but for 取消资格; all
    of them stay to be read. Raises `NotAllowed` for anyone but the chief referee, `ReasonNeeded`.
    """
    demand(is_chief(acting), Role.CHIEF)
    if not reason.strip():
        raise ReasonNeeded(_("重打要写明原因。"))
    seated = _seated([table.pk for table in dependents(effects)])
    reopened = void_dependents(acting=acting, table=board.table, effects=effects, reason=reason)
    was = {table.pk: state for table, state in reopened.void}
    sheets = list(Sheet.objects.select_for_update().filter(table__in=was).order_by("pk"))
    word = str(_("这一桌重打：%(reason)s") % {"reason": reason.strip()})[:200]
    drop_tables(was)
    for sheet in sheets:
        _void(acting, sheet, word, after_final=was[sheet.table_id] == State.FINAL)
        audit(
            actor=acting,
            action="sheet.replay",
            scope=f"competition:{board.event.competition_id}",
            subject=sheet,
            data={
                "because_of": board.sheet.pk,
                "seated": seated[sheet.table_id],
            },
            said={"reason": reason.strip()[:200]},
        )
    bump(*(sheet.scope for sheet in sheets), *take_finality(reopened.not_final))
    return sheets


def take_finality(tables: Iterable[Table]) -> tuple[str, ...]:
    """The sheets of tables that are not final any more are confirmed; returns their scopes."""
    sheets = Sheet.objects.filter(table__in=[table.pk for table in tables]).order_by("pk")
    sheets.filter(state=SheetState.FINAL).update(state=SheetState.CONFIRMED, final_at=None)
    return tuple(Table.scope_of(pk) for pk in sheets.values_list("table_id", flat=True))


def _seated(tables: list[int]) -> dict[int, list[int | None]]:
    """Table → who sits there, by entrant id in order of the seats: the history names them."""
    found: dict[int, list[int | None]] = {pk: [] for pk in tables}
    seats = Seat.objects.filter(table__in=tables).order_by("table", "position")
    for table, entrant in seats.values_list("table", "entrant"):
        found[table].append(entrant)
    return found


def _void(acting: Acting, sheet: Sheet, word: str, *, after_final: bool) -> None:
    current = HandVersion.objects.filter(hand__sheet=sheet, is_current=True, is_void=False)
    versions = list(current.order_by("hand__number"))
    HandVersion.objects.filter(pk__in=[version.pk for version in versions]).update(is_current=False)
    for version in versions:
        version.pk = None
        version._state.adding = True
        version.version += 1
        version.is_current = True
        version.author_id, version.link_id = acting.user_id, acting.link_id
        version.reason, version.is_after_final = word, after_final
        version.deltas = (0, 0, 0, 0)
        for name, value in NOTHING.items():
            setattr(version, name, value)
        version.save()
    penalties = Penalty.objects.filter(sheet=sheet, voided_at=None)
    penalties.exclude(level=PenaltyLevel.DISQUALIFIED).update(voided_at=timezone.now())
    Ruling.objects.filter(sheet=sheet, is_current=True).update(is_current=False)
    Confirmation.objects.filter(sheet=sheet, is_current=True).update(is_current=False)
    TieBreak.objects.filter(sheet=sheet).update(order=None)
    sheet.state, sheet.sent_back_word = SheetState.OPEN, word
    sheet.submitted_at = sheet.confirmed_at = sheet.final_at = None
    sheet.save(
        update_fields=["state", "sent_back_word", "submitted_at", "confirmed_at", "final_at"]
    )
