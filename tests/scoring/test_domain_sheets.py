"""A sheet's way to its end: full or called, confirmed by whom, ties, finality (C6.4, C7, C8)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from core.domain import jobs
from core.errors import Conflict, DomainError
from core.models import AuditRow, Job
from scoring.domain.closing import finalize_due, finalize_round
from scoring.domain.errors import FlagOpen, NotFull, SheetChanged, TieOpen
from scoring.domain.hands import Difference, correct_hand, enter_hand
from scoring.domain.sheets import (
    call_time,
    confirm_sheet,
    open_sheets,
    send_back,
    submit_sheet,
)
from scoring.domain.verdicts import penalize, rule_on_hand, rule_on_table
from scoring.enums import PenaltyKind, SheetState
from scoring.models import Sheet, TieBreak
from tests.factories import make_acting, make_table
from tests.scoring.sheets import DRAWN, WIN, Hall, make_hall, result, totals
from tournament.enums import ConfirmationMode, Role, State
from tournament.models import Competition, Seat
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

LEVEL = ((2, -2, 0), (-2, 2, 0))
"""Two hands after which everybody is level."""


def play(hall: Hall, *rows: tuple[int, ...]) -> None:
    for row in rows:
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(*row))


def states(hall: Hall) -> tuple[str, str]:
    hall.sheet.refresh_from_db()
    hall.table.refresh_from_db()
    return hall.sheet.state, hall.table.state


def places(hall: Hall) -> list[tuple[int | None, bool | None]]:
    return list(hall.table.seats.order_by("position").values_list("place", "advances"))


def submitted(mode: ConfirmationMode = ConfirmationMode.PLAYERS, **more: object) -> Hall:
    hall = make_hall(2, mode, **more)  # type: ignore[arg-type]
    seats = hall.table.seat_count
    play(hall, (4, -1, -3, 0)[:seats], (0,) * seats)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    return hall


def confirm(hall: Hall, acting: object, position: int | None = None) -> bool:
    done = confirm_sheet(
        acting=acting,  # type: ignore[arg-type]
        sheet=hall.sheet,
        digest=hall.board().digest,
        position=position,
    )
    return done.finished is not None


def test_sheets_are_opened_once_each() -> None:
    tables = [make_table() for _ in range(3)]
    first = open_sheets(tables)
    assert [sheet.table for sheet in first] == tables
    assert first[0].hands_planned == tables[0].round.hands
    assert open_sheets(tables) == first
    assert Sheet.objects.count() == 3


def test_sheet_is_submitted_when_full() -> None:
    """C6.4."""
    hall = make_hall(2)
    hall.enter(WIN)
    with pytest.raises(NotFull, match="打了 1 局，应打 2 局"):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    hall.enter(DRAWN)
    submit_sheet(acting=hall.table_link(), sheet=hall.sheet)
    assert states(hall) == (SheetState.SUBMITTED, State.RUNNING)
    with pytest.raises(Conflict):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    with pytest.raises(NotAllowed):
        hall.enter(WIN)


def test_called_sheet_with_less_than_half_is_the_chief_referees() -> None:
    """C6.4."""
    hall = make_hall(4)
    hall.enter(WIN)
    call_time(acting=hall.table_link(), sheet=hall.sheet)
    call_time(acting=hall.referee, sheet=hall.sheet)
    assert AuditRow.objects.filter(action="table.call-time").count() == 1
    with pytest.raises(NotAllowed):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    submit_sheet(acting=hall.chief, sheet=hall.sheet)
    assert states(hall)[0] == SheetState.SUBMITTED


def test_called_sheet_with_half_is_submitted_by_anyone_at_the_table() -> None:
    hall = make_hall(4)
    hall.enter(WIN)
    hall.enter(DRAWN)
    call_time(acting=hall.referee, sheet=hall.sheet)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)


def test_open_flag_stops_the_sheet_until_it_is_ruled_on() -> None:
    """C6.3, C6.6."""
    hall = make_hall(2)
    flagged = hall.enter({**WIN, "claim": {"total": 9}}, difference=Difference.FLAG)
    hall.enter(DRAWN)
    with pytest.raises(FlagOpen, match="第 1 局还待裁"):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    rule_on_hand(acting=hall.chief, hand=flagged.hand, deltas=[18, -18, 0], reason="看了录像")
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert hall.board().sums.seats[0].net == 18
    flagged.refresh_from_db()
    assert flagged.deltas == (6, -6, 0, 0)


def test_players_confirm_one_by_one_and_the_last_closes_the_table() -> None:
    """C7.2 `players`: by the table's link or their own."""
    hall = submitted()
    table, own = hall.table_link(), hall.entrant_link(2)
    assert not confirm(hall, table, 0)
    assert not confirm(hall, table, 0)
    assert not confirm(hall, own)
    with pytest.raises(DomainError, match="请选是哪一位"):
        confirm(hall, table)
    with pytest.raises(DomainError, match="请选是哪一位"):
        confirm(hall, own, 1)
    with pytest.raises(NotAllowed):
        confirm(hall, hall.referee)
    assert confirm(hall, table, 1)
    assert states(hall) == (SheetState.CONFIRMED, State.CONFIRMED)
    assert places(hall) == [(1, True), (2, False), (3, False)]
    assert hall.sheet.confirmations.filter(is_current=True).count() == 3


