"""Two referees, the same hand, at the same instant: one hand (C6.2)."""

from __future__ import annotations

import pytest

from core.errors import Conflict
from scoring.domain.errors import HandTaken
from scoring.domain.hands import Late, correct_hand, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.models import Hand, HandVersion
from tests.concurrency import at_once
from tests.factories import make_acting
from tests.scoring.sheets import FLIP, WIN, make_hall, result, totals
from tests.tournament.competitions import make_published
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, Role, State
from tournament.models import Table

TRIES = 200


@pytest.mark.django_db(transaction=True)
def test_two_referees_and_the_same_hand_give_one_hand_each_time() -> None:
    """200 tries: one of the two is told who was faster; the first try also starts the table."""
    hall = make_hall(hands=TRIES)
    referees = [hall.referee, make_acting(hall.competition, Role.REFEREE)]
    for number in range(1, TRIES + 1):
        answers = at_once(
            2,
            lambda i, number=number: enter_hand(  # type: ignore[misc]
                acting=referees[i],
                sheet=hall.sheet,
                entered=result((WIN, FLIP)[i]),
                number=number,
            ),
        )
        made = [answer for answer in answers if isinstance(answer, HandVersion)]
        refused = [answer for answer in answers if isinstance(answer, Conflict)]
        assert (len(made), len(refused)) == (1, 1), answers
        assert isinstance(refused[0], HandTaken), refused
        assert refused[0].version == made[0]
    assert Hand.objects.count() == TRIES
    assert HandVersion.objects.count() == TRIES
    assert Table.objects.get().state == State.RUNNING


@pytest.mark.django_db(transaction=True)
def test_one_request_sent_many_times_at_once_gives_one_hand() -> None:
    """Stack fact 6: same key; in flight is a conflict, later ones get the same version."""
    hall = make_hall()
    answers = at_once(
        20,
        lambda _i: enter_hand(
            acting=hall.referee, sheet=hall.sheet, entered=result(WIN), number=1, key="same"
        ),
    )
    made = {answer.pk for answer in answers if isinstance(answer, HandVersion)}
    others = [answer for answer in answers if not isinstance(answer, HandVersion)]
    assert len(made) == 1
    assert all(isinstance(other, Conflict) and other.code == "in-flight" for other in others), (
        others
    )
    assert Hand.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_replay_and_a_hand_at_the_same_table_leave_it_whole() -> None:
    """C9.1: the hand comes before and is void, or is told, or is the first of the replay."""
    made = make_published(9)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.filter(number=1).update(hands=1)
    hands = []
    for table in made.tables(1):
        sheet = open_sheet(table)
        first = enter_hand(acting=made.owner, sheet=sheet, entered=totals(4, -1, -3))
        hands.append(first.hand)
        submit_sheet(acting=made.owner, sheet=sheet)
    (final,) = made.tables(2)
    sheet = open_sheet(final)
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(1, -1, 0))
    late = Late("录像", effects_shown=True, replay=True)
    work = (
        lambda: correct_hand(
            acting=made.owner, hand=hands[0], entered=totals(-3, 4, -1), late=late
        ),
        lambda: enter_hand(acting=made.owner, sheet=sheet, entered=totals(2, -2, 0)),
    )
    corrected, entered = at_once(2, lambda i: work[i]())
    assert isinstance(corrected, HandVersion), corrected
    assert isinstance(entered, HandVersion | Conflict), entered
    live = HandVersion.objects.filter(hand__sheet=sheet, is_current=True, is_void=False).count()
    final.refresh_from_db()
    assert (final.state, live) in ((State.PUBLISHED, 0), (State.RUNNING, 1))
