"""The cache that processes share: on a Redis of its own, and without any."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from core import shared_cache
from core.shared_cache import SharedCache

SERVER = shutil.which("redis-server") or ""
PARAMS = {"KEY_PREFIX": "duozhu"}
needs_redis = pytest.mark.skipif(not SERVER, reason="there is no redis-server here")


@pytest.fixture
def port() -> int:
    """A port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


@pytest.fixture
def start(port: int, tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts a Redis there, which is killed in the end."""
    running: list[subprocess.Popen[bytes]] = []

    def begin() -> subprocess.Popen[bytes]:
        command = [SERVER, "--port", str(port), "--save", "", "--dir", str(tmp_path)]
        one = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        running.append(one)
        client = redis.Redis(port=port)
        for _try in range(200):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        client.close()
        return one

    yield begin
    for one in running:
        one.kill()
        one.wait()


@pytest.fixture
def cache(port: int) -> Iterator[SharedCache]:
    """The cache of one process."""
    found = SharedCache(f"redis://127.0.0.1:{port}/0", PARAMS)
    yield found
    found._redis._cache.get_client().connection_pool.disconnect()


def use(cache: SharedCache) -> list[object]:
    """Everything that is asked of it."""
    cache.delete("a")
    said: list[object] = [
        cache.add("a", 1, 60),
        cache.add("a", 2, 60),
        cache.incr("a", 4),
        cache.get("a"),
        cache.get("none", []),
        cache.set("times", [1.5, 2.5], 60),
        cache.get("times"),
        cache.has_key("times"),
        cache.touch("times", 90),
        cache.get_many(["a", "times", "none"]),
        cache.set_many({"x": "y"}, 60),
        cache.delete("x"),
        cache.delete_many(["times"]),
        cache.get("times"),
    ]
    with pytest.raises(ValueError, match="none"):
        cache.incr("none")
    return said


USED = [
    True, False, 5, 5, [], None, [1.5, 2.5], True, True, {"a": 5, "times": [1.5, 2.5]}, [], True,
    None, None,
]  # fmt: skip


@needs_redis
def test_processes_count_together(
    start: Callable[[], object], port: int, cache: SharedCache
) -> None:
    start()
    assert use(cache) == USED
    add = (
        "import sys\nfrom core.shared_cache import SharedCache\n"
        f"cache = SharedCache('redis://127.0.0.1:{port}/0', {PARAMS!r})\n"
        "sys.exit(cache.incr('a', 10))"
    )
    command = [sys.executable, "-c", add]
    assert (
        subprocess.run(command, env={"DJANGO_SETTINGS_MODULE": "tests.settings"}).returncode == 15
    )
    assert cache.get("a") == 15


@needs_redis
def test_redis_flushed_restarted_or_away_costs_no_request(
    start: Callable[[], subprocess.Popen[bytes]],
    port: int,
    cache: SharedCache,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = start()
    cache.set("a", 7, 60)
    client = redis.Redis(port=port)
    client.flushall()
    client.close()
    assert cache.get("a") is None
    assert use(cache) == USED
    server.kill()
    server.wait()
    assert use(cache) == USED
    monkeypatch.setattr(shared_cache, "AGAIN_AFTER_S", 0.0)
    cache._away_until = 0.0
    start()
    assert cache.get("a") is None
    cache.set("a", 8, 60)
    again = redis.Redis(port=port)
    assert again.get("duozhu:1:a") == b"8"
    again.close()


def test_without_redis_each_process_counts_for_itself(cache: SharedCache) -> None:
    assert use(cache) == USED


def test_redis_that_does_not_answer_is_asked_once_in_ten_seconds(
    port: int, cache: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that takes the connection and says nothing."""
    monkeypatch.setattr(shared_cache, "PATIENCE_S", 0.05)
    with socket.create_server(("127.0.0.1", port)) as silent:
        slow = SharedCache(f"redis://127.0.0.1:{port}/0", PARAMS)
        assert use(slow) == USED
        silent.settimeout(1)
        taken, _address = silent.accept()
        taken.close()
        silent.settimeout(0.1)
        with pytest.raises(TimeoutError):
            silent.accept()


@needs_redis
def test_emptying_it_leaves_the_queue_of_jobs_alone(
    start: Callable[[], object], port: int, cache: SharedCache
) -> None:
    start()
    client = redis.Redis(port=port)
    client.lpush("celery", "a job")
    cache.clear()
    assert client.llen("celery") == 1
    client.close()


@needs_redis
def test_what_is_kept_is_no_code(
    start: Callable[[], object], port: int, cache: SharedCache
) -> None:
    """Pickle would run whatever somebody wrote to Redis."""
    start()
    cache.set("a", {"b": [1]}, 60)
    client = redis.Redis(port=port)
    assert client.get("duozhu:1:a") == b'{"b": [1]}'
    client.set("duozhu:1:a", b"\x80\x04K\x01.")
    client.close()
    assert cache.get("a", "not ours") == "not ours"
