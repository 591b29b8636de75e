"""A preliminary's standings from its sheets, and what is done by them (C5.5, C8.3, C9.1).

Who goes on is known once all tables are confirmed and no tie at a line waits for 加赛. A line runs
at the cut, and after the last place with a prize where that is below the cut.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import cast

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.domain.locks import lock
from core.errors import Conflict
from scoring.domain.board import Board
from scoring.domain.boards import load_boards
from scoring.preliminary import ExtraTable, Ranking, Result, rank_preliminary
from tournament.acting import Acting
from tournament.domain.leaving import GONE
from tournament.domain.preliminary import (
    add_tie_breaks,
    cut_of,
    declare_ranks,
    drop_tie_breaks,
    has_next,
    hold_stage,
    knockout_of,
    let_frozen_go,
    preliminary_of,
    rewrite_ranks,
    take_back_ranks,
)
from tournament.domain.results import Effects, Feed, Move
from tournament.enums import BEFORE_PLAY, DONE, EntrantStatus, Role, StageKind
from tournament.models import Draw, Entrant, Event, Round, Seat, Stage
from tournament.permissions import demand, leads

LAST_LOT = 1_000_000
"""The lot of who came late and has none: behind all others, the lower number first."""
POINTS_OF_WIN = 36
"""Twelfths of who alone came first at his table."""


class TiesWait(Conflict):
    """C8.6: a tie at the cut, or at a prize, waits for 加赛."""

    code = "ties-wait"


@dataclass(frozen=True)
class Standing:
    """A preliminary as it stands: `cut` go on, `lines` are the places at which ties matter,
    `entrants` all who have played by id."""

    ranking: Ranking
    cut: int
    lines: tuple[int, ...]
    entrants: dict[int, Entrant]

    @property
    def going_on(self) -> list[int]:
        """The ids of those who go on as it stands, the best first."""
        can = [row.result.key for row in self.ranking.rows if not row.result.has_left]
        return can[: self.cut]

    @property
    def ranks(self) -> dict[int, int]:
        """Entrant's id → rank."""
        return {row.result.key: row.rank for row in self.ranking.rows}


@dataclass
class _Tally:
    """What somebody has so far."""

    points: int = 0
    net: int = 0
    won: int = 0
    hands_won: int | None = 0
    discards: int | None = 0
    nets: list[int] = field(default_factory=list)

    def add(self, board: Board, position: int) -> None:
        """Counts a table."""
        sums = board.sums.seats[position]
        self.net += sums.net
        self.nets.append(sums.net)
        if sums.hands_won is None or self.hands_won is None:
            self.hands_won = None
        else:
            self.hands_won += sums.hands_won
        if sums.discards is None or self.discards is None:
            self.discards = None
        else:
            self.discards += sums.discards


def standing_of(stage: Stage, changed: Board | None = None) -> Standing:
    """The standings of a preliminary by its confirmed tables (C8.3); with `changed`, as if that
    table had the results that its sheet now gives.

    Once the knock-out is drawn no 加赛 is asked for any more: the lot decides; who leaves after
    that keeps his rank. So many queries, however many tables. Needs `stage.event`.
    """
    boards = {
        board.table.pk: board
        for board in load_boards(stage.event)
        if board.stage.pk == stage.pk and board.is_done
    }
    if changed is not None:
        boards[changed.table.pk] = changed
    points = _points(changed)
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    extras: dict[int, dict[int, int]] = defaultdict(dict)
    entrants: dict[int, Entrant] = {}
    seats = Seat.objects.filter(round__stage=stage).select_related(
        "table", "round", "entrant__entry__person", "entrant__partner__person",
        "stands_for__entry__person", "stands_for__partner__person",
    )  # fmt: skip
    for seat in seats.order_by("round__number", "table__number", "position"):
        holder = seat.entrant or seat.stands_for
        if holder is None:
            continue
        entrants[holder.pk] = holder
        if seat.entrant is None or seat.table.state not in DONE:
            continue
        board = boards.get(seat.table_id)
        if seat.round.is_tie_break:
            extras[seat.table_id][holder.pk] = _net_at_extra(board, seat)
            continue
        tally = tallies[holder.pk]
        gained = points.get(seat.pk, seat.points) or 0
        tally.points += gained
        tally.won += gained == POINTS_OF_WIN
        if board is not None:
            tally.add(board, seat.position)
    cut = cut_of(stage, knockout_of(stage.event), len(entrants))
    prizes = stage.event.prizes
    lines = (cut, prizes) if prizes > cut else (cut,)
    lots = _lots(stage)
    went = _first_seats(stage.event) if stage.closed_at is not None else {}
    left = {pk for pk, one in entrants.items() if one.status in GONE and pk not in went}
    ranking = rank_preliminary(
        [_result(one, tallies[pk], lots, has_left=pk in left) for pk, one in entrants.items()],
        lines=lines,
        extra_option=stage.extra_hands and not has_next(stage.event),
        extras=[ExtraTable(nets) for nets in extras.values()],
    )
    return Standing(ranking, cut, lines, entrants)


