"""A table's sheet (记分表) on paper: blank, filled, and small in the 成绩册."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.templatetags.look import signed
from scoring.domain.board import Board
from scoring.forms.entry import SOURCES
from scoring.models import HandVersion
from scoring.shown import ShownSheet
from scoring.shown_games import counted_name
from tournament.models.play import SEAT_NAMES

A_LINE = 12
"""So many hands stand side by side in the 成绩册."""
MOST_ROWS = 40
HOW = dict(SOURCES)


def full_sheet(board: Board) -> dict[str, Any]:
    """A sheet with the columns of the result line, for `print/book/sheet.html`."""
    shown = ShownSheet(board, mask=False, urls={})
    ledger = shown.ledger()
    versions = [*board.versions, *[None] * (len(ledger["rows"]) - len(board.versions))]
    return head(board, shown) | {
        "is_game": not board.is_counted,
        "rows": [
            _row(version, row, len(shown.names))
            for version, row in zip(versions, ledger["rows"], strict=True)
        ],
        "nets": [_sum(one) for one in ledger["nets"]],
        "counted": counted_name(board.event),
        "blank": [],
    }


def blank_sheet(board: Board) -> dict[str, Any]:
    """A sheet to be filled in by hand: as many empty rows as are planned, numbered."""
    shown = ShownSheet(board, mask=False, urls={})
    rows = min(board.sheet.hands_planned, MOST_ROWS)
    dealer = SEAT_NAMES[board.table.first_dealer] if board.is_counted else ""
    return head(board, shown) | {
        "is_game": not board.is_counted,
        "rows": [],
        "nets": [],
        "counted": counted_name(board.event),
        "blank": [
            {"label": str(n), "dealer": dealer if n == 1 else ""} for n in range(1, rows + 1)
        ],
    }


def head(board: Board, shown: ShownSheet) -> dict[str, Any]:
    """What stands above a sheet."""
    return {
        "table": board.table.number,
        "round": board.round.title,
        "is_third": board.table.is_third,
        "is_last": board.round.is_last,
        "spot": board.table.public_spot,
        "players": shown.players(),
    }


def _row(version: HandVersion | None, row: dict[str, Any], seats: int) -> dict[str, Any]:
    """A line; a penalty has no version."""
    cells = [_cell(cell) for cell in row["cells"]] or [_("荒"), *[""] * (seats - 1)]
    line = {
        "label": row["label"],
        "dealer": row["dealer"],
        "cells": cells,
        "note": row["state_label"],
    }
    line |= {"winner": "", "how": "", "payer": "", "hu": "", "xing": "", "special": ""}
    line["state"] = _("裁决") if row.get("ruled") else row["state_label"] if row["state"] else ""
    if version is None or version.is_void:
        return line
    line |= {
        "winner": "".join(SEAT_NAMES[seat] for seat in version.winners or ()),
        "how": _how(version),
        "payer": "" if version.payer is None else SEAT_NAMES[version.payer],
        "hu": _number(version.hu),
        "xing": _number(version.xing),
        "special": version.special,
    }
    return line


def _how(version: HandVersion) -> str:
    """How the hand was won, as the form that enters it says."""
    return str(HOW.get(version.source, "")) if version.winners else ""


def _cell(cell: dict[str, Any]) -> str:
    return "–" if cell["delta"] is None else signed(cell["delta"])


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def small_sheet(board: Board) -> dict[str, Any]:
    """A sheet with a line a player and a column a hand, so many hands to a block; sums and places
    stand in the last block."""
    shown = ShownSheet(board, mask=False, urls={})
    ledger = shown.ledger()
    rows = ledger["rows"]
    firsts = range(0, len(rows), A_LINE)
    return head(board, shown) | {
        "counted": counted_name(board.event),
        "blocks": [
            _block(ledger, rows[first : first + A_LINE], has_sums=first == firsts[-1])
            for first in firsts
        ],
        "ruling": shown.places_ruled(),
    }


def _block(
    ledger: dict[str, Any], rows: Sequence[dict[str, Any]], *, has_sums: bool
) -> dict[str, Any]:
    nets = ledger["nets"] if has_sums else []
    lines = [
        {
            "player": player,
            "cells": [_small(row, seat) for row in rows],
            "sum": _sum(nets[seat]) if nets else None,
        }
        for seat, player in enumerate(ledger["players"])
    ]
    return {"heads": [_head(row) for row in rows], "lines": lines, "is_last": has_sums}


def _sum(net: dict[str, Any]) -> dict[str, Any]:
    return {
        "net": signed(net["net"]),
        "place": net["place"],
        "advances": net["advances"],
        "deducted": net["deducted"],
    }


def _head(row: dict[str, Any]) -> str:
    label = str(row["label"])
    return f"{label}◆" if row.get("ruled") else label


def _small(row: dict[str, Any], seat: int) -> str:
    if not row["cells"]:
        return _("荒") if seat == 0 else ""
    cell = row["cells"][seat]
    return f"{_cell(cell)}{cell['mark']}"
