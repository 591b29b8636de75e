"""What the screen in the hall shows, part by part, as panels of plain values.

A panel is one subject with one title; the browser turns it into as many pages as its letters
need (static/js/screen.js). Everything here is public (C7.4): published rounds only, names as
public pages show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.templatetags.look import signed
from scoring import queries_public as queries
from scoring.bracket import ZONES
from scoring.finishes import Row, rows
from scoring.models import Sheet
from scoring.standings import prizes_to
from tournament.enums import DONE, ScreenPart, StageKind, State
from tournament.models import Competition, Event, Round, Table
from tournament.queries.announcements import announced
from tournament.queries.clock import clocks
from tournament.queries.floor import missed

A_SCREEN = 9
"""More tables than fit one screen are shown zone by zone."""
TOP = 30
"""How many of the standings are shown."""
MARKS = {State.RUNNING: "●", State.CONFIRMED: "✓", State.FINAL: "■"}


class Line(NamedTuple):
    """Somebody at a table or in a list: `lead` before the name, `figure` after it."""

    name: str
    figure: str = ""
    lead: str = ""
    mark: str = ""
    is_filler: bool = False
    is_first: bool = False


class Block(NamedTuple):
    """A table, or an untitled list."""

    head: str
    lines: tuple[Line, ...]
    state: str = ""


class Panel(NamedTuple):
    """One subject: tables or lists, a text, or a clock that ends at a time."""

    title: str
    blocks: tuple[Block, ...] = ()
    text: str = ""
    ends_at: datetime | None = None


def panels(part: ScreenPart, shown: Competition, events: Sequence[Event]) -> list[Panel]:
    """The panels of a part, none where there is nothing to show. At most six queries an event."""
    if part == ScreenPart.MISSING:
        return _missing(shown)
    if part == ScreenPart.TIMER:
        return _timer(shown)
    if part == ScreenPart.NOTICES:
        return [Panel(one.title, text=one.text) for one in announced(shown, "screen")]
    of_event = {
        ScreenPart.BRACKET: _bracket,
        ScreenPart.TABLES: _tables,
        ScreenPart.STANDINGS: _standings,
    }[part]
    found = []
    for event in events:
        prefix = f"{event.name} · " if len(events) > 1 else ""
        made = of_event(event, mask=shown.mask_names)
        found += [panel._replace(title=prefix + panel.title) for panel in made]
    return found


def running_tables(events: Sequence[Event]) -> list[str]:
    """The scopes of running tables: a hand raises only its table's. One query."""
    found = Table.objects.filter(
        state=State.RUNNING, round__stage__event__in=[event.pk for event in events]
    )
    return [Table.scope_of(pk) for pk in found.order_by("pk").values_list("pk", flat=True)]


def _bracket(event: Event, *, mask: bool) -> list[Panel]:
    """The round that is on: the first that is not done, else the last."""
    rounds = queries.all_round_rows(event)
    if not rounds:
        return []
    on = next((one for one in rounds if one.state not in DONE), rounds[-1])
    kind = StageKind.PRELIM if on.is_prelim else StageKind.KNOCKOUT
    of_stage = queries.seats_of(event, kind)
    seats = queries.seat_rows(of_stage.filter(round__number=on.number), mask=mask)
    nets = queries.table_nets(queries.done(seats))
    of_round = Table.objects.filter(
        round__stage__event=event, round__stage__kind=kind, round__number=on.number
    )
    zones = dict(of_round.order_by().values_list("pk", "zone"))
    tables = [list(group) for _pk, group in groupby(seats, key=lambda seat: seat.table)]
    blocks = [
        (_zone(zones.get(table[0].table, "")), _block(table, nets.get(table[0].table)))
        for table in tables
    ]
    if len(blocks) <= A_SCREEN:
        return [Panel(on.title, tuple(block for _letter, block in blocks))]
    blocks.sort(key=lambda pair: pair[0])
    return [
        Panel(
            f"{on.title} · {_('%(zone)s区') % {'zone': ZONES[zone]}}" if zone >= 0 else on.title,
            tuple(block for _zone_of, block in group),
        )
        for zone, group in groupby(blocks, key=lambda pair: pair[0])
    ]


