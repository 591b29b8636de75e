"""docs/security.md names files and tests that exist, and limits that are the code's."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from core import refusals
from core.api import reading as api
from core.domain import throttle
from scoring.archive import package
from scoring.domain import uploads
from tournament.pairing import document
from tournament.sheets import reading, unpacking

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs/security.md").read_text(encoding="utf-8")
MB = 1024 * 1024


def test_files_and_tests_that_it_names_exist() -> None:
    named = re.findall(
        r"`((?:bin|config|core|scoring|static|tests|tournament)/[\w./-]+)(?:::(\w+))?`", TEXT
    )
    assert len(named) > 60
    missing = [
        f"{path}::{test}"
        for path, test in named
        if not (ROOT / path).is_file()
        or (test and f"def {test}(" not in (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert not missing


def test_links_of_it_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([\w./-]+)\)", TEXT):
        assert (ROOT / "docs" / link).is_file(), link


def test_every_kind_of_attacker_says_what_remains_or_has_nothing_left() -> None:
    heads = re.findall(r"^### (.+)$", TEXT, re.MULTILINE)
    assert len(heads) == 9
    parts = dict(zip(heads, re.split(r"^### .+$", TEXT, flags=re.MULTILINE)[1:], strict=True))
    without = [head for head, part in parts.items() if "**Remains.**" not in part]
    assert without == ["An organizer of another competition", "The operator"]


def test_limits_are_those_of_the_code() -> None:
    assert refusals.MOST_BODY == 40_000_000
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == 2.5 * MB
    assert (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS, settings.DATA_UPLOAD_MAX_NUMBER_FILES) == (
        10_000,
        100,
    )
    assert (reading.MOST_BYTES, reading.MOST_COLUMNS) == (5 * MB, 60)
    assert (unpacking.MOST_UNPACKED, unpacking.MOST_PARTS) == (48 * MB, 500)
    assert (unpacking.MOST_SHEETS, unpacking.MOST_IN_LINES) == (200, 1_000_000)
    assert unpacking.MOST_ELSEWHERE == 60_000
    assert (package.MOST_BYTES, package.MOST_UNPACKED) == (32_000_000, 96_000_000)
    assert (package.MOST_DOCUMENT, package.MOST_LISTS) == (64_000_000, 1_000_000)
    assert (package.MOST_FILES, package.MOST_A_RECORD) == (50_000, 200_000)
    assert (document.MAX_BYTES, document.MOST_LISTS) == (8_000_000, 200_000)
    assert (api.MOST_BYTES, api.MOST_DEPTH) == (512 * 1024, 12)
    assert uploads.LIMIT_BYTES == 10 * MB
    assert (throttle.MOST, throttle.WITHIN.total_seconds()) == (8, 900)