def test_filler_and_who_has_left_need_not_confirm() -> None:
    """C1.3, C9.3: the filler has no place, who withdrew ranks last."""
    hall = submitted(filler=True, seats=4)
    Seat.objects.filter(entrant=hall.entrants[0]).update(forfeits=True)
    assert not confirm(hall, hall.table_link(), 1)
    assert confirm(hall, hall.table_link(), 2)
    assert places(hall) == [(3, False), (1, True), (2, False), (None, False)]


def test_another_referee_confirms() -> None:
    """C7.2 `referee`: one who entered nothing there."""
    hall = submitted(ConfirmationMode.REFEREE)
    with pytest.raises(NotAllowed, match="没有在这张表上记过分的另一位裁判"):
        confirm(hall, hall.referee)
    with pytest.raises(NotAllowed):
        confirm(hall, hall.table_link(), 0)
    assert confirm(hall, make_acting(hall.competition, Role.REFEREE))


def test_chief_referee_confirms_alone() -> None:
    hall = submitted()
    assert confirm(hall, hall.chief)
    assert hall.sheet.confirmations.get().position is None


def test_sheet_without_confirmation_is_closed_by_submitting() -> None:
    """C7.2 `none`."""
    hall = submitted(ConfirmationMode.NONE)
    assert states(hall) == (SheetState.CONFIRMED, State.CONFIRMED)


def test_confirmation_is_of_the_sheet_that_was_seen() -> None:
    hall = submitted()
    seen = hall.board().digest
    hand = hall.sheet.hands.get(number=1)
    correct_hand(acting=hall.chief, hand=hand, entered=totals(5, -2, -3))
    with pytest.raises(SheetChanged):
        confirm_sheet(acting=hall.table_link(), sheet=hall.sheet, digest=seen, position=0)


def test_change_on_a_submitted_sheet_drops_confirmations() -> None:
    hall = submitted()
    confirm(hall, hall.table_link(), 0)
    hand = hall.sheet.hands.get(number=1)
    correct_hand(acting=hall.chief, hand=hand, entered=totals(5, -2, -3))
    assert not hall.sheet.confirmations.filter(is_current=True).exists()


def test_sheet_is_sent_back_with_a_word() -> None:
    """C7: submitted → open."""
    hall = submitted()
    table = hall.table_link()
    confirm(hall, table, 0)
    with pytest.raises(DomainError, match="请写一句哪里不对"):
        send_back(acting=table, sheet=hall.sheet, word=" ")
    send_back(acting=table, sheet=hall.sheet, word="第 2 局记反了")
    assert states(hall) == (SheetState.OPEN, State.RUNNING)
    assert hall.sheet.sent_back_word == "第 2 局记反了"
    assert not hall.sheet.confirmations.filter(is_current=True).exists()
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    hall.sheet.refresh_from_db()
    assert hall.sheet.sent_back_word == ""


def test_tie_at_the_line_wants_an_extra_hand() -> None:
    """C8.2: among those level, the others as fillers; never counted in net 舵."""
    hall = make_hall(2, ConfirmationMode.NONE)
    play(hall, *LEVEL)
    with pytest.raises(TieOpen, match="甲、乙、丙同分，加赛一局（第 1 局加赛）") as caught:
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert caught.value.ties[0].keys == (0, 1, 2)

    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(3, 3, -6), extra=True)
    with pytest.raises(TieOpen, match="甲、乙同分，加赛一局（第 2 局加赛）"):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(-4, 2, 2), extra=True)
    assert hall.board().sums.played == 2
    assert [seat.net for seat in hall.board().sums.seats] == [0, 0, 0]
    submit_sheet(acting=hall.referee, sheet=hall.sheet)

    assert places(hall) == [(2, False), (1, True), (3, False)]
    tie = TieBreak.objects.get()
    assert (tie.line, tie.tied, tie.order) == (1, [0, 1, 2], [1, 0, 2])
    assert [hand.is_extra for hand in hall.sheet.hands.order_by("number")] == [
        False,
        False,
        True,
        True,
    ]


