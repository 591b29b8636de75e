"""The points of a preliminary's tables (C5.4) and its standings, each place with its reason (C8.3).

Pure: plain values in and out. Points are twelfths, whole numbers; nothing is a float.

A filler's place at a table counts, then his row is dropped (C1.3): an entrant behind him gets the
points of the place he came in, and so the filler's are nobody's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scoring.criteria import Criterion
from scoring.ranking import Player

WHOLE = 12
"""Twelfths in a point."""
SCALE: Mapping[int, tuple[int, ...]] = {2: (36, 0), 3: (36, 12, 0), 4: (36, 12, 12, 0)}
"""Seats of a table → the points of its places (C5.4)."""
MOST_AT_EXTRA = 3
"""A 加赛 is played at one table; where more are level the next criterion decides (C8.3)."""
MOST_TIMES = 3
"""So many tables of 加赛 at most for one tie, then the lot decides (C8.2)."""


def points_text(twelfths: int) -> str:
    """36 → `3`, 6 → `½`, 18 → `1½`, 16 → `4/3`."""
    whole, part = divmod(twelfths, WHOLE)
    if not part:
        return str(whole)
    return f"{whole or ''}½" if part * 2 == WHOLE else str(Fraction(twelfths, WHOLE))


def table_points(
    players: Sequence[Player], ruled: Mapping[int, int] | None = None
) -> dict[int, int]:
    """Key → points of everybody at a table, fillers too; who is level shares (C5.4).

    They come by `net`, then by `second` where all have it; who forfeited comes last. `ruled` are
    the places of the entrants where the chief referee has fixed them (C6.6): they stand in the
    lines that the entrants have, the fillers in their own.
    """
    tiers = _tiers(players)
    if ruled:
        tiers = _as_ruled(tiers, ruled)
    scale = SCALE[len(players)]
    found: dict[int, int] = {}
    start = 0
    for tier in tiers:
        share = sum(scale[start : start + len(tier)]) // len(tier)
        found |= {player.key: share for player in tier}
        start += len(tier)
    return found


def _tiers(players: Sequence[Player]) -> list[list[Player]]:
    has_second = all(player.second is not None for player in players)

    def key(player: Player) -> tuple[bool, int, int]:
        second = -(player.second or 0) if has_second else 0
        return player.forfeit, -player.net, second

    return [list(group) for _, group in groupby(sorted(players, key=key), key=key)]


def _as_ruled(tiers: Sequence[Sequence[Player]], ruled: Mapping[int, int]) -> list[list[Player]]:
    lines = [player for tier in tiers for player in tier]
    entrants = iter(
        sorted((p for p in lines if not p.filler), key=lambda player: ruled.get(player.key, 9))
    )
    rows = [player if player.filler else next(entrants) for player in lines]

    def key(player: Player) -> tuple[bool, int]:
        return player.filler, player.key if player.filler else ruled.get(player.key, 9)

    return [list(group) for _, group in groupby(rows, key=key)]


@dataclass(frozen=True, slots=True)
class Result:
    """What somebody has done in a preliminary.

    `points` are twelfths, `net` 舵 in all rounds; `tables_won` at how many tables he alone came
    first; `best` the highest net of one round, None before the first. `hands_won`, `discards` are
    None where a hand is known by totals only. `lot` is his public lot (1 is best). `has_left`
    marks who withdrew, was disqualified or is absent: he ranks behind all others and does not
    go on.
    """

    key: int
    points: int = 0
    net: int = 0
    tables_won: int = 0
    hands_won: int | None = 0
    discards: int | None = 0
    best: int | None = None
    lot: int | None = None
    has_left: bool = False
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class ExtraTable:
    """A table of 加赛 that was played: each one's net 舵 there by key."""

    nets: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings: rank from 1, never shared once everybody has a lot."""

    result: Result
    rank: int


@dataclass(frozen=True, slots=True)
class Step:
    """Why one stands before the next: the criterion, with both values where it has any."""

    criterion: Criterion
    values: tuple[int, int] | None = None

    @property
    def zh(self) -> str:
        """The step in Chinese: “积分 5 对 13/3”."""
        return self._sentence(self.criterion.zh, "对")

    @property
    def en(self) -> str:
        """The step in English."""
        return self._sentence(self.criterion.en, "to")

    def _sentence(self, name: str, to: str) -> str:
        if self.values is None:
            return name
        text = points_text if self.criterion is Criterion.MATCH else str
        return f"{name} {text(self.values[0])} {to} {text(self.values[1])}"


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie that waits for a table of 加赛: the line it runs through, who is level."""

    line: int
    keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The standings, best first. `steps[i]` says why row i stands before row i + 1; `ties` are
    those to play for; `skipped` the criteria that somebody level lacked the data for.
    """

    rows: tuple[Row, ...]
    steps: tuple[Step, ...]
    ties: tuple[Tie, ...]
    skipped: tuple[Criterion, ...]


def rank_preliminary(
    results: Sequence[Result],
    *,
    lines: Sequence[int] = (),
    extra_option: bool = True,
    extras: Sequence[ExtraTable] = (),
) -> Ranking:
    """Ranks by C8.3: points → net 舵 → tables won → hands won → fewer 点炮 → best round → 加赛 at
    a line that matters → public lot.

    `lines` are the places after which somebody goes on, or has a prize, no more. A table of 加赛
    belongs to the tie of exactly those who sat there, and puts them in the order of its nets.
    More than three who are level play none: the lot decides.
    """
    ranker = _Ranker(sorted(set(lines)), extras if extra_option else None)
    staying = [result for result in results if not result.has_left]
    gone = [result for result in results if result.has_left]
    ranker.split(staying, 0)
    if staying and gone:
        ranker.steps.append(Step(Criterion.FORFEIT))
    ranker.is_staying = False
    ranker.split(gone, 0)
    return Ranking(
        tuple(ranker.rows),
        tuple(ranker.steps),
        tuple(ranker.ties),
        tuple(criterion for criterion in Criterion if criterion in ranker.skipped),
    )


_ORDER: tuple[tuple[Criterion, Callable[[Result], int | None], int], ...] = (
    (Criterion.MATCH, lambda result: result.points, -1),
    (Criterion.NET, lambda result: result.net, -1),
    (Criterion.TABLES_WON, lambda result: result.tables_won, -1),
    (Criterion.HANDS_WON, lambda result: result.hands_won, -1),
    (Criterion.DISCARDS, lambda result: result.discards, 1),
    (Criterion.BEST_ROUND, lambda result: result.best, -1),
)
"""The criteria before 加赛: each with its value, and 1 where less is better."""
_LOT: tuple[Criterion, Callable[[Result], int | None], int] = (
    Criterion.LOT, lambda result: result.lot, 1,
)  # fmt: skip


class _Ranker:
    def __init__(self, lines: Sequence[int], extras: Sequence[ExtraTable] | None) -> None:
        self.lines = lines
        self.extras = extras
        self.used: set[int] = set()
        self.is_staying = True
        self.rows: list[Row] = []
        self.steps: list[Step] = []
        self.ties: list[Tie] = []
        self.skipped: set[Criterion] = set()

    def split(self, tied: Sequence[Result], asked: int) -> None:
        """Places level results by the criteria from number `asked` on."""
        if len(tied) < 2:
            self._place(tied)
        elif asked == len(_ORDER):
            self._extra(tied)
        else:
            self._by(_ORDER[asked], tied, lambda part: self.split(part, asked + 1))

    def _by(
        self,
        criterion: tuple[Criterion, Callable[[Result], int | None], int],
        tied: Sequence[Result],
        then: Callable[[Sequence[Result]], None],
    ) -> None:
        name, value, sign = criterion
        known = {result.key: found for result in tied if (found := value(result)) is not None}
        if len(known) < len(tied):
            if known:
                self.skipped.add(name)
            then(tied)
            return
        self._parts(name, tied, known, sign, then)

    def _parts(
        self,
        name: Criterion,
        tied: Sequence[Result],
        known: Mapping[int, int],
        sign: int,
        then: Callable[[Sequence[Result]], None],
    ) -> None:
        ordered = sorted(tied, key=lambda result: sign * known[result.key])
        before: int | None = None
        for worth, group in groupby(ordered, key=lambda result: known[result.key]):
            if before is not None:
                self.steps.append(Step(name, (before, worth)))
            then(list(group))
            before = worth

    def _extra(self, tied: Sequence[Result]) -> None:
        """A tie that is left after all that was played: 加赛 where a line runs through it."""
        first = len(self.rows) + 1
        line = next((one for one in self.lines if first <= one < first + len(tied) - 1), None)
        if (
            self.extras is None
            or line is None
            or not self.is_staying
            or not 2 <= len(tied) <= MOST_AT_EXTRA
        ):
            self._lot(tied)
            return
        keys = {result.key for result in tied}
        played = [
            index
            for index, extra in enumerate(self.extras)
            if set(extra.nets) == keys and index not in self.used
        ]
        if played:
            self.used.add(played[0])
            nets = self.extras[played[0]].nets
            self._parts(Criterion.EXTRA_TABLE, tied, nets, -1, self._extra_again)
            return
        if sum(set(extra.nets) >= keys for extra in self.extras) < MOST_TIMES:
            self.ties.append(Tie(line, tuple(result.key for result in tied)))
        self._lot(tied)

    def _extra_again(self, tied: Sequence[Result]) -> None:
        if len(tied) < 2:
            self._place(tied)
        else:
            self._extra(tied)

    def _lot(self, tied: Sequence[Result]) -> None:
        self._by(_LOT, tied, self._place)

    def _place(self, tied: Sequence[Result]) -> None:
        rank = len(self.rows) + 1
        for index, result in enumerate(tied):
            if index:
                self.steps.append(Step(Criterion.LEVEL))
            self.rows.append(Row(result, rank))
