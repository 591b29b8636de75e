"""Archives read, changed and sealed again, for tests."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scoring.archive.package import DOCUMENT, MANIFEST, pack
from scoring.domain.archives import import_archive
from scoring.domain.hands import Entered, correct_hand, enter_hand
from scoring.domain.preliminary import close_preliminary
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import Evidence
from scoring.exports.archive import archive
from tests.scoring.preliminaries import draw_and_publish, knockout_of, make_preliminary, play_all
from tests.scoring.public_pages import published, win
from tests.scoring.records import texts
from tests.scoring.redraws import make_redraw
from tests.worlds import build
from tournament.models import Competition

SCRIPT = Path(__file__).parents[2] / "static" / "verify_archive.py"
SPEC = importlib.util.spec_from_file_location("verify_archive", SCRIPT)
assert SPEC is not None
assert SPEC.loader is not None
verify_archive = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(verify_archive)


def opened(data: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """The document and the records, as they are."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        files = {name: package.read(name).decode() for name in package.namelist()}
    files.pop(MANIFEST)
    return json.loads(files.pop(DOCUMENT)), files


def changed(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The archive with its document changed and every digest made to fit again."""
    document, records = opened(data)
    change(document)
    return pack(document, records)


def zipped(**files: str | bytes) -> io.BytesIO:
    """A zip file of these files (`_` in a name is `.`)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in files.items():
            package.writestr(name.replace("_", "."), text)
    file.seek(0)
    return file


def elsewhere(data: bytes, *, new_address: bool = False) -> Competition:
    """Read into a site where the address is free."""
    code = opened(data)[0]["parts"]["competition"][0]["code"]
    if not new_address:
        Competition.objects.filter(code=code).update(code=f"x{Competition.objects.count()}")
    return import_archive(user=None, file=io.BytesIO(data), new_address=new_address)


def run(path: Path) -> subprocess.CompletedProcess[str]:
    """The script as people run it."""
    return subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(path)],
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONUTF8": "1"},
        timeout=60,
        check=False,
    )


def full(competition: Competition) -> bytes:
    """The archive with personal data."""
    return archive(competition, is_full=True)


def with_preliminary() -> Competition:
    """Nine entrants, a preliminary played and closed, the knock-out after it played."""
    made = make_preliminary(9)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    after = knockout_of(made)
    draw_and_publish(after)
    play_all(after)
    return made.competition


def with_redraw() -> Competition:
    """Ten entrants in a redraw, two rounds played."""
    redrawn = make_redraw(10)
    for number in (1, 2):
        redrawn.draw()
        redrawn.publish()
        redrawn.play_round(number)
    return redrawn.made.competition


def with_record() -> Competition:
    """A table whose first hand is a record, corrected once: two versions, two records."""
    made = published(3)
    sheet = open_sheet(made.tables(1)[0])
    first, second = texts(2)
    entered = [Entered(Evidence.RECORD, {"text": text}) for text in (first, second)]
    version = enter_hand(acting=made.owner, sheet=sheet, entered=entered[0])
    correct_hand(acting=made.owner, hand=version.hand, entered=entered[1])
    win(made, sheet, "甲")
    submit_sheet(acting=made.owner, sheet=sheet)
    return made.competition


def with_state(state: str) -> Callable[[], Competition]:
    """A competition of tests/worlds.py."""
    return lambda: build(state).competition


WORLDS: dict[str, Callable[[], Competition]] = {
    "planned": with_state("planned"),
    "submitted": with_state("submitted"),
    "final": with_state("final"),
    "preliminary": with_preliminary,
    "redraw": with_redraw,
    "record": with_record,
}
