"""The standings of a knock-out as a page shows them: how far each came, and why (C8.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from core.templatetags.look import signed
from scoring.games import Figure, Share
from scoring.preliminary import Step
from scoring.queries_public import SeatRow, TableNet
from scoring.ranking import Reason
from scoring.standings import PRIZES, Finish, Prize, Standing, knockout_standings
from tournament.enums import EntrantStatus


@dataclass(frozen=True)
class Row:
    """A line of the standings; `reason` says what puts him before the next line."""

    entrant: int
    standing: Standing
    seat: SeatRow
    finish: Finish
    reason: str


FINALISTS = 2
"""Who play the final where third place has a table of its own."""
_MINUS = re.compile(r"-(?=\d)")


def rows(
    seats: Sequence[SeatRow],
    nets: Mapping[int, TableNet],
    lots: Mapping[int, int],
    final_reasons: Sequence[Reason] = (),
    final_ruling: Mapping[int, str] | None = None,
    prizes: Sequence[Prize] = PRIZES,
) -> list[Row]:
    """The standings of everybody who sits or sat at a table, best first.

    `seats` in order of round; `nets` of the tables that are done; `lots` by entrant's id;
    `final_reasons` are the last table's, keyed by position. Where the chief referee has ruled its
    places, `final_ruling` says by position what he ruled and what was computed (C6.6).
    """
    last: dict[int, SeatRow] = {}
    for seat in seats:
        if seat.entrant is not None:
            last[seat.entrant] = seat
    finishes = {pk: _finish(seat, nets, lots) for pk, seat in last.items()}
    standings = knockout_standings(list(finishes.values()), prizes)
    final_round = max((seat.round for seat in last.values()), default=0)
    found = []
    for index, standing in enumerate(standings):
        after = standings[index + 1] if index + 1 < len(standings) else None
        reason = ""
        if after is not None and standing.place not in (None, after.place):
            upper, lower = last[standing.key], last[after.key]
            reason = _reason(
                (upper, finishes[standing.key]),
                (lower, finishes[after.key]),
                final_reasons if lower.round == final_round and not lower.is_third else (),
            )
        seat = last[standing.key]
        is_finalist = seat.round == final_round and not seat.is_third
        if final_ruling and is_finalist and seat.place is not None:
            reason = final_ruling.get(seat.position, reason)
        finish = finishes[standing.key]
        found.append(Row(standing.key, standing, last[standing.key], finish, reason))
    return found


def _finish(seat: SeatRow, nets: Mapping[int, TableNet], lots: Mapping[int, int]) -> Finish:
    """How far he came; who waits for the next draw, or to hear whether he goes on, is still in."""
    net = nets.get(seat.table)
    is_waiting = seat.status == EntrantStatus.IN and not seat.is_last
    place = seat.place if seat.is_done and not is_waiting else None
    hands = net.hands if net and seat.is_done else 0
    if net and isinstance(net.nets[seat.position], Figure):
        hands = min(hands, 1)  # games won or points as such, not a game's share (C10)
    return Finish(
        key=seat.entrant or 0,
        round=seat.round,
        place=place + FINALISTS if place and seat.is_third else place,
        is_third=seat.is_third,
        net=net.nets[seat.position] if net and seat.is_done else 0,
        hands=hands,
        lot=lots.get(seat.entrant or 0),
    )


def _reason(
    upper: tuple[SeatRow, Finish], lower: tuple[SeatRow, Finish], table_reasons: Sequence[Reason]
) -> str:
    """What puts the one directly before the other, in the language in use; `table_reasons` are
    those of the table at which both sat, where they are known."""
    seat, finish = upper
    other, after = lower
    if finish.round != after.round:
        return _("多打进一轮")
    if seat.table == other.table:
        for reason in table_reasons:
            if (reason.upper, reason.lower) == (seat.position, other.position):
                return spoken(reason)
    if other.is_third and not seat.is_third:
        return _("打进决赛")
    if finish.place != after.place:
        return _("桌上第 %(a)s 名在第 %(b)s 名前") % {"a": seat.place, "b": other.place}
    mine, theirs = per_hand(finish), per_hand(after)
    if mine != theirs and isinstance(finish.net, Figure):
        pattern = (
            _("胜局 %(a)s 对 %(b)s") if isinstance(finish.net, Share) else _("得分 %(a)s 对 %(b)s")
        )
        return pattern % {"a": signed(finish.net), "b": signed(after.net)}
    if mine != theirs:
        return _("每局净舵 %(a)s 对 %(b)s") % {"a": decimal(mine), "b": decimal(theirs)}
    if finish.lot is not None and after.lot is not None:
        return _("公开签 %(a)s 对 %(b)s") % {"a": finish.lot, "b": after.lot}
    return ""


def spoken(text: Reason | Prize | Step) -> str:
    """A reason (without names), a step of a preliminary or a prize in the language in use."""
    sentence = text.zh if (get_language() or "zh").startswith("zh") else text.en
    return _MINUS.sub("−", sentence)


def per_hand(finish: Finish) -> Fraction:
    """Net 舵 per hand at the last table, 0 where no hand was played."""
    return Fraction(finish.net, finish.hands or 1)


def decimal(value: Fraction) -> str:
    """A fraction with its sign and two places, halves away from zero: 5/12 → `+0.42`."""
    cents = (abs(value) * 200 + 1) // 2
    text = f"{cents // 100}.{cents % 100:02d}"
    if cents == 0:
        return text
    return f"{'+' if value > 0 else '−'}{text}"
