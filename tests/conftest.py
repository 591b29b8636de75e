"""What every test gets, and which of them are the same on every database."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from core import bodies, known
from core.domain import versions

OF_DATABASE = {"db", "transactional_db", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--only-database`: for the run on a second database."""
    parser.addoption(
        "--only-database",
        action="store_true",
        help="leave out the tests that may not use the database; they are the same on each",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what pytest-django lets no query through for, where only the others are wanted."""
    if config.getoption("--only-database"):
        without = [one for one in items if not has_database(one)]
        config.hook.pytest_deselected(items=without)
        items[:] = [one for one in items if has_database(one)]


def has_database(item: pytest.Item) -> bool:
    """Whether a query of the test is answered by the database, and not by an error."""
    asked = getattr(item, "fixturenames", ())
    return not OF_DATABASE.isdisjoint(asked) or item.get_closest_marker("django_db") is not None


@pytest.fixture(autouse=True)
def nothing_cached() -> Iterator[None]:
    """Versions and rendered bodies are a process's; no test sees another's."""
    versions.forget()
    bodies.forget()
    known.forget()
    yield
    versions.forget()
    bodies.forget()
    known.forget()


@pytest.fixture(autouse=True)
def versions_of_this_test(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions once read stand for the whole test, so that no count of queries hangs on how fast
    the machine is. Not where others write meanwhile: there a second is a second."""
    marker = request.node.get_closest_marker("django_db")
    if marker is not None and not marker.kwargs.get("transaction"):
        monkeypatch.setattr(versions, "MAX_AGE_S", 3600.0)


@pytest.fixture(autouse=True)
def first_language() -> Iterator[None]:
    """A request leaves its language on in the thread; every test begins in the first one."""
    translation.deactivate()
    yield
    translation.deactivate()
