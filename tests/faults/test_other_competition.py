"""Nothing of one competition is reached through another's address, by whoever leads that one."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from django.urls import reverse
from pytest_django import Settings

from tests.rights import LIST, Row
from tests.test_rights import ask, undone
from tests.worlds import World, build, rows_digest

pytestmark = pytest.mark.django_db
OPEN = ("open", "login", "operator")
"""Doors of addresses that name no competition."""
NOWHERE: defaultdict[str, tuple[str, ...]] = defaultdict(
    lambda: ("/accounts/login/",), {"check_in_own": ("/accounts/login/", "/c/")}
)
"""Where somebody is sent who has no role, and whose ticket of ten minutes is none."""


@pytest.fixture(autouse=True)
def without_zeal(settings: Settings) -> None:
    """Queries are counted elsewhere."""
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if not one.startswith("zeal")]


def crossed(name: str, row: Row, mine: World, theirs: World) -> str | None:
    """My competition's address with their keys; None where it has none."""
    keys: dict[str, Any] = {
        **theirs.ids,
        "entry": theirs.entry_id,
        "own_entry": theirs.own_entry_id,
    }
    if row.door in OPEN or not set(row.args) & set(keys):
        return None
    return reverse(name, args=[mine.competition.code, *(keys.get(arg, arg) for arg in row.args)])


@pytest.mark.parametrize("state", ["planned", "submitted", "final"])
def test_keys_of_another_competition_are_not_there(state: str) -> None:
    """Every address with a key, as its owner, chief referee, referee, table and entrant."""
    mine, theirs = build(state), build(state)
    before = rows_digest()
    wrong, asked = [], 0
    for name, row in LIST.items():
        url = crossed(name, row, mine, theirs)
        if url is None:
            continue
        data = row.data(theirs) if callable(row.data) else row.data
        for role in "OCATE":
            for method in ("GET", "POST"):
                with undone():
                    answer = ask(mine.clients[role], method, url, data)
                asked += 1
                if answer.get("Location", "").startswith(NOWHERE[name]):
                    continue
                if answer.status_code not in (403, 404, 405):
                    wrong.append(f"{name} {method} {role}: {answer.status_code}")
                elif answer.status_code == 403 and role == "O" and row.door == "manage OG":
                    wrong.append(f"{name} {method} {role}: 403 where there is nothing")
    assert asked > 500
    assert not wrong, "\n".join(wrong)
    assert rows_digest() == before