def _points(changed: Board | None) -> dict[int, int | None]:
    if changed is None:
        return {}
    seats = {seat.position: seat.pk for seat in changed.seats}
    return {seats[result.position]: result.points for result in changed.results}


def _net_at_extra(board: Board | None, seat: Seat) -> int:
    """His net at a table of 加赛; who forfeits it, or has no hand there, comes last."""
    if board is None or seat.forfeits:
        worst = min((one.net for one in board.sums.seats), default=0) if board else 0
        return worst - 1
    ruled = board.ruled_places
    if ruled is not None:
        return -ruled.get(seat.position, len(board.seats))
    return board.sums.seats[seat.position].net


def _result(entrant: Entrant, tally: _Tally, lots: dict[int, int], *, has_left: bool) -> Result:
    number = entrant.number or 0
    return Result(
        key=entrant.pk,
        points=tally.points,
        net=tally.net,
        tables_won=tally.won,
        hands_won=tally.hands_won,
        discards=tally.discards,
        best=max(tally.nets, default=None),
        lot=lots.get(number, LAST_LOT + number),
        has_left=has_left,
        rounds=len(tally.nets),
    )


def _lots(stage: Stage) -> dict[int, int]:
    """Number → public lot of the preliminary's newest draw."""
    drawn = Draw.objects.filter(stage=stage, number__isnull=False).order_by("-number")
    numbers = cast("list[int]", drawn.values_list("result__lots", flat=True).first() or [])
    return {number: lot for lot, number in enumerate(numbers, 1)}


@transaction.atomic
def close_preliminary(*, acting: Acting, stage: Stage) -> list[Entrant]:
    """The preliminary is over: ranks stand, who is not among the first `cut` is out. Returns
    those who go on, the best first.

    For owner, organizer and chief referee. Raises `NotAllowed`, `Conflict` where a table is not
    confirmed or it is closed already, `TiesWait` where a tie at a line waits for 加赛.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    _event, stage = hold_stage(stage)
    if stage.kind != StageKind.PRELIM or stage.closed_at is not None:
        raise Conflict(_("预赛已经结束，请刷新后再看。"))
    standing = standing_of(stage)
    _demand_no_ties(standing)
    declare_ranks(acting=acting, stage=stage, ranks=standing.ranks, going_on=set(standing.going_on))
    return [standing.entrants[pk] for pk in standing.going_on]


@transaction.atomic
def reopen_preliminary(*, acting: Acting, stage: Stage) -> Stage:
    """Takes the closing back while the knock-out is neither frozen nor drawn (C9.5).

    Raises `NotAllowed`, what `take_back_ranks` does.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    _event, stage = hold_stage(stage)
    return take_back_ranks(acting=acting, stage=stage)


