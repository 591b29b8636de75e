"""The site in production as a hall sees it, on SQLite and, where DATABASE_URL says so, PostgreSQL.

`wrk` (Debian's package of that name) makes the plain load, `web_load` the hall; both run on the
same cores as the server. Rates are shown as a share of a bare view's in the same run.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks import web_load
from benchmarks.measure import ROOT, Figure

WORKERS = 2
CONNECTIONS = 50
RATE_SECONDS = 5
RATE_RUNS = 3
HALL_SECONDS = float(os.environ.get("BENCH_HALL_SECONDS", "60"))
AT_RELEASE = 500
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def run() -> Iterator[Figure]:
    """All figures, database by database."""
    if shutil.which("wrk") is None:
        raise SystemExit("没有 wrk / wrk is missing: apt install wrk")
    databases = {"SQLite": ""}
    asked = os.environ.get("DATABASE_URL", "")
    if asked.startswith("postgres"):
        databases["PostgreSQL"] = asked.rsplit("/", 1)[0] + "/duozhu_bench"
    for name, url in databases.items():
        with tempfile.TemporaryDirectory() as folder:
            env = _environment(Path(folder), url)
            if url:
                empty_database(asked, "duozhu_bench")
            for what, value, unit in _figures(env):
                yield f"{name}: {what}", value, unit


def _environment(folder: Path, url: str) -> dict[str, str]:
    known = {k: v for k, v in os.environ.items() if k not in ("REDIS_URL", "CELERY_BROKER_URL")}
    return {
        **known,
        "DJANGO_SETTINGS_MODULE": "benchmarks.web_settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "bin")]),
        "SECRET_KEY": "only-for-this-bench-0123456789-abcdefghijklmnopqrstuvwxyz-XYZ",
        "ALLOWED_HOSTS": "localhost",
        "SITE_HTTPS": "false",
        "DEBUG": "false",
        "LOG_LEVEL": "WARNING",
        "WEB_CONCURRENCY": str(WORKERS),
        "VAR_DIR": str(folder),
        "STATIC_ROOT": str(folder / "static"),
        "DATABASE_URL": url or f"sqlite:///{folder / 'db.sqlite3'}",
    }


def empty_database(url: str, name: str) -> None:
    """A new database of this name at the server of the URL; an older one is gone."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name}".encode())
        connection.execute(f"create database {name}".encode())


def _figures(env: Mapping[str, str]) -> Iterator[Figure]:
    for verb in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        subprocess.run([sys.executable, str(ROOT / "manage.py"), *verb], env=env, check=True)
    made = _world(env, "make")
    code, bracket = made["code"], made["bracket"]
    with _server(env) as (port, master):
        tables = yield from _release(env, port, code, bracket)
        _world(env, "begin", code)
        yield from _hall(port, master, tables, bracket)
    _world(env, "play", code)
    for page, figures in _world(env, "cold", code).items():
        yield f"{page} of 243 entrants, cold: queries", figures["queries"], ""
        yield f"{page} of 243 entrants, cold: CPU", figures["ms"], "ms"
    with _server(env) as (port, _master):
        yield from _rates(port, bracket)
        yield from _first_view(port, bracket)


