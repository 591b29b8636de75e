"""警告 → 罚分 → 停和 → 取消资格 (C6.5, C7.3), and what an organizer sets about it."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import DomainError
from core.models import AuditRow
from scoring.domain.hands import Difference, Late, correct_hand
from scoring.domain.sheets import confirm_sheet, submit_sheet
from scoring.domain.stopping import Stopped
from scoring.domain.verdict_settings import committee_of, set_verdicts
from scoring.domain.verdicts import BadVerdict, penalize, void_penalty
from scoring.enums import PenaltyKind, PenaltyLevel
from scoring.models import Penalty, VerdictSettings
from scoring.penalties import CATALOGUE
from scoring.queries_verdicts import history_of, offences_of
from tests.constraints import refused_by_the_database
from tests.factories import make_acting, make_round, make_sheet, make_table
from tests.scoring.sheets import FLIP, WIN, Hall, make_hall, result
from tournament.enums import ConfirmationMode, EntrantStatus, Role, State
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

WARNING, POINTS, NO_HU, OUT = PenaltyLevel


def give(hall: Hall, level: PenaltyLevel, **more: Any) -> Penalty:
    """A penalty of 乙 by the referee."""
    given: dict[str, Any] = {
        "acting": hall.referee,
        "sheet": hall.sheet,
        "position": 1,
        "reason": "用手机",
    }
    return penalize(**{**given, "level": level, **more})


def nets(hall: Hall) -> list[int]:
    return [seat.net for seat in hall.board().sums.seats]


def test_warning_takes_no_points_and_leaves_confirmations_alone() -> None:
    hall = make_hall()
    hall.fill()
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    digest = hall.board().digest
    confirm_sheet(acting=hall.table_link(), sheet=hall.sheet, digest=digest, position=0)
    penalty = give(hall, WARNING, code="phone")
    assert (penalty.kind, penalty.deducted, penalty.deltas) == ("none", 0, (0, 0, 0, 0))
    assert penalty.has_points is False
    assert (nets(hall), hall.board().digest) == ([24, -24, 0], digest)
    assert hall.sheet.confirmations.filter(is_current=True).count() == 1
    with pytest.raises(BadVerdict, match="警告不扣分"):
        give(hall, WARNING, kind=PenaltyKind.DEDUCTION, amount=2)
    with pytest.raises(BadVerdict, match="归谁"):
        give(hall, POINTS)


def test_database_holds_what_a_step_may_have() -> None:
    sheet = make_sheet()
    row: dict[str, Any] = {"sheet": sheet, "position": 0, "reason": "用手机"}
    for wrong in (
        {"level": WARNING, "kind": "deduction", "deducted": 1},
        {"level": WARNING, "kind": "opponents", "delta_1": -2, "delta_2": 2},
        {"level": POINTS, "kind": "none"},
        {"level": NO_HU, "kind": "none"},
        {"level": WARNING, "kind": "none", "stop_from": 1},
        {"level": "fine", "kind": "deduction", "deducted": 1},
    ):
        with refused_by_the_database():
            Penalty.objects.create(**row, **wrong)
    Penalty.objects.create(**row, level=NO_HU, kind="none", stop_from=2)


def test_stopped_player_is_flagged_or_comes_with_a_reason() -> None:
    """停和: what the engine computes stays, the chief referee decides."""
    hall = make_hall(6)
    give(hall, NO_HU, stop_hands=2)
    other = {**WIN, "winner": "乙", "payer": "甲"}
    with pytest.raises(Stopped, match="乙 这一局停和"):
        hall.enter(other)
    assert not hall.sheet.hands.exists()
    flagged = hall.enter(other, difference=Difference.FLAG)
    assert (flagged.is_flagged, flagged.deltas) == (True, (-6, 6, 0, 0))
    allowed = hall.enter(other, late=Late(reason="判罚已撤回"))
    assert (allowed.is_flagged, allowed.reason) == (False, "判罚已撤回")
    third = hall.enter(other)
    assert third.is_flagged is False
    with pytest.raises(Stopped):
        correct_hand(acting=hall.referee, hand=flagged.hand, entered=result(other))
    correct_hand(acting=hall.referee, hand=flagged.hand, entered=result(FLIP))
    assert hall.board().flagged == []


def test_stop_without_a_number_lasts_to_the_end_and_ends_with_the_penalty() -> None:
    hall = make_hall()
    hall.enter(WIN)
    penalty = give(hall, NO_HU, kind=PenaltyKind.DEDUCTION, amount=3)
    assert (penalty.stop_from, penalty.stop_hands, penalty.amount) == (2, None, 3)
    board = hall.board()
    assert [sorted(board.stopped(number)) for number in (1, 2, 9)] == [[], [1], [1]]
    assert nets(hall) == [6, -9, 0]
    void_penalty(acting=hall.referee, penalty=penalty)
    assert hall.board().stopped(2) == frozenset()
    assert nets(hall) == [6, -6, 0]


def test_disqualification_is_the_chief_referees_and_the_entrant_is_out() -> None:
    """C7.3, C9.3: a filler plays his remaining hands, he ranks last."""
    hall = make_hall(2, ConfirmationMode.NONE)
    hall.enter({**WIN, "winner": "乙", "payer": "甲"})
    with pytest.raises(NotAllowed):
        give(hall, OUT)
    assert not Penalty.objects.exists()
    penalty = give(hall, OUT, acting=hall.chief, kind=PenaltyKind.OPPONENTS, amount=1)
    hall.entrants[1].refresh_from_db()
    assert hall.entrants[1].status == EntrantStatus.DISQUALIFIED
    seat = hall.table.seats.get(position=1)
    assert seat.sat_in_from == 2
    assert nets(hall) == [-5, 4, 1]
    hall.enter({"source": "draw"})
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    places = hall.table.seats.order_by("position").values_list("place", flat=True)
    assert list(places) == [2, 3, 1]
    with pytest.raises(BadVerdict, match="取消资格不能这样撤销"):
        void_penalty(acting=hall.chief, penalty=penalty, late=Late("错", effects_shown=True))


def test_filler_has_no_title_to_lose() -> None:
    hall = make_hall(filler=True)
    hall.enter(WIN)
    with pytest.raises(BadVerdict, match="陪打"):
        give(hall, OUT, acting=hall.chief, position=2)


def test_history_is_his_at_all_his_tables() -> None:
    """The next step depends on what he has in this competition."""
    hall = make_hall()
    second = make_round(hall.table.round.stage, number=2, state=State.PUBLISHED)
    later = make_table(second, entrants=[hall.entrants[1], hall.entrants[0], None])
    give(hall, WARNING, code="phone")
    give(hall, WARNING, code="away", position=0)
    taken_back = give(hall, WARNING, code="phone")
    void_penalty(acting=hall.referee, penalty=taken_back)
    give(
        hall, POINTS, sheet=make_sheet(later), position=0, code="phone",
        kind=PenaltyKind.DEDUCTION, amount=2,
    )  # fmt: skip
    found = history_of(hall.entrants[1].entry_id)
    assert [(one.earlier.code, one.earlier.level, one.table_number) for one in found] == [
        ("phone", WARNING, hall.table.number),
        ("phone", POINTS, later.number),
    ]
    assert [one.earlier.code for one in history_of(hall.entrants[0].entry_id)] == ["away"]


def test_organizer_sets_amounts_and_who_decides_appeals() -> None:
    hall = make_hall()
    competition, digest = hall.competition, hall.table.round.stage.event.rules_digest
    owner = make_acting(competition, Role.OWNER)
    amounts = {one.code: (one.kind, one.amount) for one in CATALOGUE}
    amounts["phone"] = (PenaltyKind.OPPONENTS, 5)
    for acting in (hall.chief, hall.referee):
        with pytest.raises(NotAllowed):
            set_verdicts(acting=acting, competition=competition, amounts=amounts)
    with pytest.raises(DomainError, match="写 1 到 999"):
        set_verdicts(
            acting=owner, competition=competition,
            amounts={"phone": (PenaltyKind.OPPONENTS, 0)},
        )  # fmt: skip
    assert committee_of(competition) == ""
    for committee in ("莫老师、秦老师", "莫老师、秦老师、李老师"):
        set_verdicts(acting=owner, competition=competition, amounts=amounts, committee=committee)
    assert VerdictSettings.objects.get().amounts == {"phone": {"kind": "opponents", "amount": 5}}
    assert committee_of(competition) == "莫老师、秦老师、李老师"
    (phone,) = [one for one in offences_of(competition) if one.code == "phone"]
    assert (phone.kind, phone.amount) == (PenaltyKind.OPPONENTS, 5)
    assert AuditRow.objects.filter(action="verdicts.set").count() == 2
    hall.table.round.stage.event.refresh_from_db()
    assert hall.table.round.stage.event.rules_digest == digest
