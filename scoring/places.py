"""The standings of a knock-out with all that decides them, for the page and the API (C8.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from scoring import queries_public as queries
from scoring.finishes import Row, rows
from scoring.queries import find_table, read_board
from scoring.ranking import Reason
from scoring.shown import ShownSheet
from scoring.standing_lines import running
from scoring.standings import prizes_to
from tournament.acting import Acting
from tournament.enums import DONE
from tournament.models import Competition, Event


@dataclass(frozen=True)
class Places:
    """An event's knock-out as everyone may see it: its published rounds by number, who sits
    where, the nets of the tables that are done or run, and the lines of the standings, none
    before the first table is done. `has_preliminary` says that one is published."""

    rounds: dict[int, queries.RoundRow]
    seats: list[queries.SeatRow]
    nets: dict[int, queries.TableNet] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    has_preliminary: bool = False

    @property
    def last(self) -> queries.RoundRow | None:
        """The last round that is published."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    @property
    def is_done(self) -> bool:
        """Whether all is played."""
        return self.last is not None and self.last.is_last and self.last.state in DONE


def places_of(shown: Competition, event: Event) -> Places:
    """The standings with the reasons for each place. Some ten queries, however many entrants."""
    published = queries.all_round_rows(event)
    rounds = {one.number: one for one in published if not one.is_prelim}
    has_preliminary = any(one.is_prelim for one in published)
    seats = queries.seat_rows(queries.seats_of(event), mask=shown.mask_names) if rounds else []
    found = Places(rounds, seats, has_preliminary=has_preliminary)
    done = queries.done(seats)
    if not done:
        return found
    nets = queries.table_nets(done | running(seats))
    reasons, ruling = _final_reasons(shown, seats) if found.is_done else ((), {})
    prizes = prizes_to(event.prizes)
    lots = queries.lots_of(event, seats)
    lines = rows(seats, nets, lots, reasons, ruling, prizes=prizes)
    return Places(rounds, seats, nets, lines, has_preliminary)


def _final_reasons(
    shown: Competition, seats: Sequence[queries.SeatRow]
) -> tuple[tuple[Reason, ...], dict[int, str]]:
    """The final's reasons; or, where its places were ruled, the ruling by position."""
    table = find_table(shown, next(one.table for one in seats[::-1] if not one.is_third), Acting())
    if table is None:
        return (), {}
    board = read_board(table)
    if board.ruled_places is None:
        return board.ranking.reasons, {}
    sheet_shown = ShownSheet(board, mask=shown.mask_names, urls={})
    why, computed = sheet_shown.places_ruled(), sheet_shown.computed_places()
    return (), {
        position: _("裁判长裁定，算得第 %(place)s 名：%(why)s")
        % {"place": computed[position], "why": why}
        if position in computed
        else _("裁判长裁定：%(why)s") % {"why": why}
        for position in board.ruled_places
    }