def test_extra_hand_only_where_a_tie_is_due() -> None:
    hall = make_hall(2)
    play(hall, LEVEL[0])
    with pytest.raises(Conflict) as caught:
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(1, -1, 0), extra=True)
    assert caught.value.code == "no-tie"


def test_without_extra_hands_the_next_criterion_or_the_chief_decides() -> None:
    """C8.1, C8.6: totals show no hands won, nobody has a lot."""
    hall = make_hall(2, ConfirmationMode.NONE, stage={"extra_hands": False})
    play(hall, *LEVEL)
    with pytest.raises(TieOpen, match="请裁判长裁定名次"):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    rule_on_table(acting=hall.chief, sheet=hall.sheet, places={0: 3, 1: 1, 2: 2}, reason="当场抽签")
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert places(hall) == [(3, False), (1, True), (2, False)]


def test_tie_that_comes_up_while_submitted_opens_the_sheet_again() -> None:
    hall = make_hall(2)
    play(hall, (2, -2, 0), (0, 0, 0))
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    penalize(
        acting=hall.referee,
        sheet=hall.sheet,
        position=0,
        kind=PenaltyKind.DEDUCTION,
        amount=2,
        reason="迟到",
    )
    done = confirm_sheet(acting=hall.chief, sheet=hall.sheet, digest=hall.board().digest)
    assert done.ties
    assert states(hall) == (SheetState.OPEN, State.RUNNING)
    assert hall.sheet.sent_back_word == "甲、丙同分，加赛一局（第 1 局加赛），其他人陪打。"


def test_final_has_prizes_to_play_for() -> None:
    """C8.2: level for second place in the final is a tie at a prize."""
    hall = make_hall(2, is_last=True)
    play(hall, (4, -2, -2), (0, 0, 0))
    with pytest.raises(TieOpen, match="乙、丙同分"):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)


def test_last_round_becomes_final_by_the_clock_with_its_sheets() -> None:
    """C7.1: planned as a job when it is confirmed."""
    hall = submitted(ConfirmationMode.NONE, is_last=True, stage={"extra_hands": False})
    job = Job.objects.get(kind="finalize-due")
    minutes = timedelta(minutes=hall.competition.final_minutes)
    assert job.run_after - timezone.now() > minutes - timedelta(minutes=1)
    assert finalize_due() == ()
    assert states(hall) == (SheetState.CONFIRMED, State.CONFIRMED)
    assert finalize_due(timezone.now() + minutes + timedelta(minutes=1)) == (hall.table,)
    assert states(hall) == (SheetState.FINAL, State.FINAL)
    Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
    assert jobs.sweep() == 3  # and the seals of the round and of the end
    job.refresh_from_db()
    assert job.result == {"tables": []}


def test_finality_that_was_put_off_is_looked_for_again() -> None:
    """The organizer gave more minutes after the last round was confirmed."""
    hall = submitted(ConfirmationMode.NONE, is_last=True, stage={"extra_hands": False})
    Competition.objects.update(final_minutes=90)
    Job.objects.update(run_after=timezone.now())
    assert jobs.sweep() == 2  # and the round's seal
    later = Job.objects.get(state="waiting")
    hall.table.round.refresh_from_db()
    confirmed_at = hall.table.round.confirmed_at
    assert confirmed_at is not None
    assert later.run_after == confirmed_at + timedelta(minutes=90, seconds=1)
    assert states(hall) == (SheetState.CONFIRMED, State.CONFIRMED)


def test_chief_referee_declares_the_last_round_final() -> None:
    hall = submitted(ConfirmationMode.NONE, is_last=True, stage={"extra_hands": False})
    with pytest.raises(NotAllowed):
        finalize_round(acting=hall.referee, round_=hall.table.round)
    finalize_round(acting=hall.chief, round_=hall.table.round)
    assert states(hall) == (SheetState.FINAL, State.FINAL)
    assert Competition.objects.get().is_over


def test_ruling_sits_beside_the_result() -> None:
    hall = make_hall(1, ConfirmationMode.NONE)
    version = hall.enter(WIN)
    rule_on_hand(acting=hall.chief, hand=version.hand, deltas=[-2, 4, -2], reason="错牌")
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert [place for place, _ in places(hall)][1] == 1
    assert result(WIN).payload["hu"] == version.hu
