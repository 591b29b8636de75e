"""Hands entered and corrected, sheets submitted, confirmed and sent back, with a token."""

from __future__ import annotations

import re
from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from ninja import Header, Router

from core.api.answers import plain
from core.api.document import OWN, WRITE, answers
from core.api.reading import Code, Key
from core.errors import DomainError
from scoring.api import given as takes
from scoring.api import schemas
from scoring.api.shaped import hand_shown, sheet_own
from scoring.domain.board import Board
from scoring.domain.hands import correct_hand, enter_hand
from scoring.domain.opening import sheet_for
from scoring.domain.sheets import confirm_sheet, send_back, submit_sheet
from scoring.queries import find_hand, find_table, read_board
from tournament.acting import Acting
from tournament.api.entries import OnceKey
from tournament.api.public import C
from tournament.api.tokens import Bearer, get_acting
from tournament.enums import ApiScope, Role
from tournament.models import Competition
from tournament.permissions import Action, demand, leads, referees, require

router = Router(tags=["sheets"])
T = C + "/tables/{table}"
FOR_HANDS = Bearer(ApiScope.HANDS)
FOR_CONFIRM = Bearer(ApiScope.CONFIRM)
FOR_EITHER = Bearer(ApiScope.HANDS, ApiScope.CONFIRM)
_VERSION = re.compile(r'(?:W/)?"?(\d{1,9})"?')


class VersionNeeded(DomainError):
    """A correction has to say which version it corrects."""

    code = "if-match-needed"


def _board(request: HttpRequest, code: str, table: int) -> tuple[Competition, Acting, Board]:
    """The sheet and for whom the token acts. Raises `Http404` for what he may not see, and
    `NotAllowed` where he has nothing to do with tables."""
    competition, acting = get_acting(request, code)
    board = _fresh(competition, acting, table)
    demand(referees(acting) or leads(acting), Role.CHIEF, Role.REFEREE, Role.TABLE)
    return competition, acting, board


def _fresh(competition: Competition, acting: Acting, table: int) -> Board:
    found = find_table(competition, table, acting)
    if found is None:
        raise Http404(table)
    return read_board(found)


def _hand(
    competition: Competition, acting: Acting, table: int, number: int, *, status: int = 200
) -> HttpResponse:
    made = hand_shown(competition, _fresh(competition, acting, table), number)
    response = plain(made, status=status)
    response["ETag"] = f'"{made.version}"'
    return response


@router.get(T + "/sheet", auth=FOR_EITHER, response=answers(schemas.SheetOwn, OWN))
def get_sheet(request: HttpRequest, code: Code, table: Key) -> HttpResponse:
    """The sheet as it stands now, with the digest that a confirmation has to name."""
    competition, _acting, board = _board(request, code, table)
    return plain(sheet_own(competition, board))


@router.post(T + "/hands", auth=FOR_HANDS, response=answers(schemas.HandShown, WRITE, ok=201))
def create_hand(
    request: HttpRequest, code: Code, table: Key, given: takes.NewHand, key: OnceKey
) -> HttpResponse:
    """Enters a hand. The same key and content again gives the same answer and no second hand."""
    competition, acting, board = _board(request, code, table)
    version = enter_hand(
        acting=acting,
        sheet=sheet_for(acting=acting, board=board, action=Action.ENTER_HAND),
        entered=given.entered(),
        number=given.number,
        extra=given.extra,
        key=key,
        late=given.late(),
    )
    return _hand(competition, acting, table, version.hand.number, status=201)


@router.put(T + "/hands/{number}", auth=FOR_HANDS, response=answers(schemas.HandShown, WRITE))
def put_hand(
    request: HttpRequest,
    code: Code,
    table: Key,
    number: Key,
    given: takes.HandGiven,
    if_match: Annotated[
        str | None,
        Header(alias="If-Match", description='The version that is corrected: `"1"`'),
    ] = None,
) -> HttpResponse:
    """Corrects a hand: a new version takes the place of the one named in If-Match."""
    competition, acting, board = _board(request, code, table)
    require(acting, Action.ENTER_HAND, board.met(reason="-", effects_shown=True))
    seen = _VERSION.fullmatch(if_match or "")
    if seen is None:
        raise VersionNeeded(_('请在请求头 If-Match 里写明要更正的是第几版，例如 "1"。'))
    hand = find_hand(board.sheet, number) if board.sheet.pk else None
    if hand is None:
        raise Http404(number)
    hand.sheet = board.sheet
    correct_hand(
        acting=acting,
        hand=hand,
        entered=given.entered(),
        seen=int(seen[1]),
        late=given.late(),
    )
    return _hand(competition, acting, table, number)


@router.post(T + "/sheet/submit", auth=FOR_HANDS, response=answers(schemas.SheetOwn, WRITE))
def submit(request: HttpRequest, code: Code, table: Key) -> HttpResponse:
    """The sheet is complete and waits for confirmation."""
    competition, acting, board = _board(request, code, table)
    sheet = sheet_for(acting=acting, board=board, action=Action.SUBMIT_SHEET)
    submit_sheet(acting=acting, sheet=sheet)
    return plain(sheet_own(competition, _fresh(competition, acting, table)))


@router.post(T + "/sheet/confirm", auth=FOR_CONFIRM, response=answers(schemas.SheetOwn, WRITE))
def confirm(request: HttpRequest, code: Code, table: Key, given: takes.Confirming) -> HttpResponse:
    """Confirms the sheet that had this digest. Where it leaves a tie at a line that matters, the
    sheet is open again and `sent_back_word` says so."""
    competition, acting, board = _board(request, code, table)
    confirm_sheet(
        acting=acting,
        sheet=sheet_for(acting=acting, board=board, action=Action.CONFIRM_SHEET),
        digest=given.digest,
        position=given.position,
    )
    return plain(sheet_own(competition, _fresh(competition, acting, table)))


@router.post(T + "/sheet/send-back", auth=FOR_CONFIRM, response=answers(schemas.SheetOwn, WRITE))
def send_sheet_back(
    request: HttpRequest, code: Code, table: Key, given: takes.Word
) -> HttpResponse:
    """The sheet is open again, with a word on what is wrong."""
    competition, acting, board = _board(request, code, table)
    sheet = sheet_for(acting=acting, board=board, action=Action.SEND_BACK)
    send_back(acting=acting, sheet=sheet, word=given.word)
    return plain(sheet_own(competition, _fresh(competition, acting, table)))
