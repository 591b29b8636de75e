"""Whether a change would go through: done and taken back before anybody sees it (C9.5)."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction


def try_out(act: Callable[[], object]) -> None:
    """Writes nothing. Raises what `act` does."""
    with transaction.atomic():
        act()
        transaction.set_rollback(True)
