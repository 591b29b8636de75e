"""Erasing and purging against edits at the same instant: whoever comes second meets what is so."""

from __future__ import annotations

from typing import Any

import pytest

from core.enums import JobState
from core.models import Job
from scoring.domain.erasing import erase_person
from scoring.domain.purging import purge_now
from tests.concurrency import at_once
from tests.scoring.stored import stored_texts
from tests.tournament.competitions import make
from tests.tournament.registrations import own_acting, registered, taking
from tournament.domain.entries import change_entry
from tournament.domain.names import set_reading
from tournament.domain.private import PersonErased
from tournament.domain.registration import Applicant, change_own
from tournament.models import Competition, Entrant, Entry, Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.parametrize("turn", range(3))
def test_an_edit_never_writes_back_what_is_erased_meanwhile(turn: int) -> None:
    made = make(3)
    read = list(
        Entrant.objects.filter(event=made.event)
        .select_related("entry__person", "event__competition")
        .order_by("pk")
    )

    def work(index: int) -> object:
        if index == turn:
            return erase_person(acting=made.owner, entry=read[0].entry)
        return change_entry(acting=made.owner, entrant=read[0], name=f"改名{index}", unit="",
                            number=1)  # fmt: skip

    done = at_once(4, work)
    assert not isinstance(done[turn], Exception)
    refused = [one for one in done if isinstance(one, Exception)]
    assert all(isinstance(one, PersonErased) for one in refused), refused
    person = Person.objects.get(pk=read[0].entry.person_id)
    assert (person.name, person.reading) == ("", "")
    assert person.erased_at is not None
    assert stored_texts("改名") == set()


def test_ones_own_change_and_a_reading_against_the_purge() -> None:
    made = taking(ask_phone="may")
    entries = [registered(made, name, phone="13877712345") for name in ("秦漓一", "莫象山")]
    Competition.objects.filter(pk=made.competition.pk).update(starts_on="2020-01-01")
    read = [Entry.objects.select_related("person", "competition").get(pk=e.pk) for e in entries]
    actings = [own_acting(entry) for entry in entries]

    def work(index: int) -> object:
        if index == 0:
            return purge_now(Competition.objects.get(pk=made.competition.pk))
        if index == 1:
            return change_own(acting=actings[0], entry=read[0],
                              applicant=Applicant("新名字", phone="13877712345"))  # fmt: skip
        return set_reading(acting=made.owner, entry=read[1], reading="qin yi")

    done = at_once(3, work)
    assert done[0] == 2, done
    assert all(not isinstance(one, Exception) or isinstance(one, PersonErased) for one in done)
    assert stored_texts("秦漓一", "莫象山", "新名字", "13877712345", "qinyi") == set()


def test_two_who_erase_the_same_erase_once() -> None:
    made = make(3)
    entry = Entry.objects.select_related("competition").get(competition=made.competition, number=1)
    done = at_once(3, lambda _index: erase_person(acting=made.owner, entry=entry))
    assert sum(isinstance(one, PersonErased) for one in done) == 2
    assert sum(not isinstance(one, Exception) for one in done) == 1


@pytest.mark.parametrize("turn", range(3))
def test_what_a_job_finds_meanwhile_is_not_written_over(turn: int) -> None:
    """Its payload names him, so that erasing writes the row."""
    made = make(3)
    entry = Entry.objects.select_related("competition").get(competition=made.competition, number=1)
    jobs = [
        Job.objects.create(
            kind="verify-records", scope=made.competition.scope, state=JobState.RUNNING,
            payload={"name": f"{entry.name}.zpr"}, run_after="2026-12-01T00:00Z",
        )
        for _index in range(3)
    ]  # fmt: skip

    def work(index: int) -> object:
        if index == turn:
            return erase_person(acting=made.owner, entry=entry)
        mine = Job.objects.filter(pk=jobs[index].pk)
        return mine.update(state=JobState.DONE, result={"kept": index})

    done = at_once(3, work)
    assert [one for one in done if isinstance(one, Exception)] == []
    for index, job in enumerate(jobs):
        job.refresh_from_db()
        assert job.payload == {"name": "1 号.zpr"}
        assert job.result == (None if index == turn else {"kept": index})
