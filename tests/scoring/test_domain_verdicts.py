"""Penalties, rulings, protests, and corrections after the end (C6.5, C6.6, C9.1)."""

from __future__ import annotations

import pytest

from core.errors import Conflict, DomainError
from scoring.domain.errors import ShowEffects, TieOpen
from scoring.domain.hands import Late, correct_hand, enter_hand, void_hand
from scoring.domain.protests import answer_protest, protest
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.domain.verdicts import (
    BadVerdict,
    drop_ruling,
    penalize,
    rule_on_hand,
    rule_on_table,
    void_penalty,
)
from scoring.enums import PenaltyKind, ProtestState
from scoring.models import HandVersion, Penalty, Ruling, Sheet
from tests.scoring.sheets import WIN, Hall, make_hall, totals
from tests.tournament.competitions import Made, make_published
from tournament.domain.settings import set_play
from tournament.domain.tables import Depends
from tournament.enums import ConfirmationMode, EntrantStatus, State
from tournament.models import Seat, Table
from tournament.permissions import NotAllowed, ReasonNeeded

pytestmark = pytest.mark.django_db

SEEN = Late(reason="录像", effects_shown=True)


def nets(hall: Hall) -> list[int]:
    return [seat.net for seat in hall.board().sums.seats]


def fine(hall: Hall, kind: PenaltyKind, amount: int = 2, **more: object) -> Penalty:
    return penalize(
        **{
            "acting": hall.referee,
            "sheet": hall.sheet,
            "position": 1,
            "kind": kind,
            "amount": amount,
            "reason": "迟到 8 分钟",
            **more,
        }  # type: ignore[arg-type]
    )


def test_penalty_to_the_opponents_stays_in_the_zero_sum() -> None:
    """C6.5, R9.6: the amount goes to each other player."""
    hall = make_hall()
    hall.enter(WIN)
    penalty = fine(hall, PenaltyKind.OPPONENTS)
    assert penalty.deltas == (2, -4, 2, 0)
    assert nets(hall) == [8, -10, 2]
    assert hall.board().sums.balance == 0


def test_deduction_goes_to_nobody_and_is_balanced_apart() -> None:
    """C6.5 扣罚: Σ net + Σ 扣罚 = 0."""
    hall = make_hall()
    hall.enter(WIN)
    penalty = fine(hall, PenaltyKind.DEDUCTION)
    assert (penalty.deducted, penalty.deltas) == (2, (0, 0, 0, 0))
    assert nets(hall) == [6, -8, 0]
    assert hall.board().sums.balance == 0
    void_penalty(acting=hall.chief, penalty=penalty)
    assert nets(hall) == [6, -6, 0]
    with pytest.raises(Conflict):
        void_penalty(acting=hall.chief, penalty=penalty)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": 3}, "请选罚哪一位"),
        ({"amount": 0}, "罚几舵"),
        ({"reason": " "}, "请写明为什么罚"),
    ],
)
def test_penalty_that_cannot_be(changes: dict[str, object], message: str) -> None:
    hall = make_hall()
    with pytest.raises(BadVerdict, match=message):
        fine(hall, PenaltyKind.DEDUCTION, **changes)


def test_penalty_may_come_before_the_first_hand_but_not_from_the_table() -> None:
    """C7.3: published R C."""
    hall = make_hall()
    fine(hall, PenaltyKind.DEDUCTION)
    with pytest.raises(NotAllowed):
        fine(hall, PenaltyKind.DEDUCTION, acting=hall.table_link())


