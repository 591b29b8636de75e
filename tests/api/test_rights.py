"""Every operation × role × state answers as the page that does the same (C7.3, C7.4)."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from pytest_django import Settings

from config.api import api
from core.models import User
from tests.api.callers import Caller, said, token_of
from tests.api.rights import OPERATIONS, Operation
from tests.factories import make_acting, make_user
from tests.rights import at_sheet
from tests.test_rights import expected, undone
from tests.tournament.competitions import make
from tests.worlds import STATES, World, build, by_referee, rows_digest
from tournament.acting import Acting
from tournament.domain.api_tokens import find_token
from tournament.enums import ApiScope, Role
from tournament.models import Membership

pytestmark = pytest.mark.django_db

PEOPLE = {"O": "owner", "G": "organizer", "C": "chief", "R": "referee", "A": "author"}


@pytest.fixture(autouse=True)
def without_zeal(settings: Settings) -> None:
    """Queries are counted elsewhere; here hundreds of requests are asked only for their status."""
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if not one.startswith("zeal")]


def test_every_operation_with_a_token_is_in_the_list() -> None:
    document = api.get_openapi_schema(path_prefix="/api/v1/")
    secured = {
        operation["operationId"]
        for methods in document["paths"].values()
        for operation in methods.values()
        if operation.get("security")
    }
    assert secured == set(OPERATIONS)


def callers(world: World) -> dict[str, Caller]:
    """A program for each role: `.` without a token, `x` whose maker is no member any more, `o`
    with a token of another competition."""
    found = {".": Caller()}
    for letter, name in PEOPLE.items():
        user = User.objects.get(username=f"{world.competition.code}-{name}")
        acting = Acting(user_id=user.pk, competition_id=world.competition.pk)
        found[letter] = Caller(token_of(acting, world.competition))
    gone = make_acting(world.competition, Role.OWNER, user=make_user())
    found["x"] = Caller(token_of(gone, world.competition))
    other = make(3)
    found["o"] = Caller(token_of(other.owner, other.competition))
    for letter, caller in found.items():
        if letter != ".":
            find_token(caller.token)  # notes that it was used, which the digest of rows would see
    Membership.objects.filter(user=gone.user_id).delete()
    return found


def due(operation: Operation, role: str, world: World) -> int:
    """What the operation must answer, by the page's row."""
    if role in ".x":
        return 401
    if role == "o":
        return _for_strangers(operation, world)
    status = expected(operation.row, operation.cells, role, world)
    return operation.ok if status in (200, 302) else status


def _for_strangers(operation: Operation, world: World) -> int:
    """Who has no role here: nothing is there for him, or nothing is his to do."""
    if world.state == "hidden":
        return 404
    is_draft = world.state in ("planned", "drawn")
    return 404 if is_draft and "{table}" in operation.path else 403


def check(world: World, operations: dict[str, Operation]) -> None:
    """Asks everything as everybody; all that differs is in the message."""
    wrong = []
    people = callers(world)
    before = rows_digest()
    for name, operation in operations.items():
        url, headers = operation.address(world), dict(operation.headers)
        for role, caller in people.items():
            wanted = due(operation, role, world)
            body = operation.data(world)
            with undone() if wanted < 300 else nullcontext():
                answer = caller.ask(operation.method, url, body, **headers)
            if answer.status_code != wanted:
                sentence = said(answer).get("detail", "")
                wrong.append(f"{name} {role}: {answer.status_code}, not {wanted} {sentence}")
        if rows_digest() != before:
            wrong.append(f"{name}: a row changed")
            before = rows_digest()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("state", STATES)
def test_everybody_is_answered_as_by_the_pages(state: str) -> None:
    """C7.3, C7.4: exact statuses, and no row changes where somebody was refused."""
    check(build(state), OPERATIONS)


def test_second_referee_confirms_and_the_author_does_not() -> None:
    """C7.2 `referee`: a token enters as its maker, who therefore does not confirm."""
    world = build("submitted")
    by_referee(world)
    rows = {
        "confirm": at_sheet(None, "submitted:CR"),
        "send_sheet_back": at_sheet(None, "submitted:CR"),
    }
    check(
        world,
        {name: Operation(**{**vars(OPERATIONS[name]), "row": row}) for name, row in rows.items()},
    )


@pytest.mark.parametrize("scope", ApiScope)
def test_token_does_nothing_outside_its_scopes(scope: ApiScope) -> None:
    world = build("submitted")
    caller = Caller(token_of(world.made.owner, world.competition, scope))
    caller.get(f"/competitions/{world.competition.code}/entries")
    before = rows_digest()
    for name, operation in OPERATIONS.items():
        if scope in (operation.scope, operation.also):
            continue
        url = operation.address(world)
        answer = caller.ask(operation.method, url, operation.data(world), **dict(operation.headers))
        assert answer.status_code == 403, name
        assert said(answer)["code"] == "scope-missing", name
    assert rows_digest() == before


def test_refusal_says_the_state_and_who_could_do_it() -> None:
    """C7.4, in the language asked for."""
    world = build("submitted")
    user = User.objects.get(username=f"{world.competition.code}-referee")
    acting = Acting(user_id=user.pk, competition_id=world.competition.pk)
    token = token_of(acting, world.competition)
    operation = OPERATIONS["create_hand"]
    answer = Caller(token).post(operation.address(world), operation.body, Idempotency_Key="a")
    problem = said(answer)
    assert answer["Content-Type"] == "application/problem+json"
    assert (problem["code"], problem["state"], problem["who"]) == (
        "not-allowed",
        "running",
        ["chief"],
    )
    assert problem["detail"] == "记分表已提交，现在只有裁判长可以改。"
    assert problem["type"] == "urn:duozhu:problem:not-allowed"
