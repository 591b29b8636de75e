"""The options of the rules: what each may be and what it means, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import ZipaiError


@dataclass(frozen=True)
class Option:
    """One option: its name, the rule it belongs to, and each value with its meaning.

    `values` maps each allowed value to its Chinese and English description. `many` options
    (`xing`) take any subset of the values, kept in the order of `values`.
    """

    name: str
    rule: str
    zh: str
    en: str
    values: Mapping[int | bool | str, tuple[str, str]]
    many: bool = False

    def check(self, value: object) -> None:
        """Raises `bad-option` unless `value` is one that `Rules` may hold."""
        if self.many:
            good = isinstance(value, tuple) and value == tuple(v for v in self.values if v in value)
        else:
            good = type(value) is self.kind and value in self.values
        if not good:
            raise self._bad(value)

    def read(self, value: object) -> int | bool | str | tuple[str, ...]:
        """The value from its JSON or text form; raises `bad-option` for any other."""
        if self.many:
            return self._read_many(value)
        for allowed in self.values:
            if value == allowed and type(value) is self.kind:
                return allowed
            if isinstance(value, str) and value.strip() == self.write(allowed):
                return allowed
        raise self._bad(value)

    def write(self, value: object) -> str:
        """The value as a record's header writes it (`true`, `15`, `shang, xia`)."""
        if isinstance(value, tuple):
            return ", ".join(value)
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value)

    def describe(self, value: object) -> tuple[str, str]:
        """What `value` means, in Chinese and English; several values in one sentence."""
        if isinstance(value, tuple):
            chosen = [self.values[v] for v in value]
            if not chosen:
                return "都不算", "none of them"
            return "；".join(zh for zh, _ in chosen), "; ".join(en for _, en in chosen)
        return self.values[value]  # type: ignore[index]

    @property
    def kind(self) -> type:
        """The type of a single value: `int`, `bool` or `str`."""
        return type(next(iter(self.values)))

    def _read_many(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [v.strip() for v in value.replace("，", ",").replace("、", ",").split(",")]
            value = [v for v in value if v] if value != [""] else []
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            raise self._bad(value)
        if len(set(value)) != len(value) or not set(value) <= set(self.values):
            raise self._bad(value)
        return tuple(str(v) for v in self.values if v in value)

    def _bad(self, value: object) -> ZipaiError:
        allowed = ", ".join(self.write(v) for v in self.values)
        words = list(value) if isinstance(value, list | tuple) else [value]
        plain = all(isinstance(word, int | str) for word in words)
        shown = ", ".join(map(self.write, words)) if plain else repr(value)
        zh, en = ("任选若干", "any of") if self.many else ("可以是", "one of")
        return ZipaiError(
            "bad-option",
            self.rule,
            f"选项 {self.name} 不能是“{shown}”；{zh} {allowed}",
            f"option {self.name} cannot be “{shown}”; it is {en} {allowed}",
        )


_ALL: Final = (
    Option(
        "seats",
        "R2.2",
        "几人一桌；四人时庄家对面一人坐醒",
        "Players at the table; with four, the one opposite the dealer sits out",
        {2: ("两人", "two"), 3: ("三人", "three"), 4: ("四人轮流坐醒", "four, one sits out")},
    ),
    Option(
        "min_hu",
        "R7.4",
        "起胡：至少多少胡才能胡牌",
        "The least 胡 a win must reach",
        {n: (f"{n} 胡起胡", f"{n} 胡") for n in (10, 15, 20, 25, 30)},
    ),
    Option(
        "duo_step",
        "R9.1",
        "每多几胡加一舵",
        "How many 胡 more make one 舵 more",
        {5: ("5 胡一舵", "5 胡 a 舵"), 3: ("3 胡一舵", "3 胡 a 舵")},
    ),
    Option(
        "unit",
        "R9.1",
        "按舵还是按胡计分",
        "Whether results count in 舵 or in 胡",
        {
            "duo": ("胡数折成舵，再加醒和加分", "胡 become 舵, then 醒 and bonuses"),
            "hu": ("一胡一分，不翻醒，不加分", "one point a 胡, no 醒, no bonus"),
        },
    ),
    Option(
        "peng_points",
        "R3",
        "碰牌的胡数",
        "What a 碰 is worth",
        {
            "colour": (
                "黑牌小 1 大 3，红牌小 3 大 6",
                "black 1 small, 3 big; red 3 small, 6 big",
            ),
            "plain": ("不分颜色，小 1 大 3", "1 small, 3 big, whatever the colour"),
        },
    ),
    Option(
        "peng_opens_on",
        "R5.6",
        "碰过的牌，谁摸到第四张要开舵",
        "Whose flip of the fourth card opens one's 碰",
        {
            "own-flip": ("只有自己摸到", "only one's own flip"),
            "any-flip": ("无论谁摸到", "anybody's flip"),
        },
    ),
    Option(
        "sao_opens_on",
        "R5.6",
        "扫过的牌，别家的第四张怎样开舵",
        "What of another's opens one's 扫",
        {
            "flip": ("只有别家摸出的", "only a card another flips"),
            "flip-or-discard": ("别家摸出或打出的", "a card another flips or discards"),
        },
    ),
    Option(
        "two_long",
        "R2.4",
        "起手两条龙，少一张牌怎样补",
        "How a deal with two 龙 makes up for the card it is short of",
        {
            "skip-discard": ("听牌时可以留一次不打", "once, when 听牌, he may keep his discard"),
            "extra-card": ("开打前多抓一张", "he draws one extra card before play"),
        },
    ),
    Option(
        "must_win",
        "R6",
        "能胡时是否必须胡",
        "Whether who can win must",
        {
            "always": ("有胡必胡", "always"),
            "discard": ("放炮必胡：别家打出的必须胡", "on a discard, yes; on a flip as he likes"),
            "never": ("胡不胡自便", "never"),
        },
    ),
    Option(
        "passed",
        "R5.7",
        "臭牌：放过的牌以后不能做什么",
        "臭牌: what letting a card pass bars later",
        {
            "separate": (
                "放过吃的不能再吃，放过碰的不能再碰",
                "a passed 吃 bars 吃 of that card, a passed 碰 bars 碰",
            ),
            "shared": ("放过一样，吃碰都不能", "either bars both"),
        },
    ),
    Option(
        "own_flip_bonus",
        "R9.2",
        "自摸的加分",
        "What an own-flip win adds",
        {"none": ("不加", "nothing"), "+1": ("加 1 舵", "1 舵"), "x2": ("总舵数加倍", "doubles")},
    ),
    Option(
        "special_bonus",
        "R9.2",
        "天胡、地胡、三笼、五坎的加分",
        "What 天胡, 地胡, 三笼 and 五坎 add",
        {"none": ("不加", "nothing"), "+1": ("加 1 舵", "1 舵"), "x2": ("总舵数加倍", "doubles")},
    ),
    Option(
        "xing",
        "R8.1",
        "翻醒：哪些算醒",
        "Which neighbours of the turned card count as 醒",
        {
            "shang": ("上醒：翻出的上一张", "上醒: the rank before it"),
            "zhong": ("中醒：翻出的这张", "中醒: the card itself"),
            "xia": ("下醒：翻出的下一张", "下醒: the rank after it"),
        },
        many=True,
    ),
    Option(
        "xing_repeat",
        "R8.3",
        "上醒或下醒四张齐全时是否继续翻醒",
        "Whether holding all four of a 上醒 or 下醒 turns another card",
        {"off": ("只翻一次", "turned once only"), "on": ("继续翻", "turned again")},
    ),
    Option(
        "xing_wrap",
        "R8.1",
        "一和十是否相邻（翻一时十是上醒）",
        "Whether 一 and 十 are neighbours",
        {True: ("相邻", "they are"), False: ("不相邻", "they are not")},
    ),
    Option(
        "last_card",
        "R8.4",
        "海底胡（墩已摸完）怎样算醒",
        "醒 of a win when no card is left to turn",
        {
            "none": ("没有醒", "none"),
            "win-card": ("胡的那张当作翻出的牌", "the winning card serves as the turned card"),
            "flat-2": ("算 2 个醒", "two"),
        },
    ),
    Option(
        "deal_ties",
        "R7.6",
        "起手几家同时能胡",
        "When several can win at the deal",
        {
            "nearest": ("从庄家数起最近的一家胡", "the first from the dealer wins"),
            "largest-hu": ("胡数最大的胡，相同的都胡", "the largest 胡 wins, equal ones together"),
        },
    ),
    Option(
        "draw_dealer",
        "R9.5",
        "荒庄后谁坐庄",
        "Who deals after a drawn hand",
        {"same": ("庄家连庄", "the same dealer"), "next": ("下家坐庄", "the next seat")},
    ),
)

OPTIONS: Final[Mapping[str, Option]] = {option.name: option for option in _ALL}
"""Every option by name, in the order of the preset table."""

CONFIRM: Final[Mapping[str, tuple[str, ...]]] = {
    "competition": (
        "peng_points",
        "xing_repeat",
        "xing_wrap",
        "last_card",
        "deal_ties",
        "draw_dealer",
    ),
    "laok": ("must_win", "xing_wrap", "last_card", "draw_dealer"),
    "guangxi-app": ("peng_points", "own_flip_bonus", "xing_wrap", "xing"),
    "local": (),
}
"""Options whose value is not from the preset's own text but from practice or chosen because
all sources are silent; people are told “请与裁判长确认”."""

CONFIRM_NOTES: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    "competition": (
        (
            "R7.3",
            "胡的那张凑成的三张或四张的胡数",
            "what three or four equal cards made by the winning card are worth",
        ),
    ),
    "laok": (),
    "guangxi-app": (),
    "local": (),
}
"""Points of the same kind that are no option: the rule, and what it is about."""

CONFIRM_MARK: Final = ("请与裁判长确认", "please confirm with the chief referee")
