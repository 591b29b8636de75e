"""The random words of a draw (C4.2, C4.3).

Everything random in a draw comes from one stream of 32-bit words that anyone can compute again from
the published seed.
"""

import hashlib
import struct
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_SPACE = 1 << 32


def draw_seed(list_digest: bytes, secret: bytes, words: str) -> bytes:
    """The seed of a draw: SHA-256(list digest ‖ server secret ‖ words) (C4.2).

    `list_digest` and `secret` are 32 raw bytes each, `words` is what was thrown or called in the
    hall, taken as UTF-8 exactly as given. Returns 32 bytes.
    """
    return hashlib.sha256(list_digest + secret + words.encode()).digest()


class WordStream:
    """The words of one seed in order (C4.3): SHA-256(seed ‖ uint64 i), i = 0, 1, …, eight words
    each.
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next word, 0 … 2³² − 1."""
        if not self._words:
            digest = hashlib.sha256(self._seed + struct.pack(">Q", self._block)).digest()
            self._block += 1
            self._words = list(reversed(struct.unpack(">8I", digest)))
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A number 0 … bound − 1, each equally likely: words beyond the last whole multiple are
        rejected.
        """
        word = self.word()
        while word >= _SPACE - _SPACE % bound:
            word = self.word()
        return word % bound

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list with the items in Fisher–Yates order, from the last place down (C4.3)."""
        result = list(items)
        for k in range(len(result) - 1, 0, -1):
            j = self.below(k + 1)
            result[k], result[j] = result[j], result[k]
        return result
