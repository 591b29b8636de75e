"""What is uploaded for verification does not bring back who is erased while it is verified."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from core.models import Job
from scoring.domain import uploads
from scoring.domain.erasing import erase_person
from scoring.domain.uploads import upload_records
from tests.scoring.personal import entry_of
from tests.scoring.records import texts
from tests.tournament.competitions import Made, make

pytestmark = pytest.mark.django_db

NAME = "莫象山"


@pytest.fixture(autouse=True)
def media(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def made() -> Made:
    made = make(3)
    person = entry_of(made.competition, 1).person
    person.name = NAME
    person.save(update_fields=["name"])
    return made


def uploaded(made: Made, line: str) -> Job:
    """A file with that line, which the verification quotes as it cannot be read."""
    data = "\n\n".join([*texts(2), line]).encode()
    return upload_records(
        acting=made.owner, competition=made.competition, name="决赛.zpr", file=io.BytesIO(data)
    )


def erase(made: Made) -> None:
    erase_person(acting=made.owner, entry=entry_of(made.competition, 1))


def now(job: Job) -> tuple[str, object]:
    job.refresh_from_db()
    return job.state, job.result


def test_a_file_without_the_name_is_verified_all_the_same(made: Made) -> None:
    job = uploaded(made, "乱写一行")
    erase(made)
    assert jobs.run(job.pk)
    assert now(job)[0] == JobState.DONE


def test_a_file_that_names_him_and_waits_is_not_verified(made: Made) -> None:
    job = uploaded(made, f"{NAME}乱写一行")
    erase(made)
    assert now(job) == (JobState.CANCELLED, None)
    assert not jobs.run(job.pk)


def test_what_is_found_after_he_was_erased_is_not_written_down(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = uploaded(made, f"{NAME}乱写一行")
    whole: Callable[..., object] = uploads._whole

    def then_erased(*args: object) -> object:
        found = whole(*args)
        assert NAME in str(found)
        erase(made)
        return found

    monkeypatch.setattr(uploads, "_whole", then_erased)
    assert jobs.run(job.pk)
    assert now(job) == (JobState.CANCELLED, None)


def test_one_that_failed_is_not_tried_again(made: Made) -> None:
    job = uploaded(made, f"{NAME}乱写一行")
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED)
    erase(made)
    assert now(job)[0] == JobState.CANCELLED
