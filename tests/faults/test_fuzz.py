"""Requests by chance over all forms and addresses: none of them breaks the site.

DUOZHU_REQUESTS (400 unless set) are asked, the same share in every state of a competition;
DUOZHU_SEED makes others. `bin/bench fuzz` asks 10,000 on each database. What fails prints the
request and its number; DUOZHU_FIRST=number DUOZHU_REQUESTS=8 asks it again, alone in its state.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import Settings

from core import pace
from tests.faults.fuzz import Fuzz, field_names, routes
from tests.worlds import STATES, build
from tournament.api import tokens as limits

pytestmark = pytest.mark.django_db
REQUESTS = int(os.environ.get("DUOZHU_REQUESTS", "400"))
FIRST = int(os.environ.get("DUOZHU_FIRST", "0"))
SEED = os.environ.get("DUOZHU_SEED", "20261205")


@pytest.fixture(autouse=True)
def without_limits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody waits for a minute here; queries are counted elsewhere."""
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if not one.startswith("zeal")]
    for module, name in ((pace, "OF_ADDRESS"), (pace, "OF_BROWSER"), (limits, "OF_TOKEN")):
        monkeypatch.setattr(module, name, 10**9)
    cache.clear()
    yield
    cache.clear()


def test_addresses_and_fields_are_found() -> None:
    """The walk knows pages, files, the API and accounts, and what they read."""
    names = {name for name, _pattern in routes()}
    assert {"sheet", "bracket_svg", "create_hand", "mfa_add_webauthn", "api_not_found"} <= names
    assert {"hu", "effects_shown", "next", "before", "password1"} <= set(field_names())


@pytest.mark.parametrize("state", STATES)
def test_no_request_breaks_the_site(state: str) -> None:
    fuzz = Fuzz(build(state), SEED)
    fuzz.run(REQUESTS // len(STATES), FIRST)
    told = ", ".join(f"{status}: {count}" for status, count in sorted(fuzz.answers.items()))
    sys.stdout.write(f"\nfuzz {state}, seed {SEED}: {fuzz.answers.total()} requests, {told}\n")
    assert not fuzz.faults, f"{len(fuzz.faults)} faults\n\n" + "\n\n".join(fuzz.faults)
