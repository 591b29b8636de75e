"""Registration opens and closes by itself, and the pages say so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from core import bodies
from core.domain import jobs, periodic, versions
from core.enums import JobState
from core.models import AuditRow, Job
from scoring.audit_words import WORDS
from tests.tournament.competitions import Made, make
from tournament.domain.deadlines import KIND, turn_registrations
from tournament.domain.registration import set_registration
from tournament.models import Registration

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def rendered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer version is rendered at once, as the clock stands still here."""
    monkeypatch.setattr(bodies, "RENDER_EVERY_S", 0)


def with_window(opens_at: datetime | None, closes_at: datetime | None) -> Made:
    """A published competition with a form."""
    made = make()
    made.competition.published_at = NOON
    made.competition.save()
    values = {"is_on": True, "opens_at": opens_at, "closes_at": closes_at}
    set_registration(acting=made.owner, competition=made.competition, values=values)
    return made


def shown(made: Made) -> str:
    """What the competition's page says of registration, a second later."""
    versions.forget()
    text = Client().get(reverse("competition", args=[made.competition.code])).content.decode()
    return next(word for word in ("我要报名", "报名还没有开始", "报名已经截止") if word in text)


def turns() -> list[str]:
    return list(
        AuditRow.objects.filter(action__in=("registration.opens", "registration.closes"))
        .order_by("pk")
        .values_list("action", flat=True)
    )


def test_the_page_says_at_its_time_that_registration_is_open_and_closed() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        made = with_window(NOON + HOUR, NOON + 2 * HOUR)
        assert shown(made) == "报名还没有开始"
        clock.shift(HOUR)
        assert (jobs.sweep(), shown(made)) == (0, "报名还没有开始")
        clock.shift(timedelta(seconds=3))
        assert (jobs.sweep(), shown(made)) == (1, "我要报名")
        clock.shift(HOUR)
        assert (jobs.sweep(), shown(made)) == (1, "报名已经截止")
    assert turns() == ["registration.opens", "registration.closes"]
    assert set(turns()) <= set(WORDS)


def test_a_planned_job_that_is_lost_is_made_good_within_a_minute() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        made = with_window(None, NOON + HOUR)
        periodic.tick()
        jobs.sweep()
        Job.objects.all().delete()
        assert shown(made) == "我要报名"
        clock.shift(HOUR + timedelta(seconds=59))
        periodic.tick()
        jobs.sweep()
        assert shown(made) == "报名已经截止"
    assert turns() == ["registration.closes"]


def test_it_is_told_once_however_often_it_is_looked_for() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        with_window(None, NOON + HOUR)
        clock.shift(2 * HOUR)
        running = jobs.Running(jobs.enqueue(kind=KIND, payload={}))
        assert [turn_registrations(running) for _turn in range(3)] == [
            {"turned": 1}, {"turned": 0}, {"turned": 0},
        ]  # fmt: skip


def test_another_window_takes_the_place_of_what_was_planned() -> None:
    with time_machine.travel(NOON, tick=False):
        made = with_window(NOON + HOUR, NOON + 2 * HOUR)
        values = {"closes_at": NOON + 3 * HOUR}
        set_registration(acting=made.owner, competition=made.competition, values=values)
        planned = Job.objects.filter(kind=KIND, state=JobState.WAITING).order_by("run_after")
        assert [job.run_after for job in planned] == [
            NOON + HOUR + timedelta(seconds=1),
            NOON + 3 * HOUR + timedelta(seconds=1),
        ]


@pytest.mark.parametrize("what", ["off", "over", "past"])
def test_nothing_turns_where_it_is_off_or_over_or_was_past_when_it_was_set(what: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        made = with_window(None, NOON - HOUR if what == "past" else NOON + HOUR)
        if what == "off":
            Registration.objects.update(is_on=False)
        if what == "over":
            made.competition.ended_at = NOON
            made.competition.save()
        clock.shift(2 * HOUR)
        jobs.sweep()
    assert turns() == []
