"""Another site on this machine: a folder and an empty database of its own, in other processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql

from tests.serving import HOST, ROOT

FOREIGN = ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "VAR_DIR", "DEBUG", "BACKUP_DIR")


@dataclass(frozen=True)
class Other:
    """Where it is."""

    folder: Path
    url: str

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of `manage.py` there."""
        known = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *words],
            cwd=ROOT,
            env=known
            | {
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                "VAR_DIR": str(self.folder),
                "DATABASE_URL": self.url,
            },
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def manage(self, *words: str) -> list[str]:
        """The lines that a command says which has to succeed."""
        ended = self.run(*words)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.splitlines()

    def told(self, *calls: str) -> list[Any]:
        """What functions of `tests.faults.told` give there, called as written."""
        given = ", ".join(f"told.{call}" for call in calls)
        code = f"import json; from tests.faults import told; print(json.dumps([{given}]))"
        found = json.loads(self.manage("shell", "--no-imports", "-c", code)[-1])
        assert isinstance(found, list)
        return found


@contextmanager
def other_site(vendor: str, folder: Path) -> Iterator[Other]:
    """One with an empty database: a file in `folder`, or one on the server of this test."""
    folder.mkdir()
    if vendor == "sqlite":
        yield Other(folder, f"sqlite:///{folder / 'db.sqlite3'}")
        return
    given = connection.settings_dict
    name = f"{given['NAME']}_{folder.name}"
    place = f"{given['HOST'] or HOST}:{given['PORT'] or 5432}"
    server = f"postgres://{given['USER']}:{given['PASSWORD']}@{place}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as control:
        control.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield Other(folder, f"{server}/{name}")
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            control.execute(drop.format(sql.Identifier(name)))
