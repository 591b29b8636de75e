"""Slips (结算单) and result lines: a hand's result without its moves, checked and settled.

A slip has the winner's cards; a result line (C6.1) only says what they were worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine import cards
from engine.errors import ZipaiError
from engine.evaluate import best
from engine.events import SEATS, Special
from engine.explain import Nearest, nearest
from engine.melds import KAN, LONG, QUADS, Meld, Source
from engine.result import meld_json
from engine.rules import Rules
from engine.settle import award, count_xing, last_card_xing, pay, turns_again
from engine.slip_cards import check_cards

_DEAL_SPECIALS: Final = (Special.TIANHU, Special.SANLONG, Special.WUKAN)
_LEAST: Final = {Special.SANLONG: 27, Special.WUKAN: 15}
"""The least that 三笼 (three small 龙) and 五坎 (five small 坎) can be worth, in 胡."""
_DEALT: Final = 20
_LONGS: Final = 3
_KANS: Final = 5


class Seating(NamedTuple):
    """Who sat, won and paid: seats 0…3; `seats` the table's, 2…4; `sitting` who sat out of four."""

    seats: int
    winner: int
    payer: int | None = None
    sitting: int | None = None


@dataclass(frozen=True)
class Slip:
    """The winner's cards: `hand` packed and without `card`, `table` and `xing` as they lay.

    Where the own flip made 扫, 过扫 or 扫穿, hand and table are as they were before it.
    """

    rules: Rules
    hand: int
    table: tuple[Meld, ...]
    card: int | None
    source: Source
    special: Special | None = None
    xing: tuple[int, ...] = ()
    last_card: bool = False
    seating: Seating | None = None


@dataclass(frozen=True)
class ResultLine:
    """胡 and the number of 醒 as the table said them, without cards."""

    rules: Rules
    hu: int
    xing: int
    source: Source
    special: Special | None = None
    last_card: bool = False
    seating: Seating | None = None


@dataclass(frozen=True)
class Scored:
    """A checked win (cli.md, `score`): `hu` in 胡, the rest in 舵 (胡 points with unit `hu`).

    `melds` is empty and `cards` False for a result line; `completed` is the index of the meld
    that the winning card completed; `deltas` by seat where the seating was given.
    """

    hu: int
    melds: tuple[Meld, ...]
    completed: int | None
    base: int
    xing_cards: tuple[int, ...]
    xing: int
    bonus: int
    times: int
    total: int
    deltas: tuple[int, ...] | None
    cards: bool

    def as_json(self) -> dict[str, object]:
        """The answer of `score --json`, in the order of cli.md."""
        answer: dict[str, object] = {"status": "win", "hu": self.hu}
        if self.cards:
            answer["melds"] = [meld_json(m) for m in self.melds]
        answer["base"] = self.base
        if self.cards:
            answer["xing_cards"] = cards.text(self.xing_cards)
        for name in ("xing", "bonus", "times", "total"):
            answer[name] = getattr(self, name)
        if self.deltas is not None:
            answer["deltas"] = list(self.deltas)
        if not self.cards:
            answer["cards"] = False
        return answer


class SlipError(ZipaiError):
    """A slip that does not win; `nearest` is the grouping that fell short, where it helps."""

    nearest: Nearest | None = None


def score(slip: Slip | ResultLine) -> Scored:
    """Checks a slip or a result line and settles it (R7–R9).

    Raises `ZipaiError` with the code of notation.md that fits: `deck`, `deal-count`, `locked`,
    `no-win` and `hu-too-low` (as `SlipError`), `must-act` or `out-of-turn` for too few or too
    many turned cards, `syntax` where the fields contradict each other.
    """
    _check_source(slip)
    if isinstance(slip, ResultLine):
        return _score_line(slip)
    check_cards(slip.hand, slip.table, slip.card, slip.source, slip.xing, slip.rules)
    hu, melds = _count(slip)
    completed = None
    if slip.card is not None:
        before = best(slip.hand, slip.table, slip.card, slip.source, slip.rules)
        assert before is not None
        completed = before.completed_by(slip.card, slip.table)
    held = slip.hand + cards.pack(c for meld in slip.table for c in meld.cards)
    if slip.card is not None:
        held += cards.UNIT[slip.card]
    xing = _xing_of(slip, held)
    return _settle(slip, hu, xing, melds=melds, completed=completed, xing_cards=slip.xing)


def _check_source(slip: Slip | ResultLine) -> None:
    at_deal = slip.source is Source.DEAL
    if at_deal != (slip.special in _DEAL_SPECIALS):
        raise ZipaiError(
            "no-win" if slip.special else "syntax",
            "R7.6",
            "起手胡要写明是天胡、三笼还是五坎；别的胡法不能写这三种",
            "a win at the deal is 天胡, 三笼 or 五坎 and says which; no other win is one of these",
        )
    if slip.special is Special.DIHU and slip.source is not Source.DISCARD:
        raise ZipaiError(
            "no-win",
            "R7.6",
            "地胡是胡庄家打出的第一张牌，来源应为打出",
            "地胡 is a win on the hand's first discard; its source is discard",
        )
    if slip.last_card and slip.special is not None:
        raise ZipaiError(
            "wall-left",
            "R8.4",
            f"{slip.special}时墩还没有动，不会是海底",
            f"at {slip.special} the wall is untouched, so there is a card left to turn",
        )


