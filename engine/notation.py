"""The lines of a record (notation.md, Events): read liberally, written canonically."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from engine import cards
from engine.events import SEATS, Event, Verb
from engine.faults import ReadError
from engine.tokens import (
    NOTATION,
    SEAT_NAMES,
    SHORT,
    TOKEN,
    Anatomy,
    Token,
    dissect,
    nfc,
    plain,
    read_cards,
    read_seat,
    syntax,
)

VERB_NAMES: Final = {
    **{str(verb): verb for verb in Verb},
    "play": Verb.PLAY,
    "flip": Verb.FLIP,
    "chi": Verb.CHI,
    "peng": Verb.PENG,
    "sao": Verb.SAO,
    "guosao": Verb.GUOSAO,
    "saochuan": Verb.SAOCHUAN,
    "kaiduo": Verb.KAIDUO,
    "开招": Verb.KAIDUO,
    "keep": Verb.KEEP,
    "hu": Verb.HU,
    "draw": Verb.DRAW,
    "xing": Verb.XING,
    "pass": Verb.PASS,
}
_FORMS: Final = {
    Verb.PLAY: "甲 打 八",
    Verb.FLIP: "丙 摸 四",
    Verb.CHI: "丙 吃 四 三五 [四四肆 …]",
    Verb.PENG: "乙 碰 八",
    Verb.SAO: "甲 扫 七",
    Verb.GUOSAO: "甲 过扫 七",
    Verb.SAOCHUAN: "甲 扫穿 七",
    Verb.KAIDUO: "乙 开舵 六",
    Verb.KEEP: "甲 留",
    Verb.HU: "甲 胡 [六]",
    Verb.DRAW: "荒",
    Verb.XING: "醒 七",
    Verb.PASS: "乙 过",
}
_SEATLESS: Final = (Verb.DRAW, Verb.XING)
_CARDLESS: Final = (Verb.KEEP, Verb.DRAW, Verb.PASS)

LONGEST_GROUP: Final = len("b10+b10+b10")
_ORDINAL: Final = re.compile(r"\s*([0-9]+)\.\s*")
_PART: Final = re.compile(
    r"\s*(?:(?P<draw>荒|draw)|(?P<label>胡|hu|计)\s*(?P<number>[0-9]+)"
    r"|(?P<seat>[甲乙丙丁A-D])(?:\s*(?P<delta>[+-]\s*[0-9]+|0))?)(?=\s|$)"
)
_NUMBER: Final = "(0|[1-9][0-9]{0,8})"
_CLAIM: Final = re.compile(
    f"= ([甲乙丙丁]) 胡{_NUMBER} 计{_NUMBER}"
    r"((?: [甲乙丙丁](?:\+0|[+-][1-9][0-9]{0,8})){2,4})"
)


class Ruling(NamedTuple):
    """A referee's ruling, `! 乙 超时 "第一次警告"`: kept and shown, never interpreted."""

    seat: int | None
    word: str
    text: str | None = None

    def __str__(self) -> str:
        words = ["!"] if self.seat is None else ["!", SEATS[self.seat]]
        words.append(self.word)
        if self.text is not None:
            words.append(f'"{self.text}"')
        return " ".join(words)


class Claim(NamedTuple):
    """The claim made at the table, `= 甲 胡17 计4 甲+8 乙-4 丙-4`; absent parts None or empty.

    `winners` are seats ascending, `drawn` says 荒; `hu` in 胡, `total` and the `(seat, points)`
    of `deltas` in the unit of the rules.
    """

    winners: tuple[int, ...] = ()
    drawn: bool = False
    hu: int | None = None
    total: int | None = None
    deltas: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        words = ["=", *(SEATS[s] for s in self.winners)]
        if self.drawn:
            words.append("荒")
        if self.hu is not None:
            words.append(f"胡{self.hu}")
        if self.total is not None:
            words.append(f"计{self.total}")
        words.extend(f"{SEATS[seat]}{points:+d}" for seat, points in self.deltas)
        return " ".join(words)


class Line(NamedTuple):
    """One line after 发 and 墩: what it says, and its annotation `{…}`."""

    what: Event | Ruling | Claim
    note: str | None = None

    def __str__(self) -> str:
        return str(self.what) if self.note is None else f"{self.what} {{{self.note}}}"


