"""The bracket of tables as the page draws it: rows of seats in, columns of slots out (C3.5).

Pure: no database. The shape is that of `partials/bracket.html`; plain dicts with every key, as a
template looks those up fastest and a bracket of 243 entrants has 500 lines; ids are text, which
needs no number formatting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.queries_public import RoundRow, SeatRow, TableNet
from tournament.enums import State
from tournament.models.play import spot_name

ZONES = "甲乙丙丁"


class Urls:
    """Addresses by id without asking the resolver for each of 500 lines."""

    def __init__(self, entrant: str, table: str) -> None:
        """`entrant` and `table` are the addresses of id 0, ending in `0/`."""
        self._entrant = entrant.removesuffix("0/")
        self._table = table.removesuffix("0/")

    def entrant(self, pk: int) -> str:
        """The public page of an entrant."""
        return f"{self._entrant}{pk}/"

    def table(self, pk: int) -> str:
        """The public page of a table."""
        return f"{self._table}{pk}/"


def bracket(
    rounds: Sequence[RoundRow],
    seats: Sequence[SeatRow],
    nets: Mapping[int, TableNet],
    urls: Urls,
    label: str,
) -> dict[str, Any]:
    """The context of `partials/bracket.html`; of a redraw it is a list of tables a round.

    `seats` come in order of round, table and position; `nets` has the tables whose points are
    shown. Each table stands beside the seats of the next round that it feeds.
    """
    return _Bracket(rounds, seats, nets, urls).as_context(label)


def anchor(seat: SeatRow) -> str:
    """The id of a seat's table on the page: `t2-5` is table 5 of round 2."""
    return f"t{seat.round}-{seat.number}"


def _feed(slots: list[dict[str, Any]]) -> dict[str, Any]:
    """What meets at one table; `part` is the number of its zone, 0 where there are none."""
    return {"zone": "", "part": 0, "slots": slots}