def _count(slip: Slip) -> tuple[int, tuple[Meld, ...]]:
    """The slip's 胡 and melds, its special checked against the cards."""
    if slip.special in (Special.SANLONG, Special.WUKAN):
        _check_tianhu(slip)
        return count_special(slip.hand, slip.special)
    kept = slip.rules.two_long == "skip-discard" and cards.size(slip.hand) > _DEALT
    if slip.special is Special.DIHU and (slip.table or kept):
        raise SlipError(
            "no-win",
            "R7.6",
            "地胡时胡家桌上还没有牌，也还没有留过牌",
            "at 地胡 the winner has nothing on the table yet and has kept no discard",
        )
    found = best(slip.hand, slip.table, slip.card, slip.source, slip.rules)
    if found is not None and found.hu >= slip.rules.min_hu:
        return found
    raise short_of_win(slip.hand, slip.table, slip.card, slip.source, slip.rules)


def _check_tianhu(slip: Slip) -> None:
    """Raises `no-win` where the dealer's 三笼 or 五坎 is a 天胡, which goes before it (R7.6).

    A complete hand at the deal is the dealer's: nobody else is dealt enough cards.
    """
    whole = best(slip.hand, (), None, slip.source, slip.rules)
    if whole is not None and whole.hu >= slip.rules.min_hu:
        raise SlipError(
            "no-win",
            "R7.6",
            f"这手牌是天胡（{whole.hu} 胡），先于{slip.special}",
            f"these cards are 天胡 ({whole.hu} 胡), which goes before {slip.special}",
        )


def count_special(hand: int, special: Special) -> tuple[int, tuple[Meld, ...]]:
    """胡 and melds of 三笼 or 五坎 (R7.6): the 龙 and 坎 held; raises `no-win` for too few."""
    longs = tuple(LONG[c] for c in range(cards.KINDS) if cards.count(hand, c) == 4)
    kans = tuple(KAN[c] for c in range(cards.KINDS) if cards.count(hand, c) == 3)
    if special is Special.SANLONG:
        have, need, name = len(longs), _LONGS, "龙"
    else:
        have, need, name = len(kans), _KANS, "坎"
    if have < need:
        raise SlipError(
            "no-win",
            "R7.6",
            f"{special}要有 {need} 个{name}，手里只有 {have} 个",
            f"{special} needs {need} {name}, the hand has {have}",
        )
    melds = longs + kans
    return sum(meld.hu for meld in melds), melds


def short_of_win(
    hand: int, table: tuple[Meld, ...], card: int | None, source: Source, rules: Rules
) -> SlipError:
    """The error for a hand that does not win, with the grouping that comes closest.

    `no-win` names the cards that fit nowhere; `hu-too-low` gives both numbers.
    """
    close = nearest(hand, table, card, source, rules)
    found = best(hand, table, card, source, rules)
    if found is not None:
        error = SlipError(
            "hu-too-low",
            "R7.4",
            f"{found.hu} 胡，起胡 {rules.min_hu}",
            f"{found.hu} 胡, the minimum is {rules.min_hu}",
        )
        close = Nearest(found.hu, found.melds, ())
    elif close.left:
        over = cards.text(close.left)
        error = SlipError(
            "no-win",
            "R7.1",
            f"配不成七方门子，多出 {over}",
            f"no seven groups: {over} is left over",
        )
    else:
        pair = any(meld.kind in QUADS for meld in close.melds)
        error = SlipError(
            "no-win",
            "R7.2" if pair else "R7.1",
            f"只有 {len(close.melds)} 方门子" + ("，有四张的还要一对将" if pair else "，要七方"),
            f"{len(close.melds)} groups"
            + (", and with a quad one of seven is a pair (将)" if pair else ", not seven"),
        )
    error.nearest = close
    return error


def _score_line(line: ResultLine) -> Scored:
    least = _LEAST.get(line.special, 0) if line.special else 0
    least = least or line.rules.min_hu
    if line.hu < least:
        raise SlipError(
            "hu-too-low",
            "R7.6" if line.special in _LEAST else "R7.4",
            f"{line.hu} 胡，{line.special if line.special in _LEAST else '起胡'}至少 {least}",
            f"{line.hu} 胡, the minimum is {least}",
        )
    least_xing, most_xing = _xing_bounds(line)
    if not least_xing <= line.xing <= most_xing:
        raise ZipaiError(
            "must-act" if line.xing < least_xing else "out-of-turn",
            "R8.5" if line.rules.unit == "hu" else "R8.4" if line.last_card else "R8.2",
            f"醒 {line.xing} 个，这样胡最少 {least_xing} 个、最多 {most_xing} 个",
            f"{line.xing} 醒; such a win has {least_xing} to {most_xing}",
        )
    return _settle(line, line.hu, line.xing, melds=(), completed=None, xing_cards=())


