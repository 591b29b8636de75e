"""Asking the database itself, whatever the code above it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import IntegrityError, transaction


@contextmanager
def refused_by_the_database() -> Iterator[None]:
    """The block must fail on a constraint; the test's transaction goes on."""
    with pytest.raises(IntegrityError), transaction.atomic():
        yield
