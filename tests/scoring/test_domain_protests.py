"""Protests, answers and the one appeal (C7.3)."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import Conflict
from core.models import AuditRow
from scoring.domain.protests import (
    answer_appeal,
    answer_protest,
    appeal,
    protest,
    take_back_final_answer,
    withdraw_appeal,
    withdraw_protest,
)
from scoring.domain.verdict_settings import set_verdicts
from scoring.domain.verdicts import (
    BadVerdict,
    drop_ruling,
    penalize,
    rule_on_hand,
    rule_on_table,
)
from scoring.enums import PenaltyLevel, ProtestAbout, ProtestState
from scoring.models import Protest
from tests.constraints import refused_by_the_database
from tests.factories import make_acting, make_sheet
from tests.scoring.sheets import WIN, Hall, make_hall
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

UPHELD, REJECTED = ProtestState.UPHELD, ProtestState.REJECTED


def played() -> Hall:
    hall = make_hall()
    hall.enter(WIN)
    return hall


def protested(hall: Hall, acting: Acting) -> Protest:
    return protest(
        acting=acting, sheet=hall.sheet, text="没有点炮", hand=hall.sheet.hands.get(number=1)
    )


def test_protest_says_what_it_is_about_and_whose_seat_it_came_from() -> None:
    hall = played()
    of_hand = protested(hall, hall.entrant_link(1))
    assert (of_hand.about, of_hand.position) == (ProtestAbout.HAND, 1)
    warning = penalize(
        acting=hall.referee, sheet=hall.sheet, position=0, level=PenaltyLevel.WARNING, reason="手机"
    )
    about = ProtestAbout.PENALTY
    made = protest(
        acting=hall.table_link(), sheet=hall.sheet, text="没用", about=about, penalty=warning
    )
    assert (made.about, made.penalty, made.position) == (about, warning, None)
    for wrong in (ProtestAbout.HAND, ProtestAbout.PENALTY):
        with pytest.raises(BadVerdict):
            protest(acting=hall.table_link(), sheet=hall.sheet, text="不对", about=wrong)
    with pytest.raises(NotAllowed):
        protested(hall, hall.chief)


def test_upheld_protest_wants_a_ruling_and_keeps_it() -> None:
    """C6.6: the ruling answers the protest; one that was not upheld has none."""
    hall = played()
    made = protested(hall, hall.entrant_link(1))
    (hand,) = hall.sheet.hands.all()
    args: dict[str, Any] = {
        "acting": hall.chief,
        "hand": hand,
        "deltas": [0, 0, 0],
        "reason": "没有点炮",
    }
    with pytest.raises(Conflict, match="没有判为成立"):
        rule_on_hand(**args, protest=made)
    assert not hand.rulings.exists()
    upheld = answer_protest(acting=hall.chief, protest=made, state=UPHELD, answer="录像为证")
    assert upheld.lacks_ruling
    ruling = rule_on_hand(**args, protest=upheld)
    upheld.refresh_from_db()
    assert (upheld.ruling, upheld.lacks_ruling) == (ruling, False)
    places = protest(
        acting=hall.referee, sheet=hall.sheet, text="名次不对", about=ProtestAbout.PLACES
    )
    answer_protest(acting=hall.chief, protest=places, state=UPHELD, answer="对")
    given = rule_on_table(
        acting=hall.chief, sheet=hall.sheet, places={0: 2, 1: 1, 2: 3}, reason="对", protest=places
    )
    places.refresh_from_db()
    assert places.ruling == given


def test_an_appeal_and_its_answer_are_taken_back_while_nothing_follows() -> None:
    """C9.5."""
    hall = played()
    mine = hall.entrant_link(1)
    made = protested(hall, mine)
    with pytest.raises(Conflict, match="没有等着答复的上诉"):
        withdraw_appeal(acting=mine, protest=made)
    answer_protest(acting=hall.chief, protest=made, state=REJECTED, answer="看过")
    appeal(acting=mine, protest=made, text="不服")
    with pytest.raises(NotAllowed):
        withdraw_appeal(acting=hall.referee, protest=made)
    back = withdraw_appeal(acting=hall.entrant_link(1), protest=made)
    assert (back.state, back.appeal, back.appealed_at) == (REJECTED, "", None)
    appeal(acting=mine, protest=made, text="还是不服")
    answer_appeal(acting=hall.chief, protest=made, state=UPHELD, answer="有理")
    with pytest.raises(Conflict, match="没有等着答复的上诉"):
        withdraw_appeal(acting=mine, protest=made)
    with pytest.raises(NotAllowed):
        take_back_final_answer(acting=hall.referee, protest=made)
    (hand,) = hall.sheet.hands.all()
    ruling = rule_on_hand(
        acting=hall.chief, hand=hand, deltas=[0, 0, 0], reason="有理", protest=made
    )
    with pytest.raises(Conflict, match="先撤销那条裁决"):
        take_back_final_answer(acting=hall.chief, protest=made)
    drop_ruling(acting=hall.chief, ruling=ruling)
    again = take_back_final_answer(acting=hall.chief, protest=made)
    assert (again.state, again.final_answer, again.final_at) == (ProtestState.APPEALED, "", None)
    with pytest.raises(Conflict, match="还没有答复"):
        take_back_final_answer(acting=hall.chief, protest=made)
    done = answer_appeal(acting=hall.chief, protest=made, state=REJECTED, answer="再看过")
    assert done.state == ProtestState.DISMISSED
    actions = list(AuditRow.objects.filter(action__contains="appeal-").values_list("action"))
    assert [action for (action,) in actions] == [
        "protest.appeal-withdraw",
        "protest.appeal-answer",
        "protest.appeal-unanswer",
        "protest.appeal-answer",
    ]


def test_who_protested_appeals_once_and_the_committee_has_the_last_word() -> None:
    hall = played()
    mine = hall.entrant_link(1)
    made = protested(hall, mine)
    with pytest.raises(Conflict, match="只能对裁判长的答复上诉"):
        appeal(acting=mine, protest=made, text="不服")
    answer_protest(acting=hall.chief, protest=made, state=REJECTED, answer="看过")
    for other in (hall.entrant_link(0), hall.referee, hall.table_link()):
        with pytest.raises(NotAllowed):
            appeal(acting=other, protest=made, text="不服")
    with pytest.raises(BadVerdict):
        appeal(acting=mine, protest=made, text=" ")
    appealed = appeal(acting=hall.entrant_link(1), protest=made, text="请看第二个录像")
    assert (appealed.state, appealed.is_upheld) == (ProtestState.APPEALED, False)
    set_verdicts(
        acting=make_acting(hall.competition, Role.OWNER), competition=hall.competition,
        amounts={}, committee="莫老师、秦老师",
    )  # fmt: skip
    with pytest.raises(NotAllowed):
        answer_appeal(acting=hall.referee, protest=made, state=UPHELD, answer="有理")
    done = answer_appeal(acting=hall.chief, protest=made, state=UPHELD, answer="有理")
    assert (done.state, done.final_by) == (ProtestState.GRANTED, "莫老师、秦老师")
    assert (done.answer, done.final_answer, done.lacks_ruling) == ("看过", "有理", True)
    with pytest.raises(Conflict):
        appeal(acting=mine, protest=made, text="再来")
    with pytest.raises(Conflict):
        answer_appeal(acting=hall.chief, protest=made, state=REJECTED, answer="再看")


def test_appeal_ends_when_the_table_is_final_but_its_answer_may_still_come() -> None:
    """C7.3: protest until final, ruling at any time."""
    hall = played()
    mine = hall.entrant_link(1)
    first, second = protested(hall, mine), protested(hall, mine)
    for one in (first, second):
        answer_protest(acting=hall.chief, protest=one, state=REJECTED, answer="看过")
    appeal(acting=mine, protest=first, text="不服")
    hall.table.refresh_from_db()
    hall.table.state = State.FINAL
    hall.table.save()
    with pytest.raises(NotAllowed):
        appeal(acting=mine, protest=second, text="不服")
    done = answer_appeal(acting=hall.chief, protest=first, state=REJECTED, answer="维持")
    assert (done.state, done.final_by) == (ProtestState.DISMISSED, "")


def test_own_protest_is_taken_back_until_it_is_answered() -> None:
    """C9.5."""
    hall = played()
    mine = hall.entrant_link(1)
    made = protested(hall, mine)
    with pytest.raises(NotAllowed):
        withdraw_protest(acting=hall.referee, protest=made)
    assert withdraw_protest(acting=mine, protest=made).state == ProtestState.WITHDRAWN
    with pytest.raises(Conflict):
        withdraw_protest(acting=mine, protest=made)
    with pytest.raises(Conflict):
        answer_protest(acting=hall.chief, protest=made, state=REJECTED, answer="晚了")


def test_database_holds_the_states_of_a_protest() -> None:
    sheet = make_sheet()
    now = "2026-12-05T04:00:00Z"
    for wrong in (
        {"state": "open", "answered_at": now},
        {"state": "upheld"},
        {"state": "appealed", "answered_at": now},
        {"state": "rejected", "answered_at": now, "appealed_at": now},
        {"state": "granted", "answered_at": now, "appealed_at": now},
        {"state": "appealed", "answered_at": now, "appealed_at": now, "final_at": now},
        {"state": "lost", "answered_at": now},
    ):
        with refused_by_the_database():
            Protest.objects.create(sheet=sheet, text="不对", **wrong)
