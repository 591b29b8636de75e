"""Another draw does not take away what was judged at the tables of the one before (C7.3, C9.5)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.errors import Conflict
from core.models import User
from scoring.domain.sheets import open_sheet
from scoring.domain.verdicts import penalize, void_penalty
from scoring.enums import PenaltyLevel
from scoring.models import Penalty
from tests.tournament.competitions import Made, draw, make_published
from tournament.domain.draws import enter_words, freeze_draw
from tournament.models import Draw, Table

pytestmark = pytest.mark.django_db


def warned(made: Made, number: int = 2, level: PenaltyLevel = PenaltyLevel.WARNING) -> Penalty:
    """A penalty at that table of the first round."""
    table = Table.objects.get(round__stage=made.stage, round__number=1, number=number)
    return penalize(
        acting=made.owner, sheet=open_sheet(table), position=0, reason="喧哗", level=level
    )


def test_a_list_is_not_frozen_again_over_a_penalty_until_it_is_taken_back() -> None:
    made = make_published(9)
    given = warned(made)
    with pytest.raises(Conflict, match="第 2 桌有判罚") as caught:
        draw(made, reason="漏了一人")
    assert caught.value.code == "draw-penalized"
    assert Draw.objects.filter(number__isnull=True).count() == 0
    void_penalty(acting=made.owner, penalty=given)
    assert draw(made, reason="漏了一人").number == 2


def test_a_penalty_given_after_the_freeze_stops_the_words_and_stays() -> None:
    made = make_published(9)
    frozen = freeze_draw(acting=made.owner, stage=made.stage, reason="漏了一人")
    given = warned(made, number=3)
    with pytest.raises(Conflict, match="第 3 桌有判罚"):
        enter_words(acting=made.owner, draw=frozen, words="红")
    assert Penalty.objects.get(pk=given.pk).voided_at is None
    assert Draw.objects.get(pk=frozen.pk).number is None


def test_who_is_disqualified_is_out_of_another_draw() -> None:
    made = make_published(9)
    gone = warned(made, level=PenaltyLevel.DISQUALIFIED).sheet.table.seats.get(position=0)
    assert gone.stands_for is not None
    drawn = draw(made, reason="漏了一人")
    assert drawn.number == 2
    assert str(gone.stands_for.number) not in [
        line.split("\t")[0] for line in drawn.lines.splitlines()
    ]


def test_the_page_of_the_draw_says_what_stands_against_another() -> None:
    made = make_published(9)
    warned(made)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    answer = client.post(
        reverse("manage_draw_freeze", args=[made.competition.code]), {"reason": "漏了一人"}
    )
    assert answer.status_code == 400
    assert "第 2 桌有判罚" in answer.content.decode()
