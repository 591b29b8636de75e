"""The hall's screen as it is told: parts, one held, the ceremony of a published draw."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from core.domain.versions import fresh
from core.errors import Conflict, DomainError
from core.models import AuditRow, User
from tests.factories import make_acting
from tests.tournament.competitions import Made, draw, make, make_published
from tournament.domain.screen import (
    Move,
    begin_ceremony,
    end_ceremony,
    move_ceremony,
    set_screen,
    settings_of,
    steps_of,
)
from tournament.enums import Role, ScreenPart
from tournament.models import ScreenSettings
from tournament.permissions import NotAllowed
from tournament.queries.screen import draws_to_show

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 5, 4, tzinfo=UTC)


def begin(made: Made, *, seconds: int = 4, auto: bool = False) -> ScreenSettings:
    (drawn,) = draws_to_show(made.competition)
    return begin_ceremony(
        acting=made.owner,
        competition=made.competition,
        draw=drawn,
        step_seconds=seconds,
        auto=auto,
    )


def move(made: Made, how: Move) -> ScreenSettings:
    return move_ceremony(acting=made.owner, competition=made.competition, move=how)


def test_parts_are_set_by_who_leads_in_their_own_order_and_every_screen_is_told() -> None:
    made = make()
    competition = made.competition
    assert settings_of(competition).parts == dict.fromkeys(ScreenPart.values, 12)
    before = fresh([competition.screen_scope, competition.scope])
    chief = make_acting(competition, Role.CHIEF)
    parts = {"standings": 20, "bracket": 5}
    set_screen(acting=chief, competition=competition, parts=parts, pinned="timer")
    settings = settings_of(competition)
    assert list(settings.parts.items()) == [("bracket", 5), ("standings", 20)]
    assert settings.pinned == "timer"
    after = fresh([competition.screen_scope, competition.scope])
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 0]
    assert AuditRow.objects.get(action="screen.set").data["pinned"] == "timer"
    for wrong in ({}, {"bracket": 2}, {"bracket": 301}, {"nothing": 9}):
        with pytest.raises(DomainError, match="至少选一项") as refused:
            set_screen(acting=chief, competition=competition, parts=wrong)
        assert refused.value.code == "screen-parts"
    with pytest.raises(NotAllowed):
        set_screen(
            acting=make_acting(competition, Role.REFEREE), competition=competition, parts=parts
        )


def test_ceremony_goes_by_steps_and_by_itself_and_ends() -> None:
    made = make_published(9)
    with time_machine.travel(NOON, tick=False) as clock:
        settings = begin(made)
        total = steps_of(draws_to_show(made.competition)[0])
        assert total == 9
        assert settings.steps_at(NOON + timedelta(hours=1), total) == 0
        assert [move(made, how).step for how in ("next", "next", "back", "back", "back")] == [
            1, 2, 1, 0, 0,
        ]  # fmt: skip
        assert move(made, "play").auto_since == NOON
        clock.shift(timedelta(seconds=11))
        settings = settings_of(made.competition)
        assert settings.steps_at(NOON + timedelta(seconds=11), total) == 2
        assert settings.steps_at(NOON + timedelta(hours=1), total) == 9
        paused = move(made, "pause")
        assert (paused.step, paused.auto_since) == (2, None)
        assert move(made, "all").step == 9
        assert move(made, "next").step == 9
    end_ceremony(acting=made.owner, competition=made.competition)
    ended = end_ceremony(acting=made.owner, competition=made.competition)
    assert (ended.draw, ended.step, ended.auto_since) == (None, 0, None)
    assert AuditRow.objects.filter(action="screen.ceremony-end").count() == 1
    with pytest.raises(Conflict):
        move(made, "next")
    with pytest.raises(DomainError, match="1 到 60 秒"):
        begin(made, seconds=61)


def test_only_the_newest_draw_and_only_once_it_is_published() -> None:
    """C4.2: the words are the draw; the ceremony reveals what is out already."""
    made = make_published(9)
    again = draw(made, words="再来一次", reason="名单有误")
    assert draws_to_show(made.competition) == []
    with pytest.raises(Conflict, match="还没有公布"):
        begin_ceremony(
            acting=made.owner,
            competition=made.competition,
            draw=again,
            step_seconds=4,
            auto=True,
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        ScreenSettings.objects.create(competition=made.competition, step=1)


def test_the_page_keeps_what_was_typed_and_moves_the_ceremony() -> None:
    made = make_published(9)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    code = made.competition.code
    page, start, step = (
        reverse(name, args=[code])
        for name in ("manage_screen", "manage_screen_ceremony", "manage_screen_step")
    )
    wrong = client.post(page, {"bracket": "1", "timer": "30"})
    assert wrong.status_code == 400
    assert 'name="timer" value="30"' in wrong.content.decode()
    assert client.post(page, {"timer": "30", "pinned": ""}).status_code == 302
    assert settings_of(made.competition).parts == {"timer": 30}
    (drawn,) = draws_to_show(made.competition)
    assert client.post(start, {"draw": drawn.pk, "step_seconds": "0"}).status_code == 400
    assert client.post(start, {"draw": drawn.pk, "step_seconds": "3"}).status_code == 302
    assert client.post(step, {"move": "next"}).status_code == 302
    assert "1 / 9 人" in client.get(page).content.decode()
    assert client.post(step, {"move": "sideways"}).status_code == 400
    assert client.post(step, {"move": "end"}).status_code == 302
    assert settings_of(made.competition).draw is None
