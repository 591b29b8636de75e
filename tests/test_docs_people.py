"""docs/organizer.md, referee.md and player.md say what the pages say.

In these three, bold words stand on a page letter by letter, `/…` is an address, and every
command is one that runs.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import resolve

ROOT = Path(__file__).resolve().parents[1]
DOCS = {name: (ROOT / f"docs/{name}.md") for name in ("organizer", "referee", "player")}
NOT_ON_A_PAGE = {"粗体", "之前", "在网页上", "不信这个网站", "在开站的电脑上", "抽签公不公平",
                 "一手牌算得对不对"}  # fmt: skip
"""Bold for the reader's sake."""
EXPLAINED = {"舵", "醒", "›"}
"""Words of the game, bold where they are explained."""


@pytest.fixture(params=DOCS, scope="module")
def page(request) -> str:
    return DOCS[request.param].read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site() -> str:
    """All text that pages are made from: templates, sentences in code, scripts."""
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static/js").glob("*.js")]
    for app in ("core", "scoring", "tournament", "engine"):
        files += (ROOT / app).rglob("*.py")
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def bold(page: str) -> set[str]:
    return set(re.findall(r"\*\*(.+?)\*\*", page)) - NOT_ON_A_PAGE - EXPLAINED


def stands_alone(word: str, site: str) -> bool:
    """Whether the word is a whole label or sentence somewhere, not a part of a longer one."""
    return bool(re.search(rf"(?<![\u4e00-\u9fff]){re.escape(word)}(?![\u4e00-\u9fff])", site))


def codes(page: str) -> list[str]:
    return re.findall(r"`([^`]+)`", page)


def test_bold_words_stand_on_a_page(page, site):
    words = bold(page)
    assert len(words) > 10
    assert sorted(word for word in words if not stands_alone(word, site)) == []


def test_addresses_exist(page):
    for address in (code for code in codes(page) if code.startswith("/")):
        code, *numbers = ["abc234", *["1"] * address.count("…")][: address.count("…")] or [""]
        filled = address
        for value in (code, *numbers):
            filled = filled.replace("…", value, 1)
        assert resolve(filled).url_name, address


def test_commands_exist(page):
    engine = subprocess.run(
        [sys.executable, "-m", "engine", "--help"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    serve = (ROOT / "bin/serve").read_text(encoding="utf-8")
    for code in codes(page):
        if found := re.search(r"manage\.py (\w+)", code):
            assert found[1] in get_commands()
        if found := re.search(r"python3 -m engine (\w+)", code):
            assert re.search(rf"^ +{found[1]} ", engine, re.M)
        if found := re.search(r"python3 (\w+\.py)", code):
            assert (ROOT / "static" / found[1]).exists()
        if code.startswith("bin/") or code.startswith("--"):
            assert (ROOT / "bin/serve").exists()
            for option in re.findall(r"--\w+", code):
                assert f'"{option}"' in serve


def test_links_lead_to_files_and_headings(page):
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", page)
    assert links
    for name, heading in links:
        target = ROOT / "docs" / name
        assert target.exists(), name
        if heading:
            heads = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.M)
            assert heading in [head.lower().replace(" ", "-") for head in heads]


def test_an_english_abstract_stands_on_top(page):
    top = page.split("\n## ", 1)[0]
    assert re.search(r"^\*In short: [^*]{100,}\*$", top, re.M | re.S)
