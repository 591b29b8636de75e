"""Sheets with every hand, standings, and units by their prizes, as lists."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring import queries_public as queries
from scoring.domain.board import Board
from scoring.domain.boards import load_boards
from scoring.domain.preliminary import standing_of
from scoring.exports.books.parts import NO_URLS
from scoring.finishes import per_hand, rows, spoken
from scoring.preliminary import points_text
from scoring.shown import ShownSheet
from scoring.shown_games import counted_name
from scoring.standings import prizes_to
from scoring.units_shown import units_shown
from tournament.domain.preliminary import preliminary_of
from tournament.exports.lists import Listing
from tournament.models import Competition, Event
from tournament.models.play import SEAT_NAMES
from tournament.sheets.writing import Cell

MOST_SEATS = 4


def sheets_list(event: Event) -> Listing:
    """Every hand and penalty of every table that has begun, with the sums of each table. As many
    queries for any number of tables."""
    heads = [_("轮次"), _("桌号"), _("第几局"), _("依据"), _("结果"), _("庄家"), _("胡"), _("醒"),
             _("舵")]  # fmt: skip
    names = [_("%(seat)s 选手") % {"seat": seat} for seat in SEAT_NAMES]
    points = [_("%(seat)s 得失") % {"seat": seat} for seat in SEAT_NAMES]
    return Listing(
        _("记分表"), [*heads, *names, *points, _("说明")], _sheet_rows(load_boards(event))
    )


def _sheet_rows(boards: list[Board]) -> Iterator[list[Cell]]:
    for board in boards:
        shown = ShownSheet(board, mask=False, urls={})
        start: list[Cell] = [str(board.round.title), board.table.number]
        names: list[Cell] = _padded(list(shown.names), "")
        for version, line in zip(board.versions, board.lines, strict=True):
            number = str(version.hand.number)
            ruling = board.rulings.get(version.hand_id)
            yield [
                *start,
                f"{number} {_('加赛')}" if version.hand.is_extra else version.hand.number,
                str(version.get_evidence_display()),
                shown.outcome(version),
                "" if version.dealer is None else SEAT_NAMES[version.dealer],
                version.hu,
                version.xing,
                version.total,
                *names,
                *_points(board, line.points),
                _("裁决：%(reason)s") % {"reason": ruling.reason}
                if ruling and not version.is_void
                else version.reason,
            ]
        for penalty in board.penalties:
            deltas = list(penalty.deltas[: len(board.seats)])
            deltas[penalty.position] -= penalty.deducted
            what = f"{shown.names[penalty.position]} {penalty.get_level_display()}"
            number = str(penalty.hand.number) if penalty.hand else ""
            yield [*start, number, _("判罚"), what, "", None, None, None, *names,
                   *_points(board, deltas), penalty.reason]  # fmt: skip
        nets = [seat.net for seat in board.sums.seats]
        yield [*start, "", counted_name(board.event), "", "", None, None, None, *names,
               *_points(board, nets), ""]  # fmt: skip


def _points(board: Board, values: object) -> list[Cell]:
    """Points as numbers; games won as people write them (C10)."""
    assert isinstance(values, (list, tuple))
    if board.is_counted:
        return _padded(list(values), None)
    return _padded([board.figure(value).shown for value in values], None)  # type: ignore[attr-defined]


def _padded(values: list[Cell], empty: Cell) -> list[Cell]:
    return [*values, *[empty] * (MOST_SEATS - len(values))]


def standings_lists(event: Event) -> list[Listing]:
    """The standings of the knock-out (C8.5) and, where there was one, of the preliminary (C8.3)."""
    return [_knockout(event), *preliminary_lists(event)]


def preliminary_lists(event: Event) -> list[Listing]:
    """The standings of the preliminary (C8.3); none where there is no preliminary."""
    preliminary = preliminary_of(event)
    if preliminary is None:
        return []
    preliminary.event = event
    standing = standing_of(preliminary)
    is_chinese = (get_language() or "zh").startswith("zh")
    steps = [step.zh if is_chinese else step.en for step in standing.ranking.steps]
    return [
        Listing(
            _("预赛名次"),
            [_("名次"), _("编号"), _("姓名"), _("代表单位"), _("积分"), _("净舵"),
             _("赢的桌数"), _("轮数"), _("在下一名之前，因为")],
            [
                (
                    row.rank,
                    standing.entrants[row.result.key].number,
                    standing.entrants[row.result.key].name,
                    standing.entrants[row.result.key].unit,
                    points_text(row.result.points),
                    row.result.net,
                    row.result.tables_won,
                    row.result.rounds,
                    reason,
                )
                for row, reason in zip(standing.ranking.rows, [*steps, ""], strict=False)
            ],
        )
    ]  # fmt: skip


def units_lists(competition: Competition) -> list[Listing]:
    """Units by their prizes over all events, and who has won these, as the public page has them:
    names masked where it masks them. At most five queries an event."""
    found = units_shown(competition, list(competition.events.all()), NO_URLS)
    return [
        Listing(
            _("团体名次"),
            [_("名次"), _("并列"), _("代表单位"), *found["prizes"], _("合计")],
            [
                (one.place, _("并列") if one.shared else "", one.unit, *one.counts, one.total)
                for one in found["units"]
            ],
        ),
        Listing(
            _("得奖名单"),
            [_("项目"), _("奖"), _("名次"), _("姓名"), _("代表单位")],
            [
                (part["event"].name, one["prize"], one["place"], one["name"], one["unit"])
                for part in found["parts"]
                for one in part["won"]
            ],
        ),
    ]


def _knockout(event: Event) -> Listing:
    seats = queries.seat_rows(queries.seats_of(event), mask=False)
    rounds = {one.number: one for one in queries.round_rows(event)}
    done = queries.done(seats)
    lots = queries.lots_of(event, seats)
    found = rows(seats, queries.table_nets(done), lots, prizes=prizes_to(event.prizes))
    return Listing(
        _("名次"),
        [_("名次"), _("并列"), _("编号"), _("姓名"), _("代表单位"), _("到达"), counted_name(event),
         _("局数"), _("每局"), _("奖"), _("在下一名之前，因为")],
        [
            (
                row.standing.place,
                _("并列") if row.standing.shared else "",
                row.seat.entry,
                row.seat.name,
                row.seat.unit,
                rounds[row.seat.round].title,
                None if row.standing.place is None else int(row.finish.net),
                row.finish.hands,
                _fraction(per_hand(row.finish)),
                spoken(row.standing.prize) if row.standing.prize else "",
                row.reason,
            )
            for row in found
        ] if done else [],
    )  # fmt: skip


def _fraction(value: Fraction) -> str:
    """Exact: `5/12`."""
    return str(value)
