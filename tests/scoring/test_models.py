"""What the database holds about sheets and hands (C6, C7, C8.2)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from core.actors import Actor
from scoring.enums import Evidence, PenaltyKind, ProtestState
from scoring.models import (
    Confirmation,
    Hand,
    HandVersion,
    Penalty,
    Protest,
    Ruling,
    Sheet,
    TieBreak,
)
from tests.concurrency import at_once
from tests.constraints import refused_by_the_database
from tests.factories import make_hand, make_sheet, make_table, make_user

pytestmark = pytest.mark.django_db


def test_a_table_has_one_sheet() -> None:
    table = make_table()
    sheet = make_sheet(table)
    assert (sheet.state, sheet.hands_planned, table.sheet) == ("open", 12, sheet)
    with refused_by_the_database():
        make_sheet(table)


@pytest.mark.parametrize("deltas", [(4, -2, -2), (-6, 6), (0, 0, 0, 0), (9, -3, -3, -3)])
def test_deltas_that_sum_to_zero_are_kept_by_seat(deltas: tuple[int, ...]) -> None:
    """C6.2, R9.4."""
    version = make_hand(make_sheet(), *deltas)
    version.refresh_from_db()
    assert version.deltas == (*deltas, 0, 0, 0, 0)[:4]


@pytest.mark.parametrize("deltas", [(1,), (4, -2, -1), (0, 0, 0, 1), (-3, -3, -3, 8)])
def test_deltas_that_do_not_sum_to_zero_are_refused(deltas: tuple[int, ...]) -> None:
    """C6.2, R9.4."""
    sheet = make_sheet()
    with refused_by_the_database():
        make_hand(sheet, *deltas)


def test_no_update_can_break_the_sum() -> None:
    """C6.2."""
    version = make_hand(make_sheet(), 4, -2, -2)
    with refused_by_the_database():
        HandVersion.objects.filter(pk=version.pk).update(delta_1=5)


def test_a_hand_number_exists_once_a_sheet() -> None:
    """C6.2."""
    sheet = make_sheet()
    make_hand(sheet, number=5)
    for number in (5, 0):
        with refused_by_the_database():
            make_hand(sheet, number=number)
    make_hand(make_sheet(), number=5)


def test_versions_are_a_chain_with_one_current() -> None:
    """C6.2."""
    first = make_hand(make_sheet(), 4, -2, -2)
    hand = first.hand
    with refused_by_the_database():
        HandVersion.objects.create(hand=hand, version=1, is_current=False, evidence="totals")
    with refused_by_the_database():
        HandVersion.objects.create(hand=hand, version=2, evidence="totals")
    hand.versions.filter(is_current=True).update(is_current=False)
    second = HandVersion.objects.create(hand=hand, version=2, evidence="totals")
    assert list(hand.versions.filter(is_current=True)) == [second]


def test_a_void_version_has_no_points() -> None:
    """C6.2."""
    hand = make_hand(make_sheet(), is_current=False).hand
    with refused_by_the_database():
        HandVersion.objects.create(
            hand=hand, version=2, evidence="totals", is_void=True, delta_1=1, delta_2=-1
        )
    HandVersion.objects.create(hand=hand, version=2, evidence="totals", is_void=True)


def test_a_correction_after_final_has_its_reason() -> None:
    """C7.3."""
    hand = make_hand(make_sheet(), is_current=False).hand
    with refused_by_the_database():
        HandVersion.objects.create(hand=hand, version=2, evidence="totals", is_after_final=True)
    HandVersion.objects.create(
        hand=hand, version=2, evidence="totals", is_after_final=True, reason="记错人"
    )


def test_a_slip_or_a_record_is_checked_by_the_engine() -> None:
    """C6.1."""
    sheet = make_sheet()
    assert [make_hand(sheet, evidence=level).is_checked for level in Evidence] == [
        False,
        False,
        True,
        True,
        False,
    ]
    with refused_by_the_database():
        make_hand(sheet, evidence="hearsay")


def test_a_version_knows_who_wrote_it() -> None:
    user = make_user()
    version = make_hand(make_sheet(), author=user)
    assert version.written_by == Actor(user_id=user.pk)


def test_one_current_confirmation_a_seat_and_one_by_a_referee() -> None:
    """C7.2."""
    sheet = make_sheet()
    for position in (0, 1, 2, None):
        Confirmation.objects.create(sheet=sheet, position=position, digest="x")
        with refused_by_the_database():
            Confirmation.objects.create(sheet=sheet, position=position, digest="y")
    sheet.confirmations.update(is_current=False)
    Confirmation.objects.create(sheet=sheet, position=0, digest="z")


def test_extra_hands_belong_to_a_tie_break_at_a_line() -> None:
    """C8.2."""
    sheet = make_sheet()
    tie = TieBreak.objects.create(sheet=sheet, line=1, tied=[0, 2])
    assert make_hand(sheet, 2, 0, -2, number=13).hand.is_extra is False
    assert Hand.objects.create(sheet=sheet, number=14, tie_break=tie).is_extra is True
    for line in (1, 0, 4):
        with refused_by_the_database():
            TieBreak.objects.create(sheet=sheet, line=line, tied=[0, 1])


def penalty(sheet: Sheet, **fields: object) -> Penalty:
    """A penalty of the seat 乙."""
    return Penalty.objects.create(sheet=sheet, position=1, **{"reason": "迟到", **fields})


def test_a_penalty_goes_to_the_opponents_or_to_nobody() -> None:
    """C6.5, R9.6."""
    sheet = make_sheet()
    penalty(sheet, kind=PenaltyKind.OPPONENTS, delta_1=2, delta_2=-4, delta_3=2)
    penalty(sheet, kind=PenaltyKind.DEDUCTION, deducted=2)
    for wrong in (
        {"kind": PenaltyKind.OPPONENTS, "delta_2": -4},
        {"kind": PenaltyKind.OPPONENTS, "deducted": 2},
        {"kind": PenaltyKind.DEDUCTION, "delta_1": 1, "delta_2": -1},
        {"kind": PenaltyKind.DEDUCTION, "deducted": 2, "reason": ""},
    ):
        with refused_by_the_database():
            penalty(sheet, **wrong)


def test_one_ruling_counts_for_a_hand_and_one_for_a_table() -> None:
    """C6.6."""
    hand = make_hand(make_sheet(), 4, -2, -2).hand
    sheet = hand.sheet
    for about in ({"hand": hand, "delta_1": 2, "delta_2": -2}, {"places": {"0": 1}}):
        Ruling.objects.create(sheet=sheet, reason="误胡", **about)
        with refused_by_the_database():
            Ruling.objects.create(sheet=sheet, reason="误胡", **about)
    for wrong in (
        {"hand": hand, "delta_1": 2, "is_current": False, "reason": "x"},
        {"delta_1": 2, "delta_2": -2, "is_current": False, "reason": "x"},
        {"hand": hand, "is_current": False, "reason": ""},
    ):
        with refused_by_the_database():
            Ruling.objects.create(sheet=sheet, **wrong)


def test_an_open_protest_has_no_answer_yet() -> None:
    protest = Protest.objects.create(sheet=make_sheet(), text="第三局算错了")
    assert protest.state == ProtestState.OPEN
    with refused_by_the_database():
        Protest.objects.filter(pk=protest.pk).update(answered_at="2026-12-05T12:00:00Z")


@pytest.mark.django_db(transaction=True)
def test_twenty_entries_of_one_hand_at_once_make_one() -> None:
    """Design: one hand number a sheet."""
    sheet = make_sheet()

    def enter(_index: int) -> int:
        with transaction.atomic():
            return make_hand(sheet, 4, -2, -2, number=1).pk

    results = at_once(20, enter)
    assert sum(isinstance(result, int) for result in results) == 1
    assert sum(isinstance(result, IntegrityError) for result in results) == 19
    assert HandVersion.objects.count() == 1