def test_ruling_replaces_the_points_and_leaves_the_computed_ones() -> None:
    """C6.6: by the chief referee alone, with a reason; dropped, the one before it stands again, at
    last the computed value."""
    hall = make_hall()
    version = hall.enter(WIN)
    with pytest.raises(NotAllowed):
        rule_on_hand(acting=hall.referee, hand=version.hand, deltas=[0, 0, 0], reason="错")
    for deltas, reason, message in (
        ([0, 0, 0], "", "裁决要写明理由"),
        ([1, 0, 0], "错", "各家相加应为 0，现在是 \\+1"),
        ([0, 0], "错", "每个座位写一个整数"),
    ):
        with pytest.raises(BadVerdict, match=message):
            rule_on_hand(acting=hall.chief, hand=version.hand, deltas=deltas, reason=reason)
    first = rule_on_hand(acting=hall.chief, hand=version.hand, deltas=[0, -3, 3], reason="错")
    second = rule_on_hand(acting=hall.chief, hand=version.hand, deltas=[0, -2, 2], reason="再看")
    first.refresh_from_db()
    assert not first.is_current
    assert nets(hall) == [0, -2, 2]
    version.refresh_from_db()
    assert (version.deltas, version.is_current) == ((6, -6, 0, 0), True)
    drop_ruling(acting=hall.chief, ruling=second)
    assert nets(hall) == [0, -3, 3]
    with pytest.raises(Conflict):
        drop_ruling(acting=hall.chief, ruling=second)
    drop_ruling(acting=hall.chief, ruling=first)
    assert nets(hall) == [6, -6, 0]
    third = rule_on_hand(acting=hall.chief, hand=version.hand, deltas=[1, -1, 0], reason="三看")
    drop_ruling(acting=hall.chief, ruling=third)
    assert nets(hall) == [6, -6, 0]


def test_dropped_ruling_on_places_gives_way_to_the_one_before() -> None:
    """C9.5."""
    hall = make_hall()
    hall.enter(WIN)
    rule = {"acting": hall.chief, "sheet": hall.sheet, "reason": "抽签"}
    rule_on_table(places={0: 2, 1: 1, 2: 3}, **rule)
    second = rule_on_table(places={0: 3, 1: 2, 2: 1}, **rule)
    drop_ruling(acting=hall.chief, ruling=second)
    assert hall.board().ruled_places == {0: 2, 1: 1, 2: 3}


def test_places_must_be_each_once() -> None:
    hall = make_hall()
    hall.enter(WIN)
    for places in ({0: 1, 1: 1, 2: 2}, {0: 1, 1: 2}, {0: 0, 1: 1, 2: 2}):
        with pytest.raises(BadVerdict, match="从 1 到 3，不能重复"):
            rule_on_table(acting=hall.chief, sheet=hall.sheet, places=places, reason="抽签")


def test_protest_is_answered_by_the_chief_referee() -> None:
    """C7.3."""
    hall = make_hall()
    version = hall.enter(WIN)
    with pytest.raises(BadVerdict):
        protest(acting=hall.entrant_link(1), sheet=hall.sheet, text=" ")
    made = protest(
        acting=hall.entrant_link(1), sheet=hall.sheet, text="我没有点炮", hand=version.hand
    )
    assert made.state == ProtestState.OPEN
    with pytest.raises(NotAllowed):
        answer_protest(
            acting=hall.referee, protest=made, state=ProtestState.REJECTED, answer="看过"
        )
    with pytest.raises(BadVerdict):
        answer_protest(acting=hall.chief, protest=made, state=ProtestState.REJECTED, answer="")
    done = answer_protest(
        acting=hall.chief, protest=made, state=ProtestState.REJECTED, answer="录像看过"
    )
    assert (done.state, done.answer) == (ProtestState.REJECTED, "录像看过")
    assert done.answered_at is not None
    with pytest.raises(Conflict):
        answer_protest(acting=hall.chief, protest=made, state=ProtestState.UPHELD, answer="再看")


def nine() -> Made:
    """Nine entrants, one hand a table, no confirmation asked for."""
    made = make_published(9)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    return made


def close(made: Made, table: Table, *deltas: int) -> HandVersion:
    sheet = open_sheet(table)
    version = enter_hand(acting=made.owner, sheet=sheet, entered=totals(*deltas))
    submit_sheet(acting=made.owner, sheet=sheet)
    return version


def seat_after(table: Table) -> Seat:
    return Seat.objects.get(source=table)


def test_correction_of_points_only_is_done_at_once_after_its_effects_were_seen() -> None:
    """C9.1, C7.3 confirmed: C, effects shown."""
    made = nine()
    table = made.tables(1)[0]
    version = close(made, table, 4, -1, -3)
    with pytest.raises(ShowEffects) as caught:
        correct_hand(acting=made.owner, hand=version.hand, entered=totals(5, -2, -3))
    assert not caught.value.effects.changes_advance
    version.refresh_from_db()
    assert version.is_current

    second = correct_hand(
        acting=made.owner, hand=version.hand, entered=totals(5, -2, -3), late=SEEN
    )
    assert (second.version, second.is_after_final) == (2, False)


