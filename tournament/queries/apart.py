"""What a draw of now would keep apart, in sentences (C1.4, C4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.domain.draws import apart_groups, to_draw
from tournament.models import Stage
from tournament.pairing.apart_preview import GroupApart, Member, apart_preview
from tournament.pairing.plan import Way, make_plan, ways

MOST = 40


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
    lines = [
        ApartLine(names[one.apart - 1] if one.apart else one.unit, len(one.numbers), _sentence(one))
        for one in shown[:MOST]
    ]
    return ApartLines(tuple(lines), max(0, len(found) - MOST))


def _sentence(group: GroupApart) -> str:
    return _("；").join(_parts(group)) + _("。")


def _parts(group: GroupApart) -> Iterator[str]:
    first, last = group.rounds[0], len(group.rounds)
    if first.fewest > 1:
        words = {"tables": first.tables, "n": first.fewest}
        yield _("第一轮 %(tables)d 桌分不开，有一桌至少坐 %(n)d 人") % words
        yield _("最多 %(n)d 人同桌") % {"n": first.at_a_table}
        return
    kept = group.apart_for
    if kept == 0:
        yield _("第一轮尽量分开，但不能保证") if last > 1 else _("只有一桌，会同桌")
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