def read_line(raw: str, seats: int, number: int) -> Line:
    """A line after 发 and 墩: an event, a ruling or the claim, with its annotation.

    `seats` at the table; `number` is what the event's ordinal must be, where it has one.
    Raises `ReadError`: `syntax`, `unknown-card`, `unknown-seat` or `unknown-verb`.
    """
    anatomy = dissect(raw)
    first = anatomy.tokens[0] if anatomy.tokens else Token("", "", anatomy.quoted_column or 1)
    if first.text[:1] == "!":
        return Line(_ruling(anatomy, seats), anatomy.note)
    if anatomy.quoted is not None:
        raise syntax(
            "引文只能写在裁定行（!）里",
            "a quotation belongs in a ruling (!) only",
            anatomy.quoted_column,
        )
    if first.text[:1] == "=":
        return Line(_claim(anatomy, seats), anatomy.note)
    tokens = _without_ordinal(anatomy, number)
    if not tokens:
        raise syntax("这一行没有事件", "there is no event on this line", first.column)
    return Line(_event(tokens, seats), anatomy.note)


def event_tokens(raw: str) -> list[Token]:
    """The words of an event's line without its ordinal; the line must be readable."""
    anatomy = dissect(raw)
    return _without_ordinal(anatomy, None)


def _without_ordinal(anatomy: Anatomy, number: int | None) -> list[Token]:
    match = _ORDINAL.match(anatomy.code)
    if not match:
        return anatomy.tokens
    if number is not None and match[1].lstrip("0") != str(number):
        raise syntax(
            f"序号不对：这是第 {number} 手",
            f"the ordinal is wrong: this is event {number}",
            match.start(1) + 1,
            NOTATION,
        )
    tokens = [t for t in anatomy.tokens if t.column > match.start(1) + 1]
    if match.end() == match.end(1) + 1 and match.end() < len(anatomy.code):
        glued, skip = anatomy.tokens[0], match.end() - match.start(1)
        rest = Token(glued.text[skip:], glued.raw[skip:], glued.column + skip)
        tokens.insert(0, rest)
    return tokens


def _event(tokens: list[Token], seats: int) -> Event:
    first, verb = tokens[0], VERB_NAMES.get(tokens[0].text)
    seat: int | None = None
    if verb in _SEATLESS:
        rest = tokens[1:]
    else:
        if verb is not None:
            raise _form(verb, "缺座位", "the seat is missing", first)
        after = tokens[1] if len(tokens) > 1 else None
        known = first.text in SEAT_NAMES
        if not known and (after is None or after.text not in VERB_NAMES):
            raise syntax(
                f"读不懂“{first.raw[:20]}”；一手一行，如“甲 打 八”",
                f"“{first.raw[:20]}” cannot be read; write one event a line, as “甲 打 八”",
                first.column,
                NOTATION,
            )
        seat = read_seat(first, seats)
        if after is None:
            raise syntax(
                "缺动作，如“甲 打 八”",
                "the verb is missing, as in “甲 打 八”",
                first.column,
                NOTATION,
            )
        verb = _verb(after)
        if verb in _SEATLESS:
            raise _form(verb, f"“{verb}”前面不写座位", f"{verb} takes no seat", first)
        first, rest = after, tokens[2:]
    return _with_cards(verb, seat, first, rest)


def _verb(token: Token) -> Verb:
    verb = VERB_NAMES.get(token.text)
    if verb is None:
        known = " ".join(Verb)
        raise ReadError(
            "unknown-verb",
            NOTATION,
            f"没有“{token.raw}”这个动作；可以写 {known}",
            f"there is no verb “{token.raw}”; the verbs are {known}",
            token.column,
        )
    return verb


def _form(verb: Verb, zh: str, en: str, token: Token) -> ReadError:
    form = _FORMS[verb]
    return syntax(f"{zh}；应写成“{form}”", f"{en}; the form is “{form}”", token.column)


def _with_cards(verb: Verb, seat: int | None, at: Token, rest: list[Token]) -> Event:
    wanted = 0 if verb in _CARDLESS else 1
    if verb is not Verb.CHI and len(rest) > wanted:
        raise _form(verb, f"“{rest[wanted].raw[:20]}”多余", "too many words", rest[wanted])
    if not rest:
        if wanted and verb is not Verb.HU:
            raise _form(verb, "缺牌", "the card is missing", at)
        return Event(verb, seat)
    card = _group(verb, rest[0], 1)[0]
    if verb is not Verb.CHI:
        return Event(verb, seat, card)
    if len(rest) == 1:
        raise _form(verb, "缺手里的两张牌", "the two hand cards are missing", at)
    bi = sorted(_group(verb, token, 3) for token in rest[2:])
    return Event(verb, seat, card, _group(verb, rest[1], 2), tuple(bi))


def _group(verb: Verb, token: Token, size: int) -> tuple[int, ...]:
    found = read_cards(token) if len(token.text) <= LONGEST_GROUP else []
    if len(found) != size:
        raise _form(verb, f"这里应是 {size} 张牌", f"cards wanted here: {size}", token)
    return tuple(sorted(card for card, _ in found))


