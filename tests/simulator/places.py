"""The sums and places of a table, and of everybody at the end, counted from raw rows.

Written from C6.5, C6.6, C8.1, C8.2 and C8.5 alone; shares nothing with `scoring.sums`,
`scoring.ranking` and `scoring.standings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from tests.simulator.rows import DONE, GONE, Row, Rows, deltas, json_of


@dataclass
class Nets:
    """What a sheet comes to: by position, four columns always."""

    nets: list[int]
    deducted: list[int]
    won: list[int] | None
    paid: list[int] | None
    played: int
    flagged: list[int]
    extras: list[tuple[frozenset[int], tuple[int, ...]]]


def nets_of(rows: Rows, sheet: Row) -> Nets:
    """C6.5, C6.6: hands that count, rulings in their place, penalties, 扣罚."""
    ruled = {r.hand_id: r for r in rows.rulings.get(sheet.id, []) if r.hand_id}
    found = Nets([0] * 4, [0] * 4, [0] * 4, [0] * 4, 0, [], [])
    for hand in rows.hands.get(sheet.id, []):
        version = rows.current(hand.id)
        if version.is_void:
            continue
        ruling = ruled.get(hand.id)
        if version.is_flagged and ruling is None:
            found.flagged.append(hand.number)
        points = deltas(ruling or version)
        payload = json_of(version.payload)
        if hand.tie_break_id is not None:
            found.extras.append((frozenset(payload["among"]), points))
            continue
        found.played += payload.get("hands", 1)
        _count(found, version, ruling, points)
    for penalty in rows.penalties.get(sheet.id, []):
        found.deducted[penalty.position] += penalty.deducted
        found.nets[penalty.position] -= penalty.deducted
        for seat, points_ in enumerate(deltas(penalty)):
            found.nets[seat] += points_
    return found


def _count(found: Nets, version: Row, ruling: Row | None, points: tuple[int, ...]) -> None:
    for seat in range(4):
        found.nets[seat] += points[seat]
    winners = json_of(version.winners)
    payer = version.payer
    if ruling is not None:
        winners = [seat for seat in range(4) if points[seat] > 0]
        payer = None if payer is None or points[payer] >= 0 else payer
    if winners is None:
        found.won = found.paid = None
    if found.won is not None and found.paid is not None:
        for seat in winners:
            found.won[seat] += 1
        if payer is not None:
            found.paid[payer] += 1


@dataclass(frozen=True)
class Places:
    """Position → place of each entrant, and the positions of those who go on."""

    places: dict[int, int]
    going_on: set[int]


def advance_of(rows: Rows, table: Row) -> int:
    """How many of a table go on: nobody from the one for third place, nor from a preliminary's."""
    return 0 if table.is_third else rows.rounds[table.round_id].advance


def by_net(rows: Rows, table: Row, seats: list[Row]) -> list[list[Row]]:
    """Those who are level together, who has left behind them all."""
    net = nets_of(rows, rows.sheets[table.id]).nets
    return [
        level
        for gone in (False, True)
        for level in _levels(
            [seat for seat in seats if bool(seat.forfeits) == gone],
            lambda seat: -net[seat.position],
        )
    ]


