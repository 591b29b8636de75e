"""Who goes on from a knock-out table, and why (C8.1, C8.2, C1.3, C9.3, C10).

One function, `rank_table`, ranks the players and explains itself: every step down the table names
the criterion that made it, with both values. All values are whole numbers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from scoring.criteria import HANDS, Criterion, Order
from scoring.games import share_text

EXTRA_HANDS = 3
"""So many 加赛 at most for one tie, then the next criterion decides (C8.2)."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a table as the ranking sees him.

    `key` identifies him (unique at the table). `net` is in 舵, with penalties and rulings; games
    won (`scoring.games.WHOLE`) or points where that is what counts first, `second` the other of
    the two (`Order`). The others are None where the evidence does not show them: `hands_won`,
    `discards` (点炮), `prelim` (preliminary rank, 1 is best), `lot` (public lot of the draw, 1 is
    best). `filler` is 陪打 (C1.3); `forfeit` marks who withdrew, was disqualified or forfeited the
    table: he ranks last and does not advance (C9.3).
    """

    key: int
    net: int
    hands_won: int | None = None
    discards: int | None = None
    prelim: int | None = None
    lot: int | None = None
    filler: bool = False
    forfeit: bool = False
    second: int | None = None


@dataclass(frozen=True, slots=True)
class ExtraHand:
    """A 加赛 that was played: the keys it was played among, and each one's delta in 舵."""

    among: frozenset[int]
    deltas: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """A player's place.

    `place` counts entrants only (None for a filler), is shared by players who are level, and is 1
    for the best; `table_place` is the line of the row, fillers counted too (C1.3).
    """

    key: int
    place: int | None
    table_place: int
    advances: bool


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the player `upper` stands directly before `lower`: the criterion and both values."""

    upper: int
    lower: int
    criterion: Criterion
    values: tuple[int, int] | None

    @property
    def zh(self) -> str:
        """The reason in Chinese, without names: “净舵 12 对 9”."""
        return self._sentence(self.criterion.zh, "对")

    @property
    def en(self) -> str:
        """The reason in English, without names: "net 舵 12 to 9"."""
        return self._sentence(self.criterion.en, "to")

    def _sentence(self, name: str, to: str) -> str:
        if self.values is None:
            return name
        is_share = self.criterion in (Criterion.GAMES, Criterion.EXTRA_GAME)
        upper, lower = map(share_text if is_share else str, self.values)
        return f"{name} {upper} {to} {lower}"


@dataclass(frozen=True, slots=True)
class OpenTie:
    """A tie at a line that matters, not yet decided (C8.2, C8.6).

    `lines` are the places after which the lines run, `keys` who is level. With `hand` 1 … 3 they
    play that 加赛 next, `fillers` sitting in. With `hand` None nothing is left to compare and the
    chief referee decides.
    """

    lines: tuple[int, ...]
    keys: tuple[int, ...]
    fillers: tuple[int, ...]
    hand: int | None


@dataclass(frozen=True, slots=True)
class TableRanking:
    """The table ranked, best first.

    `advancing` holds the keys that go on, empty while a tie at that line is open (C8.6);
    `reasons` one entry for each two neighbouring entrants; `skipped` the criteria passed over
    because somebody tied lacked the data; `unused` the indexes of 加赛 that decided nothing (a
    correction made them needless).
    """

    rows: tuple[Row, ...]
    advancing: tuple[int, ...]
    reasons: tuple[Reason, ...]
    open_ties: tuple[OpenTie, ...]
    skipped: tuple[Criterion, ...]
    unused: tuple[int, ...]


def rank_table(
    players: Sequence[Player],
    *,
    advance: int,
    prizes: Sequence[int] = (),
    extra_option: bool = True,
    extras: Sequence[ExtraHand] = (),
    order: Order = HANDS,
    shares: bool = False,
) -> TableRanking:
    """Ranks a knock-out table by C8.1: net 舵 → 加赛 → hands won → fewer 点炮 → preliminary → lot;
    another discipline by its `order`. With `shares`, at a preliminary's table, who is level shares
    the place and nothing further is asked (C5.4).

    `advance` is how many go on (1 in the final: the champion); `prizes` the places after which a
    prize line runs, for a final with three prizes (1, 2, 3). `extra_option` is the competition's
    option 加赛; `extras` are those played, in order. A 加赛 belongs to the tie whose players are
    exactly its `among`: the highest delta among them wins the best place of the tie, the rest are
    tied as before; level again means one more among those still level.
    """
    ranker = _Ranker(
        [player for player in players if not player.filler],
        fillers=[player for player in players if player.filler],
        lines=sorted({advance, *prizes}),
        extras=extras if extra_option else None,
        order=order,
        shares=shares,
    )
    ranker.rank()
    ordered = [player for tier in ranker.tiers for player in tier]
    places = {
        player.key: sum(map(len, ranker.tiers[:index])) + 1
        for index, tier in enumerate(ranker.tiers)
        for player in tier
    }
    advancing = tuple(p.key for p in ordered if places[p.key] <= advance and not p.forfeit)
    if any(advance in tie.lines for tie in ranker.open_ties):
        advancing = ()
    return TableRanking(
        rows=tuple(
            Row(player.key, places.get(player.key), table_place, player.key in advancing)
            for table_place, player in enumerate(_with_fillers(ordered, ranker.fillers), 1)
        ),
        advancing=advancing,
        reasons=tuple(ranker.reasons()),
        open_ties=tuple(ranker.open_ties),
        skipped=tuple(criterion for criterion in Criterion if criterion in ranker.skipped),
        unused=tuple(i for i in range(len(extras)) if i not in ranker.used),
    )


_FURTHER: tuple[tuple[Criterion, Callable[[Player], int | None], int], ...] = (
    (Criterion.HANDS_WON, lambda player: player.hands_won, -1),
    (Criterion.DISCARDS, lambda player: player.discards, 1),
    (Criterion.PRELIM, lambda player: player.prelim, 1),
    (Criterion.LOT, lambda player: player.lot, 1),
)
"""The criteria after 加赛: each with the player's value, and 1 where less is better."""


