"""The look: contrast, card faces, and every partial rendered with the style guide's sample data."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from core.templatetags.look import signed, when
from core.views.errors import ABSENT, BROKEN, Fault
from engine.errors import ZipaiError
from scoring.templatetags import zipai
from scoring.views.styleguide import sample_context, styleguide

ROOT = Path(__file__).resolve().parent.parent
CSS = ROOT / "static" / "css"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCHEMES = ("light", "dark")
TEXT = 7.0
CONTROL = 3.0


def _tokens() -> dict[str, dict[str, str]]:
    """The colours of tokens.css by scheme; the dark ones stand over the light."""
    css = (CSS / "tokens.css").read_text(encoding="utf-8")
    light, dark = css.split("@media (prefers-color-scheme: dark)")
    pattern = re.compile(r"--([a-z0-9-]+): (#[0-9A-F]{6});")
    first = dict(pattern.findall(light))
    return {"light": first, "dark": {**first, **dict(pattern.findall(dark))}}


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    """WCAG 2's contrast ratio, 1…21."""
    dim, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


def test_contrast_of_black_on_white_is_21() -> None:
    assert _contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", ["paper", "paper-2"])
@pytest.mark.parametrize("text", ["ink", "ink-2", "red", "ok", "warn", "bad"])
def test_text_stands_out_from_its_paper_by_7(scheme: str, ground: str, text: str) -> None:
    tokens = _tokens()[scheme]
    assert _contrast(tokens[text], tokens[ground]) >= TEXT


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("text", "ground"), [("card-ink", "card-face"), ("card-red", "card-face"), ("on-red", "red")]
)
def test_cards_and_the_primary_button_are_read_at_7(scheme: str, text: str, ground: str) -> None:
    tokens = _tokens()[scheme]
    assert _contrast(tokens[text], tokens[ground]) >= TEXT


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("part", "ground"),
    [
        ("edge", "paper"), ("edge", "paper-2"), ("focus", "paper"), ("focus", "paper-2"),
        ("card-edge", "paper"), ("card-face", "card-back"), ("red", "paper-2"),
    ],
)  # fmt: skip
def test_controls_stand_out_by_3(scheme: str, part: str, ground: str) -> None:
    tokens = _tokens()[scheme]
    assert _contrast(tokens[part], tokens[ground]) >= CONTROL


def test_colours_are_named_in_the_tokens_only() -> None:
    """A QR code's ground and paper's own black and greys aside, no other file holds a colour."""
    for path in CSS.glob("*.css"):
        if path.name not in {"tokens.css", "print.css"}:
            assert re.findall(r"#[0-9A-Fa-f]{3,8}\b(?=[;, )])", path.read_text("utf-8")) == []


def test_sprite_holds_twenty_cards_and_a_back_in_under_60_kb() -> None:
    path = ROOT / "static" / "cards" / "sprite.svg"
    names = [e.get("id") for e in ElementTree.parse(path).getroot()]
    assert names == [*(f"s{r}" for r in range(1, 11)), *(f"b{r}" for r in range(1, 11)), "back"]
    assert path.stat().st_size < 60_000


@pytest.mark.parametrize(
    ("name", "symbol", "classes"),
    [("一", "s1", "card small-card"), ("十", "s10", "card small-card red"),
     ("柒", "b7", "card big red"), ("捌", "b8", "card big")],
)  # fmt: skip
def test_card_is_drawn_by_size_rank_and_colour(name: str, symbol: str, classes: str) -> None:
    """R1: ranks 2, 7, 10 are red."""
    html = zipai.card(name)
    assert f"sprite.svg#{symbol}" in html
    assert f'class="{classes}"' in html
    assert f'aria-label="{name}"' in html


def test_card_that_is_none_is_refused() -> None:
    with pytest.raises(ZipaiError) as caught:
        zipai.card("马")
    assert caught.value.code == "unknown-card"


@pytest.mark.parametrize(
    ("kind", "cards", "down", "up"),
    [("吃", "二七十", 0, 3), ("碰", "八八八", 0, 3), ("扫", "壹壹壹", 3, 0),
     ("过扫", "陆陆陆", 2, 1), ("扫穿", "贰贰贰贰", 4, 0), ("开舵", "九九九九", 0, 4)],
)  # fmt: skip
def test_meld_lies_as_on_the_table(kind: str, cards: str, down: int, up: int) -> None:
    """look.md, Cards: 吃 and 碰 face up, 扫 down, 过扫 two down, 扫穿 four down, 开舵 four up."""
    html = zipai.meld({"kind": kind, "cards": cards, "hu": 3})
    assert html.count("#back") == down
    assert html.count("<svg") == down + up
    assert (f" {cards[0]} <b" in html) == bool(down)


