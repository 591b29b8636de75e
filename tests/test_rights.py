"""Every address × method × role × state against the list of tests/rights.py.

An address of the site that the list does not know fails a test; so does a row of the database
that changes where somebody was refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest_django import Settings

from core import bodies
from core.domain import versions
from scoring.models import Hand
from tests.rights import (
    ACCOUNTS,
    AT_TABLE,
    DRAFTS,
    ENTRY,
    FEWER,
    LATE,
    LEADERS,
    LIST,
    OF_ACCOUNTS,
    PLAYED,
    ROLES,
    SEE,
    TIMELESS,
    Data,
    Row,
    at_sheet,
)
from tests.worlds import ABSENT, STATES, World, build, by_referee, rows_digest
from tournament.enums import State

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def without_zeal(settings: Settings) -> None:
    """Queries are counted elsewhere; here thousands of requests are asked only for their status."""
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if not one.startswith("zeal")]


OF_PROGRAMS = "api"
"""The API's own addresses: tests/api proves them with a list of their own."""


def test_every_address_of_the_site_is_in_the_list() -> None:
    names = {name for name in _names(get_resolver()) if not OF_ACCOUNTS.match(name)}
    assert names == set(LIST)


def _names(resolver: URLResolver) -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield str(entry.name)
        elif entry.namespace != OF_PROGRAMS:
            yield from _names(entry)


def cell(text: str, state: str, role: str) -> int | None:
    """0 where the cell names the role, its status where it has one, None where it does not."""
    for part in text.split():
        where, letters = part.split(":")
        who, _, status = letters.partition("=")
        if where in ("*", state) and role in who:
            return int(status or 0)
    return None


def expected(row: Row, method: str, role: str, world: World) -> int:
    """What the address must answer, by the list."""
    state, cells = world.state, row.get if method == "GET" else row.post
    door, _, who = row.door.partition(" ")
    if door not in ("manage", "login", "own", "operator") and cells is None:
        return 405
    shut = _door(door, who, row, method, role, state)
    if shut:
        return shut
    if cells is None:
        return 405
    found = cell(cells, state, role)
    if found is None and row.get and row.post:
        return 403
    if row.needs and _is_missing(row.needs, world):
        return 404
    if found is None:
        return 403
    return found or (200 if method == "GET" else row.ok)


def _door(door: str, who: str, row: Row, method: str, role: str, state: str) -> int:
    """The answer to those who do not get through, 0 to the others (C7.4)."""
    unseen = state == "hidden" and role in ".xS"
    if door == "login":
        return 0 if role in ACCOUNTS else 302
    if door == "operator":
        return 0 if role == "S" else 404 if role in ACCOUNTS else 302
    if door == "manage" and role == "." and method == "GET":
        return 302
    if door != "open" and unseen:
        return 404
    if door == "own":
        return 0 if role == "E" else 403
    if door == "public":
        if who == "table" and state in DRAFTS:
            return 404
        seen_by = {"planned": "", "drawn": LEADERS, "hidden": LEADERS}.get(state, ROLES)
        return 404 if who == "draw" and role not in seen_by else 0
    if door == "round" and state == "planned":
        return 404
    if door == "sheet":
        if state == "planned" or (state in DRAFTS and role not in LEADERS):
            return 404
        return 0 if role in AT_TABLE else 403
    return 403 if who and role not in who else 0


def _is_missing(needs: str, world: World) -> bool:
    if needs == "nothing":
        return True
    if needs == "round":
        return world.state == "planned"
    return world.state not in PLAYED


@contextmanager
def undone() -> Iterator[None]:
    """What is written inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    versions.forget()
    bodies.forget()


def address(name: str, row: Row, world: World) -> str:
    """The address with the world's keys."""
    keys: dict[str, Any] = {
        **world.ids,
        "absent": ABSENT,
        "token": world.token,
        "entry": world.entry_id,
        "own_entry": world.own_entry_id,
    }
    args = [keys.get(arg, arg) for arg in row.args]
    open_doors = ("open", "login", "operator")
    return reverse(name, args=args if row.door in open_doors else [world.competition.code, *args])


def ask(client: Client, method: str, url: str, data: Data) -> HttpResponse:
    """The answer; the browser keeps its cookies as they were."""
    kept = client.cookies.copy()
    answer = client.post(url, data) if method == "POST" else client.get(url)
    client.cookies = kept
    assert isinstance(answer, HttpResponse)
    return answer


@pytest.mark.parametrize("state", STATES)
def test_everybody_is_answered_as_the_list_says(state: str) -> None:
    """C7.3, C7.4: exact statuses, and no row changes where somebody was refused."""
    check(build(state), LIST)


def test_second_referee_confirms_and_the_author_does_not() -> None:
    """C7.2 `referee`: the chief referee, or one who entered nothing there."""
    world = build("submitted")
    by_referee(world)
    data = LIST["sheet_confirm"].data
    confirm = at_sheet(SEE, "submitted:CR", data=data)
    back = at_sheet(None, "submitted:CR", data={"word": "第二局反了"})
    check(world, {"sheet_confirm": confirm, "sheet_back": back})


def check(world: World, rows: dict[str, Row]) -> None:
    """Asks every address of the list as everybody; all that differs is in the message."""
    wrong = []
    roles = FEWER.get(world.state, ROLES)
    timeless = world.state not in TIMELESS
    before = rows_digest()
    for name, row in rows.items():
        if timeless and row.is_timeless:
            continue
        url = address(name, row, world)
        for method in ("GET", "POST"):
            for role in roles if row.answers(method) else ".O":
                due = expected(row, method, role, world)
                data = row.data(world) if callable(row.data) else row.data
                if due in (200, 302):
                    with undone():
                        status = ask(world.clients[role], method, url, data).status_code
                else:
                    status = ask(world.clients[role], method, url, data).status_code
                if status != due:
                    wrong.append(f"{name} {method} {role}: {status}, not {due}")
        if rows_digest() != before:
            wrong.append(f"{name}: a row changed")
            before = rows_digest()
    assert not wrong, "\n".join(wrong)


def test_nobody_leaves_when_all_is_final() -> None:
    """C7.3: withdraw and disqualify end with the final state."""
    world = build("final")
    world.clients["C"].post(
        reverse("round_final", args=[world.competition.code, world.ids["round"]])
    )
    assert set(world.made.stage.rounds.values_list("state", flat=True)) == {State.FINAL}
    url = reverse("manage_entrant_leave", args=[world.competition.code, world.ids["leaver"]])
    assert world.clients["C"].post(url, {"status": "disqualified"}).status_code == 403


def test_change_of_a_confirmed_table_wants_its_effects_and_a_final_one_a_reason() -> None:
    """C7.3: C, effects shown; and after final a reason."""
    without = {key: value for key, value in ENTRY.items() if key not in LATE}
    for state, data, status in (
        ("confirmed", without, 409),
        ("final", {**without, "effects_shown": "1"}, 400),
        ("final", {**without, "reason": "录像"}, 409),
    ):
        world = build(state)
        url = reverse("hand_correct", args=[world.competition.code, world.ids["table"], 1])
        hands = Hand.objects.count()
        assert world.clients["C"].post(url, data).status_code == status, (state, data)
        assert Hand.objects.count() == hands
