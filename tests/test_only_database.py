"""`--only-database` leaves out exactly the tests for which a query is an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from core.models import User
from tests.factories import make_user

HERE = Path(__file__)


def test_query_without_a_database_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        User.objects.count()


def test_query_by_the_fixture_is_answered(db: None) -> None:
    make_user()
    assert User.objects.count() == 1


def test_query_by_the_fixture_that_commits_is_answered(transactional_db: None) -> None:
    make_user()
    assert User.objects.count() == 1


def test_query_beside_a_server_is_answered(live_server: LiveServer) -> None:
    make_user()
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_query_by_the_mark_is_answered() -> None:
    make_user()
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (
            ["--only-database"],
            {
                "test_query_by_the_fixture_is_answered",
                "test_query_by_the_fixture_that_commits_is_answered",
                "test_query_beside_a_server_is_answered",
                "test_query_by_the_mark_is_answered",
            },
        ),
        (
            [],
            {
                "test_query_without_a_database_is_an_error",
                "test_query_by_the_fixture_is_answered",
                "test_query_by_the_fixture_that_commits_is_answered",
                "test_query_beside_a_server_is_answered",
                "test_query_by_the_mark_is_answered",
            },
        ),
    ],
)
def test_only_those_whose_queries_are_answered_are_chosen(
    options: list[str], found: set[str]
) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-k", "query", *options]
    said = subprocess.run(
        [*command, str(HERE)], cwd=HERE.parents[1], capture_output=True, text=True, check=True
    ).stdout
    assert {line.partition("::")[2] for line in said.splitlines() if "::" in line} == found
