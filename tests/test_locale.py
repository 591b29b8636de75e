"""Everything people read stands in English too, complete and in step with the Chinese."""

from __future__ import annotations

import ast
import importlib.util
import re
from html.parser import HTMLParser
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import polib
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    make_competition,
    make_entrant,
    make_event,
    make_hand,
    make_round,
    make_sheet,
    make_stage,
    make_table,
)
from tournament.enums import State

ROOT = Path(__file__).resolve().parents[1]
PO = ROOT / "locale/en/LC_MESSAGES/django.po"

TERMS = set("舵胡醒荒")
"""What English texts call by the game's own characters (`docs/architecture.md`, languages)."""

EXAMPLES = set("四捌八吃二七十碰九扫壹字牌谱")
"""Cards, melds and the first line of a record, where a text shows what to type."""

OF_RULES = set("天地三笼五坎上中下听臭牌碰吃扫龙一十")
"""Terms and cards in the English of the rules' options (`engine/options.py`)."""

CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff01-\uff65]+")
VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


def _bin_messages() -> ModuleType:
    loader = SourceFileLoader("bin_messages", str(ROOT / "bin/messages"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _english(entry: polib.POEntry) -> list[str]:
    return [str(text) for text in (entry.msgstr_plural or {0: entry.msgstr}).values()]


def _foreign(text: str) -> set[str]:
    return set("".join(CHINESE.findall(text)))


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[-+0-9.]*[a-z]|\{\w+\}", text))


class Visible(HTMLParser):
    """The words of a page that people see or hear, but for those marked as Chinese."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[tuple[str, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_left_out = tag in ("script", "style") or (given.get("lang") or "").startswith("zh")
        if not is_left_out and not self._is_left_out():
            self.words += [
                given.get(name) or ""
                for name in ("aria-label", "alt", "title", "placeholder", "data-fresh")
            ]
        if tag not in VOID:
            self.open.append((tag, is_left_out))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._is_left_out():
            self.words.append(data)

    def _is_left_out(self) -> bool:
        return any(left_out for _tag, left_out in self.open)


def _chinese_of(url: str) -> list[str]:
    """The Chinese that somebody reads on a page asked for in English."""
    response = Client(headers={"accept-language": "en"}).get(url)
    assert response.status_code == 200
    html = response.content.decode()
    assert '<html lang="en"' in html
    return [text.strip() for text in Visible(html).words if _foreign(text) - TERMS - OF_RULES]


def test_catalogue_holds_every_text_translated_and_compiled() -> None:
    """What `bin/messages --check` says; after a new text: `bin/messages`, then translate it."""
    messages = _bin_messages()
    found = messages.collect()
    assert len(found) > 1000
    assert messages.faults(found) == []


def test_texts_are_called_by_names_that_are_collected() -> None:
    """`gettext as _now` would leave its texts out of the catalogue."""
    messages = _bin_messages()
    named = re.compile(r"\w*gettext\w* as (\w+)")
    wrong = [
        path.relative_to(ROOT).as_posix()
        for folder in messages.SOURCES
        for path in (ROOT / folder).rglob("*.py")
        for name in named.findall(path.read_text(encoding="utf-8"))
        if name not in messages.KEYWORDS
    ]
    assert wrong == []


def test_texts_stand_outside_of_formatted_strings() -> None:
    """`f"{_('…')}"` is not collected by every Python; one that stands elsewhere too may be."""
    messages = _bin_messages()
    collected = {text for _context, text, _plural in messages.collect()}
    wrong = [
        (path.relative_to(ROOT).as_posix(), text.value)
        for folder in ("config", "core", "scoring", "tournament")
        for path in (ROOT / folder).rglob("*.py")
        for outer in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(outer, ast.JoinedStr)
        for call in ast.walk(outer)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in messages.KEYWORDS
        for text in call.args
        if isinstance(text, ast.Constant) and text.value not in collected
    ]
    assert wrong == []


def test_compiled_catalogue_equals_the_written_one() -> None:
    written = {(e.msgctxt, e.msgid): _english(e) for e in polib.pofile(str(PO))}
    compiled = polib.mofile(str(PO.with_suffix(".mo")))
    assert {(e.msgctxt, e.msgid): _english(e) for e in compiled} == written


def test_placeholders_are_those_of_the_chinese() -> None:
    """A value the Chinese names is in the English too, written the same way."""
    wrong = [
        (entry.msgid, text)
        for entry in polib.pofile(str(PO))
        for text in _english(entry)
        if _placeholders(text) != _placeholders(entry.msgid)
    ]
    assert wrong == []


def test_english_texts_hold_no_chinese_but_terms_and_examples() -> None:
    wrong = [
        text
        for entry in polib.pofile(str(PO))
        for text in _english(entry)
        if _foreign(text) - TERMS - EXAMPLES
    ]
    assert wrong == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["home", "login"])
def test_page_in_english_shows_no_chinese(name: str) -> None:
    make_competition(name="Li River Cup", published_at=timezone.now())
    assert _chinese_of(reverse(name)) == []


@pytest.mark.django_db
def test_competition_in_english_shows_no_chinese() -> None:
    """Every public page of a competition whose own names are Latin ones."""
    competition = make_competition(
        name="Li River Cup", place="Guilin", about="Everybody is welcome.",
        published_at=timezone.now(),
    )  # fmt: skip
    event = make_event(competition, name="Individual")
    round_ = make_round(make_stage(event), state=State.PUBLISHED, is_last=True)
    entrants = [make_entrant(event, name, unit="Hill") for name in ("Mo Jia", "Qin Ming")]
    table = make_table(round_, entrants=[*entrants, None])
    make_hand(make_sheet(table), 4, -2, -2)
    code = competition.code
    for name, *args in (
        ("competition",),
        ("entrants",),
        ("bracket", event.pk),
        ("standings", event.pk),
        ("table", table.pk),
        ("entrant", entrants[0].pk),
    ):
        assert (name, _chinese_of(reverse(name, args=[code, *args]))) == (name, [])