def _zone(path: str) -> int:
    """Which zone of the final a table's place in the tree (`0.2.1`) belongs to, −1 for none."""
    steps = path.split(".")
    return int(steps[1]) if len(steps) > 1 and int(steps[1]) < len(ZONES) else -1


def _block(seats: Sequence[queries.SeatRow], net: queries.TableNet | None) -> Block:
    first = seats[0]
    mark = MARKS.get(State(first.state), "")
    name = _("争第三名") if first.is_third else _table(first.number)
    return Block(
        f"{name} {mark}".strip(),
        tuple(
            Line(
                _name(seat),
                signed(net.nets[seat.position]) if net else "",
                mark="›" if seat.advances and seat.is_done else "",
                is_filler=seat.is_filler or seat.entrant is None,
            )
            for seat in seats
        ),
        first.state,
    )


def _table(number: int) -> str:
    return _("%(n)d 桌") % {"n": number}


def _name(seat: queries.SeatRow) -> str:
    if seat.entrant is not None or seat.is_filler or seat.is_vacant or seat.source_number is None:
        return seat.who
    if seat.source_place == 1:
        return _("%(n)d 桌胜者") % {"n": seat.source_number}
    if seat.is_third:
        return _("%(n)d 桌负者") % {"n": seat.source_number}
    return _("%(n)d 桌第 %(place)d") % {"n": seat.source_number, "place": seat.source_place}


def _tables(event: Event, *, mask: bool) -> list[Panel]:
    """Every running table with the hands that are done and each net 舵 so far."""
    kinds = (StageKind.KNOCKOUT, StageKind.PRELIM)
    return next((found for kind in kinds if (found := _running(event, kind, mask=mask))), [])


def _running(event: Event, kind: StageKind, *, mask: bool) -> list[Panel]:
    running = queries.seats_of(event, kind).filter(table__state=State.RUNNING)
    seats = queries.seat_rows(running, mask=mask)
    if not seats:
        return []
    ids = {seat.table for seat in seats}
    nets = queries.table_nets(ids)
    planned = dict(Sheet.objects.filter(table__in=ids).values_list("table_id", "hands_planned"))
    is_prelim = kind == StageKind.PRELIM
    rounds = queries.all_round_rows(event)
    titles = {one.number: one.title for one in rounds if one.is_prelim == is_prelim}
    found = []
    for number, of_round in groupby(seats, key=lambda seat: seat.round):
        blocks = []
        for pk, table in groupby(of_round, key=lambda seat: seat.table):
            block = _block(list(table), nets.get(pk, queries.TableNet((0,) * queries.SEATS, 0)))
            done, of = nets[pk].hands if pk in nets else 0, planned.get(pk, 0)
            hands = _("%(done)d/%(of)d 局") % {"done": done, "of": of}
            head = f"{block.head.removesuffix(MARKS[State.RUNNING]).strip()} · {hands}"
            blocks.append(block._replace(head=head))
        found.append(Panel(f"{titles[number]} · {_('正在打')}", tuple(blocks)))
    return found


def _missing(shown: Competition) -> list[Panel]:
    lines = tuple(Line(one.name, one.seat, lead=_table(one.table)) for one in missed(shown))
    return [Panel(_("请马上到桌"), (Block("", lines),))] if lines else []


def _timer(shown: Competition) -> list[Panel]:
    going = clocks(shown)
    titles = {one.pk: one.title for one in Round.objects.filter(pk__in=going)} if going else {}
    return [Panel(titles[pk], ends_at=clock.ends_at) for pk, clock in going.items()]


def _standings(event: Event, *, mask: bool) -> list[Panel]:
    """The best places that are decided (C8.5); those who still play stand on the bracket."""
    seats = queries.seat_rows(queries.seats_of(event), mask=mask)
    done = queries.done(seats)
    if not done:
        return []
    lots = queries.lots_of(event, seats)
    found = rows(seats, queries.table_nets(done), lots, prizes=prizes_to(event.prizes))
    placed = [row for row in found if row.standing.place is not None]
    playing = len(found) - len(placed)
    head = _("还在打 %(n)d 人") % {"n": playing} if playing else ""
    return [Panel(pgettext("page", "名次"), (Block(head, tuple(map(_standing, placed[:TOP]))),))]


def _standing(row: Row) -> Line:
    place = row.standing.place
    return Line(row.seat.name, signed(row.finish.net), lead=str(place or ""), is_first=place == 1)
