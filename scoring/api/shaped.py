"""A sheet as JSON: for everyone with the names that public pages show, or for who works at it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from scoring.api import schemas
from scoring.domain.board import Board
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.queries import confirmations_of
from scoring.shown import ShownSheet
from scoring.sums import HandLine
from tournament.models import Competition
from tournament.models.play import SEAT_NAMES


def sheet_shown(shown: Competition, board: Board) -> schemas.SheetShown:
    """The sheet for everyone."""
    return schemas.SheetShown(**_sheet(shown, board, mask=shown.mask_names))


def sheet_own(competition: Competition, board: Board) -> schemas.SheetOwn:
    """The sheet for who works at it, with what a confirmation has to name."""
    return schemas.SheetOwn(
        **_sheet(competition, board, mask=False),
        digest=board.digest,
        next_number=board.next_number,
        next_dealer=board.terms().dealer if board.is_counted else None,
        is_full=board.is_full,
        sent_back_word=board.sheet.sent_back_word,
        confirmed=sorted(confirmations_of(board.sheet), key=lambda seat: (seat is None, seat or 0))
        if board.sheet.pk
        else [],
    )


def hand_shown(competition: Competition, board: Board, number: int) -> schemas.HandShown:
    """A hand for who works at the sheet."""
    shown = ShownSheet(board, mask=False, urls={})
    found = zip(board.versions, board.lines, strict=True)
    version, line = next(one for one in found if one[0].hand.number == number)
    return _hand(competition, shown, version, line)


def _sheet(competition: Competition, board: Board, *, mask: bool) -> dict[str, Any]:
    shown = ShownSheet(board, mask=mask, urls={})
    count = len(board.seats)
    return {
        "table": board.table.pk,
        "event": board.event.pk,
        "round": board.round.pk,
        "number": board.table.number,
        "state": board.table.state,
        "sheet": board.sheet.state,
        "hands_planned": board.sheet.hands_planned,
        "played": board.sums.played,
        "is_called": board.is_called,
        "first_dealer": board.table.first_dealer,
        "players": _players(board, shown),
        "hands": [
            _hand(competition, shown, version, line)
            for version, line in zip(board.versions, board.lines, strict=True)
        ],
        "penalties": [
            schemas.PenaltyShown(
                position=one.position,
                kind=one.kind,
                deltas=list(one.deltas[:count]),
                deducted=one.deducted,
            )
            for one in board.penalties
            if one.has_points
        ],
    }


def _players(board: Board, shown: ShownSheet) -> list[schemas.PlayerShown]:
    return [
        schemas.PlayerShown(
            position=seat.position,
            seat=SEAT_NAMES[seat.position],
            entrant=seat.entrant_id,
            number=seat.entrant.number if seat.entrant else None,
            name=name,
            unit=seat.entrant.unit if seat.entrant else "",
            is_filler=seat.is_filler,
            is_vacant=seat.is_vacant,
            net=int(total.net),
            deducted=total.deducted,
            place=seat.place if board.is_done else None,
            advances=seat.advances if board.is_done else None,
        )
        for seat, name, total in zip(board.seats, shown.names, board.sums.seats, strict=True)
    ]


def _hand(
    competition: Competition, shown: ShownSheet, version: HandVersion, line: HandLine
) -> schemas.HandShown:
    computed = version.computed or {}
    is_win = bool(version.winners) and not version.is_void
    has_record = version.evidence == Evidence.RECORD and not version.is_void
    where = [competition.code, shown.board.table.pk, version.hand.number]
    return schemas.HandShown(
        number=version.hand.number,
        version=version.version,
        evidence=version.evidence,
        hands=line.hands,
        is_void=version.is_void,
        is_flagged=version.is_flagged and version.hand_id not in shown.board.rulings,
        is_extra=version.hand.is_extra,
        dealer=version.dealer,
        winners=version.winners,
        source=version.source,
        special=version.special,
        payer=version.payer,
        hu=version.hu,
        xing=version.xing,
        total=version.total,
        deltas=list(line.points),
        computed=None if line.ruled is None else list(line.deltas),
        outcome=shown.outcome(version),
        melds=(computed.get("melds") or []) if is_win else [],
        card=(computed.get("card") or "") if is_win else "",
        xing_cards=(computed.get("xing_cards") or "") if is_win else "",
        record=reverse("hand_record", args=where) if has_record else None,
    )
