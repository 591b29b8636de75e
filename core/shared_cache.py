"""The cache that web processes share: Redis where there is one, else each process its own memory.

It holds only what limits and protects for minutes: units spent (`core.pace`), wrong codes and mails
asked for (django-allauth), codes used up. A Redis that is away, restarted or flushed therefore
costs limits that begin anew, and no request: after a failure each process counts for itself and
asks Redis again a few seconds later. Values are JSON, so that whoever can write to Redis gets no
code into the site.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import DataError, RedisError

AGAIN_AFTER_S = 10.0
PATIENCE_S = 0.5
"""Seconds that a request waits for Redis, once in `AGAIN_AFTER_S`."""

logger = structlog.get_logger(__name__)


class JsonSerializer:
    """Values as JSON; whole numbers as they are, so that Redis can count them."""

    def dumps(self, value: object) -> int | str:
        """What Redis keeps."""
        return value if type(value) is int else json.dumps(value)

    def loads(self, data: bytes) -> object:
        """The value again. Raises `DataError` for what this site has not written."""
        try:
            return json.loads(data)
        except ValueError as error:
            raise DataError(str(error)) from error


class SharedCache(BaseCache):
    """Asks Redis, or this process's memory while Redis does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        options = {
            "serializer": JsonSerializer,
            "socket_connect_timeout": PATIENCE_S,
            "socket_timeout": PATIENCE_S,
        }
        self._redis = RedisCache(server, {**params, "OPTIONS": options})
        self._own = LocMemCache(f"instead of {server}", params)
        self._away_until = 0.0

    def _ask(self, method: str, *told: Any, **more: Any) -> Any:
        if time.monotonic() >= self._away_until:
            try:
                return getattr(self._redis, method)(*told, **more)
            except (RedisError, OSError) as error:
                self._away_until = time.monotonic() + AGAIN_AFTER_S
                logger.warning("shared cache away", error=type(error).__name__)
        return getattr(self._own, method)(*told, **more)

    def add(
        self,
        key: str,
        value: Any,
        timeout: Any = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        """Whether it was set, being there not yet."""
        return bool(self._ask("add", key, value, timeout, version))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """The value, or the default."""
        return self._ask("get", key, default, version)

    def set(
        self,
        key: str,
        value: Any,
        timeout: Any = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Sets the value for `timeout` seconds."""
        self._ask("set", key, value, timeout, version)

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Whether it is there, for `timeout` seconds from now on."""
        return bool(self._ask("touch", key, timeout, version))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Whether it was there."""
        return bool(self._ask("delete", key, version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """The number after `delta` more. Raises `ValueError` where there is none."""
        return int(self._ask("incr", key, delta, version))

    def has_key(self, key: str, version: int | None = None) -> bool:
        """Whether it is there."""
        return bool(self._ask("has_key", key, version))

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """The values that are there."""
        found: dict[str, Any] = self._ask("get_many", list(keys), version)
        return found

    def set_many(
        self,
        data: Mapping[str, Any],
        timeout: Any = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> list[str]:
        """Sets all; the keys that were not, which are none."""
        return list(self._ask("set_many", dict(data), timeout, version) or ())

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        """Takes all of them away."""
        self._ask("delete_many", list(keys), version)

    def clear(self) -> None:
        """Empties this process's memory alone: Redis may hold the queue of jobs as well."""
        self._own.clear()
