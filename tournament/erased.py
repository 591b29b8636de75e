"""Names taken out of what people typed: pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

LATIN = "[A-Za-zÀ-ɏ]"
SHORTEST = 2
"""A name of one character is a word like any other: it is only taken out where it stands alone."""


@dataclass(frozen=True)
class Names:
    """What is taken out of texts: `words`, name (phone, address …) → what stands there instead.

    `others` are the names of people who stay: 张三 goes, the 张三 in 张三丰 does not. A word is
    found however it is spaced and capitalized.
    """

    words: Mapping[str, str]
    others: frozenset[str] = frozenset()

    @cached_property
    def _instead(self) -> dict[str, str]:
        return {_key(word): instead for word, instead in self.words.items()}

    @cached_property
    def _found(self) -> list[re.Pattern[str]]:
        gone = {word for word in self.words if len(word) >= SHORTEST}
        keys = [_key(word) for word in gone]
        stay = {name for name in self.others if any(key in _key(name) for key in keys)}
        words = sorted(gone | stay, key=lambda word: (-len(word), word))
        # Apart, as Python skips to the first characters of a pattern only where none has a case.
        plain = [word for word in words if not _has_case(word)]
        latin = [word for word in words if _has_case(word)]
        found = [re.compile("|".join(map(_spelled, plain)))] if plain else []
        if latin:
            first = "".join(sorted({re.escape(word[0]) for word in latin}))
            spelled = "|".join(map(_spelled, latin))
            pattern = rf"(?<!{LATIN})(?=[{first}])(?:{spelled})(?!{LATIN})"
            found.append(re.compile(pattern, re.IGNORECASE))
        return found

    def are_in(self, text: str) -> bool:
        """Whether the text names one of them."""
        return self.out_of(text) != text

    def out_of(self, text: str, most: int | None = None) -> str:
        """The text without them, cut off after `most` characters."""
        if text.strip() in self.words:
            return self.words[text.strip()]
        made = text
        for found in self._found:
            made = found.sub(lambda match: self._instead.get(_key(match[0]), match[0]), made)
        return made if most is None or made == text else made[:most]

    def out_of_json(self, value: object) -> object:
        """The same for every text in a JSON value, keys aside."""
        if isinstance(value, str):
            return self.out_of(value)
        if isinstance(value, list):
            return [self.out_of_json(item) for item in value]
        if isinstance(value, dict):
            return {key: self.out_of_json(item) for key, item in value.items()}
        return value


def names_of(gone: Mapping[str, str], others: Iterable[str]) -> Names:
    """`gone`, name → what stands there instead; nothing for the empty name."""
    words = {word: instead for word, instead in gone.items() if word.strip()}
    return Names(words, frozenset(others) - set(words))


def _has_case(word: str) -> bool:
    return word.upper() != word.lower()


def _key(word: str) -> str:
    """The word however it is spaced and capitalized."""
    return re.sub(r"[\s-]", "", word).casefold()


def _spelled(word: str) -> str:
    """A pattern of the ways in which people write it: 张三 also 张　三, Li Wei also Li-Wei, a phone
    also in groups."""
    if _has_case(word):
        return r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", word)))
    between = r"[ -]?" if word.isdecimal() else r"[ \u3000]{0,2}"
    return between.join(re.escape(one) for one in word if not one.isspace())
