"""What stands beside the places: the lines between them, and what each still needs (C8.5).

Plain values in, sentences in the language in use out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.finishes import Row, spoken
from scoring.games import Figure
from scoring.needs import AtTable, Need, at_table, need
from scoring.queries_public import RoundRow, SeatRow, TableNet
from scoring.standings import SHARED_AFTER
from tournament.enums import State


def running(seats: Sequence[SeatRow]) -> set[int]:
    """The tables among these seats at which is played now."""
    return {seat.table for seat in seats if seat.state == State.RUNNING}


def needs_of(
    seats: Sequence[SeatRow], nets: Mapping[int, TableNet], rounds: Mapping[int, RoundRow]
) -> dict[int, Need]:
    """Entrant's id → what he still needs; nobody who is out, has left or has won.

    `seats` in order of round; `nets` has the tables that run. Empty while the last round is not
    published.
    """
    last = max(rounds, default=0)
    if not last or not rounds[last].is_last:
        return {}
    at: dict[int, list[SeatRow]] = {}
    newest: dict[int, SeatRow] = {}
    for seat in seats:
        if seat.entrant is not None:
            newest[seat.entrant] = seat
            if not seat.forfeits:
                at.setdefault(seat.table, []).append(seat)
    return {
        pk: replace(
            need(seat.round, last, _now(seat, at[seat.table], nets, rounds[seat.round].advance)),
            is_third=seat.is_third,
        )
        for pk, seat in newest.items()
        if not seat.is_done and not seat.forfeits
    }


def _now(
    seat: SeatRow, able: Sequence[SeatRow], nets: Mapping[int, TableNet], advance: int
) -> AtTable | None:
    net = nets.get(seat.table)
    if seat.state != State.RUNNING or net is None or isinstance(net.nets[0], Figure):
        return None
    return at_table(
        {one.position: net.nets[one.position] for one in able},
        seat.position,
        advance=advance,
        left=net.planned - net.hands,
    )


def spoken_need(one: Need, rounds: Mapping[int, RoundRow]) -> list[str]:
    """“再赢 2 桌进决赛”, and where his table runs “落后 6 舵，还剩 3 局”."""
    n, last = one.tables, max(rounds)
    if one.is_third:
        words = _("赢了是第三名")
    elif not n:
        words = _("决赛赢了就是冠军")
    elif all(rounds[number].advance == 1 for number in range(last - n, last)):
        words = ngettext("再赢 %(n)d 桌进决赛", "再赢 %(n)d 桌进决赛", n) % {"n": n}
    else:
        words = ngettext("再晋级 %(n)d 次进决赛", "再晋级 %(n)d 次进决赛", n) % {"n": n}
    return [words, spoken_now(one.now)] if one.now else [words]


def spoken_now(now: AtTable) -> str:
    """“落后 6 舵，还剩 3 局”, measured at the line between who goes on and who does not."""
    left = _("打满了，等确认")
    if now.left:
        left = ngettext("还剩 %(n)d 局", "还剩 %(n)d 局", now.left) % {"n": now.left}
    if now.gap is None:
        return _("同桌没有人能超过，%(left)s") % {"left": left}
    if now.gap == 0:
        return _("持平，%(left)s") % {"left": left}
    pattern = _("领先 %(gap)d 舵，%(left)s") if now.gap > 0 else _("落后 %(gap)d 舵，%(left)s")
    return pattern % {"gap": abs(now.gap), "left": left}


def cut_lines(found: Sequence[Row], rounds: Mapping[int, RoundRow], *, is_done: bool) -> list[str]:
    """For each line of the standings what the line below it parts, "" where none runs there.

    Once all is played the prizes (the first three together), before that how far who is still in
    has come.
    """
    groups = [list(group) for _key, group in groupby(found, key=_prizes if is_done else _still_in)]
    labels: list[str] = []
    for group, below in pairwise(groups):
        label = _won(group) if is_done else _reached(group[-1], below[0], rounds)
        labels += [*[""] * (len(group) - 1), label]
    return [*labels, *[""] * (len(found) - len(labels))]


def _prizes(row: Row) -> int:
    """Which prizes belong together: the last place of the band, 0 where he has none."""
    prize = row.standing.prize
    return 0 if prize is None else max(SHARED_AFTER, prize.last)


def _still_in(row: Row) -> int:
    """The round in which somebody still is, 0 where he is out."""
    return row.finish.round if row.standing.place is None else 0


def _won(rows: Sequence[Row]) -> str:
    names = dict.fromkeys(spoken(row.standing.prize) for row in rows if row.standing.prize)
    return _("以上%(prizes)s") % {"prizes": _("、").join(names)}


def _reached(upper: Row, lower: Row, rounds: Mapping[int, RoundRow]) -> str:
    if not _still_in(lower):
        return _("以上还在赛")
    return _("以上已进%(round)s") % {"round": rounds[upper.finish.round].title}