def test_meld_of_no_worth_shows_no_figure() -> None:
    assert 'class="hu"' in zipai.meld({"kind": "坎", "cards": "四四四", "hu": 3})
    assert 'class="hu"' not in zipai.meld({"kind": "将", "cards": "拾拾", "hu": 0})


@pytest.mark.parametrize(
    ("value", "text"), [(6, "+6"), (-4, "−4"), (0, "0"), (-12, "−12"), (None, "")]
)
def test_points_carry_their_sign(value: int | None, text: str) -> None:
    assert signed(value) == text


def test_time_is_local_and_carries_its_zone() -> None:
    moment = datetime(2026, 11, 29, 6, 5, tzinfo=UTC)
    assert when(moment) == (
        '<time datetime="2026-11-29T14:05:00+08:00" data-when>11-29 14:05</time>'
    )
    assert when(None) == ""


class _Outline(HTMLParser):
    """Checks that tags close in order and collects ids and heading levels."""

    VOID = frozenset(("meta", "link", "input", "br", "hr", "img", "use", "path"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.headings: list[int] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.attributes |= named.keys()
        self.ids += [named["id"]] if named.get("id") else []
        self.labelled |= {v for k in ("for", "aria-labelledby") if (v := named.get(k))}
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= dict(attrs).keys()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"


def _page(language: str = "zh-hans") -> str:
    with translation.override(language):
        return styleguide(RequestFactory().get("/styleguide/")).content.decode()


def test_every_part_together_is_well_formed() -> None:
    page = _Outline()
    page.feed(_page())
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert page.labelled <= set(page.ids)


def test_headings_skip_no_level() -> None:
    page = _Outline()
    page.feed(_page())
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:], strict=False))


def test_pages_obey_the_content_security_policy() -> None:
    """script-src and style-src 'self': nothing inline."""
    html = _page()
    page = _Outline()
    page.feed(html)
    assert "style" not in page.attributes
    assert not [name for name in page.attributes if name.startswith(("on", "hx-on"))]
    assert "<style" not in html
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: str(p.relative_to(ROOT / "templates")))
def test_template_says_what_it_needs(path: Path) -> None:
    """A partial begins with a comment that names its context; `include` knows nothing more."""
    text = path.read_text(encoding="utf-8")
    assert 'style="' not in text
    if path.parent.name == "partials":
        assert text.startswith("{% comment %}")
        assert "Context:" in text.split("{% endcomment %}")[0]


@pytest.mark.parametrize(("name", "fault"), [("fault.html", ABSENT), ("fault_own.html", BROKEN)])
def test_page_of_a_fault_needs_nothing_but_the_fault(name: str, fault: Fault) -> None:
    page = _Outline()
    page.feed(render_to_string(name, {"fault": fault}))
    assert page.open == []
    assert page.headings == [1]


def test_public_shell_holds_nothing_of_the_viewer() -> None:
    """stack.md, fact 1: bodies are cached for everyone."""
    html = render_to_string("base.html", {}, RequestFactory().get("/"))
    assert "csrf" not in html
    assert "退出" not in html


def test_arithmetic_stands_in_one_line() -> None:
    """look.md, Sheet."""
    html = render_to_string("partials/sum.html", {"sum": sample_context()["hands"][0]["sum"]})
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    assert text == "胡 17 → 2 舵 + 自摸 1 + 下醒 2 = 5 舵"


def test_arithmetic_with_a_factor_has_brackets() -> None:
    """R9.2: the factor takes everything before it."""
    doubled = {
        "hu": 12, "base": 1, "terms": [{"label": "中醒", "value": 2}], "times": 2,
        "times_label": "天胡", "total": 6, "unit": "舵",
    }  # fmt: skip
    html = render_to_string("partials/sum.html", {"sum": doubled})
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    assert text == "胡 12 → ( 1 舵 + 中醒 2 ) × 天胡 2 = 6 舵"


def test_bracket_knows_the_span_of_every_table() -> None:
    """A span without a rule in bracket.css would break the tree: all that C3's plans can give."""
    known = set(map(int, re.findall(r"\.span-(\d+)", (CSS / "bracket.css").read_text("utf-8"))))
    leaves = {leaf * base**k for base in (2, 3, 4) for leaf in (1, 2, 3, 4) for k in range(11)}
    wanted = {span for span in leaves if 1 < span <= 1024 and span not in known}
    assert wanted == set()
