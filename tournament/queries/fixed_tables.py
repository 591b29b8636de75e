"""What it means that somebody stays at one table (C5.3); for staff alone."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournament.enums import StageKind
from tournament.models import Entrant, Seat, Table


def is_fixed(entrant: Entrant | None) -> bool:
    """Whether he, or his partner, cannot walk. Needs `entry` and `partner`."""
    if entrant is None:
        return False
    partner = entrant.partner
    return entrant.entry.needs_fixed_table or (partner is not None and partner.needs_fixed_table)


def fixed_names(seats: Iterable[Seat]) -> list[str]:
    """Who of these seats stays at one table. Needs entrants with their names."""
    return [
        seat.entrant.name for seat in seats if seat.entrant is not None and is_fixed(seat.entrant)
    ]


def fixed_notes(tables: Iterable[Table]) -> list[str]:
    """A sentence for each table with such a player. Needs seats with their names."""
    found = [(table, fixed_names(table.seats.all())) for table in tables]
    return [
        _("第 %(n)d 桌 %(names)s：行动不便，请安排就近或固定的桌。")
        % {"n": table.number, "names": _("、").join(names)}
        for table, names in found
        if names
    ]


def fixed_table_lines(entrant: Entrant) -> list[str]:
    """What the mark does, or its end, by how far his event is. Two queries."""
    prelim = entrant.event.stages.filter(kind=StageKind.PRELIM).first()
    drawn = prelim is not None and prelim.rounds.exists()
    if entrant.entry.needs_fixed_table:
        lines = [_("点名单、桌卡和裁判台上不再提示。")]
        if prelim is not None:
            lines.append(
                _("预赛已经排好，座位不变。") if drawn else _("预赛抽签时不再为他留固定的桌。")
            )
        return lines
    lines = []
    if drawn:
        lines.append(_("预赛已经排好，座位不变；要换座位请用对换。"))
    elif prelim is not None:
        lines.append(_("预赛抽签时，他每一轮都坐同一张桌。"))
    lines += [
        _("淘汰赛里他要换桌：点名单、桌卡和裁判台上写明“行动不便，请安排就近或固定的桌”。"),
        _("只有主办人、裁判长和裁判看得到，不公开。"),
    ]
    return lines
