"""The freeze before a draw: what is fixed, and the digests that prove it later (C4.1).

Besides the list, the terms of the draw (what its kind of plan needs, further apart groups) get a
digest of their own, so that nothing is left to choose once the secret is known.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from core.canonical import canonical
from tournament.pairing.errors import PairingError

_LINE = re.compile(r"([1-9][0-9]{0,8})\t([^\t\r\n]*)\t([1-9][0-9]{0,8})?\t([0-9a-f]{64})")


def new_secret() -> bytes:
    """32 bytes from the operating system: the server's secret of one freeze, or a salt (C4.1)."""
    return secrets.token_bytes(32)


def name_hash(salt: bytes, name: str) -> str:
    """SHA-256(salt ‖ name) in hex: lets an entrant prove a name without the list showing it
    (C4.1).
    """
    return hashlib.sha256(salt + name.encode()).hexdigest()


def no_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON being read (`object_pairs_hook`). Raises `ValueError` where a name is given
    twice, as readers differ in which one counts."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name is given twice")
    return values


@dataclass(frozen=True, slots=True)
class Line:
    """An entrant on the frozen list: number (编号), unit (代表单位, may be empty), seed (1 is
    best).
    """

    number: int
    unit: str
    seed: int | None
    name_hash: str

    def text(self) -> str:
        """`number⇥unit⇥seed⇥hash`, without the line feed."""
        seed = "" if self.seed is None else self.seed
        return f"{self.number}\t{self.unit}\t{seed}\t{self.name_hash}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The line from its text; raises `list-line`."""
        match = _LINE.fullmatch(text)
        if not match:
            raise PairingError(
                "list-line",
                f"名单行应为“编号⇥单位⇥种子⇥64 位散列”，单位里不能有制表符或换行：{text!r}",
                "A list line is number⇥unit⇥seed⇥64 hex digits, without tab or line feed in the "
                f"unit: {text!r}",
            )
        number, unit, seed, digest = match.groups()
        return cls(int(number), unit, int(seed) if seed else None, digest)


class Terms(Protocol):
    """What one kind of plan is made of; the kinds stand in `tournament.pairing.kinds`."""

    def settled(self, numbers: Sequence[int]) -> Self:
        """The same for these entrants (numbers, ascending), every default spelt out. Raises
        `PairingError` where there is no such plan.
        """

    def as_json(self, entrants: int) -> Mapping[str, object]:
        """What the plan is a function of, as JSON values."""


T = TypeVar("T", bound=Terms)


@dataclass(frozen=True, slots=True)
class Freeze(Generic[T]):
    """All that a draw depends on, except the words from the hall.

    `lines` in order of number; `apart` further groups to keep apart (C1.4), each a tuple of
    numbers; `terms` those of its kind of plan; `secret` 32 bytes, kept until the draw and used
    for one draw only.
    """

    lines: tuple[Line, ...]
    apart: tuple[tuple[int, ...], ...]
    terms: T
    secret: bytes

    @property
    def list_digest(self) -> bytes:
        """SHA-256 of the list lines, each ended by a line feed (C4.1). Published at the freeze."""
        return hashlib.sha256("".join(f"{line.text()}\n" for line in self.lines).encode()).digest()

    @property
    def secret_digest(self) -> bytes:
        """SHA-256 of the server's secret (C4.1). Published at the freeze."""
        return hashlib.sha256(self.secret).digest()

    @property
    def plan_terms(self) -> dict[str, object]:
        """What the plan is a function of, as JSON values."""
        return dict(self.terms.as_json(len(self.lines)))

    @property
    def terms_digest(self) -> bytes:
        """SHA-256 of `{"apart": …, "plan": …}` as canonical JSON. Published at the freeze."""
        terms = {"apart": self.apart, "plan": self.plan_terms}
        return hashlib.sha256(canonical(terms).encode()).digest()


def freeze(
    lines: Sequence[Line], terms: T, *, secret: bytes, apart: Sequence[Sequence[int]] = ()
) -> Freeze[T]:
    """Puts the list in order and fixes the terms, their defaults spelt out.

    Raises `PairingError`: what the terms do, `list-line` (a tab or line feed in a unit, a number
    or seed below 1), `list-number` and `list-seed` (used twice), `apart-number` (a group names
    nobody).
    """
    ordered = tuple(sorted(lines, key=lambda line: line.number))
    for line in ordered:
        Line.parse(line.text())
    numbers = [line.number for line in ordered]
    _once("list-number", "编号", "number", numbers)
    _once("list-seed", "种子", "seed", [line.seed for line in ordered if line.seed is not None])
    groups = tuple(tuple(sorted(set(group))) for group in apart)
    for number in sorted({number for group in groups for number in group} - set(numbers)):
        raise PairingError(
            "apart-number",
            f"回避组里的 {number} 号不在名单上，请改正回避组。",
            f"No. {number} of a group to keep apart is not on the list; correct the group.",
        )
    return Freeze(ordered, groups, terms.settled(numbers), secret)


def _once(code: str, zh: str, en: str, values: Sequence[int]) -> None:
    seen: set[int] = set()
    for value in values:
        if value in seen:
            raise PairingError(
                code,
                f"{zh} {value} 出现了两次，请改正其中一个。",
                f"The {en} {value} appears twice; correct one of them.",
            )
        seen.add(value)
