"""Hands: entered once, corrected as chains of versions, flagged, voided (C6.1–C6.3, C7.1)."""

from __future__ import annotations

import pytest

from core.domain.idempotency import KeyReused
from core.domain.versions import fresh
from core.models import AuditRow
from scoring.domain.errors import BadEntry, Differs, HandTaken, SheetFull, VersionPassed
from scoring.domain.hands import (
    Difference,
    Entered,
    clear_flag,
    correct_hand,
    enter_hand,
    flag_hand,
    void_hand,
)
from scoring.enums import Evidence
from scoring.models import Hand, HandVersion
from tests.factories import make_acting
from tests.scoring.records import won
from tests.scoring.sheets import DRAWN, FLIP, WIN, make_hall, result, totals
from tournament.domain.starting import NotReady
from tournament.enums import Discipline, Role, State
from tournament.models import Seat, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def test_first_hand_starts_the_table_and_is_kept_with_all_it_says() -> None:
    """C6.1, C7.1, C11."""
    hall = make_hall()
    before = fresh([hall.sheet.scope])

    version = hall.enter(WIN)

    assert version.hand.number == 1
    assert version.version == 1
    assert version.deltas == (6, -6, 0, 0)
    assert (version.winners, version.payer, version.dealer) == ([0], 1, 0)
    assert (version.hu, version.xing, version.total) == (16, 1, 3)
    assert version.evidence == Evidence.RESULT
    assert version.rules_digest == hall.table.round.stage.event.rules_digest
    assert version.engine_version
    assert version.written_by.key == hall.referee.key
    assert not version.is_checked
    hall.table.refresh_from_db()
    assert hall.table.state == State.RUNNING
    assert fresh([hall.sheet.scope]) == (before[0] + 2,), "by the start and by the hand"
    row = AuditRow.objects.get(action="hand.enter")
    assert row.subject == f"hand:{version.hand.pk}"
    assert row.data["deltas"] == [6, -6, 0, 0]


def test_later_hands_bump_the_sheet_alone() -> None:
    """The event's version is bumped by tables, not by hands."""
    hall = make_hall()
    hall.enter(WIN)
    scope = hall.table.round.stage.event.scope
    before = fresh([scope, hall.sheet.scope])
    hall.enter(FLIP)
    assert fresh([scope, hall.sheet.scope]) == (before[0], before[1] + 1)
    assert [seat.net for seat in hall.board().sums.seats] == [4, -8, 4]


def test_every_level_of_evidence_is_entered() -> None:
    """C6.1: a slip or a record is 已核牌."""
    hall = make_hall()
    slip = {
        "source": "discard", "winner": "甲", "payer": "乙", "hand": "四四四捌捌八伍陆一二三",
        "table": ["碰 九", "吃 二七十", "扫 壹"], "card": "柒", "xing": "七",
    }  # fmt: skip
    entries = [
        totals(3, -3, 0),
        result(WIN),
        Entered(Evidence.SLIP, slip),
        Entered(Evidence.RECORD, {"text": won()}),
    ]
    versions = [
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=entry) for entry in entries
    ]
    assert [version.is_checked for version in versions] == [False, False, True, True]
    assert [version.hand.number for version in versions] == [1, 2, 3, 4]
    assert versions[0].computed is None
    assert hall.board().is_full


def test_hand_that_is_there_already_says_who_entered_what() -> None:
    """C6.2: unique by number."""
    hall = make_hall()
    first = hall.enter(WIN, number=1)
    other = make_acting(hall.competition, Role.REFEREE)
    with pytest.raises(HandTaken) as caught:
        hall.enter(FLIP, number=1, acting=other)
    assert caught.value.version == first
    assert caught.value.who == first.author.name
    assert first.author.name in str(caught.value)
    assert caught.value.status == 409
    assert Hand.objects.count() == 1


def test_same_key_is_done_once_and_another_body_is_refused() -> None:
    """Stack fact 6."""
    hall = make_hall()
    first = hall.enter(WIN, number=1, key="k1")
    again = hall.enter(WIN, number=1, key="k1")
    assert again == first
    with pytest.raises(KeyReused):
        hall.enter(FLIP, number=1, key="k1")
    assert HandVersion.objects.count() == 1


def test_refused_entry_leaves_neither_key_nor_hand() -> None:
    hall = make_hall()
    with pytest.raises(BadEntry) as caught:
        hall.enter({**WIN, "hu": 9}, key="k1")
    assert (caught.value.code, caught.value.entry.field) == ("hu-too-low", "hu")
    assert str(caught.value) == "9 胡，起胡至少 10"
    assert Hand.objects.count() == 0
    assert hall.enter(WIN, key="k1").hand.number == 1


def test_no_more_hands_than_planned() -> None:
    """C6.4; totals of several hands count for as many."""
    hall = make_hall(hands=4)
    version = enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(5, -3, -2, hands=3))
    assert hall.board().sums.played == 3
    assert hall.board().next_number == 4
    with pytest.raises(SheetFull):
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(1, -1, 0, hands=2))
    with pytest.raises(HandTaken) as caught:
        hall.enter(WIN, number=2)
    assert caught.value.version == version
    with pytest.raises(SheetFull):
        hall.enter(WIN, number=9)
    hall.enter(WIN)
    with pytest.raises(SheetFull):
        hall.enter(WIN)


