"""What a draw of now would keep apart, in sentences (C1.4, C4.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from tournament.domain.draws import apart_groups, to_draw
from tournament.models import Entrant, Stage
from tournament.pairing.apart_preview import GroupApart, Member, apart_preview, met_in_trials
from tournament.pairing.freeze import Line
from tournament.pairing.plan import Plan, Way, make_plan, ways

MOST = 40
TRIALS, DEALT_IN_TRIALS = 20, 5000
"""Trial deals where nothing is certain, fewer where many are dealt: a third of a second."""
NAMELESS = "0" * 64


@dataclass(frozen=True)
class ApartLine:
    """A unit or a further group, how many they are, and what is kept."""

    name: str
    size: int
    text: str


@dataclass(frozen=True)
class ApartLines:
    """The largest, and how many more there are."""

    lines: tuple[ApartLine, ...]
    rest: int


def apart_lines(stage: Stage) -> ApartLines:
    """For the plan that is chosen and the list of now. Three queries."""
    entrants = [one for one in to_draw(stage.event) if one.number is not None]
    if len(entrants) < 2:
        return ApartLines((), 0)
    people = [Member(one.number or 0, one.unit, one.seed is not None) for one in entrants]
    groups = apart_groups(stage.event, {one.number for one in people})
    possible = ways(len(people), stage.table_size, stage.advance)
    way = Way(stage.way) if stage.way in possible else None
    plan = make_plan(len(people), stage.table_size, stage.advance, way)
    found = apart_preview(plan, people, [numbers for _name, numbers in groups])
    # Further groups are few and written by hand: they come before the units that are left out.
    shown = [one for one in found if one.apart] + [one for one in found if not one.apart]
    names = [name for name, _numbers in groups]
    trials = _Trials(plan, entrants, [numbers for _name, numbers in groups])
    lines = [
        ApartLine(
            names[one.apart - 1] if one.apart else one.unit,
            len(one.numbers),
            _("；").join(_parts(one, trials)) + _("。"),
        )
        for one in shown[:MOST]
    ]
    return ApartLines(tuple(lines), max(0, len(found) - MOST))


class _Trials:
    """Trial deals, made when first asked for."""

    def __init__(
        self, plan: Plan, entrants: Sequence[Entrant], apart: Sequence[Sequence[int]]
    ) -> None:
        self.times = min(TRIALS, DEALT_IN_TRIALS // plan.entrants)
        self._plan, self._entrants, self._apart = plan, entrants, apart

    @cached_property
    def _met(self) -> Counter[tuple[str, int]]:
        lines = [Line(one.number or 0, one.unit, one.seed, NAMELESS) for one in self._entrants]
        return met_in_trials(self._plan, lines, self._apart, self.times)

    def kept(self, group: GroupApart) -> int:
        """In how many no two of the group shared a first-round table."""
        return self.times - self._met[group.unit, group.apart]


def _parts(group: GroupApart, trials: _Trials) -> Iterator[str]:
    first, last = group.rounds[0], len(group.rounds)
    if first.fewest > 1:
        words = {"tables": first.tables, "n": first.fewest}
        yield _("第一轮 %(tables)d 桌分不开，有一桌至少坐 %(n)d 人") % words
        yield _("最多 %(n)d 人同桌") % {"n": first.at_a_table}
        return
    kept = group.apart_for
    if kept == 0:
        yield _("第一轮尽量分开，但不能保证") if last > 1 else _("只有一桌，会同桌")
        if last > 1 and trials.times:
            words = {"times": trials.times, "n": trials.kept(group)}
            yield _("试抽 %(times)d 次，%(n)d 次没有相遇") % words
        return
    if kept == last - 1 and last > 1:
        yield _("决赛以前不会相遇")
        return
    words = {"tables": first.tables, "n": kept}
    if kept == 1:
        yield _("%(tables)d 桌：第一轮不会相遇") % words
    else:
        yield _("%(tables)d 桌：前 %(n)d 轮不会相遇") % words
    after = group.rounds[kept]
    yield _("第 %(round)d 轮一桌最多 %(n)d 人") % {"round": after.round, "n": after.at_a_table}
