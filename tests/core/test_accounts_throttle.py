"""Guessing passwords, in a hall whose phones all have one address (stack fact 5)."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.http import HttpResponse
from django.test import Client

from core.domain.throttle import MOST, WAIT, WITHIN, take_attempt
from core.models import Attempts, User
from tests.concurrency import at_once
from tests.factories import make_user

HALL, HOME = "192.0.2.7", "198.51.100.9"
PASSWORD = "gui-lin-2026"
NOON = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)


device = Client()


def log_in(name: str, password: str, address: str = HALL) -> HttpResponse:
    """The answer to a device that has no session yet."""
    device.cookies.clear()
    form = {"username": name, "password": password}
    return device.post("/accounts/login/", form, REMOTE_ADDR=address)


@pytest.fixture
def chen(db: None) -> User:
    return make_user("chen", password=PASSWORD, phone="13800138000")


@pytest.fixture
def locked(chen: User) -> User:
    for _ in range(MOST):
        assert log_in("chen", "guess").status_code == 200
    return chen


@pytest.mark.django_db
@time_machine.travel(NOON, tick=False)
def test_three_hundred_people_behind_one_address_log_in_within_a_minute() -> None:
    """All at the same instant: no limit counts by address alone."""
    password = make_password(PASSWORD)
    User.objects.bulk_create(User(username=f"p{n}", password=password) for n in range(300))
    answers = [log_in(f"p{n}", PASSWORD).status_code for n in range(300)]
    assert answers == [302] * 300
    assert not Attempts.objects.exists()


@pytest.mark.django_db
def test_people_who_mistype_once_lock_out_nobody() -> None:
    password = make_password(PASSWORD)
    User.objects.bulk_create(User(username=f"p{n}", password=password) for n in range(20))
    assert {log_in(f"p{n}", "wrong").status_code for n in range(20)} == {200}
    assert {log_in(f"p{n}", PASSWORD).status_code for n in range(20)} == {302}


@time_machine.travel(NOON, tick=False)
def test_a_guesser_is_stopped_and_told_when_to_go_on(chen: User) -> None:
    for _ in range(MOST):
        assert log_in("chen", "guess").status_code == 200
    answer = log_in("chen", PASSWORD)
    assert answer.status_code == 429
    page = answer.content.decode()
    assert "请等 5 分钟，到 12:05 以后再试" in page
    assert 'value="chen"' in page


def test_the_owner_is_let_in_from_another_address(locked: User) -> None:
    assert log_in("chen", PASSWORD, HOME).status_code == 302


def test_others_in_the_same_hall_are_let_in(locked: User) -> None:
    make_user("liu", password=PASSWORD)
    assert log_in("liu", PASSWORD).status_code == 302


def test_another_name_of_the_same_account_is_no_way_round(locked: User) -> None:
    assert log_in("13800138000", PASSWORD).status_code == 429


@pytest.mark.django_db
def test_a_name_without_account_is_answered_like_one_with() -> None:
    statuses = [log_in("nobody", "guess").status_code for _ in range(MOST + 1)]
    assert statuses == [200] * MOST + [429]


@pytest.mark.parametrize("after", [WAIT, WAIT + timedelta(seconds=1)])
def test_after_the_wait_the_right_password_lets_in(chen: User, after: timedelta) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(MOST):
            log_in("chen", "guess")
        clock.shift(after - timedelta(seconds=1))
        assert log_in("chen", PASSWORD).status_code == (429 if after == WAIT else 302)


def test_tries_long_ago_do_not_count(chen: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(MOST - 1):
            log_in("chen", "guess")
        clock.shift(WITHIN)
        assert {log_in("chen", "guess").status_code for _ in range(MOST - 1)} == {200}


def test_the_right_password_wipes_the_slate(chen: User) -> None:
    for _ in range(3):
        for _ in range(MOST - 1):
            log_in("chen", "guess")
        assert log_in("chen", PASSWORD).status_code == 302


def test_asking_again_for_the_password_counts_too(locked: User) -> None:
    client = Client(REMOTE_ADDR=HALL)
    client.force_login(locked)
    answer = client.post("/accounts/confirm/", {"password": PASSWORD, "next": "/"})
    assert "请等 5 分钟" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_guessing_at_once_gives_no_more_tries_than_one_after_the_other() -> None:
    answers = at_once(12, lambda _: take_attempt(account="user:1", address=HALL))
    assert [answer is None for answer in answers].count(True) == MOST
    assert Attempts.objects.get().tries == MOST


@pytest.mark.django_db
def test_old_rows_go_and_none_names_anybody() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        take_attempt(account="user:1", address=HALL)
        clock.shift(timedelta(days=1, seconds=1))
        take_attempt(account="user:2", address=HALL)
    row = Attempts.objects.get()
    assert HALL not in row.key
