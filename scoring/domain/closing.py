"""From a confirmed sheet to places, and what later changes do to them (C7.1, C8.6, C9.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import cast

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain import jobs
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from scoring.domain.board import Board, load_table
from scoring.domain.errors import FlagOpen, ShowEffects, TieOpen
from scoring.domain.library import index_tables
from scoring.domain.next_field import field_moves, settle_field
from scoring.domain.preliminary import prelim_moves, settle_preliminary
from scoring.domain.replays import replay_from
from scoring.enums import SheetState
from scoring.models import Sheet, TieBreak
from scoring.ranking import OpenTie
from tournament.acting import Acting
from tournament.domain import finality
from tournament.domain.results import Effects
from tournament.domain.tables import Finished, correct_table, effects_of, finish_table, lock_table
from tournament.enums import DONE, State
from tournament.models import Competition, Round, Table

WAKE_AGAIN = timedelta(seconds=5)
"""The soonest that the site looks again whether a last round is due."""


def hold(sheet: Sheet, *, whole: bool = False) -> Board:
    """The sheet locked and read. `whole`: event, round and table are locked before it, which
    everything but a hand at a running table needs (the order of locks). At a confirmed table the
    competition is before them, as a change there may begin it anew (C9.1)."""
    found = Table.objects.filter(pk=sheet.table_id).order_by("pk")
    state = found.values_list("state", flat=True).first()
    if not whole and state == State.RUNNING:
        held = lock(sheet)
        table = load_table(sheet.table_id)
        if table.state != State.RUNNING:
            raise Conflict(_("这一桌的状态刚刚变了，请刷新后再看。"))
        return Board(held, table)
    if state in DONE:
        lock(Competition.objects.get(events__stages__rounds__tables=sheet.table_id))
    table = lock_table(sheet.table)
    return Board(lock(sheet), table)


def scope_of(board: Board) -> str:
    """The competition's name for audit rows."""
    return f"competition:{board.event.competition_id}"


def check_no_flag(board: Board) -> None:
    """Raises `FlagOpen` where a hand is 待裁 (C6.3)."""
    flagged = board.flagged
    if flagged:
        numbers = _("、").join(str(version.hand.number) for version in flagged)
        raise FlagOpen(_("第 %(numbers)s 局还待裁，裁定或更正后才能继续。") % {"numbers": numbers})


def check_no_tie(board: Board) -> None:
    """Raises `TieOpen` where a tie at a line that matters is open (C8.6)."""
    ties = board.open_ties
    if any(tie.hand is not None for tie in ties):
        raise TieOpen(tie_sentence(board, ties), ties)
    if ties:
        raise TieOpen(_("名次分不出先后，请裁判长裁定名次后再继续。"), ties)


def tie_sentence(board: Board, ties: tuple[OpenTie, ...]) -> str:
    """Who plays the next 加赛."""
    tie = next(tie for tie in ties if tie.hand is not None)
    names = {seat.position: seat.name for seat in board.seats}
    if not board.is_counted:
        return _("%(who)s打平，加赛一盘（第 %(n)d 盘加赛）。") % {
            "who": _("、").join(names[position] for position in tie.keys),
            "n": tie.hand,
        }
    return _("%(who)s同分，加赛一局（第 %(n)d 局加赛），其他人陪打。") % {
        "who": _("、").join(names[position] for position in tie.keys),
        "n": tie.hand,
    }


def close(acting: Actor, board: Board) -> Finished:
    """The sheet is confirmed and its table finished. Raises `FlagOpen`, `TieOpen`."""
    check_no_flag(board)
    check_no_tie(board)
    finished = finish_table(acting=acting, table=board.table, results=board.results)
    now = timezone.now()
    sheet = board.sheet
    sheet.state, sheet.confirmed_at, sheet.sent_back_word = SheetState.CONFIRMED, now, ""
    sheet.submitted_at = sheet.submitted_at or now
    sheet.save(update_fields=["state", "confirmed_at", "submitted_at", "sent_back_word"])
    record_order(board)
    index_tables([board.table.pk])
    settle_field(acting, board.round)
    if board.round.is_last:
        plan_finality(board.round)
    audit(
        actor=acting,
        action="sheet.confirm",
        scope=scope_of(board),
        subject=sheet,
        data={
            "digest": board.digest,
            "net": [seat.net for seat in board.sums.seats],
            "places": [result.place for result in board.results],
        },
    )
    return finished


