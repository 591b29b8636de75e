"""What every test gets."""

from collections.abc import Iterator

import pytest

from core import bodies
from core.domain import versions


@pytest.fixture(autouse=True)
def nothing_cached() -> Iterator[None]:
    """Versions and rendered bodies are a process's; no test sees another's."""
    versions.forget()
    bodies.forget()
    yield
    versions.forget()
    bodies.forget()
