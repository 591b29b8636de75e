"""The form of a hand, new or corrected: what was sent, what the engine says, what went wrong."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from core.errors import DomainError
from engine import cards
from engine.faults import Fault
from scoring.domain.board import Board
from scoring.domain.errors import BadEntry, Differs, HandTaken, in_language
from scoring.domain.stopping import Stopped, stopped_winners
from scoring.evidence import Counted, EntryError, RecordError, count
from scoring.explained import arithmetic
from scoring.forms.entry import EntryForm
from scoring.forms.levels import FORMS, levels
from scoring.models import HandVersion
from scoring.shown import ShownSheet
from scoring.views.referee.pages import Page

LEGAL_SHOWN = 12


def new_form(board: Board, level: str) -> EntryForm:
    """An empty form of this level for the next hand; a 加赛 where one is due."""
    form = _form_of(board, level)
    return form(board=board, initial={"number": board.next_number, "extra": bool(due_ties(board))})


def correcting_form(board: Board, version: HandVersion, level: str) -> EntryForm:
    """A form of this level with what is known of the hand."""
    form = _form_of(board, level or version.evidence)
    initial = {"number": version.hand.number, **form.initial_of(version)}
    return form(board=board, initial=initial)


def posted_form(page: Page) -> EntryForm:
    """The form that was sent, of the level that it names."""
    form = _form_of(page.board, page.request.POST.get("evidence", ""))
    return form(page.request.POST, page.request.FILES, board=page.board)


def _form_of(board: Board, level: str) -> type[EntryForm]:
    possible = levels(board)
    return FORMS[level if level in possible else possible[0]]


def due_ties(board: Board) -> tuple[Any, ...]:
    """The ties that want a 加赛 now."""
    if not board.is_full and not board.is_called:
        return ()
    return tuple(tie for tie in board.open_ties if tie.hand is not None)


def refused(page: Page, form: EntryForm, error: DomainError) -> dict[str, Any]:
    """Marks the form with the error; what the page shows besides the form's own fields."""
    if isinstance(error, BadEntry):
        form.blame(error)
        return wrong(error.entry)
    if isinstance(error, Differs):
        return {"differs": differing(page.board, error.counted)}
    if isinstance(error, HandTaken):
        return {"taken": _taken(page, error)}
    if isinstance(error, Stopped):
        return {"stopped_winner": str(error)}
    if error.code == "key-reused":
        form.renew_key()
    form.add_error(None, str(error))
    return {}


def _taken(page: Page, error: HandTaken) -> dict[str, Any]:
    shown = ShownSheet(page.board, mask=False, urls={})
    return {
        "error": str(error),
        "outcome": shown.outcome(error.version),
        "deltas": _points(shown.names, error.version.deltas) if page.board.is_counted else [],
        "url": page.hand_url(error.version.hand.number),
        "next": page.board.next_number,
    }


def _points(names: list[str], deltas: tuple[int, ...]) -> list[dict[str, Any]]:
    return [{"name": name, "delta": delta} for name, delta in zip(names, deltas, strict=False)]


def wrong(error: EntryError) -> dict[str, Any]:
    """What helps on: the nearest grouping of a slip, the faults of a record by line."""
    found: dict[str, Any] = {"nearest": None}
    if error.melds or error.left:
        found["nearest"] = {
            "melds": [
                {"kind": str(meld.kind), "cards": cards.text(meld.cards), "hu": meld.hu}
                for meld in error.melds
            ],
            "left": cards.text(error.left),
        }
    if isinstance(error, RecordError):
        found["faults"] = [fault_shown(fault) for fault in error.faults]
    return found


def fault_shown(fault: Fault) -> dict[str, Any]:
    """A fault of a record, its line parted where it begins."""
    start = min(max(fault.column - 1, 0), len(fault.text))
    return {
        "line": fault.line,
        "column": fault.column,
        "before": fault.text[:start],
        "at": fault.text[start:],
        "sentence": in_language(fault),
        "legal": [str(event) for event in fault.legal[:LEGAL_SHOWN]],
    }


def marked_lines(text: str, faults: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The record's lines with the faults of each."""
    by_line: dict[int, list[dict[str, Any]]] = {}
    for fault in faults:
        by_line.setdefault(fault["line"], []).append(fault)
    return [
        {"number": number, "text": line, "faults": by_line.get(number, [])}
        for number, line in enumerate(text.splitlines(), 1)
    ]


def differing(board: Board, counted: Counted) -> dict[str, Any]:
    """Both values of a hand whose claim differs (C6.3)."""
    claimed = counted.claimed
    assert claimed is not None
    said = dict(claimed.deltas)
    rows = [
        ("hu", claimed.hu, counted.hu),
        ("total", claimed.total, counted.total),
        *(
            (seat.name, said.get(seat.position), counted.deltas[seat.position])
            for seat in board.seats
        ),
    ]
    return {
        "rows": [
            {"what": what, "said": value, "computed": computed}
            for what, value, computed in rows
            if value is not None and value != computed
        ],
        "sum": arithmetic(counted.computed or {}, board.rules),
    }


def answer_context(board: Board, form: EntryForm) -> dict[str, Any]:
    """What the engine says to what is in the form so far."""
    if not form.is_valid():
        return {"problem": next(iter(form.errors.values()))[0]}
    terms = board.asked(form.cleaned_data["number"])
    try:
        counted = count(str(form.evidence), form.payload(), terms)
    except EntryError as error:
        return {"problem": in_language(error), **wrong(error)}
    number = form.cleaned_data["number"] or board.next_number
    stopped = [board.seats[seat].name for seat in stopped_winners(board, counted, number)]
    return {**_counted(board, counted), "stopped": gettext("、").join(stopped)}


def _counted(board: Board, counted: Counted) -> dict[str, Any]:
    version = HandVersion(
        evidence=counted.evidence,
        payload=dict(counted.payload),
        computed=None if counted.computed is None else dict(counted.computed),
        winners=None if counted.winners is None else list(counted.winners),
        payer=counted.payer,
        source=counted.source,
        special=counted.special,
        hu=counted.hu,
        total=counted.total,
    )
    shown = ShownSheet(board, mask=False, urls={})
    computed = counted.computed or {}
    return {
        "outcome": shown.outcome(version),
        "sum": arithmetic(computed, board.rules) if board.is_counted else None,
        "melds": computed.get("melds") or [],
        "deltas": _points(shown.names, counted.deltas) if board.is_counted else [],
        "differs": differing(board, counted) if counted.claimed else None,
    }
