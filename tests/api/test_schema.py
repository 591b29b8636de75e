"""The API asked what its document allows, and what it does not: no 500, nothing undocumented.

`API_EXAMPLES` is how many requests each operation gets in each way, 8 unless set; the seed is
fixed, so that a failure comes again.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, seed, settings
from pytest_django import Settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core import pace
from tests.api.callers import ROOT, token_of
from tests.test_rights import undone
from tests.worlds import World, build
from tournament.api import tokens as limits

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("API_EXAMPLES", "8"))
SEED = 20261205
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@pytest.fixture(autouse=True)
def without_limits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a minute here; queries are counted elsewhere."""
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if not one.startswith("zeal")]
    for module, name in ((pace, "OF_ADDRESS"), (limits, "OF_TOKEN"), (limits, "WRONG_AT_ALL")):
        monkeypatch.setattr(module, name, 10**9)
    cache.clear()


@contextmanager
def one_connection() -> Iterator[None]:
    """As in Django's own test client, which connects them again after each of its requests: no
    request ends the test's connection."""
    ends = (request_started, request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    yield
    for signal in ends:
        signal.connect(close_old_connections)


def operations() -> Iterator[Any]:
    """Every operation of the document, asked in this process."""
    schema = schemathesis.openapi.from_wsgi(f"{ROOT}/openapi.json", get_wsgi_application())
    for found in schema.get_all_operations():
        yield found.ok()


def keys(world: World) -> dict[str, Any]:
    """What the paths may name."""
    return {
        "code": world.competition.code,
        "event": world.ids["event"],
        "round_id": world.ids["first_round"],
        "table": world.ids["table"],
        "draw": world.ids["draw"],
        "entry": world.entry_id,
        "number": 1,
    }


def ask(operation: Any, mode: GenerationMode, token: str, real: dict[str, Any]) -> int:
    """Asks an operation again and again, every other time about what is really there. Returns
    how often."""
    asked = 0

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def once(case: Any) -> None:
        nonlocal asked
        asked += 1
        if asked % 2:
            case.path_parameters = {name: real[name] for name in case.path_parameters or {}}
        headers = {"Accept-Encoding": "identity"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        with undone():
            response = case.call(headers=headers)
        case.validate_response(response, checks=CHECKS)

    once()
    return asked


def told(error: BaseException) -> str:
    """What went wrong, and how it is asked again."""
    return "".join(traceback.format_exception_only(error))


@pytest.mark.parametrize("with_token", [True, False])
def test_api_answers_as_its_document_says(with_token: bool) -> None:
    world = build("open")
    token = token_of(world.made.owner, world.competition) if with_token else ""
    real, asked = keys(world), 0
    print(f"seed {SEED}, {EXAMPLES} requests an operation")  # noqa: T201
    wrong = []
    with one_connection():
        for operation in operations():
            for mode in MODES:
                try:
                    asked += ask(operation, mode, token, real)
                except FailureGroup as error:
                    wrong.append(f"{operation.label}, {mode.value}: {told(error)}")
    assert not wrong, "\n\n".join(wrong)
    assert asked > 25 * EXAMPLES