def test_correction_that_changes_who_advanced_swaps_before_the_next_tables_first_hand() -> None:
    """C9.1."""
    made = nine()
    table = made.tables(1)[0]
    version = close(made, table, 4, -1, -3)
    before = seat_after(table).entrant
    with pytest.raises(ShowEffects) as caught:
        correct_hand(acting=made.owner, hand=version.hand, entered=totals(-3, 4, -1))
    assert caught.value.effects.changes_advance
    assert not caught.value.effects.is_blocked
    correct_hand(acting=made.owner, hand=version.hand, entered=totals(-3, 4, -1), late=SEEN)
    after = seat_after(table).entrant
    assert after != before
    assert after == table.seats.get(position=1).entrant
    assert before is not None
    before.refresh_from_db()
    assert before.status == EntrantStatus.OUT


def test_late_correction_does_not_remove_who_has_played_on() -> None:
    """C9.1 “stands as played”; C7.1: the first hand made the table final; “after final”."""
    made = nine()
    tables = made.tables(1)
    versions = [close(made, table, 4, -1, -3) for table in tables]
    (final,) = made.tables(2)
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(1, -1, 0))
    tables[0].refresh_from_db()
    assert tables[0].state == State.FINAL
    assert Sheet.objects.get(table=tables[0]).state == State.FINAL
    played = seat_after(tables[0]).entrant
    entered = totals(-3, 4, -1)
    hand = versions[0].hand
    with pytest.raises(ReasonNeeded):
        correct_hand(acting=made.owner, hand=hand, entered=entered)
    with pytest.raises(ShowEffects) as caught:
        correct_hand(acting=made.owner, hand=hand, entered=entered, late=Late(reason="录像"))
    assert caught.value.effects.is_blocked
    with pytest.raises(Depends):
        correct_hand(acting=made.owner, hand=hand, entered=entered, late=SEEN)

    late = Late(reason="录像", effects_shown=True, as_played=True)
    corrected = correct_hand(acting=made.owner, hand=hand, entered=entered, late=late)

    assert (corrected.is_after_final, corrected.reason) == (True, "录像")
    assert seat_after(tables[0]).entrant == played
    assert list(tables[0].seats.order_by("position").values_list("place", flat=True)) == [3, 1, 2]


def test_change_that_leaves_a_tie_at_the_line_needs_the_places_ruled_first() -> None:
    """C8.6."""
    made = nine()
    table = made.tables(1)[0]
    version = close(made, table, 4, -1, -3)
    with pytest.raises(TieOpen):
        correct_hand(acting=made.owner, hand=version.hand, entered=totals(2, 2, -4), late=SEEN)
    sheet = Sheet.objects.get(table=table)
    rule_on_table(
        acting=made.owner, sheet=sheet, places={0: 1, 1: 2, 2: 3}, reason="抽签", late=SEEN
    )
    correct_hand(acting=made.owner, hand=version.hand, entered=totals(2, 2, -4), late=SEEN)
    assert Ruling.objects.filter(is_current=True).count() == 1


def test_penalty_after_confirmation_is_the_chief_referees_with_effects() -> None:
    """C7.3 confirmed: C."""
    made = nine()
    table = made.tables(1)[0]
    close(made, table, 4, -1, -3)
    sheet = Sheet.objects.get(table=table)
    args = {
        "acting": made.owner, "sheet": sheet, "position": 0, "kind": PenaltyKind.DEDUCTION,
        "amount": 8, "reason": "换牌",
    }  # fmt: skip
    with pytest.raises(ShowEffects) as caught:
        penalize(**args)  # type: ignore[arg-type]
    assert caught.value.effects.changes_advance
    penalty = penalize(**args, late=SEEN)  # type: ignore[arg-type]
    assert table.seats.get(advances=True).position == 1
    void_penalty(acting=made.owner, penalty=penalty, late=SEEN)
    assert table.seats.get(advances=True).position == 0


def test_void_after_confirmation_needs_reason_and_effects() -> None:
    made = nine()
    version = close(made, made.tables(1)[0], 4, -1, -3)
    with pytest.raises(DomainError):
        void_hand(acting=made.owner, hand=version.hand, reason="")
    with pytest.raises(TieOpen):
        void_hand(acting=made.owner, hand=version.hand, reason="重打", late=SEEN)
