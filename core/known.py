"""Small facts that every poll asks for, kept in the process for as long as their version stands.

A spectator's poll that finds nothing new should not ask the database more than the versions,
which themselves are read once a second (stack fact 1).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

from core.domain import versions

MOST = 4096

Fact = TypeVar("Fact")


@dataclass(frozen=True)
class Found(Generic[Fact]):
    """A fact and the scopes whose versions move whenever it may have changed."""

    fact: Fact
    scopes: Sequence[str]


@dataclass(frozen=True)
class _Kept:
    fact: object
    scopes: Sequence[str]
    version: tuple[int, ...] | None


_kept: OrderedDict[str, _Kept] = OrderedDict()
_lock = Lock()


def recall(key: str, find: Callable[[], Found[Fact] | None]) -> Fact | None:
    """What `find` returns, at most a second old; None is never kept.

    `find` is asked where the key is new and where a version has moved. The version is taken
    before the fact, so that a fact is never kept under a version newer than itself; the first
    answer, whose scopes nobody knew before, is therefore given out but not relied on.
    """
    kept = _kept.get(key)
    version = None
    if kept is not None:
        version = versions.current(kept.scopes)
        if version == kept.version:
            return kept.fact  # type: ignore[return-value]
    found = find()
    if found is None:
        _kept.pop(key, None)
        return None
    if kept is not None and list(kept.scopes) != list(found.scopes):
        version = None
    with _lock:
        _kept[key] = _Kept(found.fact, found.scopes, version)
        _kept.move_to_end(key)
        if len(_kept) > MOST:
            _kept.popitem(last=False)
    return found.fact


def forget() -> None:
    """Empties what this process keeps (tests)."""
    with _lock:
        _kept.clear()
