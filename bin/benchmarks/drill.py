"""Backup and restore of a competition that was played to its end, on SQLite and PostgreSQL.

Each restores the other's backup and its own into an empty database, in processes of their own, so
the seconds are those that pass for an operator, the start of Python included. The digests that come
back have to be the backup's, else it ends there. `DRILL_ENTRANTS=729` plays a
larger one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from random import Random

from benchmarks.measure import ROOT, Figure
from benchmarks.web import _environment, empty_database

ENTRANTS = int(os.environ.get("DRILL_ENTRANTS", "243"))
HANDS = 20
UPLOADS, BYTES = 20, 500_000
"""Files beside the rows, as books in PDF are."""
RESTORED = "duozhu_drill"


def run() -> Iterator[Figure]:
    """All figures, database by database."""
    asked = os.environ.get("DATABASE_URL", "")
    has_server = asked.startswith("postgres")
    with tempfile.TemporaryDirectory() as place:
        sites = {"SQLite": _environment(_folder(place, "sqlite"), "")}
        if has_server:
            url = asked.rsplit("/", 1)[0] + "/duozhu_bench"
            empty_database(asked, "duozhu_bench")
            sites["PostgreSQL"] = _environment(_folder(place, "postgresql"), url)
        first = sites["SQLite"]
        _manage(first, "migrate", "-v0")
        subprocess.run([sys.executable, "-m", "benchmarks.drill"], env=first, check=True)
        backup, digest = yield from _backup("SQLite", first)
        if has_server:
            yield from _restore("SQLite", "PostgreSQL", sites["PostgreSQL"], backup, digest)
            backups = {"SQLite": backup}
            backups["PostgreSQL"], same = yield from _backup("PostgreSQL", sites["PostgreSQL"])
            assert same == digest
            again = asked.rsplit("/", 1)[0] + f"/{RESTORED}"
            empty_database(asked, RESTORED)
            env = _environment(_folder(place, "again"), again)
            yield from _restore("PostgreSQL", "PostgreSQL", env, backups["PostgreSQL"], digest)
            env = _environment(_folder(place, "moved"), "")
            yield from _restore("PostgreSQL", "SQLite", env, backups["PostgreSQL"], digest)
        env = _environment(_folder(place, "own"), "")
        yield from _restore("SQLite", "SQLite", env, backup, digest)


def _folder(place: str, name: str) -> Path:
    folder = Path(place) / name
    folder.mkdir()
    return folder


def _manage(env: Mapping[str, str], *words: str) -> list[str]:
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def _backup(name: str, env: Mapping[str, str]) -> Generator[Figure, None, tuple[str, str]]:
    """Makes one; the path and digest are what it returns."""
    began = time.perf_counter()
    path, _rows, digest = _manage(env, "backup")
    seconds = time.perf_counter() - began
    yield f"{name}: backup", seconds, "s"
    yield f"{name}: size of the backup", Path(path).stat().st_size / 1e6, "MB"
    with zipfile.ZipFile(path) as package:
        tables = json.loads(package.read("manifest.json"))["tables"]
    yield f"{name}: rows", sum(one["rows"] for one in tables.values()), ""
    return path, digest.split()[-1]


def _restore(
    source: str, name: str, env: Mapping[str, str], path: str, digest: str
) -> Iterator[Figure]:
    began = time.perf_counter()
    _manage(env, "migrate", "-v0")
    yield f"{source} → {name}: making the tables", time.perf_counter() - began, "s"
    began = time.perf_counter()
    _manage(env, "restore", path)
    yield f"{source} → {name}: restore", time.perf_counter() - began, "s"
    assert _manage(env, "digest") == [digest]


def _make() -> None:
    """A competition in which every table of every round has played its hands and is confirmed."""
    from django.conf import settings
    from django.db import connection

    from core.models import Job
    from scoring.domain.board import Board
    from scoring.domain.hands import Entered, enter_hand
    from scoring.domain.sheets import confirm_sheet, open_sheets, submit_sheet
    from scoring.enums import Evidence
    from tournament.domain.draws import publish_draw
    from tournament.models import Competition, Table

    world.ENTRANTS, world.HANDS = ENTRANTS, HANDS
    world.make()
    competition = Competition.objects.get()
    acting, stage = world.owner(competition), competition.events.get().stages.get()
    publish_draw(acting=acting, stage=stage)
    for round_ in stage.rounds.order_by("number"):
        tables = Table.objects.filter(round=round_).select_related(
            "round__stage__event__competition"
        )
        for sheet in open_sheets(list(tables.order_by("number"))):
            for number in range(sheet.hands_planned):
                winner = "甲甲甲甲甲甲乙乙乙丙"[number % 10]
                line = {**world.LINE, "winner": winner, "xing_count": 3 - "甲乙丙".index(winner)}
                enter_hand(acting=acting, sheet=sheet, entered=Entered(Evidence.RESULT, line))
            submit_sheet(acting=acting, sheet=sheet)
            confirm_sheet(acting=acting, sheet=sheet, digest=Board(sheet).digest)
    assert set(stage.rounds.values_list("state", flat=True)) <= {"confirmed", "final"}
    random = Random(7)
    books = Path(settings.MEDIA_ROOT) / "books"
    books.mkdir(parents=True)
    for number in range(UPLOADS):
        (books / f"{number}.pdf").write_bytes(random.randbytes(BYTES))
    assert Job.objects.exists()
    connection.close()


if __name__ == "__main__":
    from benchmarks import web_world as world

    _make()
