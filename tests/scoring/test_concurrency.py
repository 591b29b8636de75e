"""Two referees, the same hand, at the same instant: one hand (C6.2)."""

from __future__ import annotations

import pytest

from core.errors import Conflict
from scoring.domain.errors import HandTaken
from scoring.domain.hands import enter_hand
from scoring.models import Hand, HandVersion
from tests.concurrency import at_once
from tests.factories import make_acting
from tests.scoring.sheets import FLIP, WIN, make_hall, result
from tournament.enums import Role, State
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
        8,
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