def _ruling(anatomy: Anatomy, seats: int) -> Ruling:
    first, *words = anatomy.tokens
    if len(first.text) > 1:
        words.insert(0, Token(first.text[1:], first.raw[1:], first.column + 1))
    seat = None
    if words and words[0].text in SEAT_NAMES:
        seat = read_seat(words.pop(0), seats)
    form = '! [座位] 词 ["文字"]'
    if not words:
        raise syntax(
            f"缺裁定的词；应写成“{form}”",
            f"the ruling's word is missing; the form is “{form}”",
            first.column,
        )
    if len(words) > 1:
        raise syntax(
            f"“{words[1].raw[:20]}”多余；说明请放在引号里",
            f"“{words[1].raw[:20]}” is too much; put text in quotes",
            words[1].column,
        )
    return Ruling(seat, nfc(words[0].raw, words[0].column), anatomy.quoted)


def claim_parts(code: str) -> Iterator[tuple[re.Match[str], int]]:
    """The parts of a claim's line and each one's column; raises `syntax` at what is none."""
    position, code = code.index("=") + 1, code.rstrip()
    while position < len(code):
        match = _PART.match(code, position)
        if match is None:
            token = TOKEN.search(code, position)
            assert token is not None
            raise _no_part(Token(token[0], token[0], token.start() + 1))
        word = match[0].lstrip()
        yield match, match.end() - len(word) + 1
        position = match.end()


def _no_part(token: Token) -> ReadError:
    form = "= 甲 胡17 计4 甲+8 乙-4 丙-4"
    return syntax(
        f"读不懂“{token.text[:20]}”；应写成“{form}”",
        f"“{token.text[:20]}” cannot be read; the form is “{form}”",
        token.column,
    )


def _claim(anatomy: Anatomy, seats: int) -> Claim:
    winners: list[int] = []
    numbers: dict[str, int] = {}
    deltas: dict[int, int] = {}
    drawn = False
    for match, column in claim_parts(anatomy.code):
        word = match[0].strip()
        if match["seat"]:
            seat = read_seat(Token(match["seat"], match["seat"], column), seats)
            twice = seat in (winners if match["delta"] is None else deltas)
            if match["delta"] is None:
                winners.append(seat)
            else:
                deltas[seat] = _number(match["delta"], word, column)
        elif match["label"]:
            label = "计" if match["label"] == "计" else "胡"
            twice = label in numbers
            numbers[label] = _number(match["number"], word, column)
        else:
            twice, drawn = drawn, True
        if twice or (drawn and winners):
            raise syntax(
                f"“{word}”重复或矛盾", f"“{word}” is said twice or contradicts the rest", column
            )
    return Claim(
        tuple(sorted(winners)),
        drawn,
        numbers.get("胡"),
        numbers.get("计"),
        tuple(sorted(deltas.items())),
    )


def _number(digits: str, word: str, column: int) -> int:
    digits = "".join(digits.split())
    if len(digits) > 9:
        raise syntax(f"“{word[:20]}”太大", f"“{word[:20]}” is too large", column)
    return int(digits)


KNOWN_LIMIT: Final = 20_000
"""Lines the fast path remembers at most, a number of seats."""


def canonical_claim(raw: str, seats: int) -> Line | None:
    """The claim that a line is, where it is a whole one in canonical form: the fast path."""
    match = _CLAIM.fullmatch(raw)
    if match is None:
        return None
    winner, hu, total, rest = match.groups()
    words = rest.split()
    named = [SEATS.index(word[0]) for word in words]
    seat = SEATS.index(winner)
    if max(seat, *named) >= seats or named != sorted(set(named)):
        return None
    deltas = [(i, int(word[1:])) for i, word in zip(named, words, strict=True)]
    return Line(Claim((seat,), False, int(hu), int(total), tuple(deltas)))


@cache
def known_lines(seats: int) -> dict[str, Line]:
    """Lines already read at a table of so many seats, by their text: the reader's fast path.

    Starts with every event of one card; `remember` adds to it.
    """
    lines: dict[str, Line] = {}
    one_card = [v for v in Verb if v not in _CARDLESS and v is not Verb.CHI]
    for verb in one_card:
        places = [None] if verb in _SEATLESS else list(range(seats))
        for seat in places:
            for card in range(cards.KINDS):
                event = Event(verb, seat, card)
                lines[str(event)] = Line(event)
    return lines


def remember(raw: str, line: Line, seats: int) -> None:
    """Lets `known_lines` know an event's line, unless its ordinal makes it good for one place."""
    known = known_lines(seats)
    if len(raw) < SHORT and len(known) < KNOWN_LIMIT and not _ORDINAL.match(plain(raw)):
        known[raw] = line
