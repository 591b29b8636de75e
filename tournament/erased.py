"""Names taken out of what people typed: pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

SHORTEST = 2
"""A name of one character is a word like any other: it is only taken out where it stands alone."""


@dataclass(frozen=True)
class Names:
    """What is taken out of texts: `words`, name (phone, address …) → what stands there instead.

    `others` are the names of people who stay: 张三 goes, the 张三 in 张三丰 does not.
    """

    words: Mapping[str, str]
    others: frozenset[str] = frozenset()

    @cached_property
    def _found(self) -> re.Pattern[str] | None:
        gone = {word for word in self.words if len(word) >= SHORTEST}
        if not gone:
            return None
        stay = {name for name in self.others if any(word in name for word in gone)}
        longest_first = sorted(gone | stay, key=lambda word: (-len(word), word))
        return re.compile("|".join(map(re.escape, longest_first)))

    def are_in(self, text: str) -> bool:
        """Whether the text names one of them."""
        return self.out_of(text) != text

    def out_of(self, text: str, most: int | None = None) -> str:
        """The text without them, cut off after `most` characters."""
        if text.strip() in self.words:
            return self.words[text.strip()]
        if self._found is None:
            return text
        made = self._found.sub(lambda match: self.words.get(match[0], match[0]), text)
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