def _xing_bounds(line: ResultLine) -> tuple[int, int]:
    """The fewest and the most 醒 that the rules allow the line."""
    rules = line.rules
    if rules.unit == "hu" or (line.last_card and rules.last_card == "none"):
        return 0, 0
    if line.last_card and rules.last_card == "flat-2":
        return 2, 2
    neighbours = len(set(rules.xing) - {"zhong"})
    centre = "zhong" in rules.xing
    turned = cards.COPIES if line.last_card else cards.COPIES - 1
    once = neighbours * cards.COPIES + centre * turned
    repeats = rules.xing_repeat == "on" and not line.last_card
    return 0, once * _most_turns(rules) if repeats else once


def _most_turns(rules: Rules) -> int:
    """How many cards a win can turn at most: the wall, and a winner with quads all round."""
    return 39 if rules.seats == 2 else 19


def _xing_of(slip: Slip, held: int) -> int:
    """The slip's 醒, its turned cards checked against what the rules turn (R8)."""
    rules = slip.rules
    if rules.unit == "hu" or slip.last_card:
        if slip.xing:
            raise ZipaiError(
                "out-of-turn",
                "R8.5" if rules.unit == "hu" else "R8.4",
                "这一手不翻醒，翻出的牌要去掉",
                "no card is turned after this win; leave the turned cards out",
            )
        if rules.unit == "hu":
            return 0
        return last_card_xing(slip.card, held, rules)
    for i, turned in enumerate(slip.xing, 1):
        again = turns_again(turned, held, rules)
        name, beyond = cards.NAMES[turned], cards.text(slip.xing[i:])
        if again and i == len(slip.xing):
            raise ZipaiError(
                "must-act",
                "R8.3",
                f"翻出{name}后，醒有四张齐全，还要再翻一张",
                f"after {name} all four of a neighbour are held: turn another card",
            )
        if not again and i < len(slip.xing):
            raise ZipaiError(
                "out-of-turn",
                "R8.3" if rules.xing_repeat == "on" else "R8.1",
                f"翻出{name}后不再翻醒，后面的 {beyond} 多了",
                f"nothing is turned after {name}: {beyond} is too much",
            )
    if not slip.xing:
        raise ZipaiError(
            "must-act",
            "R8.1",
            "还没有写翻出的醒牌；墩已摸完请标明海底",
            "the turned card is missing; if no card was left, say so (last_card)",
        )
    return count_xing(slip.xing, held, rules)


def _settle(
    slip: Slip | ResultLine,
    hu: int,
    xing: int,
    *,
    melds: tuple[Meld, ...],
    completed: int | None,
    xing_cards: tuple[int, ...],
) -> Scored:
    worth = award(
        hu,
        xing,
        own_flip=slip.source is Source.OWN_FLIP,
        special=slip.special,
        rules=slip.rules,
    )
    deltas = None
    if slip.seating is not None:
        deltas = _deltas(slip.seating, slip.source, worth.total)
    return Scored(
        hu=hu,
        melds=melds,
        completed=completed,
        base=worth.base,
        xing_cards=xing_cards,
        xing=xing,
        bonus=worth.bonus,
        times=worth.times,
        total=worth.total,
        deltas=deltas,
        cards=isinstance(slip, Slip),
    )


def _deltas(seating: Seating, source: Source, total: int) -> tuple[int, ...]:
    """R9.3 for the seats that were dealt in; raises `syntax` where the seating cannot be."""
    seats, winner, payer, sitting = seating
    if (seats == 4) != (sitting is not None):
        raise ZipaiError(
            "syntax",
            "R2.2",
            "四人桌要写明这一手谁坐醒，别的桌没有人坐醒",
            "a table of four says who sits out this hand; at others nobody does",
        )
    if (source is Source.DISCARD) != (payer is not None):
        raise ZipaiError(
            "syntax",
            "R9.3",
            "点炮要写明谁打出的牌；别的胡法没有单独付的人",
            "a win on a discard says who discarded; after other wins nobody pays alone",
        )
    for seat in (winner, *(() if payer is None else (payer,))):
        if seat == sitting or seat >= seats:
            raise ZipaiError(
                "unknown-seat",
                "R2.2",
                f"{SEATS[seat]}这一手不在局中",
                f"{SEATS[seat]} does not play this hand",
            )
    if winner == payer:
        raise ZipaiError(
            "syntax",
            "R9.3",
            f"{SEATS[winner]}不能给自己点炮",
            f"{SEATS[winner]} cannot have discarded to himself",
        )
    playing = [seat for seat in range(seats) if seat != sitting]
    return pay(total, seats=seats, playing=playing, winners=(winner,), payer=payer)
