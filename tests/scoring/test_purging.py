"""Personal data go so long after the result book: told beforehand, put off, done once."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from core.domain import jobs
from core.errors import DomainError
from core.models import AuditRow, Job, User
from scoring.domain.books import hide_edition, publish_edition
from scoring.domain.protests import answer_appeal, answer_protest
from scoring.domain.purging import NotOver, purge_competitions, purge_now
from scoring.enums import ProtestState
from scoring.exports.archive import archive
from scoring.models import BookEdition, Protest
from tests.factories import make_acting
from tests.scoring.archives import full, opened, run
from tests.scoring.personal import NAMES, filled, words_of
from tests.scoring.stored import stored_texts
from tests.tournament.competitions import Made, make
from tournament.domain.keeping import day_of, put_off, set_keep_days
from tournament.enums import Role
from tournament.keeping import purge_day
from tournament.models import ApartGroup, Competition, DeviceLink, Person
from tournament.models.access import Invitation
from tournament.permissions import NotAllowed
from tournament.queries.seals import first_fault

pytestmark = pytest.mark.django_db

BOOK = date(2026, 12, 6)
DUE = date(2027, 6, 4)
"""180 days after the book."""


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def at(day: date) -> Any:
    """Noon of that day in Guilin."""
    return time_machine.travel(datetime(day.year, day.month, day.day, 4, tzinfo=UTC), tick=False)


def over(*, is_decided: bool = True) -> Made:
    """Played, its protest answered unless told otherwise, its result book published on `BOOK`."""
    with at(BOOK):
        made = filled()
        if is_decided:
            answer_protest(
                acting=made.owner, protest=Protest.objects.get(), state=ProtestState.REJECTED,
                answer=f"{NAMES[0]}没有出错",
            )  # fmt: skip
    assert made.competition.results_on == BOOK
    return made


@pytest.mark.parametrize(
    ("base", "until", "told", "today", "day"),
    [
        (None, None, None, date(2027, 1, 1), None),
        (BOOK, None, None, BOOK, DUE),
        (BOOK, None, None, date(2027, 5, 21), DUE),
        (BOOK, None, None, date(2027, 5, 22), date(2027, 6, 5)),
        (BOOK, None, None, date(2028, 1, 1), date(2028, 1, 15)),
        (BOOK, None, date(2027, 5, 5), date(2027, 6, 4), DUE),
        (BOOK, None, date(2027, 6, 1), date(2027, 6, 10), date(2027, 6, 15)),
        (BOOK, date(2027, 9, 1), date(2027, 5, 5), date(2027, 6, 4), date(2027, 9, 1)),
        (BOOK, date(2027, 1, 1), None, date(2026, 12, 7), DUE),
    ],
)
def test_the_day_on_which_data_go(
    base: date | None, until: date | None, told: date | None, today: date, day: date | None
) -> None:
    assert purge_day(base, days=180, until=until, told=told, today=today) == day


def test_told_a_month_before_and_purged_on_the_day() -> None:
    made = over()
    with at(DUE - timedelta(days=31)):
        assert purge_competitions() == {"told": 0, "purged": 0, "people": 0}
    with at(DUE - timedelta(days=30)):
        assert purge_competitions() == {"told": 1, "purged": 0, "people": 0}
        assert purge_competitions() == {"told": 0, "purged": 0, "people": 0}
    with at(DUE - timedelta(days=1)):
        assert purge_competitions() == {"told": 0, "purged": 0, "people": 0}
    assert Person.objects.exclude(name="").count() == 9
    with at(DUE):
        assert purge_competitions() == {"told": 0, "purged": 1, "people": 9}
        assert purge_competitions() == {"told": 0, "purged": 0, "people": 0}
    row = AuditRow.objects.get(action="competition.purge")
    assert (row.user_id, row.data) == (None, {"people": 9})
    made.competition.refresh_from_db()
    assert made.competition.purged_at == datetime(2027, 6, 4, 4, tzinfo=UTC)
    assert day_of(made.competition) is None


def test_nothing_of_anybody_is_left_and_the_results_are(tmp_path: Path) -> None:
    made = over()
    before = opened(full(made.competition))[0]["results"]
    with at(DUE - timedelta(days=30)):
        purge_competitions()
    with at(DUE):
        purge_competitions()
    assert stored_texts(*words_of(*range(1, 10))) == set()
    assert opened(full(made.competition))[0]["results"] == before
    for is_full in (True, False):
        path = tmp_path / f"{is_full}.zip"
        path.write_bytes(archive(made.competition, is_full=is_full))
        done = run(path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert first_fault(made.competition) is None
    assert not ApartGroup.objects.exists()
    assert not DeviceLink.objects.exclude(label="").exists()
    assert not Invitation.objects.exclude(label="").exists()


def test_a_site_that_was_off_tells_first_and_waits() -> None:
    made = over()
    with at(date(2028, 1, 1)):
        assert purge_competitions() == {"told": 1, "purged": 0, "people": 0}
    with at(date(2028, 1, 14)):
        assert purge_competitions()["purged"] == 0
    with at(date(2028, 1, 15)):
        assert purge_competitions()["purged"] == 1
    made.competition.refresh_from_db()
    assert made.competition.told_on == date(2028, 1, 1)


def test_put_off_by_the_owner_and_taken_back() -> None:
    made = over()
    with at(DUE - timedelta(days=30)):
        purge_competitions()
        later = date(2027, 9, 1)
        put_off(acting=made.owner, competition=made.competition, until=later)
    with at(DUE):
        assert purge_competitions()["purged"] == 0
        made.competition.refresh_from_db()
        assert day_of(made.competition) == later
        put_off(acting=made.owner, competition=made.competition, until=None)
        assert purge_competitions()["purged"] == 1
    rows = AuditRow.objects.filter(action="competition.keep-until").order_by("pk")
    assert [row.data for row in rows] == [{"until": "2027-09-01"}, {"until": None}]


def test_put_off_no_further_than_a_year_and_by_the_owner_alone() -> None:
    made = over()
    organizer = make_acting(made.competition, Role.ORGANIZER)
    with at(date(2027, 5, 1)):
        for wrong in (date(2027, 5, 1), date(2028, 5, 1)):
            with pytest.raises(DomainError) as caught:
                put_off(acting=made.owner, competition=made.competition, until=wrong)
            assert caught.value.code == "keep-until"
        put_off(acting=made.owner, competition=made.competition, until=date(2028, 4, 30))
        with pytest.raises(NotAllowed):
            put_off(acting=organizer, competition=made.competition, until=date(2027, 8, 1))


@pytest.mark.parametrize("days", [29, 1096])
def test_days_out_of_bounds_are_refused(days: int) -> None:
    made = make()
    with pytest.raises(DomainError) as caught:
        set_keep_days(acting=made.owner, competition=made.competition, days=days)
    assert caught.value.code == "keep-days"


def test_fewer_days_are_counted_from_the_book() -> None:
    made = over()
    set_keep_days(acting=made.owner, competition=made.competition, days=30)
    made.competition.refresh_from_db()
    with at(BOOK):
        assert day_of(made.competition) == date(2027, 1, 5)


def test_without_a_book_it_counts_from_the_end_and_not_before() -> None:
    made = over()
    book = BookEdition.objects.get()
    hide_edition(acting=made.owner, edition=book)
    made.competition.refresh_from_db()
    assert made.competition.results_on is None
    with at(BOOK):
        assert day_of(made.competition) == DUE
    Competition.objects.filter(pk=made.competition.pk).update(ended_at=None)
    made.competition.refresh_from_db()
    assert day_of(made.competition) is None
    with at(date(2026, 12, 10)):
        publish_edition(acting=made.owner, edition=book)
        made.competition.refresh_from_db()
        assert day_of(made.competition) == date(2027, 6, 8)


def test_a_book_of_what_is_still_played_counts_from_its_last_day() -> None:
    """A league whose first results are on paper while its last day is months away."""
    made = over()
    set_keep_days(acting=made.owner, competition=made.competition, days=30)
    Competition.objects.update(ended_at=None, ends_on=date(2027, 5, 1))
    made.competition.refresh_from_db()
    with at(date(2027, 4, 30)):
        assert day_of(made.competition) == date(2027, 5, 31)
        assert purge_competitions()["purged"] == 0
        with pytest.raises(NotOver):
            purge_now(made.competition)
    with at(date(2027, 5, 2)):
        assert purge_now(made.competition) == 9


def test_the_periodic_job_does_it(settings: Any) -> None:
    made = over()
    Job.objects.all().delete()
    assert "purge-competitions" in settings.PERIODIC
    with at(DUE - timedelta(days=30)):
        jobs.enqueue(kind="purge-competitions", payload={})
        jobs.sweep()
    made.competition.refresh_from_db()
    assert made.competition.told_on == DUE - timedelta(days=30)


def test_command_lists_looks_and_purges_one() -> None:
    made, other = over(), make(2)
    with at(BOOK):
        assert said("--dry-run") == (
            f"2027-06-04  {made.competition.code}  9  漓江杯\n"
            f"–           {other.competition.code}  2  漓江杯\n"
        )
        one = f"--competition={made.competition.code}"
        assert said(one, "--dry-run") == "会清除 9 人的个人信息。\n"
        assert Person.objects.filter(name=NAMES[0]).exists()
        assert said(one) == "清除了 9 人的个人信息。\n"
        assert said(one) == "清除了 0 人的个人信息。\n"
        with pytest.raises(CommandError, match="比赛还没有结束"):
            said(f"--competition={other.competition.code}")
        with pytest.raises(CommandError, match="没有比赛 nichts"):
            said("--competition=nichts")
    with at(date(2027, 1, 4)):
        assert said(f"--competition={other.competition.code}") == "清除了 2 人的个人信息。\n"


def test_a_protest_that_waits_for_its_answer_holds_the_purge_and_the_owner_is_told(
    client: Any,
) -> None:
    made = over(is_decided=False)
    waits = Protest.objects.get()
    code = made.competition.code
    with at(DUE - timedelta(days=14)):
        assert purge_competitions() == {"told": 1, "purged": 0, "people": 0}
    with at(DUE):
        assert purge_competitions() == {"told": 0, "purged": 0, "people": 0}
        with pytest.raises(CommandError, match="还有 1 件申诉没有裁决"):
            said(f"--competition={code}")
        assert said("--dry-run") == f"2027-06-04  {code}  9  漓江杯（没有裁决的申诉 1 件）\n"
        client.force_login(User.objects.get(pk=made.owner.user_id))
        page = client.get(reverse("manage_privacy", args=[code])).content.decode()
        assert "还有 1 件申诉没有裁决，裁决以后才清除个人信息。" in page
        assert reverse("protests", args=[code]) in page
        assert Person.objects.exclude(name="").count() == 9

        Protest.objects.filter(pk=waits.pk).update(
            state=ProtestState.APPEALED, answered_at=timezone.now(), appealed_at=timezone.now()
        )
        assert purge_competitions() == {"told": 0, "purged": 0, "people": 0}
        state = ProtestState.REJECTED
        answer_appeal(acting=made.owner, protest=waits, state=state, answer="看过两次")
        assert purge_competitions() == {"told": 0, "purged": 1, "people": 9}
        page = client.get(reverse("manage_privacy", args=[code])).content.decode()
        assert "申诉没有裁决" not in page


def said(*args: str) -> str:
    out = io.StringIO()
    call_command("purge", *args, stdout=out)
    return out.getvalue()


def test_the_owner_sees_the_day_on_his_page(client: Any) -> None:
    made = over()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    page = reverse("manage", args=[made.competition.code])
    with at(DUE - timedelta(days=31)):
        assert "个人信息将于" not in client.get(page).content.decode()
    with at(DUE - timedelta(days=30)):
        client.force_login(User.objects.get(pk=made.owner.user_id))
        assert "个人信息将于 2027-06-04 清除。" in client.get(page).content.decode()
        settings_page = reverse("manage_privacy", args=[made.competition.code])
        data = {"until": "2027-10-01", "put_off": "1"}
        assert client.post(settings_page, data).status_code == 302
        assert "个人信息将于 2027-10-01 清除。" in client.get(settings_page).content.decode()
        late = client.post(settings_page, {"until": "2029-10-01", "put_off": "1"})
        assert late.status_code == 400
        assert "请选今天以后一年以内的一天。" in late.content.decode()
        assert client.post(settings_page, {"keep_days": "29"}).status_code == 400
        assert client.post(settings_page, {"keep_days": "60"}).status_code == 302
    made.competition.refresh_from_db()
    assert made.competition.keep_days == 60
