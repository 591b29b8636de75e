"""The drill: a day that was played is backed up while hands come in, and restored elsewhere."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from core.domain import jobs
from core.domain.backups import make_backup
from core.enums import BackupWhy
from core.models import Job
from scoring.domain.hands import Entered, enter_hand
from scoring.domain.sheets import open_sheet
from scoring.domain.uploads import upload_records
from scoring.enums import Evidence
from scoring.models import Sheet
from tests.faults import told
from tests.faults.other_site import other_site
from tests.folders import own_folders as own_folders
from tests.scoring.records import texts
from tests.serving import until
from tests.tournament.competitions import Made, draw, make
from tests.worlds import WIN, build
from tournament.domain.draws import publish_draw

BEFORE, AFTER = 9, 3
"""Hands that must have been entered before the backup begins, and after it has ended."""


@pytest.mark.django_db(transaction=True)
def test_a_day_backed_up_while_hands_come_in_is_restored_whole_on_every_database(
    settings: Settings, tmp_path: Path
) -> None:
    world = build("final")
    for job in Job.objects.filter(kind="seal"):
        assert jobs.run(job.pk)
    upload = upload_records(
        acting=world.made.owner,
        competition=world.competition,
        name="决赛.zpr",
        file=io.BytesIO("\n\n".join(texts(5)).encode()),
    )
    running = _at_three_tables()
    session = world.clients["O"].cookies["sessionid"].value

    with _hands_coming_in(running) as acknowledged:
        before = list(acknowledged)
        made = make_backup(why=BackupWhy.MANUAL)
        enough = len(acknowledged) + AFTER
        until(lambda: len(acknowledged) >= enough, "hands after the backup")
    played = told.of(world.competition.code, session)
    assert played["fault"] is None
    assert len(played["seals"]) >= 2
    assert played["draws"] == [[200, 0]]
    assert len(played["standings"][0]) == 9
    assert [played["bracket"][0], played["owner"]] == [200, 200]

    path, digest = str(made.path), made.manifest["digest"]
    vendors = ["sqlite"] if connection.vendor == "sqlite" else ["sqlite", "postgresql"]
    for number, vendor in enumerate(vendors):
        with other_site(vendor, tmp_path / f"{vendor}{number}") as other:
            assert other.manage("restore", path)[-1] == f"校验值 {digest}"
            same, hands, found = other.told(
                f"of({world.competition.code!r}, {session!r})",
                f"hands({running.competition.code!r})",
                "digest()",
            )
            assert same == played
            assert found == digest
            _check_hands(hands, before, acknowledged)
            # The next database is filled from what a backup of this one holds.
            path, rows, again = other.manage("backup", "--to", str(tmp_path))
            assert again == f"校验值 {digest}"
            assert "，1 个文件，" in rows
            assert other.told(f"run_job({upload.pk})")[0][0] == "done"


def _check_hands(found: dict[str, Any], before: list[int], all_acknowledged: list[int]) -> None:
    """What was acknowledged before the backup is there, each hand whole, none out of turn."""
    assert set(before) <= set(found["ids"])
    assert set(found["ids"]) <= set(all_acknowledged)
    assert len(found["ids"]) == found["versions"] == found["audited"]
    assert [len(one) for one in found["numbers"]] == [one[-1] for one in found["numbers"]]


def _at_three_tables() -> Made:
    made = make(9)
    made.stage.hands = 5000
    made.stage.save()
    draw(made)
    publish_draw(acting=made.owner, stage=made.stage)
    return made


@contextmanager
def _hands_coming_in(made: Made) -> Iterator[list[int]]:
    """Every table enters hands until the block ends; the ids of those that were acknowledged."""
    acknowledged: list[int] = []
    ended = threading.Event()

    def enter(sheet: Sheet) -> None:
        try:
            while not ended.is_set():
                entered = Entered(Evidence.RESULT, WIN)
                version = enter_hand(acting=made.owner, sheet=sheet, entered=entered)
                acknowledged.append(version.hand_id)
        finally:
            connection.close()

    sheets = [open_sheet(table) for table in made.tables(1)]
    with ThreadPoolExecutor(len(sheets)) as pool:
        tables = [pool.submit(enter, sheet) for sheet in sheets]
        try:
            until(lambda: len(acknowledged) >= BEFORE, "the first hands")
            yield acknowledged
        finally:
            ended.set()
        for table in tables:
            table.result()