class _Bracket:
    def __init__(
        self,
        rounds: Sequence[RoundRow],
        seats: Sequence[SeatRow],
        nets: Mapping[int, TableNet],
        urls: Urls,
    ) -> None:
        self.rounds = rounds
        self.nets = nets
        self.urls = urls
        self.tables: dict[int, list[SeatRow]] = defaultdict(list)
        self.of_round: dict[int, list[int]] = defaultdict(list)
        self.sends: dict[int, int] = defaultdict(int)
        for seat in seats:
            if seat.table not in self.tables:
                self.of_round[seat.round].append(seat.table)
            self.tables[seat.table].append(seat)
            if seat.source is not None and not seat.is_third:
                self.sends[seat.source] += 1
        self.has_byes = any(
            seat.source is None for pk in self.of_round[2] for seat in self.tables[pk]
        )
        self.words = {state.value: str(state.label) for state in State}
        self.heads = self.words | {
            State.CONFIRMED.value: "✓ " + _("暂定"),
            State.FINAL.value: f"■ {self.words[State.FINAL]}",
        }

    def as_context(self, label: str) -> dict[str, Any]:
        last = len(self.rounds)
        self.columns: list[list[dict[str, Any]]] = [[] for _round in self.rounds]
        self.zones: list[dict[str, Any]] = []
        is_loose = any(one.is_redrawn for one in self.rounds)
        if is_loose:
            self._list_tables()
        else:
            finals = [self._place(pk, last) for pk in self.of_round[last]]
            if finals:
                self.columns[-1].append(_feed(finals))
        return {
            "label": label,
            "loose": is_loose,
            "zones": self.zones,
            "rounds": [
                {
                    "number": one.number,
                    "title": one.title,
                    "state": one.state,
                    "state_label": self.words[one.state],
                    "prev": one.number - 1 or None,
                    "next": one.number + 1 if one.number < last else None,
                    "feeds": feeds,
                }
                for one, feeds in zip(self.rounds, self.columns, strict=True)
            ],
        }

    def _list_tables(self) -> None:
        """Every round's tables in order, where no table leads to another."""
        for column, one in zip(self.columns, self.rounds, strict=True):
            slots = [self._slot(pk, 1, fed=False) for pk in self.of_round[one.number]]
            if slots:
                column.append(_feed(slots))

    def _place(self, pk: int, number: int) -> dict[str, Any]:
        """Puts what feeds a table into the columns before it and returns the table's slot.

        The table for third place stands alone: what feeds it leads to the final.
        """
        if self.tables[pk][0].is_third:
            return self._slot(pk, 1, fed=False)
        if number == 1:
            return self._slot(pk, (self.sends[pk] or 1) if self.has_byes else 1, fed=False)
        slots = self._feeders(pk, number)
        if slots:
            self.columns[number - 2].append(_feed(slots))
        return self._slot(pk, sum(slot["span"] for slot in slots) or 1, fed=bool(slots))

    def _feeders(self, pk: int, number: int) -> list[dict[str, Any]]:
        """The byes, then the tables, that meet at a table; those of the last are the zones."""
        slots = []
        seen: set[int | None] = set()
        for seat in sorted(self.tables[pk], key=lambda s: (s.source_number or 0, s.position)):
            if seat.source is None and number == 2:
                slots.append(self._bye(seat))
            elif seat.source in self.tables and seat.source not in seen:
                seen.add(seat.source)
                before = [len(column) for column in self.columns]
                slots.append(self._place(seat.source, number - 1))
                if number == len(self.columns) and number > 2:
                    self._name_zone(before, slots[-1])
        return slots

    def _name_zone(self, before: Sequence[int], top: dict[str, Any]) -> None:
        """Names a zone at its `top`, the slot that leads to the final, and at the first of its
        feeds in every column; `before` are the columns' lengths without it.

        The name is a row of the grid, which the top's slot spans too.
        """
        number = len(self.zones) + 1
        name = _("%(zone)s区") % {"zone": ZONES[(number - 1) % len(ZONES)]}
        self.zones.append({"number": number, "name": name})
        top |= {"zone": name, "part": number, "span": top["span"] + 1}
        for column, length in zip(self.columns, before, strict=True):
            for feed in column[length:]:
                feed["part"] = number
            if len(column) > length:
                column[length]["zone"] = name

    def _bye(self, seat: SeatRow) -> dict[str, Any]:
        return {
            "bye": True,
            "entrant": str(seat.entrant or ""),
            "name": seat.name if seat.entrant else _("陪打"),
            "unit": seat.unit,
            "url": self.urls.entrant(seat.entrant) if seat.entrant else None,
            "span": 1,
        }

    def _slot(self, pk: int, span: int, *, fed: bool) -> dict[str, Any]:
        seats = self.tables[pk]
        first = seats[0]
        label = _("争第三名") if first.is_third else _("第 %(n)d 桌") % {"n": first.number}
        net = self.nets.get(pk) if first.is_done else None
        has_begun = first.state != State.PUBLISHED
        return {
            "bye": False,
            "id": anchor(first),
            "zone": "",
            "part": 0,
            "label": " · ".join(
                filter(None, [label, first.label, spot_name(first.hall, first.spot)])
            ),
            "url": self.urls.table(pk),
            "state": first.state,
            "state_label": self.heads[first.state] if has_begun else "",
            "span": span,
            "fed": fed,
            "lines": [self._line(seat, net) for seat in seats],
        }

    def _line(self, seat: SeatRow, net: TableNet | None) -> dict[str, Any]:
        waiting = ""
        if seat.entrant is None and not seat.is_filler:
            waiting = self._waits_for(seat)
        return {
            "entrant": str(seat.entrant) if seat.entrant else "",
            "name": seat.name,
            "unit": seat.unit,
            "url": self.urls.entrant(seat.entrant) if seat.entrant else None,
            "net": net.nets[seat.position] if net else None,
            "was": net.was(seat.position) if net else None,
            "advances": bool(seat.advances) and seat.is_done,
            "filler": seat.is_filler,
            "waiting": waiting,
        }

    def _waits_for(self, seat: SeatRow) -> str:
        if seat.is_vacant or seat.source_number is None:
            return seat.who
        if seat.source_place == 1 and self.sends[seat.source or 0] < 2:
            return _("第 %(n)d 桌胜者") % {"n": seat.source_number}
        if seat.is_third:
            return _("第 %(n)d 桌负者") % {"n": seat.source_number}
        return _("第 %(n)d 桌第 %(place)d 名") % {
            "n": seat.source_number,
            "place": seat.source_place,
        }
