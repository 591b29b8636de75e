"""The image, the services of compose and the units of systemd say what the code does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from core.supervisor import STOP_WITHIN_S
from tests.config import deployment as files

GUNICORN = ["-m", "gunicorn", "--config", "config/gunicorn.py"]
SITE = ("migrate", "web1", "web2", "worker", "beat")
NOT_IN_THE_IMAGE = {"bin", "docs", "tests"}
HARDENED = {
    "NoNewPrivileges": "yes",
    "PrivateTmp": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "CapabilityBoundingSet": "",
}


def gunicorn_config() -> dict[str, Any]:
    """`config/gunicorn.py` as gunicorn itself reads it."""
    show = [sys.executable, *GUNICORN, "--print-config"]
    with tempfile.TemporaryDirectory() as counts:
        environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": counts}
        environment.pop("WEB_CONCURRENCY", None)
        ended = subprocess.run(
            show, cwd=files.ROOT, env=environment, capture_output=True, text=True, check=True
        )
    return dict(re.findall(r"^(\w+)\s+= (.*)$", ended.stdout, re.M))


def pythons() -> tuple[tuple[int, int], set[tuple[int, int]]]:
    """The oldest Python the project runs on, and those it says it is tested with."""
    text = (files.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    oldest = re.search(r'requires-python = ">=(\d+)\.(\d+)"', text)
    assert oldest
    tested = re.findall(r"Programming Language :: Python :: (\d+)\.(\d+)", text)
    return (int(oldest[1]), int(oldest[2])), {(int(a), int(b)) for a, b in tested}


def test_image_has_a_python_that_the_project_is_tested_with() -> None:
    (base,) = files.of("FROM")
    found = re.fullmatch(r"python:(\d+)\.(\d+)-slim-[a-z]+", base)
    assert found
    version = (int(found[1]), int(found[2]))
    oldest, tested = pythons()
    assert version >= oldest
    assert version in tested


def test_image_installs_what_is_locked_by_hash_and_runs_as_nobody_in_particular() -> None:
    assert 'pip install --require-hashes -r "$REQUIREMENTS"' in files.of("RUN")
    assert files.of("ARG") == ["REQUIREMENTS=requirements.txt"]
    copied = {name for rest in files.of("COPY") for name in rest.split()[:-1]}
    assert {"requirements.txt", "requirements-pdf.txt"} <= copied
    assert files.of("USER") == ["duozhu"]
    names = [name for name, _rest in files.instructions()]
    assert names.index("USER") > max(at for at, name in enumerate(names) if name == "RUN")


def test_image_holds_no_secret() -> None:
    assert set(files.image_environment()) <= {
        "PYTHONUNBUFFERED", "PIP_NO_CACHE_DIR", "PIP_DISABLE_PIP_VERSION_CHECK",
        "STATIC_ROOT", "VAR_DIR",
    }  # fmt: skip
    text = (files.ROOT / "compose.yaml").read_text(encoding="utf-8")
    secrets = re.findall(r"(SECRET_KEY|\w*PASSWORD|\w*TOKEN|EMAIL_URL): (\S+)", text)
    assert len(secrets) == 4
    assert all(value.startswith("${") for _name, value in secrets)
    for name in ("compose.env", "duozhu.env"):
        assert files.example(name)["SECRET_KEY"] == ""


def test_image_takes_every_part_of_the_site_and_nothing_else() -> None:
    """A new folder beside the others has to be put on the list, or be named here."""
    folders = {
        path.name
        for path in files.ROOT.iterdir()
        if path.is_dir() and not path.name.startswith(".") and (path / "__init__.py").exists()
    }
    folders |= {"templates", "static", "locale"}
    assert {name for name in folders if not files.is_in_image(f"{name}/x")} <= NOT_IN_THE_IMAGE
    for left_out in (
        ".git/config", ".venv/bin/python", ".env", "var/db.sqlite3", "var/secret",
        "staticfiles/staticfiles.json", "tests/settings.py", "core/__pycache__/x.cpython-311.pyc",
    ):  # fmt: skip
        assert not files.is_in_image(left_out), left_out
    for taken in ("manage.py", "pyproject.toml", "requirements.txt", "LICENSE", "core/urls.py"):
        assert files.is_in_image(taken), taken


def test_translations_of_the_image_are_the_compiled_ones() -> None:
    """No gettext is installed there."""
    folder = files.ROOT / "locale" / "en" / "LC_MESSAGES"
    assert [path.name for path in sorted(folder.iterdir())] == ["django.mo", "django.po"]
    assert files.is_in_image("locale/en/LC_MESSAGES/django.mo")


def test_all_ways_start_the_same_server() -> None:
    services = files.compose()["services"]
    listen = ["--bind", "0.0.0.0:8000"]
    assert files.image_command() == ["python", *GUNICORN, *listen]
    assert services["web1"]["command"] == services["web2"]["command"] == files.image_command()
    (command,) = files.started("duozhu-web")
    assert command[1:] == GUNICORN


def test_nothing_is_cut_off_before_its_graceful_end() -> None:
    graceful = int(gunicorn_config()["graceful_timeout"])
    services = files.compose()["services"]
    assert graceful < STOP_WITHIN_S  # of `manage.py up`
    for name in ("web1", "web2"):
        assert files.seconds(services[name]["stop_grace_period"]) > graceful
    assert files.seconds(files.unit("duozhu-web.service")["Service"]["TimeoutStopSec"]) > graceful
    # A job that is cut off is taken over when its lease has run out; waiting longer is in vain.
    for name in ("duozhu-jobs", "duozhu-worker"):
        wait = files.seconds(files.unit(f"{name}.service")["Service"]["TimeoutStopSec"])
        assert wait == settings.JOB_LEASE_S
    assert files.seconds(services["worker"]["stop_grace_period"]) == settings.JOB_LEASE_S


def test_proxy_lets_go_of_connections_before_the_server_does() -> None:
    caddy = (files.DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    found = re.search(r"keepalive (\d+)s", caddy)
    assert found
    assert int(found[1]) < int(gunicorn_config()["keepalive"])


def test_compose_sets_only_what_the_site_reads() -> None:
    services = files.compose()["services"]
    read = files.settings_variables() | files.gunicorn_variables()
    for name in SITE:
        assert set(services[name]["environment"]) <= read, name
    assert set(files.example("duozhu.env")) <= read


def test_everything_compose_asks_for_is_in_the_example() -> None:
    text = (files.ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{(\w+)", text)) == set(files.example("compose.env"))


@pytest.mark.parametrize("missing", sorted(files.FILLED))
def test_compose_refuses_to_start_without(missing: str) -> None:
    with pytest.raises(AssertionError, match=f"{missing} is not set"):
        files.compose({name: value for name, value in files.FILLED.items() if name != missing})


def test_services_of_compose_wait_for_each_other_and_lead_nowhere_wrong() -> None:
    whole = files.compose()
    services, volumes = whole["services"], set(whole["volumes"])
    used = set()
    for name, service in services.items():
        for other, how in service.get("depends_on", {}).items():
            assert other in services, name
            if how["condition"] == "service_healthy":
                assert "test" in services[other]["healthcheck"], (name, other)
            if how["condition"] == "service_completed_successfully":
                assert services[other]["restart"] == "no", (name, other)
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (files.ROOT / source).is_file()
            else:
                used.add(source)
    assert used == volumes
    # What the image says of its health is asked of the web server alone.
    assert all("healthcheck" in services[name] for name in SITE)
    # Only the proxy can be reached from outside.
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert services["proxy"]["environment"]["UPSTREAMS"] == "web1:8000 web2:8000"


def test_images_of_compose_are_pinned_to_a_version_that_django_knows() -> None:
    services = files.compose()["services"]
    others = {name: service["image"] for name, service in services.items() if name not in SITE}
    assert all(re.fullmatch(r"[a-z]+:\d+(\.\d+)*(-[a-z]+)?", image) for image in others.values())
    major = int(re.findall(r"\d+", others["db"])[0])
    from django.db.backends.postgresql.features import DatabaseFeatures

    assert (major,) >= DatabaseFeatures.minimum_database_version
    assert services["db"]["environment"]["POSTGRES_DB"] == "duozhu"


def test_postgresql_of_compose_has_connections_for_every_pool() -> None:
    """Each process has a pool of its own; some are left for a backup and for whoever looks."""
    services = files.compose()["services"]
    source = (files.ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    (pool,) = map(int, re.findall(r'"max_size": (\d+)', source))
    processes = 2 * int(services["web1"]["environment"]["WEB_CONCURRENCY"])
    worker = services["worker"]["command"]
    processes += int(worker[worker.index("--concurrency") + 1]) + 1
    allowed = re.search(r"max_connections=(\d+)", " ".join(services["db"]["command"]))
    assert allowed
    assert processes * pool + 10 <= int(allowed[1])


@pytest.mark.parametrize("name", files.SERVICES)
def test_unit_is_hardened_and_writes_only_where_the_site_does(name: str) -> None:
    service = files.unit(f"{name}.service")["Service"]
    assert {key: service[key] for key in HARDENED} == HARDENED
    assert service["User"] == service["Group"] == "duozhu"
    assert service["EnvironmentFile"] == "/etc/duozhu.env"
    environment = files.filled("duozhu.env")
    state = f"/var/lib/{service['StateDirectory']}"
    assert environment["VAR_DIR"] == state
    assert environment["STATIC_ROOT"].startswith(f"{state}/")


@pytest.mark.parametrize("name", files.SERVICES)
def test_unit_is_started_again_and_calls_what_is_there(name: str) -> None:
    service = files.unit(f"{name}.service")["Service"]
    assert service.get("Restart") == (None if service.get("Type") == "oneshot" else "always")
    for command in files.started(name):
        assert command[0] == f"{service['WorkingDirectory']}/.venv/bin/python"
        if command[1] == "-m":
            assert command[2] in ("gunicorn", "celery")
        else:
            assert (files.ROOT / command[1]).is_file()


def test_web_unit_is_given_its_socket_and_reloads_by_a_signal() -> None:
    web, socket = files.unit("duozhu-web.service"), files.unit("duozhu-web.socket")
    assert "duozhu-web.socket" in web["Unit"]["Requires"].split()
    assert "duozhu-web.socket" in web["Unit"]["After"].split()
    assert web["Service"]["ExecReload"] == "/bin/kill -s HUP $MAINPID"
    caddy = (files.DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert f"{{$UPSTREAMS:{socket['Socket']['ListenStream']}}}" in caddy


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd is installed")
def test_systemd_understands_every_word_of_the_units(tmp_path: Path) -> None:
    """With the paths of this machine in place of the documented ones."""
    (tmp_path / "env").touch()
    units = []
    for path in [*files.UNITS, *files.DEPLOY.glob("*.socket")]:
        text = path.read_text(encoding="utf-8")
        text = text.replace("/srv/duozhu/current/.venv/bin/python", sys.executable)
        text = text.replace("/srv/duozhu/current", str(files.ROOT))
        text = text.replace("/etc/duozhu.env", str(tmp_path / "env"))
        assert "/srv/" not in text.replace(str(files.ROOT), "")
        units.append(tmp_path / path.name)
        units[-1].write_text(text, encoding="utf-8")
    ended = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *map(str, units)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")
