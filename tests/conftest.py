"""What every test gets."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from core import bodies, known
from core.domain import versions


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
def first_language() -> Iterator[None]:
    """A request leaves its language on in the thread; every test begins in the first one."""
    translation.deactivate()
    yield
    translation.deactivate()
