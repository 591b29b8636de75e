"""Many connections at the same instant, on whichever database the tests run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(count: int, work: Callable[[int], T]) -> list[T | Exception]:
    """`work(0) … work(count − 1)`, each in its own thread and connection, started together.

    Returns what each returned or raised, in order. The test needs
    `@pytest.mark.django_db(transaction=True)`.
    """
    start = threading.Barrier(count)

    def one(index: int) -> T | Exception:
        start.wait()
        try:
            return work(index)
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))
