"""The commands of the image, of compose and of the units, carried out on the test's database."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from tests.config import deployment as files
from tests.load import services
from tests.serving import PATIENCE_S, database_url, until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform == "win32", reason="images and units are for Linux"),
]

PATH = f"{Path(sys.executable).parent}:/usr/bin:/bin"
"""Here `python` is the one that runs the tests."""


def moved(command: Sequence[str], port: int) -> list[str]:
    """A command with another port than 8000."""
    return [word.replace(":8000", f":{port}") for word in command]


@contextmanager
def running(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A command in its folder; it must end well when it is asked to."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
    try:
        yield process
    finally:
        process.terminate()
        code = process.wait(PATIENCE_S)
    assert code == 0, log.read_text()


def run(
    command: Sequence[str] | str, folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """A command that ends; a line of text is one for the shell, as in a Dockerfile."""
    words = ["sh", "-c", command] if isinstance(command, str) else command
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def image(folder: Path) -> dict[str, str]:
    """What the Dockerfile makes in `folder`, without what pip installs; its environment."""
    for path in files.ROOT.iterdir():
        if path.name.startswith(".") or not files.is_in_image(f"{path.name}/x"):
            continue
        if path.is_dir():
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, folder)
    environment = files.image_environment() | {"PATH": PATH, "HOME": str(folder)}
    environment["STATIC_ROOT"] = environment["STATIC_ROOT"].replace("/app", str(folder))
    environment["VAR_DIR"] = str(folder / "data")
    made = [rest for rest in files.of("RUN") if "python " in rest]
    assert len(made) == 2
    for rest in made:
        ended = run(rest, folder, environment)
        assert ended.returncode == 0, ended.stderr
    return environment


def ask(port: int, path: str, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers and body of an answer; redirects are not followed."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_args: object, **_more: object) -> None:
            return None

    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=names)
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_image_serves_https_behind_the_proxy_as_compose_starts_it(tmp_path: Path) -> None:
    """Built, checked and migrated, asked for its health, seen by a browser through the proxy."""
    app = tmp_path / "app"
    app.mkdir()
    port = services.free_port()
    described = files.compose()["services"]
    environment = {**image(app), **described["web1"]["environment"], "DATABASE_URL": database_url()}
    environment |= {"VAR_DIR": str(app / "data"), "DRAINING_FILE": str(app / "draining")}
    del environment["REDIS_URL"]

    ended = run(described["migrate"]["command"], app, environment)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "System check identified no issues" in ended.stdout

    server = moved(described["web1"]["command"], port)
    log = tmp_path / "log"
    check = moved(files.image_check(), port)
    ready = moved(described["web1"]["healthcheck"]["test"][1:], port)
    with running(server, app, environment, log):
        until(lambda: run(check, app, environment).returncode == 0, "the image says it is well")
        assert run(ready, app, environment).returncode == 0

        proxied = {"Host": files.DOMAIN, "X_Forwarded_Proto": "https"}
        status, headers, page = ask(port, "/", **proxied)
        assert status == 200
        assert headers["Strict-Transport-Security"] == f"max-age={365 * 24 * 3600}"
        (sheet, *_more) = re.findall(rb'href="(/static/[^"]+\.css)"', page)
        status, headers, _css = ask(port, sheet.decode(), **proxied)
        assert (status, headers["Cache-Control"]) == (200, "max-age=315360000, public, immutable")

        status, headers, _page = ask(port, "/", Host=files.DOMAIN)
        assert (status, headers["Location"]) == (301, f"https://{files.DOMAIN}/")
        assert ask(port, "/", Host="other.example.org", X_Forwarded_Proto="https")[0] == 400

        (app / "draining").touch()
        assert run(ready, app, environment).returncode != 0
        assert run(check, app, environment).returncode == 0


@pytest.mark.parametrize("sets", [{"SECRET_KEY": "short"}, {"SITE_HTTPS": "false"}])
def test_migration_does_not_begin_where_the_settings_are_unsafe(sets: dict[str, str]) -> None:
    described = files.compose()["services"]["migrate"]
    environment = {**os.environ, **described["environment"], "DATABASE_URL": database_url()}
    environment |= {"PATH": PATH, "DJANGO_SETTINGS_MODULE": "config.settings", **sets}
    for elsewhere in ("VAR_DIR", "DRAINING_FILE", "REDIS_URL"):
        del environment[elsewhere]
    ended = run(described["command"], files.ROOT, environment)
    assert ended.returncode == 1
    assert "(security.W" in ended.stderr
    assert "migrations" not in ended.stdout


@pytest.mark.parametrize("unit", ["duozhu-jobs", "duozhu-worker"])
def test_service_that_is_stopped_ends_the_job_in_hand(
    unit: str, tmp_path: Path, settings: Settings
) -> None:
    """The worker gets its jobs by the beat alone here, as if every wake-up was lost."""
    settings.JOBS = {**settings.JOBS, "slow": "tests.config.slow_jobs.slow"}
    environment = {**os.environ, "DATABASE_URL": database_url(), "SLOW": str(tmp_path)}
    environment |= {"DJANGO_SETTINGS_MODULE": "tests.config.slow_jobs", "VAR_DIR": str(tmp_path)}
    for name in ("REDIS_URL", "CELERY_BROKER_URL"):
        environment.pop(name, None)
        setattr(settings, name, "")
    names = [unit]
    with ExitStack() as stack:
        if unit == "duozhu-worker":
            environment["REDIS_URL"] = stack.enter_context(services.redis()).url
            names = ["duozhu-beat", unit]
        for name in names:
            (command,) = files.started(name)
            rest = [word.replace("/tmp/", f"{tmp_path}/") for word in command[1:]]
            command = [sys.executable, *rest]
            log = tmp_path / name
            process = stack.enter_context(running(command, files.ROOT, environment, log))
        job = jobs.enqueue(kind="slow", payload={})
        until((tmp_path / "begun").exists, "the job has begun")
        process.terminate()
        (tmp_path / "go").touch()
        process.wait(PATIENCE_S)
    job.refresh_from_db()
    assert (job.state, job.result, job.attempts) == (JobState.DONE, {"whole": True}, 1)


def test_compose_and_systemd_start_workers_and_beat_alike() -> None:
    described = files.compose()["services"]
    for name in ("worker", "beat"):
        (command,) = files.started(f"duozhu-{name}")
        assert command[1:] == described[name]["command"][1:]
    assert described["beat"]["command"][0] == described["worker"]["command"][0] == "python"


def test_systemd_migrates_as_compose_does_and_collects_the_static_files() -> None:
    commands = [" ".join(["python", *words[1:]]) for words in files.started("duozhu-migrate")]
    assert commands[-1] == "python manage.py collectstatic --no-input"
    line = files.compose()["services"]["migrate"]["command"][-1]
    assert line == " && ".join([*commands[:-2], f"exec {commands[-2]}"])