def points_of(rows: Rows, table: Row) -> dict[int, int]:
    """C5.4: twelfths for 3-1-0, with four seats 3-1-1-0; a filler's place counts and is dropped;
    who is level shares. A ruling on places is about the entrants, the filler keeps his (C6.6)."""
    seats = rows.seats[table.id]
    sheet = rows.sheets[table.id]
    ruled = [r for r in rows.rulings.get(sheet.id, []) if r.places is not None and not r.hand_id]
    worth = {2: [36, 0], 3: [36, 12, 0], 4: [36, 12, 12, 0]}[len(seats)]
    levels = by_net(rows, table, seats)
    if ruled:
        order = {int(seat): place for seat, place in json_of(ruled[-1].places).items()}
        ranked = iter(sorted((s for s in seats if s.entrant_id), key=lambda s: order[s.position]))
        levels = [[next(ranked) if s.entrant_id else s] for level in levels for s in level]
    found = {}
    for level in levels:
        share = sum(worth[: len(level)])
        worth = worth[len(level) :]
        found |= {seat.position: share // len(level) for seat in level if seat.entrant_id}
    return found


def places_of(rows: Rows, table: Row) -> Places | None:
    """C8.1, C8.2, C9.3 for one table; None while a tie at a line is open."""
    round_, advance = rows.rounds[table.round_id], advance_of(rows, table)
    seats = [seat for seat in rows.seats[table.id] if seat.entrant_id]
    sheet = rows.sheets[table.id]
    ruled = [r for r in rows.rulings.get(sheet.id, []) if r.places is not None and not r.hand_id]
    if ruled:
        order = {int(seat): place for seat, place in json_of(ruled[-1].places).items()}
        ranked = [[seat] for seat in sorted(seats, key=lambda seat: order[seat.position])]
        return _named(ranked, advance)
    if rows.stage_of(table).kind == "prelim":
        return _named(by_net(rows, table, seats), 0)
    lines = {advance} if advance else set()
    if round_.is_last:
        prizes = rows.all("tournament_event")[rows.stage_of(table).event_id].prizes
        lines |= {1} if table.is_third else set(range(1, min(3, prizes) + 1))
    table_ = _Table(rows, table, nets_of(rows, sheet), lines)
    ranked = table_.ranked(seats)
    return None if table_.is_open else _named(ranked, advance)


def _named(ranked: list[list[Row]], advance: int) -> Places:
    """Who goes on comes first, in the order of the ranks; who has left is passed over."""
    able = [seat for level in ranked for seat in level if not seat.forfeits]
    going_on = [seat.position for seat in able[:advance]]
    places = {position: place for place, position in enumerate(going_on, 1)}
    for level in ranked:
        rest = [seat for seat in level if seat.position not in places]
        places |= dict.fromkeys((seat.position for seat in rest), len(places) + 1)
    return Places(places, set(going_on))


class _Table:
    def __init__(self, rows: Rows, table: Row, net: Nets, lines: set[int]) -> None:
        stage = rows.stage_of(table)
        self.net, self.lines, self.is_open = net, lines, False
        self.extras = list(net.extras) if stage.extra_hands else None
        entrants = rows.entrants
        lots = _lots(rows, rows.rounds[table.round_id])
        self.lot = {
            seat.position: lots.get(rows.numbers[seat.entrant_id])
            for seat in rows.seats[table.id]
            if seat.entrant_id
        }
        self.prelim = {
            seat.position: entrants[seat.entrant_id].prelim_rank
            for seat in rows.seats[table.id]
            if seat.entrant_id
        }

    def ranked(self, seats: list[Row]) -> list[list[Row]]:
        found: list[list[Row]] = []
        for gone in (False, True):
            group = [seat for seat in seats if bool(seat.forfeits) == gone]
            for level in _levels(group, lambda seat: -self.net.nets[seat.position]):
                found += self._tie(level, sum(map(len, found)) + 1, 1)
        return found

    def _crosses(self, level: list[Row], start: int) -> bool:
        """Whether a line that matters runs through these places."""
        inside = range(start, start + len(level) - 1)
        return not level[0].forfeits and any(line in inside for line in self.lines)

    def _tie(self, level: list[Row], start: int, hand: int) -> list[list[Row]]:
        if len(level) == 1:
            return [level]
        if self.extras is None or hand > 3 or not self._crosses(level, start):
            return self._by_rows(level, start)
        who = frozenset(seat.position for seat in level)
        played = next((one for one in self.extras if one[0] == who), None)
        if played is None:
            self.is_open = True
            return [level]
        self.extras.remove(played)
        best = max(played[1][seat.position] for seat in level)
        first = [seat for seat in level if played[1][seat.position] == best]
        rest = [seat for seat in level if played[1][seat.position] != best]
        return [
            *self._tie(first, start, hand + 1),
            *(self._tie(rest, start + len(first), 1) if rest else []),
        ]

    def _by_rows(self, level: list[Row], start: int) -> list[list[Row]]:
        """Hands won, fewer 点炮, preliminary rank, lot; what somebody lacks is passed over."""
        won, paid = self.net.won, self.net.paid
        criteria: list[dict[int, Any]] = [
            {p: None if won is None else -won[p] for p in self.lot},
            {p: None if paid is None else paid[p] for p in self.lot},
            self.prelim,
            self.lot,
        ]
        groups = [level]
        for values in criteria:
            groups = [part for group in groups for part in _split(group, values)]
        at = start
        for group in groups:
            if len(group) > 1 and self._crosses(group, at):
                self.is_open = True
            at += len(group)
        return groups


def _split(group: list[Row], values: dict[int, Any]) -> list[list[Row]]:
    if any(values[seat.position] is None for seat in group):
        return [group]
    return _levels(group, lambda seat: values[seat.position])


def _levels(seats: list[Any], key: Any) -> list[list[Any]]:
    return [list(group) for _key, group in groupby(sorted(seats, key=key), key=key)]


def _lots(rows: Rows, round_: Row) -> dict[int, int]:
    """Number → public lot of the newest draw that made the round, 1 the best."""
    drawn = [
        draw
        for draw in rows.all("tournament_draw").values()
        if draw.stage_id == round_.stage_id
        and draw.number is not None
        and draw.round_number <= round_.number
    ]
    if not drawn:
        return {}
    newest = max(drawn, key=lambda draw: (draw.round_number, draw.number))
    return {number: lot for lot, number in enumerate(json_of(newest.result)["lots"], 1)}


def standings_of(rows: Rows) -> dict[int, tuple[int, bool]]:
    """Entrant → place and 并列, once all is played (C8.5): round reached, place at that table,
    net per hand there; equal ones by lot down to the third place, below they share it."""
    keys: dict[int, tuple[Any, ...]] = {}
    lots: dict[int, int | None] = {}
    for pk, seat in rows.last_seats.items():
        table = rows.play[seat.table_id]
        if table.state not in DONE or rows.stage_of(table).kind == "prelim":
            continue
        net = nets_of(rows, rows.sheets[table.id])
        per_hand = Fraction(net.nets[seat.position], net.played or 1)
        keys[pk] = (
            -rows.rounds[seat.round_id].number, seat.place + 2 * bool(table.is_third),
            net.played == 0, -per_hand,
        )  # fmt: skip
        lots[pk] = _lots(rows, rows.rounds[table.round_id]).get(rows.numbers[pk])
    found: dict[int, tuple[int, bool]] = {}
    place = 1
    for _key, group in groupby(sorted(keys, key=lambda pk: keys[pk]), key=lambda pk: keys[pk]):
        level = list(group)
        if all(lots[pk] is not None for pk in level):
            level.sort(key=lambda pk: lots[pk] or 0)
            while level and place <= 3:
                found[level.pop(0)] = place, False
                place += 1
        for pk in level:
            found[pk] = place, len(level) > 1
        place += len(level)
    return found


def preliminary_of(rows: Rows, stage: Row) -> list[set[int]]:
    """C8.3: the entrants of a preliminary whose rounds are all done, best first, those together
    between whom 加赛 decides. Points, net, tables won, hands won, fewer 点炮, best round, lot; a
    criterion that somebody level lacks is passed over; who has left comes last."""
    found: dict[int, list[Any]] = {}
    for seats in rows.seats.values():
        for seat in seats:
            round_ = rows.rounds[seat.round_id]
            holder = seat.entrant_id or seat.stands_for_id
            if round_.stage_id != stage.id or holder is None:
                continue
            played = found.setdefault(holder, [])
            if seat.entrant_id is not None and not round_.is_tie_break:
                net = nets_of(rows, rows.sheets[seat.table_id])
                at = seat.position
                won = None if net.won is None else net.won[at]
                paid = None if net.paid is None else net.paid[at]
                played.append((seat.points, net.nets[at], won, paid))
    has_extra = any(r.stage_id == stage.id and r.is_tie_break for r in rows.rounds.values())
    first = next(r for r in rows.rounds.values() if r.stage_id == stage.id and r.number == 1)
    lots = _lots(rows, first)

    def total(values: list[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    criteria: list[dict[int, int | None]] = []
    for measure in (
        lambda played: -sum(one[0] for one in played),
        lambda played: -sum(one[1] for one in played),
        lambda played: -sum(one[0] == 36 for one in played),
        lambda played: None if (won := total([one[2] for one in played])) is None else -won,
        lambda played: total([one[3] for one in played]),
        lambda played: -max(one[1] for one in played) if played else None,
    ):
        criteria.append({pk: measure(played) for pk, played in found.items()})
    if not has_extra:
        late = 1_000_000
        criteria.append({pk: lots.get(rows.numbers[pk], late + rows.numbers[pk]) for pk in found})
    gone = {pk for pk in found if rows.entrants[pk].status in GONE}
    groups = [[pk for pk in found if (pk in gone) == left] for left in (False, True)]
    for values in criteria:
        groups = [part for group in groups for part in _parted(group, values)]
    return [set(group) for group in groups if group]


def _parted(group: list[int], values: dict[int, int | None]) -> list[list[int]]:
    if any(values[pk] is None for pk in group):
        return [group]
    return _levels(group, lambda pk: values[pk])


def levels_of(rows: Rows) -> list[list[int]]:
    """The entrants in the order of C8.5, those of one round and one place at its tables together;
    who plays for third place is behind the final."""
    found: dict[int, tuple[int, int]] = {}
    for pk, seat in rows.last_seats.items():
        table = rows.play[seat.table_id]
        if table.state in DONE and rows.stage_of(table).kind != "prelim":
            number = rows.rounds[seat.round_id].number
            found[pk] = -number, seat.place + 2 * bool(table.is_third)
    return _levels(list(found), lambda pk: found[pk])