def test_difference_is_asked_for_then_saved_or_flagged() -> None:
    """C6.3: the claim is 4 舵, the cards give 3."""
    hall = make_hall()
    claim = {**WIN, "claim": {"total": 4}}
    with pytest.raises(Differs) as caught:
        hall.enter(claim)
    assert caught.value.counted.total == 3
    assert caught.value.counted.claimed is not None
    assert caught.value.counted.claimed.total == 4
    assert Hand.objects.count() == 0

    computed = hall.enter(claim, difference=Difference.COMPUTED)
    assert not computed.is_flagged
    assert computed.deltas == (6, -6, 0, 0)
    flagged = hall.enter(claim, difference=Difference.FLAG)
    assert flagged.is_flagged
    assert flagged.payload["claim"] == {"total": 4}
    assert flagged.total == 3
    assert hall.board().flagged == [flagged]


def test_correction_is_a_new_version_and_the_old_one_stays() -> None:
    """C6.2."""
    hall = make_hall()
    first = hall.enter(WIN)
    second = correct_hand(
        acting=hall.referee, hand=first.hand, entered=result(FLIP), seen=first.version
    )
    assert (second.version, second.is_current) == (2, True)
    first.refresh_from_db()
    assert not first.is_current
    assert [seat.net for seat in hall.board().sums.seats] == [-2, -2, 4]
    with pytest.raises(VersionPassed):
        correct_hand(acting=hall.referee, hand=first.hand, entered=result(WIN), seen=1)
    assert AuditRow.objects.filter(action="hand.correct").count() == 1


def test_correction_to_totals_may_not_run_into_other_hands() -> None:
    hall = make_hall()
    first = hall.enter(WIN)
    hall.enter(FLIP)
    with pytest.raises(HandTaken):
        correct_hand(acting=hall.referee, hand=first.hand, entered=totals(1, -1, 0, hands=2))


def test_void_hand_counts_for_nothing_and_can_be_corrected_back() -> None:
    """C6.2: voiding is a version, with a reason."""
    hall = make_hall()
    first = hall.enter(WIN)
    with pytest.raises(Exception, match="作废要写明原因"):
        void_hand(acting=hall.referee, hand=first.hand, reason=" ")
    void = void_hand(acting=hall.referee, hand=first.hand, reason="重发牌")
    assert (void.is_void, void.version, void.deltas) == (True, 2, (0, 0, 0, 0))
    board = hall.board()
    assert board.sums.played == 0
    assert board.next_number == 2
    back = correct_hand(acting=hall.referee, hand=first.hand, entered=result(WIN))
    assert (back.version, back.is_void) == (3, False)
    assert hall.board().sums.played == 1


def test_flag_is_set_and_cleared_as_versions() -> None:
    """C6.3 待裁."""
    hall = make_hall()
    first = hall.enter(WIN)
    flagged = flag_hand(acting=hall.table_link(), hand=first.hand, reason="乙说没有点炮")
    assert (flagged.is_flagged, flagged.reason, flagged.deltas) == (
        True,
        "乙说没有点炮",
        (6, -6, 0, 0),
    )
    cleared = clear_flag(acting=hall.referee, hand=first.hand)
    assert (cleared.is_flagged, cleared.version) == (False, 3)
    assert list(first.hand.versions.values_list("is_current", flat=True)) == [False, False, True]


def test_dealer_follows_from_the_hands() -> None:
    """C2.3, R9.5."""
    hall = make_hall()
    hall.enter(FLIP)
    assert hall.enter(DRAWN).dealer == 2
    assert hall.board().terms().dealer == 2


def test_table_waits_for_its_feeders() -> None:
    """C7.1: not before every table that feeds it is confirmed."""
    hall = make_hall()
    feeder = Table.objects.create(round=hall.table.round, number=9, state=State.RUNNING)
    Seat.objects.filter(table=hall.table, position=0).update(source=feeder, source_place=1)
    with pytest.raises(NotReady):
        hall.enter(WIN)
    assert Hand.objects.count() == 0


def test_other_disciplines_take_games_only() -> None:
    """C10."""
    hall = make_hall(event={"discipline": Discipline.MANUAL})
    with pytest.raises(BadEntry):
        hall.enter(WIN)
    with pytest.raises(BadEntry):
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(1, -1, 0))
    game = Entered(Evidence.GAME, {"places": [1, 2, 2]})
    assert enter_hand(acting=hall.referee, sheet=hall.sheet, entered=game).deltas == (12, 0, 0, 0)


def test_nobody_enters_without_a_role_here() -> None:
    """C7.3, C7.4."""
    hall = make_hall()
    elsewhere = make_hall().table_link()
    for acting in (make_acting(hall.competition), make_acting(hall.competition, Role.OWNER)):
        with pytest.raises(NotAllowed):
            hall.enter(WIN, acting=acting)
    with pytest.raises(NotAllowed):
        hall.enter(WIN, acting=elsewhere)
    with pytest.raises(NotAllowed):
        hall.enter(WIN, acting=hall.entrant_link(0))
    assert hall.enter(WIN, acting=hall.table_link()).link is not None
