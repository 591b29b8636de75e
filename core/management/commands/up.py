"""`manage.py up`: the whole site on this machine with one command."""

from __future__ import annotations

import io
import signal
import socket
import sys
import threading
import time
import urllib.request
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse

from core.domain.accounts import first_account
from core.domain.backup_files import BackupError
from core.domain.backups import make_before_upgrade
from core.supervisor import supervise

READY_WITHIN_S = 60


class Command(BaseCommand):
    """Migrates, after a backup where there is something to lose, makes the first account, starts
    web server and job runner, keeps them up."""

    help = "Starts the site: tables, first account, web server and job runner."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--port N`, `--lan` for the phones of the hall, `--demo` for sample competitions."""
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--lan", action="store_true")
        parser.add_argument("--demo", action="store_true")

    def handle(self, *args: Any, port: int, lan: bool, demo: bool, **options: Any) -> None:
        """Runs until SIGINT or SIGTERM. Raises `CommandError` where the port is taken."""
        bind = "0.0.0.0" if lan else "127.0.0.1"
        _check_port(bind, port)
        Path(settings.VAR_DIR).mkdir(parents=True, exist_ok=True)
        self._back_up()
        call_command("migrate", interactive=False, verbosity=0)
        if _static_is_old():
            call_command("collectstatic", interactive=False, verbosity=0)
        self._first_organizer()
        if demo:
            address = _lan_url(port) if lan else f"http://localhost:{port}"
            call_command("demo", address=address.rstrip("/"), stdout=self.stdout)
        connections.close_all()

        stop = threading.Event()

        def on_signal(_signal: int, _frame: FrameType | None) -> None:
            stop.set()

        signal.signal(signal.SIGINT, on_signal)
        signal.signal(signal.SIGTERM, on_signal)
        threading.Thread(target=self._greet, args=(port, lan, stop), daemon=True).start()
        supervise({"web": _web(bind, port), **_jobs()}, stop)
        self.stdout.write("已停止 / stopped")

    def _back_up(self) -> None:
        """Keeps what there is before a new version changes the tables."""
        try:
            made = make_before_upgrade()
        except BackupError as error:
            raise CommandError(
                f"升级前的备份没有做成，没有升级 / no upgrade, as no backup could be made: {error}"
            ) from error
        if made is not None:
            self.stdout.write(f"升级前已备份 / backed up before upgrading: {made.path}")
            self.stdout.flush()

    def _first_organizer(self) -> None:
        """The first account, whose password is shown this once."""
        greeting = first_account().greeting
        if greeting:
            self.stdout.write(greeting)
            self.stdout.flush()

    def _greet(self, port: int, lan: bool, stop: threading.Event) -> None:
        """Prints the address once the site answers."""
        local = f"http://127.0.0.1:{port}"
        until = time.monotonic() + READY_WITHIN_S
        while not stop.is_set() and time.monotonic() < until:
            if _answers(local + reverse("healthz")):
                break
            stop.wait(0.1)
        else:
            return
        lines = [f"舵主已启动 / Duozhu is up: http://localhost:{port}/"]
        if lan:
            url = _lan_url(port)
            lines.append(f"手机打开 / on phones of this network: {url}")
            lines.append(_terminal_qr(url))
        lines.append("停止 / stop: Ctrl-C")
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def _check_port(bind: str, port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((bind, port))
        except OSError as error:
            raise CommandError(
                f"端口 {port} 已被占用，请用 --port 换一个 / port {port} is taken, "
                f"choose another with --port ({error})"
            ) from error


def _static_is_old() -> bool:
    """Whether a static file is newer than the collected ones."""
    manifest = Path(settings.STATIC_ROOT or "") / "staticfiles.json"
    if not manifest.exists():
        return True
    collected = manifest.stat().st_mtime
    return any(
        Path(storage.path(name)).stat().st_mtime > collected
        for finder in get_finders()
        for name, storage in finder.list([])
    )


def _web(bind: str, port: int) -> list[str]:
    address = f"{bind}:{port}"
    if sys.platform == "win32":
        return [
            sys.executable, "-m", "waitress", f"--listen={address}", "--threads=8",
            "config.wsgi:application",
        ]  # fmt: skip
    config = Path(settings.BASE_DIR) / "config" / "gunicorn.py"
    return [sys.executable, "-m", "gunicorn", "--config", str(config), "--bind", address]


def _jobs() -> dict[str, list[str]]:
    """The programs that do jobs. Beat is one of its own: where it dies inside a worker, nobody
    starts it again, and with it the sweep."""
    if not settings.CELERY_BROKER_URL:
        return {"jobs": [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "runner"]}
    celery = [sys.executable, "-m", "celery", "--workdir", str(settings.BASE_DIR), "-A", "config"]
    schedule = str(Path(settings.VAR_DIR) / "celerybeat-schedule")
    said = ["--loglevel", "warning"]
    return {
        "jobs": [*celery, "worker", "--concurrency", "2", *said],
        "beat": [*celery, "beat", "--schedule", schedule, "--pidfile=", *said],
    }


def _answers(url: str) -> bool:
    # A proxy that this machine uses for the Internet knows nothing of the machine itself.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=2) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def _lan_url(port: int) -> str:
    """The first host that is neither a name nor this machine itself."""
    numeric = [host for host in settings.ALLOWED_HOSTS if host.replace(".", "").isdigit()]
    hosts = [host for host in numeric if not host.startswith("127.")]
    return f"http://{hosts[0] if hosts else socket.gethostname()}:{port}/"


def _terminal_qr(url: str) -> str:
    out = io.StringIO()
    segno.make(url, micro=False).terminal(out=out, compact=True)
    return out.getvalue()
