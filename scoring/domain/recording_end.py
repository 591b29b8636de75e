"""A record written tap by tap is saved as its hand, put away, or brought back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.locks import lock
from core.errors import Conflict
from engine.errors import ZipaiError
from scoring.domain.board import Board
from scoring.domain.errors import HandTaken
from scoring.domain.hands import NOT_LATE, Entered, Late, correct_hand, enter_hand
from scoring.domain.recording import (
    NotLegal,
    RecordingClosed,
    RecordingMoved,
    draft_of,
    held_open,
    note,
)
from scoring.domain.room import who_wrote
from scoring.enums import Evidence
from scoring.models import HandVersion, Recording
from tournament.acting import Acting
from tournament.permissions import Action, require


@transaction.atomic
def finish_recording(
    *,
    acting: Acting,
    recording: Recording,
    seen: int,
    instead: int | None = None,
    late: Late = NOT_LATE,
) -> HandVersion:
    """Saves the record as the hand it is of; a repeated request gets the version it made.

    Where the hand has been entered already, `instead` is the version that the record takes the
    place of. Raises `NotLegal`, `HandTaken`, what `enter_hand` and `correct_hand` do.
    """
    # The hand's own functions lock the sheet; the recording comes after it, and is looked at again.
    known = Recording.objects.select_related("sheet", "version__hand").get(pk=recording.pk)
    board = Board(known.sheet)
    require(acting, Action.ENTER_HAND, board.met(reason="-", effects_shown=True))
    if known.done_at is not None:
        if known.version is None:
            raise RecordingClosed(_("这份牌谱已经收起；请先恢复。"))
        return known.version
    version = _as_hand(acting, board, known, instead, late)
    row = lock(recording)
    if row.done_at is not None or seen != row.revision or seen != known.revision:
        raise RecordingMoved(_("这份牌谱刚刚在别处有改动，请看过现在的样子再保存。"))
    row.done_at, row.version = timezone.now(), version
    row.save(update_fields=["done_at", "version", "updated_at"])
    note(acting, board, row, "recording.finish")
    return version


def _as_hand(
    acting: Acting, board: Board, row: Recording, instead: int | None, late: Late
) -> HandVersion:
    """The record entered as its hand, or in the place of what was entered."""
    entered = Entered(Evidence.RECORD, {"text": _whole(row, board)})
    taken = next((v for v in board.versions if v.hand.number == row.number), None)
    if taken is None:
        return enter_hand(
            acting=acting,
            sheet=board.sheet,
            entered=entered,
            number=row.number,
            extra=_is_extra(board),
            late=late,
        )
    if instead is None:
        raise HandTaken(taken, who_wrote(taken))
    taken.hand.sheet = board.sheet
    return correct_hand(acting=acting, hand=taken.hand, entered=entered, seen=instead, late=late)


def _whole(row: Recording, board: Board) -> str:
    """The record of a hand that is over."""
    draft = draft_of(row, board)
    try:
        played = None if row.is_dealing else draft.played
    except ZipaiError as error:
        raise NotLegal(error) from error
    if played is not None and played.error is not None:
        raise NotLegal(played.error)
    if played is None or not played.hand.over:
        raise Conflict(_("这副牌还没有记完，没有胡也没有荒。"), code="must-act")
    return draft.text()


def _is_extra(board: Board) -> bool:
    """Whether the next hand is a 加赛 (C8.2)."""
    over = board.is_full or board.is_called
    return over and any(tie.hand is not None for tie in board.open_ties)


@transaction.atomic
def discard(*, acting: Acting, recording: Recording) -> Recording:
    """The recording is put away; `restore` brings it back."""
    board, row = held_open(acting, recording)
    if row.version_id is not None:
        raise RecordingClosed(_("这份牌谱已经保存；要作废请到那一局。"))
    if row.done_at is None:
        row.done_at = timezone.now()
        row.save(update_fields=["done_at", "updated_at"])
        note(acting, board, row, "recording.discard")
    return row


@transaction.atomic
def restore(*, acting: Acting, recording: Recording) -> Recording:
    """A recording that was put away is open again. Raises `Conflict` where another one is open
    for the same hand."""
    board, row = held_open(acting, recording)
    if row.version_id is not None:
        raise RecordingClosed(_("这份牌谱已经保存，不用恢复。"))
    others = Recording.objects.filter(sheet=board.sheet, number=row.number, done_at=None)
    if others.exclude(pk=row.pk).exists():
        raise Conflict(_("这一局另有一份正在记的牌谱，请接着记那一份。"))
    if row.done_at is not None:
        row.done_at = None
        row.save(update_fields=["done_at", "updated_at"])
        note(acting, board, row, "recording.restore")
    return row
