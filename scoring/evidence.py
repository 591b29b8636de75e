"""What was entered for a hand, counted by the engine (C6.1, C6.3): plain values in and out.

A *payload* is what was entered, as JSON, by its level of evidence:

- `totals`: `{"deltas": [6, -6, 0], "hands": 1}`; `hands` is how many hands the paper sums up;
- `result`: `{"dealer": "甲", "source": "discard", "winner": "甲", "payer": "乙", "hu": 16,
  "xing_count": 1, "special": null, "last_card": false, "claim": {"total": 3}}`; `source` is one
  of the engine's or `draw`, then the rest is left out;
- `slip`: the same without `hu` and `xing_count`, with cli.md's `hand`, `table`, `card`, `xing`,
  and `claim` may have `hu` too;
- `record`: `{"text": "字牌谱 1 …"}`, one hand; its `=` line is the claim and is kept as `claim`
  where it differs.

- `game`, where the event is not 字牌: `scoring.games`.

An absent `dealer` is the one whose turn it is; an absent `claim` claims nothing. With `"seats":
[1, 0, 2]` the wrong people sat there (C9.4): what is written of 甲 is 乙's column, and so on; the
rest of the payload stays as it was entered and is counted as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS, Special
from engine.melds import SOURCE_NAMES, Meld, Source
from engine.result import DRAW_KIND, Result
from engine.rules import Rules
from engine.settle import next_dealer, playing_seats
from engine.slip import ResultLine, Scored, Seating, Slip, score
from engine.slip_json import read_meld
from scoring.counted import Claimed, Counted, EntryError, RecordError, Terms, as_counted
from scoring.games import GameTerms, count_game
from scoring.record_evidence import RECORD_LIMIT, count_record
from scoring.reseated import reseated, seats_of

__all__ = [
    "MOST",
    "MOST_TOTAL",
    "RECORD_LIMIT",
    "Claimed",
    "Counted",
    "EntryError",
    "RecordError",
    "Terms",
    "count",
]

MOST = 999
"""More than any number in a hand's result."""
MOST_TOTAL = 9999
"""More than a seat's points for a whole table."""


def count(evidence: str, payload: Mapping[str, object], terms: Terms | GameTerms) -> Counted:
    """Counts what was entered. Raises `EntryError` (`RecordError` for a faulty record)."""
    if isinstance(terms, GameTerms):
        if evidence != "game":
            raise EntryError(
                "",
                "unknown-rules",
                "C10",
                "这个项目不是字牌，只记每盘的胜负",
                "this event is not 字牌: enter who won each game",
            )
        counted = count_game(payload, terms)
    else:
        counted = _as_entered(evidence, payload, terms)
    return reseated(counted, seats_of(payload, terms.seats))


def _as_entered(evidence: str, payload: Mapping[str, object], terms: Terms) -> Counted:
    match evidence:
        case "totals":
            return _totals(payload, terms)
        case "result" | "slip":
            return _won(evidence, payload, terms)
        case _:
            return count_record(payload, terms)


def _totals(payload: Mapping[str, object], terms: Terms) -> Counted:
    values = payload.get("deltas")
    deltas = list(values) if isinstance(values, (list, tuple)) else []
    if len(deltas) != terms.seats or not all(
        _is_number(d, -MOST_TOTAL, MOST_TOTAL) for d in deltas
    ):
        raise EntryError(
            "deltas",
            "syntax",
            "R9.4",
            f"每个座位写一个整数，共 {terms.seats} 个，没有输赢写 0",
            f"one whole number a seat, {terms.seats} in all; 0 for who won and lost nothing",
        )
    if sum(deltas):
        raise EntryError(
            "deltas",
            "claim-mismatch",
            "R9.4",
            f"各家相加应为 0，现在是 {sum(deltas):+d}",
            f"the seats must sum to zero, now it is {sum(deltas):+d}",
        )
    hands = payload.get("hands", 1)
    if not isinstance(hands, int) or not _is_number(hands, 1, MOST):
        raise EntryError(
            "hands", "syntax", "R9.4", "写明共几局，至少 1", "say how many hands, at least 1"
        )
    return Counted(
        evidence="totals",
        payload={"deltas": deltas, "hands": hands},
        deltas=tuple(deltas),
        hands=hands,
    )


