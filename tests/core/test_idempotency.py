"""A request is done once (stack fact 6)."""

import threading

import pytest
from django.db import connection, transaction

from core.domain.idempotency import Answer, KeyReused, do_once, request_hash
from core.errors import Conflict, DomainError
from core.models import IdempotencyKey, User
from tests.concurrency import at_once

pytestmark = pytest.mark.django_db


def test_a_second_request_with_the_same_key_gets_the_same_answer() -> None:
    done: list[int] = []

    def act() -> tuple[int, object]:
        done.append(1)
        return 201, {"hand": 5}

    asked = {"number": 1, "deltas": [4, -2, -2]}
    first = do_once(scope="sheet:1", key="k", request=asked, act=act)
    again = do_once(scope="sheet:1", key="k", request=dict(reversed(asked.items())), act=act)
    assert first == Answer(201, {"hand": 5}, replayed=False)
    assert again == Answer(201, {"hand": 5}, replayed=True)
    assert done == [1]


def test_the_same_key_with_another_request_is_422() -> None:
    do_once(scope="sheet:1", key="k", request={"n": 1}, act=lambda: (200, None))
    with pytest.raises(KeyReused) as refused:
        do_once(scope="sheet:1", key="k", request={"n": 2}, act=lambda: (200, None))
    assert (refused.value.status, refused.value.code) == (422, "key-reused")


def test_the_same_key_of_another_scope_is_another_request() -> None:
    do_once(scope="sheet:1", key="k", request={"n": 1}, act=lambda: (200, 1))
    other = do_once(scope="sheet:2", key="k", request={"n": 2}, act=lambda: (200, 2))
    assert other == Answer(200, 2, replayed=False)


def test_an_action_that_fails_leaves_nothing_and_may_be_sent_again() -> None:
    def fail() -> tuple[int, object]:
        User.objects.create_user("half-done")
        raise DomainError("no")

    with pytest.raises(DomainError):
        do_once(scope="sheet:1", key="k", request={}, act=fail)
    assert not User.objects.exists()
    assert not IdempotencyKey.objects.exists()
    assert do_once(scope="sheet:1", key="k", request={}, act=lambda: (200, 1)).json == 1


def test_the_request_hash_is_of_canonical_json() -> None:
    assert request_hash({"b": "一", "a": 1}) == request_hash({"a": 1, "b": "一"})
    assert request_hash({"a": 1}) != request_hash({"a": "1"})


@pytest.mark.django_db(transaction=True)
def test_twenty_requests_at_once_make_one_row() -> None:
    def ask(_index: int) -> Answer:
        return do_once(
            scope="sheet:1",
            key="k",
            request={"n": 1},
            act=lambda: (201, User.objects.create_user("once").pk),
        )

    answers = at_once(20, ask)
    done = [answer for answer in answers if isinstance(answer, Answer)]
    refused = [answer for answer in answers if not isinstance(answer, Answer)]
    assert [answer.replayed for answer in done].count(False) == 1
    assert {answer.json for answer in done} == {User.objects.get().pk}
    assert all(isinstance(error, Conflict) and error.code == "in-flight" for error in refused)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(
    "connection.vendor != 'postgresql'", reason="SQLite has one writer: nothing is in flight"
)
def test_a_request_in_flight_is_409() -> None:
    inside, leave = threading.Event(), threading.Event()

    def slow() -> tuple[int, object]:
        inside.set()
        leave.wait(10)
        return 200, None

    def first() -> None:
        do_once(scope="s", key="k", request={}, act=slow)
        connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(10)
    with pytest.raises(Conflict) as refused, transaction.atomic():
        do_once(scope="s", key="k", request={}, act=lambda: (200, None))
    leave.set()
    thread.join()
    assert (refused.value.status, refused.value.code) == (409, "in-flight")
