"""Versions: bumped by writers, read through a cache of one second (stack fact 1)."""

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from core.domain import versions
from core.domain.versions import MAX_AGE_S
from core.models import Version
from tests.concurrency import at_once


@pytest.mark.django_db
def test_fresh_versions_come_in_the_order_asked_and_start_at_zero() -> None:
    versions.bump("sheet:9")
    versions.bump("sheet:9", "event:3", "sheet:9")
    assert versions.fresh(["event:3", "sheet:9", "event:4"]) == (1, 2, 0)


@pytest.mark.django_db
def test_a_reader_asks_the_database_once_a_second(
    django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(versions, "MAX_AGE_S", MAX_AGE_S)
    monkeypatch.setattr(versions.time, "monotonic", lambda: now[0])
    versions.bump("event:3")
    with django_assert_num_queries(1):
        assert versions.current(["event:3", "sheet:9"]) == (1, 0)
        assert versions.current(["sheet:9"]) == (0,)
    Version.objects.filter(scope="event:3").update(number=7)
    now[0] = 1001.0
    assert versions.current(["event:3"]) == (1,)
    now[0] = 1001.1
    assert versions.current(["event:3"]) == (7,)


@pytest.mark.django_db
def test_a_writer_sees_its_own_bump_at_once() -> None:
    assert versions.current(["event:3"]) == (0,)
    versions.bump("event:3")
    assert versions.current(["event:3"]) == (1,)


@pytest.mark.django_db(transaction=True)
def test_twenty_writers_at_once_lose_no_bump() -> None:
    def bump_both(index: int) -> None:
        scopes = ["event:1", "sheet:1"] if index % 2 else ["sheet:1", "event:1"]
        with transaction.atomic():
            versions.bump(*scopes)

    assert at_once(20, bump_both) == [None] * 20
    assert versions.fresh(["event:1", "sheet:1"]) == (20, 20)