def _won(evidence: str, payload: Mapping[str, object], terms: Terms) -> Counted:
    dealer = _dealer(payload, terms)
    source = payload.get("source")
    clean: dict[str, object] = {"dealer": SEATS[dealer], "source": source}
    if source == DRAW_KIND:
        drawn = Result.drawn(dealer, terms.rules)
        return as_counted(evidence, clean, dealer, drawn, claimed=None)
    if source not in SOURCE_NAMES:
        raise EntryError(
            "source", "syntax", "R9.3", "请选这一局是怎样胡的", "say how the hand was won"
        )
    origin = Source(SOURCE_NAMES.index(str(source)))
    special = _special(payload)
    seating = _seating(payload, terms, dealer, origin)
    last_card = payload.get("last_card") is True
    _check_special(special, seating, dealer, origin)
    clean |= {
        "winner": SEATS[seating.winner],
        "payer": None if seating.payer is None else SEATS[seating.payer],
        "special": None if special is None else str(special),
        "last_card": last_card,
    }
    line: Slip | ResultLine
    if evidence == "result":
        hu = _number(payload, "hu", "写明多少胡，0 到 999", "the 胡, 0 to 999")
        xing = _number(payload, "xing_count", "写明几个醒，没有写 0", "how many 醒, 0 for none")
        line = ResultLine(terms.rules, hu, xing, origin, special, last_card, seating)
        clean |= {"hu": hu, "xing_count": xing}
    else:
        line = _slip(payload, terms.rules, origin, special, last_card, seating)
        clean |= _cards_of(line, payload)
    claim = _claim(payload, slip=evidence == "slip")
    if claim:
        clean["claim"] = claim
    try:
        scored = score(line)
    except ZipaiError as error:
        raise EntryError.of(_field_of(error, evidence), error) from None
    result = _result(line, scored, seating, dealer, terms.rules)
    claimed = Claimed(claim.get("hu"), claim.get("total"))
    said = [
        (claimed.hu, result.hu),
        (claimed.total, result.total),
    ]
    differs = any(value is not None and value != computed for value, computed in said)
    return as_counted(evidence, clean, dealer, result, claimed if differs else None)


def _result(
    line: Slip | ResultLine, scored: Scored, seating: Seating, dealer: int, rules: Rules
) -> Result:
    assert scored.deltas is not None
    return Result(
        winners=(seating.winner,),
        source=line.source,
        payer=seating.payer,
        special=line.special,
        card=line.card if isinstance(line, Slip) else None,
        hu=scored.hu,
        melds=scored.melds,
        base=scored.base,
        xing_cards=scored.xing_cards,
        xing=scored.xing,
        bonus=scored.bonus,
        times=scored.times,
        total=scored.total,
        deltas=scored.deltas,
        next_dealer=next_dealer(dealer, (seating.winner,), seats=rules.seats, rules=rules),
    )


def _dealer(payload: Mapping[str, object], terms: Terms) -> int:
    named = payload.get("dealer")
    return terms.dealer if named in (None, "") else _seat(named, "dealer", terms)


def _seat(value: object, field: str, terms: Terms) -> int:
    seat = SEATS.find(value) if isinstance(value, str) and len(value) == 1 else -1
    if not 0 <= seat < terms.seats:
        known = SEATS[: terms.seats]
        raise EntryError(
            field,
            "unknown-seat",
            "R2.2",
            f"请选座位：{'、'.join(known)}",
            f"choose a seat: {' '.join(known)}",
        )
    return seat


def _seating(payload: Mapping[str, object], terms: Terms, dealer: int, source: Source) -> Seating:
    winner = _seat(payload.get("winner"), "winner", terms)
    payer = _seat(payload.get("payer"), "payer", terms) if source is Source.DISCARD else None
    out = set(range(terms.seats)) - set(playing_seats(terms.seats, dealer))
    for seat, field in ((winner, "winner"), (payer, "payer")):
        if seat in out:
            raise EntryError(
                field,
                "unknown-seat",
                "R2.2",
                f"{SEATS[seat]}这一局坐醒，不在局中",
                f"{SEATS[seat]} sits out this hand",
            )
    if winner == payer:
        raise EntryError(
            "payer",
            "syntax",
            "R9.3",
            f"{SEATS[winner]}不能给自己点炮，请选打出那张牌的人",
            f"{SEATS[winner]} cannot discard to himself; choose who discarded the card",
        )
    return Seating(terms.seats, winner, payer, next(iter(out), None))


