"""C9.5: every action is taken back while nothing depends on it, and that is itself logged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from core.errors import Conflict, DomainError
from core.models import AuditRow, Job
from scoring.domain.board import Board
from scoring.domain.closing import finalize_due, finalize_round
from scoring.domain.errors import SheetFull, ShowEffects
from scoring.domain.hands import (
    Late,
    clear_flag,
    correct_hand,
    enter_hand,
    flag_hand,
    restore_hand,
    void_hand,
)
from scoring.domain.protests import answer_protest, protest, withdraw_protest
from scoring.domain.sheets import call_time, confirm_sheet, open_sheet, send_back, submit_sheet
from scoring.domain.undo import (
    reopen_sheet,
    take_back_answer,
    uncall_time,
    unfinalize_round,
    unsubmit_sheet,
    withdraw_confirmation,
)
from scoring.domain.verdicts import drop_ruling, penalize, rule_on_hand, void_penalty
from scoring.enums import PenaltyKind, PenaltyLevel, ProtestState, SheetState
from scoring.models import Hand, Sheet, TieBreak
from tests.factories import make_acting
from tests.scoring.sheets import WIN, Hall, make_hall, totals
from tests.tournament.competitions import make_published
from tournament.domain.reopening import CannotReopen
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, EntrantStatus, Role, State
from tournament.models import Competition, Entrant, Round, Seat, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

SEEN = Late("更正", effects_shown=True)


def whole(hall: Hall) -> dict[str, Any]:
    """All that counts: sums, states, seats, confirmations; not who wrote what when."""
    board = hall.board()
    table = Table.objects.get(pk=hall.table.pk)
    return {
        "nets": [(seat.net, seat.deducted, seat.hands_won) for seat in board.sums.seats],
        "played": board.sums.played,
        "flagged": [version.hand.number for version in board.flagged],
        "hands": [(v.hand.number, v.is_void, v.payload) for v in board.versions if not v.is_void],
        "sheet": (board.sheet.state, board.sheet.confirmed_at),
        "table": (table.state, table.called_at, table.confirmed_at),
        "round": list(Round.objects.values_list("state", "confirmed_at", "final_at")),
        "seats": list(Seat.objects.order_by("pk").values_list("entrant", "place", "advances")),
        "statuses": list(Entrant.objects.order_by("pk").values_list("status", flat=True)),
        "given": sorted(
            board.sheet.confirmations.filter(is_current=True).values_list("position", flat=True)
        ),
        "over": Competition.objects.get().ended_at,
        "protests": list(board.sheet.protests.values_list("state", "answer", "is_upheld")),
    }


def walk(hall: Hall, *pairs: tuple[Callable[[], Any], Callable[[Any], Any]]) -> None:
    """Does and takes back each; the state comes back, and both have an audit row."""
    for do, take_back in pairs:
        before, rows = whole(hall), AuditRow.objects.count()
        done = do()
        assert whole(hall) != before
        middle = AuditRow.objects.count()
        take_back(done)
        assert whole(hall) == before
        assert rows < middle < AuditRow.objects.count()


def test_everything_at_an_open_sheet_is_taken_back() -> None:
    hall = make_hall(3)
    first = hall.enter(WIN)
    chief, referee, sheet = hall.chief, hall.referee, hall.sheet
    walk(
        hall,
        (
            lambda: hall.enter(WIN),
            lambda v: void_hand(acting=referee, hand=v.hand, reason="记重了"),
        ),
        (
            lambda: correct_hand(acting=referee, hand=first.hand, entered=totals(1, -1, 0)),
            lambda v: restore_hand(acting=referee, hand=v.hand, version=v.version - 1),
        ),
        (
            lambda: void_hand(acting=referee, hand=first.hand, reason="错"),
            lambda v: restore_hand(acting=referee, hand=v.hand, version=v.version - 1),
        ),
        (
            lambda: flag_hand(acting=referee, hand=first.hand, reason="争"),
            lambda v: clear_flag(acting=referee, hand=v.hand),
        ),
        (
            lambda: call_time(acting=referee, sheet=sheet),
            lambda s: uncall_time(acting=hall.table_link(), sheet=s),
        ),
        (
            lambda: penalize(
                acting=referee, sheet=sheet, position=0, level=PenaltyLevel.POINTS,
                kind=PenaltyKind.OPPONENTS, amount=2, reason="诈胡",
            ),
            lambda p: void_penalty(acting=referee, penalty=p),
        ),
        (
            lambda: rule_on_hand(acting=chief, hand=first.hand, deltas=[0, 3, -3], reason="录像"),
            lambda r: drop_ruling(acting=chief, ruling=r),
        ),
    )  # fmt: skip
    made = protest(acting=referee, sheet=sheet, text="不服")
    walk(
        hall,
        (
            lambda: answer_protest(
                acting=chief, protest=made, state=ProtestState.REJECTED, answer="没错"
            ),
            lambda p: take_back_answer(acting=chief, protest=p),
        ),
    )
    with pytest.raises(NotAllowed):
        take_back_answer(acting=referee, protest=made)
    withdraw_protest(acting=referee, protest=made)
    with pytest.raises(Conflict):
        take_back_answer(acting=chief, protest=made)
    with pytest.raises(Conflict, match="没有到点"):
        uncall_time(acting=referee, sheet=sheet)


def test_hand_comes_back_only_where_the_sheet_has_room() -> None:
    """C6.4, C6.2: a version that counts already, a void one and one too many are refused."""
    hall = make_hall(1)
    version = hall.enter(WIN)
    void_hand(acting=hall.referee, hand=version.hand, reason="错")
    second = hall.enter(WIN)
    with pytest.raises(SheetFull):
        restore_hand(acting=hall.referee, hand=version.hand, version=1)
    for number in (2, 9):
        with pytest.raises(Conflict):
            restore_hand(acting=hall.referee, hand=version.hand, version=number)
    void_hand(acting=hall.referee, hand=second.hand, reason="又错")
    back = restore_hand(acting=hall.referee, hand=version.hand, version=1)
    assert (back.version, back.is_current, back.deltas) == (3, True, version.deltas)
    assert Hand.objects.get(pk=version.hand_id).versions.filter(is_current=True).count() == 1


def test_submission_is_withdrawn_by_who_made_it_before_anybody_confirmed() -> None:
    hall = make_hall(1)
    hall.enter(WIN)
    other = make_acting(hall.competition, Role.REFEREE)
    walk(
        hall,
        (
            lambda: submit_sheet(acting=hall.referee, sheet=hall.sheet),
            lambda _c: unsubmit_sheet(acting=hall.referee, sheet=hall.sheet),
        ),
        (
            lambda: submit_sheet(acting=hall.referee, sheet=hall.sheet),
            lambda _c: unsubmit_sheet(acting=hall.chief, sheet=hall.sheet),
        ),
    )
    with pytest.raises(Conflict, match="没有提交"):
        unsubmit_sheet(acting=hall.chief, sheet=hall.sheet)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    with pytest.raises(NotAllowed):
        unsubmit_sheet(acting=other, sheet=hall.sheet)
    digest, link = hall.board().digest, hall.table_link()
    walk(
        hall,
        (
            lambda: confirm_sheet(acting=link, sheet=hall.sheet, digest=digest, position=1),
            lambda _c: withdraw_confirmation(acting=link, sheet=hall.sheet, position=1),
        ),
    )
    confirm_sheet(acting=link, sheet=hall.sheet, digest=digest, position=1)
    with pytest.raises(Conflict, match="没有您的确认"):
        withdraw_confirmation(acting=hall.entrant_link(0), sheet=hall.sheet, position=1)
    with pytest.raises(Conflict, match="已经有人确认"):
        unsubmit_sheet(acting=hall.referee, sheet=hall.sheet)
    send_back(acting=link, sheet=hall.sheet, word="反了")
    assert AuditRow.objects.get(action="sheet.send-back").word("word") == "反了"


def test_confirmed_table_is_open_again_while_the_next_has_no_hand() -> None:
    """C9.5: seats, statuses, places and the round as before the last confirmation."""
    made = make_published(9)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.PLAYERS})
    made.stage.rounds.update(hands=1)
    first, second, third = made.tables(1)
    for table in (second, third):
        _play(made.owner, table)
    sheet = open_sheet(first)
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(4, -1, -3))
    submit_sheet(acting=made.owner, sheet=sheet)
    hall = Hall(
        made.competition, first, sheet, [], made.owner, make_acting(made.competition, Role.REFEREE)
    )
    walk(
        hall,
        (
            lambda: confirm_sheet(acting=made.owner, sheet=sheet, digest=hall.board().digest),
            lambda _c: reopen_sheet(acting=made.owner, sheet=sheet, reason="看错一局"),
        ),
    )
    sheet.refresh_from_db()
    assert (sheet.state, sheet.sent_back_word) == (SheetState.SUBMITTED, "看错一局")
    with pytest.raises(Conflict, match="只有已确认"):
        reopen_sheet(acting=made.owner, sheet=sheet, reason="看错一局")
    confirm_sheet(acting=made.owner, sheet=sheet, digest=hall.board().digest)
    with pytest.raises(NotAllowed):
        reopen_sheet(acting=hall.referee, sheet=sheet, reason="看错一局")
    with pytest.raises(DomainError):
        reopen_sheet(acting=made.owner, sheet=sheet, reason=" ")
    enter_hand(acting=made.owner, sheet=open_sheet(made.tables(2)[0]), entered=totals(1, -1, 0))
    with pytest.raises(Conflict):
        reopen_sheet(acting=made.owner, sheet=sheet, reason="看错一局")


def _play(acting: Any, table: Table) -> None:
    sheet = open_sheet(table)
    enter_hand(acting=acting, sheet=sheet, entered=totals(4, -1, -3))
    submit_sheet(acting=acting, sheet=sheet)
    confirm_sheet(acting=acting, sheet=sheet, digest=Board(sheet).digest)


def test_closing_by_submission_alone_opens_again_with_its_extra_hand_undecided() -> None:
    """C7.2 `none`, C8.2."""
    hall = make_hall(2, ConfirmationMode.NONE)
    for row in ((2, -2, 0), (-2, 2, 0)):
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(*row))
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(3, 2, -5), extra=True)
    walk(
        hall,
        (
            lambda: submit_sheet(acting=hall.referee, sheet=hall.sheet),
            lambda _c: reopen_sheet(acting=hall.chief, sheet=hall.sheet, reason="少记一局"),
        ),
    )
    assert TieBreak.objects.get().order is None
    assert Sheet.objects.get().state == SheetState.OPEN


def test_who_has_been_given_another_seat_keeps_the_table_closed() -> None:
    made = make_published(9)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(4, -1, -3))
    submit_sheet(acting=made.owner, sheet=sheet)
    loser = table.seats.get(position=2).entrant_id
    Seat.objects.filter(source=table).update(entrant=loser)
    with pytest.raises(CannotReopen, match="另行安排"):
        reopen_sheet(acting=made.owner, sheet=sheet, reason="看错")


def test_finality_of_the_last_round_is_taken_back_and_its_clock_begins_anew() -> None:
    """C7.1, C9.5."""
    hall = make_hall(1, ConfirmationMode.NONE, is_last=True, stage={"extra_hands": False})
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(4, -1, -3))
    with time_machine.travel(timezone.now() - timedelta(hours=2), tick=False):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    round_ = hall.table.round
    finalize_round(acting=hall.chief, round_=round_)
    assert Competition.objects.get().is_over
    with pytest.raises(NotAllowed):
        unfinalize_round(acting=hall.referee, round_=round_)
    before = timezone.now()
    unfinalize_round(acting=hall.chief, round_=round_)
    round_.refresh_from_db()
    sheet, table = Sheet.objects.get(), Table.objects.get()
    assert (round_.state, table.state, sheet.state) == ("confirmed", "confirmed", "confirmed")
    assert (round_.final_at, table.final_at, sheet.final_at) == (None, None, None)
    assert not Competition.objects.get().is_over
    assert round_.confirmed_at is not None
    assert round_.confirmed_at >= before
    assert finalize_due() == ()
    assert finalize_due(timezone.now() + timedelta(minutes=31)) == (table,)
    unfinalize_round(acting=hall.chief, round_=round_)
    jobs = Job.objects.filter(kind="finalize-due", state="waiting")
    assert jobs.exists()
    reopen_sheet(acting=hall.chief, sheet=hall.sheet, reason="看错")
    assert not jobs.exists()
    assert table.seats.filter(place__isnull=False).count() == 0
    with pytest.raises(Conflict, match="收回定局"):
        unfinalize_round(acting=hall.chief, round_=round_)


def test_restoring_after_confirmation_shows_its_effects_first() -> None:
    """C9.1 also for an undo."""
    hall = make_hall(1, ConfirmationMode.NONE)
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(4, -1, -3))
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    hand = hall.sheet.hands.get()
    correct_hand(acting=hall.chief, hand=hand, entered=totals(-3, 4, -1), late=SEEN)
    with pytest.raises(ShowEffects) as caught:
        restore_hand(acting=hall.chief, hand=hand, version=1)
    assert caught.value.nets == (4, -1, -3)
    restore_hand(acting=hall.chief, hand=hand, version=1, late=SEEN)
    assert [s.place for s in hall.table.seats.order_by("position")] == [1, 2, 3]
    assert hall.entrants[0].__class__.objects.filter(status=EntrantStatus.IN).count() == 1
    assert Table.objects.get().state == State.CONFIRMED