def _world(env: Mapping[str, str], *arguments: str) -> dict:
    command = [sys.executable, "-m", "benchmarks.web_world", *arguments]
    run = subprocess.run(command, env=env, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(run.stdout)


@contextmanager
def _server(env: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Gunicorn as `manage.py up` starts it: its port and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "gunicorn", "--config", str(ROOT / "config" / "gunicorn.py"),
        "--bind", f"127.0.0.1:{port}",
    ]  # fmt: skip
    process = subprocess.Popen(command, env=env)
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                if _get(port, "/bench/bare/")[0] == 200:
                    break
            except OSError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _get(port: int, path: str, encoding: str = "br") -> tuple[int, Mapping[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Host": "localhost", "Accept-Encoding": encoding})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.getheaders()}, body


def _release(env: Mapping[str, str], port: int, code: str, bracket: str) -> Iterator[Figure]:
    """The draw appears while everybody asks for it; returns the tables."""
    _get(port, bracket)
    before = _rendered(port)
    found: dict = {}
    publishing = threading.Thread(target=lambda: found.update(_world(env, "publish", code)))
    publishing.start()
    statuses: list[int] = []

    def ask() -> None:
        while publishing.is_alive():
            time.sleep(0.005)
        statuses.extend(_get(port, bracket)[0] for _again in range(AT_RELEASE // CONNECTIONS))

    phones = [threading.Thread(target=ask) for _phone in range(CONNECTIONS)]
    for phone in phones:
        phone.start()
    for phone in [publishing, *phones]:
        phone.join()
    if statuses.count(200) != AT_RELEASE:
        raise AssertionError("a request at the release was not answered")
    after = _rendered(port)
    yield (
        "500 requests at the release: most renderings a process",
        max(after[process] - before.get(process, 0) for process in after),
        "",
    )
    return found["tables"]


def _rendered(port: int) -> dict[int, int]:
    """Bodies rendered so far, by process."""
    found: dict[int, int] = {}
    until = time.monotonic() + 10
    while len(found) < WORKERS and time.monotonic() < until:
        askers = []
        for _connection in range(8):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/bench/rendered/", headers={"Host": "localhost"})
            askers.append(connection)
        for connection in askers:
            said = json.loads(connection.getresponse().read())
            found[said["process"]] = said["rendered"]
            connection.close()
    return found


def _hall(port: int, master: int, tables: list, bracket: str) -> Iterator[Figure]:
    """1,000 spectators and 2 hands a second."""
    program = (
        "import json, sys; from benchmarks import web_load;"
        "seen = web_load.run(*json.loads(sys.stdin.read()));"
        "print(json.dumps(vars(seen)))"
    )
    load = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "bin")])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert load.stdin is not None
    load.stdin.write(json.dumps([port, tables, bracket, HALL_SECONDS]))
    load.stdin.close()
    time.sleep(web_load.WARM_UP_S + 5)
    start, used = time.monotonic(), _cpu_seconds(master)
    time.sleep(HALL_SECONDS - 10)
    cores = (_cpu_seconds(master) - used) / (time.monotonic() - start)
    assert load.stdout is not None
    seen = json.loads(load.stdout.read())
    if load.wait():
        raise AssertionError("the hall broke off")
    polls, writes, arrivals = (sorted(seen[name]) for name in ("polls", "writes", "arrivals"))
    yield "1,000 spectators, 2 hands a second: server", cores, "cores"
    yield "1,000 spectators, 2 hands a second: polls", len(polls) / HALL_SECONDS, "/s"
    yield "1,000 spectators, 2 hands a second: poll p95", 1000 * _p95(polls), "ms"
    yield "1,000 spectators, 2 hands a second: hands written", len(writes), ""
    yield "1,000 spectators, 2 hands a second: write p95", 1000 * _p95(writes), "ms"
    yield "hand saved → on an open page, longest of all", arrivals[-1], "s"
    yield "hand saved → on an open page: pages that never got it", seen["unseen"], ""
    strange = {k: v for k, v in seen["statuses"].items() if k not in ("200", "204")}
    if strange:
        raise AssertionError(f"polls were answered with {strange}")


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _cpu_seconds(master: int) -> float:
    """CPU of the server's master and workers so far."""
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(folder.name) == master or int(fields[1]) == master:
                total += int(fields[11]) + int(fields[12])
    return total / TICKS


def _rates(port: int, bracket: str) -> Iterator[Figure]:
    """Requests a second at 50 connections, each beside the bare view's."""
    version = _get(port, bracket)[1]["x-version"]
    addresses = {
        "unchanged poll": f"{bracket}live/?v={version}",
        "cached bracket page of 243 entrants": bracket,
    }
    _get(port, f"{bracket}live/?v={version}")
    bare = _rate(port, "/bench/bare/")
    yield "bare view, full middleware, 50 connections", bare, "/s"
    for name, address in addresses.items():
        shares = []
        for _run in range(RATE_RUNS):
            rate, bare = _rate(port, address), _rate(port, "/bench/bare/")
            shares.append(rate / bare)
        yield f"{name}, 50 connections", rate, "/s"
        yield f"{name}: share of the bare view", 100 * statistics.median(shares), "%"


def _rate(port: int, path: str) -> float:
    command = [
        "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{RATE_SECONDS}s", "-H", "Host: localhost",
        "-H", "Accept-Encoding: br", f"http://127.0.0.1:{port}{path}",
    ]  # fmt: skip
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    if "Non-2xx" in said:
        raise AssertionError(said)
    found = re.search(r"Requests/sec:\s+([\d.]+)", said)
    assert found is not None
    return float(found.group(1))


def _first_view(port: int, bracket: str) -> Iterator[Figure]:
    """What a phone downloads to see the bracket for the first time."""
    _status, headers, body = _get(port, bracket)
    if headers.get("content-encoding") != "br":
        raise AssertionError("the page is not compressed")
    _status, _headers, plain = _get(port, bracket, "identity")
    addresses = {
        urllib.parse.urljoin(bracket, address).split("#")[0]
        for tag in re.findall(r"<(?:link|script|img|use)\b[^>]*>", plain.decode())
        if 'rel="alternate"' not in tag and 'rel="canonical"' not in tag
        for address in re.findall(r'(?:href|src)="([^"]+)"', tag)
    }
    sizes = {address: len(_get(port, address)[2]) for address in addresses if address}
    yield "first view of the bracket: HTML, compressed", len(body) / 1000, "kB"
    yield (
        "first view of the bracket: everything, compressed",
        (len(body) + sum(sizes.values())) / 1000,
        "kB",
    )