def _special(payload: Mapping[str, object]) -> Special | None:
    value = payload.get("special")
    if value in (None, ""):
        return None
    try:
        return Special(str(value))
    except ValueError:
        raise EntryError(
            "special",
            "syntax",
            "R7.6",
            f"特殊胡只有 {'、'.join(Special)}",
            f"the specials are {', '.join(Special)}",
        ) from None


def _check_special(special: Special | None, seating: Seating, dealer: int, source: Source) -> None:
    """R7.6: 天胡 is the dealer's alone; 地胡 is won on the dealer's first discard."""
    name = SEATS[dealer]
    if special is Special.TIANHU and seating.winner != dealer:
        raise EntryError(
            "special",
            "no-win",
            "R7.6",
            f"天胡只有庄家能胡，这一局的庄家是{name}",
            f"only the dealer wins by 天胡, and {name} deals this hand",
        )
    if special is Special.DIHU and seating.winner == dealer:
        raise EntryError(
            "special",
            "no-win",
            "R7.6",
            f"地胡是胡庄家打出的第一张牌，庄家{name}不能地胡",
            f"地胡 is won on the dealer's first discard; the dealer {name} cannot win by it",
        )
    if special is Special.DIHU and source is Source.DISCARD and seating.payer != dealer:
        raise EntryError(
            "payer",
            "no-win",
            "R7.6",
            f"地胡由庄家{name}点炮",
            f"at 地胡 the dealer {name} has discarded the card",
        )


def _slip(
    payload: Mapping[str, object],
    rules: Rules,
    source: Source,
    special: Special | None,
    last_card: bool,
    seating: Seating,
) -> Slip:
    table = payload.get("table") or []
    entries = table if isinstance(table, (list, tuple)) else [table]
    try:
        melds = tuple(read_meld(entry, rules) for entry in entries)
    except ZipaiError as error:
        raise EntryError.of("table", error) from None
    card = _cards(payload, "card")
    if source is not Source.DEAL and len(card) != 1:
        raise EntryError("card", "syntax", "R7.1", "请写胡的那一张牌", "name the one winning card")
    if source is Source.DEAL and card:
        raise EntryError(
            "card",
            "syntax",
            "R7.6",
            "起手胡没有胡的那一张，请去掉",
            "a win at the deal has no winning card; leave it out",
        )
    return Slip(
        rules=rules,
        hand=cards.pack(_cards(payload, "hand")),
        table=melds,
        card=card[0] if card else None,
        source=source,
        special=special,
        xing=tuple(_cards(payload, "xing")),
        last_card=last_card,
        seating=seating,
    )


def _cards(payload: Mapping[str, object], field: str) -> list[int]:
    try:
        return cards.parse_many(str(payload.get(field) or ""))
    except ZipaiError as error:
        raise EntryError.of(field, error) from None


def _cards_of(slip: Slip, payload: Mapping[str, object]) -> dict[str, object]:
    """The slip's cards in canonical words, the melds in the order given."""
    return {
        "hand": cards.text(cards.unpack(slip.hand)),
        "table": [_meld_text(meld) for meld in slip.table],
        "card": None if slip.card is None else cards.NAMES[slip.card],
        "xing": cards.text(slip.xing),
    }


def _meld_text(meld: Meld) -> str:
    of = cards.text(meld.cards)
    return f"{meld.kind} {of if len(set(meld.cards)) > 1 else of[0]}"


def _claim(payload: Mapping[str, object], *, slip: bool) -> dict[str, int]:
    given = payload.get("claim")
    claim = given if isinstance(given, Mapping) else {}
    found = {}
    for name in ("hu", "total") if slip else ("total",):
        value = claim.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or not _is_number(value, 0, MOST):
            raise EntryError(
                f"claim_{name}",
                "syntax",
                "R9.1",
                f"应是 0 到 {MOST} 的整数",
                f"a whole number, 0 to {MOST}",
            )
        found[name] = value
    return found


def _number(payload: Mapping[str, object], field: str, zh: str, en: str) -> int:
    value = payload.get(field)
    if not isinstance(value, int) or not _is_number(value, 0, MOST):
        raise EntryError(field, "syntax", "R7.4" if field == "hu" else "R8.2", zh, en)
    return value


def _is_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _field_of(error: ZipaiError, evidence: str) -> str:
    """The field of the payload that the engine's error is about."""
    if error.rule == "R7.6":
        return "special"
    if error.code == "wall-left":
        return "last_card"
    if error.code in ("must-act", "out-of-turn"):
        return "xing_count" if evidence == "result" else "xing"
    return "hu" if evidence == "result" else "hand"