@dataclass(slots=True)
class _Step:
    """A boundary between two tiers: the criterion and how to read a player's value of it."""

    criterion: Criterion
    value: Callable[[Player], int] | None = None


class _Ranker:
    """Splits entrants into tiers, best first; `steps[i]` says why tier i stands before tier i +
    1.
    """

    def __init__(
        self,
        entrants: Sequence[Player],
        *,
        fillers: Sequence[Player],
        lines: Sequence[int],
        extras: Sequence[ExtraHand] | None,
        order: Order,
        shares: bool,
    ) -> None:
        self.entrants = entrants
        self.fillers = fillers
        self.lines = lines
        self.extras = extras
        self.order = order
        self.shares = shares
        self.tiers: list[Sequence[Player]] = []
        self.steps: list[_Step] = []
        self.open_ties: list[OpenTie] = []
        self.skipped: set[Criterion] = set()
        self.used: set[int] = set()

    def rank(self) -> None:
        playing = [player for player in self.entrants if not player.forfeit]
        gone = [player for player in self.entrants if player.forfeit]
        step = _Step(self.order.first, lambda player: player.net)
        start = 1
        for group in (playing, gone):
            for tied in _split(group, lambda player: -player.net):
                if start > 1:
                    first = tied[0].forfeit and not self.tiers[-1][0].forfeit
                    self.steps.append(_Step(Criterion.FORFEIT) if first else step)
                self._second(tied, start)
                start += len(tied)

    def reasons(self) -> list[Reason]:
        found: list[Reason] = []
        for index, tier in enumerate(self.tiers):
            found += [
                Reason(upper.key, lower.key, Criterion.LEVEL, None)
                for upper, lower in pairwise(tier)
            ]
            if index < len(self.steps):
                upper, lower = tier[-1], self.tiers[index + 1][0]
                step = self.steps[index]
                values = (step.value(upper), step.value(lower)) if step.value else None
                found.append(Reason(upper.key, lower.key, step.criterion, values))
        return found

    def _second(self, tied: Sequence[Player], start: int) -> None:
        """Places players level on what counts first by what counts second, where that is known."""
        known = {p.key: p.second for p in tied if p.second is not None}
        criterion = self.order.second
        if criterion is None or len(tied) == 1 or len(known) < len(tied):
            if criterion is not None and len(tied) > 1:
                self.skipped.add(criterion)
            self._tie(tied, start, hand=1)
            return
        step = _Step(criterion, lambda player: known[player.key])
        for index, part in enumerate(_split(tied, lambda player: -known[player.key])):
            if index:
                self.steps.append(step)
            self._tie(part, start, hand=1)
            start += len(part)

    def _tie(self, tied: Sequence[Player], start: int, hand: int) -> None:
        """Places players level on net 舵 from `start` on; `hand` is the next 加赛 of this tie."""
        if self.shares:
            self.tiers.append(tied)
            return
        lines = self._lines(tied, start)
        if self.extras is None or not lines or hand > EXTRA_HANDS:
            self._further(tied, start, 0)
            return
        among = frozenset(player.key for player in tied)
        played = (
            index
            for index, extra in enumerate(self.extras)
            if extra.among == among and index not in self.used
        )
        index = next(played, None)
        if index is None:
            self._leave_open(tied, lines, hand)
            return
        self.used.add(index)
        deltas = self.extras[index].deltas
        best = max(deltas[player.key] for player in tied)
        leaders = [player for player in tied if deltas[player.key] == best]
        rest = [player for player in tied if deltas[player.key] != best]
        self._tie(leaders, start, hand + 1)
        if rest:
            self.steps.append(_Step(self.order.extra, lambda player: deltas[player.key]))
            self._tie(rest, start + len(leaders), hand=1)

    def _further(self, tied: Sequence[Player], start: int, asked: int) -> None:
        """Places level players by the criteria from number `asked` on."""
        if len(tied) == 1:
            self.tiers.append(tied)
            return
        if asked == len(_FURTHER):
            lines = self._lines(tied, start)
            if lines:
                self._leave_open(tied, lines, None)
            else:
                self.tiers.append(tied)
            return
        criterion, value, sign = _FURTHER[asked]
        values = {player.key: value(player) for player in tied}
        known = {key: number for key, number in values.items() if number is not None}
        if len(known) < len(values):
            self.skipped.add(criterion)
            self._further(tied, start, asked + 1)
            return
        step = _Step(criterion, lambda player: known[player.key])
        for index, part in enumerate(_split(tied, lambda player: sign * known[player.key])):
            if index:
                self.steps.append(step)
            self._further(part, start, asked + 1)
            start += len(part)

    def _lines(self, tied: Sequence[Player], start: int) -> tuple[int, ...]:
        """The lines that run through places `start` … of a tie; none for those who forfeited."""
        if tied[0].forfeit:
            return ()
        return tuple(line for line in self.lines if start <= line < start + len(tied) - 1)

    def _leave_open(self, tied: Sequence[Player], lines: tuple[int, ...], hand: int | None) -> None:
        keys = tuple(player.key for player in tied)
        others = [*self.entrants, *self.fillers]
        fillers = tuple(player.key for player in others if player.key not in keys)
        self.open_ties.append(OpenTie(lines, keys, fillers, hand))
        self.tiers.append(tied)


def _split(players: Sequence[Player], key: Callable[[Player], int]) -> list[list[Player]]:
    """The players by ascending key, those with the same key together, in the order given."""
    return [list(group) for _, group in groupby(sorted(players, key=key), key=key)]


def _with_fillers(ordered: Sequence[Player], fillers: Sequence[Player]) -> list[Player]:
    """The ranked entrants with each filler put behind those who have as much net 舵 (C1.3)."""
    rows = list(ordered)
    for filler in sorted(fillers, key=lambda player: player.net):
        rows.insert(sum(p.net >= filler.net and not p.forfeit for p in ordered), filler)
    return rows