@transaction.atomic
def open_tie_breaks(*, acting: Acting, stage: Stage) -> Round:
    """A round of 加赛 with a table for each tie at a line (C8.3).

    Raises `NotAllowed`, `Conflict` where a table is not confirmed or nobody is level at a line.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    _event, stage = hold_stage(stage)
    if stage.closed_at is not None:
        raise Conflict(_("预赛已经结束，请刷新后再看。"))
    _demand_confirmed(stage)
    standing = standing_of(stage)
    ties = standing.ranking.ties
    if not ties:
        raise Conflict(_("线上没有要加赛的同分。"), code="no-tie")
    return add_tie_breaks(
        acting=acting,
        stage=stage,
        ties=[[standing.entrants[key] for key in tie.keys] for tie in ties],
    )


@transaction.atomic
def cancel_tie_breaks(*, acting: Acting, round_: Round) -> None:
    """Takes a round of 加赛 back that has no hand (C9.5). Raises `NotAllowed`, `Conflict`."""
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    drop_tie_breaks(acting=acting, round_=round_)


def tie_words(standing: Standing) -> list[str]:
    """Who is level at a line, a sentence for each tie."""
    return [
        ngettext(
            "第 %(line)d 名线上同分：%(who)s", "第 %(line)d 名线上同分：%(who)s", len(tie.keys)
        )
        % {
            "line": tie.line,
            "who": _("、").join(standing.entrants[key].name for key in tie.keys),
        }
        for tie in standing.ranking.ties
    ]


def _demand_confirmed(stage: Stage) -> None:
    if stage.rounds.exclude(state__in=DONE).exists() or not stage.rounds.exists():
        raise Conflict(_("预赛还有桌没有确认，全部确认后才能加赛。"), code="tables-open")


def _demand_no_ties(standing: Standing) -> None:
    if standing.ranking.ties:
        raise TiesWait(
            _("%(ties)s。请先排加赛，打完再结束预赛。")
            % {"ties": _("；").join(tie_words(standing))}
        )


def prelim_moves(board: Board) -> tuple[Move, ...]:
    """What a preliminary table's changed sheet does to the seats of the drawn knock-out (C9.1):
    who goes on after all takes the seat of who does not, in the order of their ranks. Empty
    before the knock-out is drawn."""
    if not board.round.is_prelim or board.stage.closed_at is None:
        return ()
    seats = _first_seats(board.event)
    if not seats:
        return ()
    going = standing_of(board.stage, board).going_on
    leaving = [pk for pk in seats if pk not in going and seats[pk].stands_for_id is None]
    entering = [pk for pk in going if pk not in seats]
    return tuple(
        Move(
            Feed(
                seats[out].pk,
                seats[out].table_id,
                1,
                out,
                seats[out].table.state not in BEFORE_PLAY,
            ),
            instead,
        )
        for out, instead in zip(leaving, entering, strict=False)
    )


def _first_seats(event: Event) -> dict[int, Seat]:
    """Entrant's id → the seat that the knock-out's draw gave him, by rank; who has left and whose
    seat another holds is there too."""
    seats = (
        Seat.objects.filter(round__stage__event=event, round__stage__kind=StageKind.KNOCKOUT)
        .filter(source=None)
        .filter(Q(entrant__isnull=False) | Q(stands_for__isnull=False))
        .select_related("table", "entrant", "stands_for")
        .order_by("-round__number")
    )
    found: dict[int, tuple[int, Seat]] = {}
    for seat in seats:
        holder = seat.stands_for or seat.entrant
        if holder is not None:
            found[holder.pk] = (holder.prelim_rank or LAST_LOT, seat)
    ordered = sorted(found.items(), key=lambda item: (item[1][0], item[0]))
    return {pk: seat for pk, (_rank, seat) in ordered}


def settle_preliminary(acting: Acting, event: Event, effects: Effects | None = None) -> None:
    """Ranks stand anew after something has changed in a closed preliminary; else does nothing.

    Before the knock-out is drawn the preliminary is closed again by what stands now, or is open
    where a tie at a line has come about; a list that was frozen by other ranks falls. After that
    the ranks are written, and those in `effects` whose tables have no hand change seats. The
    caller holds the event.
    """
    stage = preliminary_of(event)
    if stage is None or stage.closed_at is None:
        return
    stage = lock(stage)
    stage.event = event
    before = dict(
        Entrant.objects.filter(event=event, prelim_rank__isnull=False).values_list(
            "pk", "prelim_rank"
        )
    )
    if standing_of(stage).ranks != before:
        let_frozen_go(acting=acting, event=event)
    if not has_next(event):
        stage = take_back_ranks(acting=acting, stage=stage)
        standing = standing_of(stage)
        if not standing.ranking.ties:
            declare_ranks(
                acting=acting, stage=stage, ranks=standing.ranks, going_on=set(standing.going_on)
            )
        return
    rewrite_ranks(acting=acting, stage=stage, ranks=standing_of(stage).ranks)
    if effects is not None and not effects.is_blocked:
        for move in effects.moves:
            _change_seats(move)


def _change_seats(move: Move) -> None:
    """Who goes on after all takes the seat; the other is out."""
    Seat.objects.filter(pk=move.feed.seat_id).update(entrant=move.after)
    Entrant.objects.filter(pk__in=[move.feed.entrant_id], status=EntrantStatus.IN).update(
        status=EntrantStatus.OUT
    )
    Entrant.objects.filter(pk__in=[move.after], status=EntrantStatus.OUT).update(
        status=EntrantStatus.IN
    )