def record_order(board: Board) -> None:
    """Writes who came before whom into the sheet's 加赛."""
    ranked = [row.key for row in board.ranking.rows]
    for tie_break in TieBreak.objects.filter(sheet=board.sheet):
        tie_break.order = [key for key in ranked if key in tie_break.tied]
        tie_break.save(update_fields=["order"])


def plan_finality(round_: Round) -> None:
    """Wakes the site when the last round is due to be final (C7.1)."""
    competition = round_.stage.event.competition
    due = (round_.confirmed_at or timezone.now()) + timedelta(
        minutes=competition.final_minutes, seconds=1
    )
    jobs.enqueue(
        kind="finalize-due",
        payload={"round": round_.pk},
        scope=competition.scope,
        run_after=max(due, timezone.now() + WAKE_AGAIN),
    )


def settle_again(
    *,
    acting: Acting,
    board: Board,
    reason: str,
    effects_shown: bool,
    as_played: bool,
    replay: bool = False,
) -> Effects:
    """New places for a table that was confirmed already, after a change on its sheet (C9.1).

    Raises `FlagOpen` where the change leaves a hand 待裁 (C6.3), `ShowEffects` until the effects
    have been seen, `TieOpen` where the change leaves a tie at a line, `Depends` where others
    would advance and have played on, unless `as_played`, or `replay`, which voids the sheets that
    depend on it and needs a reason.
    """
    check_no_flag(board)
    ties = board.open_ties
    if ties:
        raise TieOpen(_("这样更正后有人同分。请裁判长先裁定这一桌的名次，再更正。"), ties)
    results = board.results
    moves = field_moves(board) or prelim_moves(board)
    if not effects_shown:
        found = effects_of(board.table, results, moves)
        raise ShowEffects(found, [one.net for one in board.sums.seats])
    if replay:
        found = effects_of(board.table, results, moves)
        if found.is_blocked:
            replay_from(acting=acting, board=board, effects=found, reason=reason)
            moves = field_moves(board) or prelim_moves(board)
    effects = correct_table(
        acting=acting,
        table=board.table,
        results=results,
        as_played=as_played,
        reason=reason,
        moves=moves,
    )
    if not effects.is_blocked:
        settle_field(acting, board.round)
    if board.round.is_prelim:
        settle_preliminary(acting, board.event, effects)
    record_order(board)
    index_tables([board.table.pk])
    return effects


def make_final(finals: Iterable[Table]) -> None:
    """The sheets of tables that have become final are final too."""
    ids = [table.pk for table in finals]
    sheets = Sheet.objects.filter(table__in=ids).order_by("pk")
    sheets.update(state=SheetState.FINAL, final_at=timezone.now())
    bump(*(Table.scope_of(pk) for pk in sheets.values_list("table_id", flat=True)))


@transaction.atomic
def finalize_round(*, acting: Acting, round_: Round) -> tuple[Table, ...]:
    """The chief referee declares the last round final (C7.1), with its sheets."""
    finals = finality.finalize_round(acting=acting, round_=round_)
    make_final(finals)
    return finals


def finalize_due(now: datetime | None = None) -> tuple[Table, ...]:
    """Every last round that has been confirmed long enough is final, with its sheets."""
    return finality.finalize_due(now, also=make_final)


def run_finalize_due(job: jobs.Running) -> Mapping[str, object]:
    """The job of `finalize_due`, planned and periodic; plans itself again where its round's time
    was put off meanwhile."""
    finals = finalize_due()
    planned = [cast(int, job.payload["round"])] if "round" in job.payload else []
    waiting = Round.objects.filter(pk__in=planned, state=State.CONFIRMED)
    for round_ in waiting.select_related("stage__event__competition"):
        plan_finality(round_)
    return {"tables": [table.pk for table in finals]}
