"""Public pages bring no script and no style in themselves: `script-src 'self'` holds (stack.md)."""

from __future__ import annotations

import re

import pytest

from scoring.domain.sheets import open_sheet
from tests.scoring.public_pages import play_sheet, published, stranger, win
from tests.scoring.test_views_public_leaks import asked

pytestmark = pytest.mark.django_db

INLINE = re.compile(
    r"<script(?![^>]*\ssrc=)[^>]*>|<style\b|<[a-z][^>]*\s(?:on[a-z]+|style)\s*=|javascript:", re.I
)


def test_no_public_page_or_fragment_has_anything_inline() -> None:
    made = published(9)
    play_sheet(made, made.tables(1)[0])
    win(made, open_sheet(made.tables(1)[1]), "甲")
    pages = 0
    for name, path in asked(made):
        answer = stranger(path)
        if answer.status_code == 200 and "html" in answer.headers["Content-Type"]:
            pages += 1
            assert INLINE.findall(answer.content.decode()) == [], (name, path)
    assert pages > 50
