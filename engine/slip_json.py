"""Reading slips and result lines from JSON (cli.md, `score`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS, Special
from engine.melds import CHI, GUOSAO, KAIDUO, PENG, SAO, SAOCHUAN, SOURCE_NAMES, Meld, Source
from engine.rules import Rules, preset
from engine.slip import ResultLine, Seating, Slip

_COMMON: Final = (
    "rules", "options", "source", "special", "last_card", "seats", "winner", "payer", "sitting",
)  # fmt: skip
_SLIP: Final = (*_COMMON, "hand", "table", "card", "xing")
_LINE: Final = (*_COMMON, "hu", "xing_count")
_KINDS: Final[Mapping[str, str]] = {
    "吃": "吃", "chi": "吃", "碰": "碰", "peng": "碰", "扫": "扫", "sao": "扫",
    "过扫": "过扫", "guosao": "过扫", "扫穿": "扫穿", "saochuan": "扫穿",
    "开舵": "开舵", "开招": "开舵", "kaiduo": "开舵",
}  # fmt: skip
_SAME: Final = {"扫": SAO, "过扫": GUOSAO, "扫穿": SAOCHUAN, "开舵": KAIDUO}
_MOST: Final = 999
"""More than any hand can be worth."""
_SEAT_ALIASES: Final = {**{s: i for i, s in enumerate(SEATS)}, "A": 0, "B": 1, "C": 2, "D": 3}


def read_slip(obj: object) -> Slip | ResultLine:
    """A slip or, where it has `hu` and no `hand`, a result line, from its JSON object.

    Raises `ZipaiError`: `syntax` for what is missing, of the wrong type or contradictory,
    `unknown-…` and `bad-option` as named, `not-a-meld` for a group on the table that is none.
    """
    if not isinstance(obj, dict):
        raise _syntax("一行应是一个 JSON 对象", "a line is one JSON object")
    given = {key: value for key, value in obj.items() if value is not None}
    if "hu" in given and not {"hand", "table", "card"} & given.keys():
        _check_keys(given, _LINE)
        return _read_line(given)
    _check_keys(obj, _SLIP)
    return _read_cards(obj, need_card=True)


def read_waiting(obj: object) -> Slip:
    """A slip before the winning card (cli.md, `waits`); raises as `read_slip`."""
    if not isinstance(obj, dict):
        raise _syntax("一行应是一个 JSON 对象", "a line is one JSON object")
    _check_keys(obj, _SLIP)
    if obj.get("card") is not None:
        raise _syntax("问听牌时不写 card", "leave card out when asking for the waits")
    return _read_cards(obj, need_card=False)


def _read_cards(obj: Mapping[str, object], *, need_card: bool) -> Slip:
    rules = read_rules(obj)
    hand = cards.pack(_read_group(obj, "hand"))
    table = obj.get("table", [])
    if not isinstance(table, list):
        raise _syntax("table 应是一个列表", "table is a list")
    melds = tuple(read_meld(entry, rules) for entry in table)
    source = _read_source(obj) if need_card or "source" in obj else Source.DISCARD
    card = _read_card(obj, source) if need_card else None
    return Slip(
        rules=rules,
        hand=hand,
        table=melds,
        card=card,
        source=source,
        special=_read_special(obj),
        xing=tuple(_read_group(obj, "xing")) if obj.get("xing") is not None else (),
        last_card=_read_flag(obj, "last_card"),
        seating=_read_seating(obj),
    )


def read_rules(obj: Mapping[str, object]) -> Rules:
    """The rules a JSON object names in `rules` and `options`."""
    rules_id = obj.get("rules")
    if not isinstance(rules_id, str):
        raise _syntax("缺少 rules：用哪套规则", "rules is missing: which preset")
    options = obj.get("options")
    if options is None:
        return preset(rules_id)
    if not isinstance(options, dict):
        raise _syntax("options 应是一个对象", "options is an object")
    return preset(rules_id).with_options(options)


def read_meld(entry: object, rules: Rules) -> Meld:
    """A meld on the table: `吃 二七十`, `碰 九`, `扫 壹` …"""
    words = entry.split(maxsplit=1) if isinstance(entry, str) else []
    if len(words) != 2:
        raise _syntax(
            f"“{entry}”看不懂；桌上的牌写成“碰 九”“吃 二七十”这样",
            f"“{entry}” cannot be read; melds are written like “碰 九” or “吃 二七十”",
        )
    kind = _KINDS.get(words[0])
    if kind is None:
        raise ZipaiError(
            "unknown-verb",
            "R3",
            f"“{words[0]}”不是吃、碰、扫、过扫、扫穿或开舵",
            f"“{words[0]}” is none of 吃, 碰, 扫, 过扫, 扫穿, 开舵",
        )
    group = tuple(sorted(cards.parse_many(words[1])))
    if kind == "吃":
        if group not in CHI:
            raise _not_a_meld(entry, "吃的三张牌", "a 吃 is three cards that go together")
        return CHI[group]
    if len(set(group)) != 1:
        raise _not_a_meld(entry, f"{kind}的牌", f"a {kind} names one card")
    return PENG[rules.peng_points][group[0]] if kind == "碰" else _SAME[kind][group[0]]


def _read_line(obj: Mapping[str, object]) -> ResultLine:
    return ResultLine(
        rules=read_rules(obj),
        hu=_read_number(obj, "hu"),
        xing=_read_number(obj, "xing_count"),
        source=_read_source(obj),
        special=_read_special(obj),
        last_card=_read_flag(obj, "last_card"),
        seating=_read_seating(obj),
    )


def _check_keys(obj: Mapping[str, object], known: tuple[str, ...]) -> None:
    for key in obj:
        if key not in known:
            raise ZipaiError(
                "unknown-key",
                "cli",
                f"不认识“{key}”；可以写 {', '.join(known)}",
                f"“{key}” is not known; there are {', '.join(known)}",
            )


def _read_group(obj: Mapping[str, object], key: str) -> list[int]:
    value = obj.get(key)
    if not isinstance(value, str):
        raise _syntax(f"{key} 应是一串牌，如“二七十”", f"{key} is a string of cards like “二七十”")
    return cards.parse_many(value)


def _read_card(obj: Mapping[str, object], source: Source) -> int | None:
    value = obj.get("card")
    if source is Source.DEAL:
        if value is not None:
            raise _syntax("起手胡没有胡的那张，card 应为空", "a win at the deal has no card")
        return None
    group = cards.parse_many(value) if isinstance(value, str) else []
    if len(group) != 1:
        raise _syntax("card 应是胡的那一张牌", "card is the one winning card")
    return group[0]


def _read_source(obj: Mapping[str, object]) -> Source:
    value = obj.get("source")
    if value not in SOURCE_NAMES:
        known = ", ".join(SOURCE_NAMES)
        raise _syntax(f"source 应是 {known} 之一", f"source is one of {known}")
    return Source(SOURCE_NAMES.index(value))


def _read_special(obj: Mapping[str, object]) -> Special | None:
    value = obj.get("special")
    if value is None:
        return None
    try:
        return Special(str(value))
    except ValueError:
        known = "、".join(Special)
        raise _syntax(f"special 应是 {known} 之一", f"special is one of {known}") from None


def _read_flag(obj: Mapping[str, object], key: str) -> bool:
    value = obj.get(key, False)
    if not isinstance(value, bool):
        raise _syntax(f"{key} 应是 true 或 false", f"{key} is true or false")
    return value


def _read_number(obj: Mapping[str, object], key: str) -> int:
    value = obj.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
        raise _syntax(f"{key} 应是 0 到 {_MOST} 的整数", f"{key} is a whole number, 0 to {_MOST}")
    return value


def _read_seating(obj: Mapping[str, object]) -> Seating | None:
    given = [key for key in ("seats", "winner", "payer", "sitting") if obj.get(key) is not None]
    if not given:
        return None
    seats = obj.get("seats")
    if not isinstance(seats, list) or not 2 <= len(seats) <= len(SEATS):
        raise _syntax(
            'seats 应列出全桌的座位，如 ["甲", "乙", "丙"]',
            'seats lists the seats of the table, like ["甲", "乙", "丙"]',
        )
    if sorted(_read_seat(seat) for seat in seats) != list(range(len(seats))):
        raise _syntax(
            f"{len(seats)} 人桌的座位是 {'、'.join(SEATS[: len(seats)])}",
            f"the seats of a table of {len(seats)} are {' '.join(SEATS[: len(seats)])}",
        )
    if "winner" not in given:
        raise _syntax("缺少 winner：谁胡的", "winner is missing")
    payer, sitting = obj.get("payer"), obj.get("sitting")
    return Seating(
        seats=len(seats),
        winner=_read_seat(obj["winner"]),
        payer=None if payer is None else _read_seat(payer),
        sitting=None if sitting is None else _read_seat(sitting),
    )


def _read_seat(value: object) -> int:
    seat = _SEAT_ALIASES.get(value) if isinstance(value, str) else None
    if seat is None:
        raise ZipaiError(
            "unknown-seat",
            "R2.2",
            f"“{value}”不是座位；座位是 {'、'.join(SEATS)}",
            f"“{value}” is no seat; seats are {' '.join(SEATS)}",
        )
    return seat


def _not_a_meld(entry: object, zh: str, en: str) -> ZipaiError:
    return ZipaiError(
        "not-a-meld",
        "R3",
        f"“{entry}”不成牌型：这不是{zh}",
        f"“{entry}” is no meld: {en}",
    )


def _syntax(zh: str, en: str) -> ZipaiError:
    return ZipaiError("syntax", "cli", zh, en)
