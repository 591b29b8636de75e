"""docs/rules.md says what the engine does: every table of the page is read and compared."""

import re
from pathlib import Path

import pytest

from engine import cards
from engine.evaluate import best
from engine.events import Special
from engine.melds import (
    CHI,
    GUOSAO,
    JIANG,
    KAIDUO,
    KAN,
    LONG,
    PENG,
    RUN_RANKS,
    SAO,
    SAOCHUAN,
    Meld,
    Source,
)
from engine.rules import CONFIRM, OPTIONS, PRESET_TITLES, PRESETS
from engine.settle import award, base_points, counting_cards, pay

PAGE = Path(__file__).resolve().parents[1].joinpath("docs/rules.md").read_text(encoding="utf-8")
BY_TITLE = {zh: PRESETS[preset] for preset, (zh, _) in PRESET_TITLES.items()}
WITHOUT_EFFECT_IN_HU = {
    "duo_step",
    "own_flip_bonus",
    "special_bonus",
    "xing",
    "xing_repeat",
    "xing_wrap",
    "last_card",
}


def tables() -> list[list[list[str]]]:
    """The tables of the page in order, each as its rows of cells, the header included."""
    found = re.findall(r"(?:^\|.*\|\n)+", PAGE, re.M)
    split = [
        [[cell.strip() for cell in row.strip("|").split("|")] for row in t.splitlines()]
        for t in found
    ]
    return [[table[0], *table[2:]] for table in split]


MELDS, BASES, XING, SHARES, EXAMPLE, OPTIONS_ZH, OPTIONS_EN = tables()


def worths(melds, low, high) -> set[int]:
    """The 胡 of those melds whose second card (the larger part of a 搭) is in `low`…`high`."""
    return {meld.hu for meld in melds if low <= meld.cards[1] < high}


def of_colour(melds, red: bool) -> list[Meld]:
    return [m for m in melds if (m.cards[0] in cards.RED) == red]


def runs(scoring: bool) -> list[Meld]:
    """Those groups of one size that score (一二三, 二七十), or the others."""
    shapes = {tuple(size + r for r in ranks) for ranks in RUN_RANKS for size in (0, 10)}
    good = {(0, 1, 2), (1, 6, 9), (10, 11, 12), (11, 16, 19)}
    return [CHI[s] for s in shapes if (s in good) == scoring]


def da() -> list[Meld]:
    return [meld for shape, meld in CHI.items() if len({c % 10 for c in shape}) == 1]


@pytest.mark.parametrize(
    ("row", "melds"),
    list(
        enumerate(
            [
                KAN,
                SAO + GUOSAO,
                LONG,
                SAOCHUAN,
                KAIDUO,
                of_colour(PENG["colour"], red=False),
                of_colour(PENG["colour"], red=True),
                runs(scoring=True),
                runs(scoring=False),
                da(),
                JIANG,
            ],
            start=1,
        )
    ),
)
def test_melds_are_worth_what_the_page_says(row, melds):
    """R3, both sizes."""
    small, big = MELDS[row][2:]
    assert worths(melds, 0, 10) == {int(small)}
    assert worths(melds, 10, 20) == {int(big)}


def test_plain_peng_counts_red_as_black():
    """R3, `peng_points` `plain`."""
    black = MELDS[6][2:]
    assert worths(PENG["plain"], 0, 10) == {int(black[0])}
    assert worths(PENG["plain"], 10, 20) == {int(black[1])}


def test_every_meld_row_is_compared():
    assert len(MELDS) == 12


@pytest.mark.parametrize("row", BASES[1:])
@pytest.mark.parametrize(("column", "step"), [(1, 5), (2, 3)])
def test_hu_become_duo_as_the_page_says(row, column, step):
    """R9.1, both ends of each range and one beyond."""
    rules = PRESETS["competition"].with_options({"duo_step": step})
    low, high = (int(n) for n in row[column].split("–"))
    assert [base_points(n, rules) for n in (low, high, high + 1)] == [
        int(row[0]),
        int(row[0]),
        int(row[0]) + 1,
    ]


@pytest.mark.parametrize("row", XING[1:])
def test_neighbours_of_the_turned_card(row):
    """R8.1, all three kinds enabled."""
    rules = PRESETS["guangxi-app"]
    turned, *expected = map(cards.parse, row)
    assert list(counting_cards(turned, rules)) == expected


@pytest.mark.parametrize("row", SHARES[1:])
def test_example_pays_as_the_page_says(row):
    """R9.2, R9.3, R9.4."""
    title, hu, xing, how, share, *deltas = row
    special = Special(how) if how in ("天胡", "地胡") else None
    got = award(int(hu), int(xing), own_flip=how == "自摸", special=special, rules=BY_TITLE[title])
    assert got.total == int(share.rpartition("=")[2])
    if "=" in share:
        parts = [got.base, *(n for n in (int(xing), got.bonus) if n)]
        total = "+".join(map(str, parts))
        assert share.partition("=")[0] == (f"({total})×{got.times}" if got.times > 1 else total)
    payer = 1 if how in ("点炮", "地胡") else None
    paid = pay(got.total, seats=3, playing=(0, 1, 2), winners=(0,), payer=payer)
    assert [int(d.replace("−", "-")) for d in deltas] == list(paid)


def test_counted_hand_is_counted_so():
    """R7.4 and the slip of cli.md: 16 胡."""
    table = (PENG["colour"][cards.parse("九")], CHI[1, 6, 9], SAO[cards.parse("壹")])
    hand = cards.pack(map(cards.parse, "四四四捌捌八伍陆一二三"))
    rules = PRESETS["competition"]
    grouping = best(hand, table, cards.parse("柒"), Source.DISCARD, rules)
    assert [[str(m.kind), cards.text(m.cards), str(m.hu)] for m in grouping.melds] == EXAMPLE[1:]
    assert f"共 {grouping.hu} 胡，够起胡 {rules.min_hu} 胡，是 {base_points(16, rules)} 舵" in PAGE


@pytest.mark.parametrize(("table", "language"), [(OPTIONS_ZH, 0), (OPTIONS_EN, 1)])
def test_presets_are_as_the_page_says(table, language):
    """Every option of every preset in the words the site uses, with the marks of CONFIRM."""
    header, *rows = table
    assert header[1:] == [titles[language] for titles in PRESET_TITLES.values()]
    assert [re.search(r"`(\w+)`", row[0])[1] for row in rows] == list(OPTIONS)
    for row, option in zip(rows, OPTIONS.values(), strict=True):
        expected = [cell(preset, option.name, language) for preset in PRESETS]
        label = (option.zh, option.en)[language]
        assert row == [f"{label} `{option.name}`", *expected]


def cell(preset: str, name: str, language: int) -> str:
    """How the page shows one option's value."""
    rules, option = PRESETS[preset], OPTIONS[name]
    if rules.unit == "hu" and name in WITHOUT_EFFECT_IN_HU:
        return "—"
    value = getattr(rules, name)
    values = value if isinstance(value, tuple) else (value,)
    between = "；" if language == 0 else "; "
    text = between.join(option.values[v][language] for v in values)
    return f"{text} ※" if name in CONFIRM[preset] else text


def test_other_minimums_are_those_of_the_option():
    """R7.4: the page names the default and the other choices."""
    named = re.search(r"（(\d+) 胡）才能胡；主办方可以定 ([\d、 或]+)。", PAGE)
    assert [int(n) for n in re.findall(r"\d+", " ".join(named.groups()))] == list(
        OPTIONS["min_hu"].values
    )
