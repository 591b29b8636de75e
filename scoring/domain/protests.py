"""Protests, the chief referee's answers, and one appeal against an answer (C7.3)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from scoring.domain.board import Board
from scoring.domain.closing import hold, scope_of
from scoring.domain.verdict_settings import committee_of
from scoring.domain.verdicts import BadVerdict
from scoring.enums import ProtestAbout, ProtestState
from scoring.models import Hand, Penalty, Protest, Ruling, Sheet
from scoring.words import fitting
from tournament.acting import Acting
from tournament.models import Seat
from tournament.permissions import Action, NotAllowed, require

ANSWERS = (ProtestState.UPHELD, ProtestState.REJECTED)
FINAL = {ProtestState.UPHELD: ProtestState.GRANTED, ProtestState.REJECTED: ProtestState.DISMISSED}


@transaction.atomic
def protest(
    *,
    acting: Acting,
    sheet: Sheet,
    text: str,
    about: ProtestAbout | None = None,
    hand: Hand | None = None,
    penalty: Penalty | None = None,
) -> Protest:
    """A protest from the table, an entrant or a referee (C7.3), about a hand, a penalty, the
    places or something else. Raises what `require` does, `BadVerdict`."""
    board = hold(sheet, whole=True)
    require(acting, Action.PROTEST, board.met())
    if not text.strip():
        raise BadVerdict(_("请写明申诉什么。"))
    if about is None:
        about = ProtestAbout.HAND if hand else ProtestAbout.OTHER
    if (about == ProtestAbout.HAND) != (hand is not None):
        raise BadVerdict(fitting(board.is_counted, _("请选申诉哪一局。"), _("请选申诉哪一盘。")))
    if (about == ProtestAbout.PENALTY) != (penalty is not None):
        raise BadVerdict(_("请选申诉哪一次判罚。"))
    made = Protest.objects.create(
        sheet=board.sheet,
        about=about,
        hand=hand,
        penalty=penalty,
        position=_seat_of(acting, board),
        text=text.strip()[:400],
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    _note(acting, board, made, "protest.make")
    return made


@transaction.atomic
def withdraw_protest(*, acting: Acting, protest: Protest) -> Protest:
    """Who made it takes it back before it is answered (C9.5). Raises as `appeal`."""
    board, protest = _own(acting, protest)
    if protest.state != ProtestState.OPEN:
        raise Conflict(_("这件申诉已经答复。"))
    protest.state = ProtestState.WITHDRAWN
    protest.save(update_fields=["state"])
    _note(acting, board, protest, "protest.withdraw")
    return protest


@transaction.atomic
def answer_protest(
    *,
    acting: Acting,
    protest: Protest,
    state: ProtestState,
    answer: str,
    ruling: Ruling | None = None,
) -> Protest:
    """The chief referee upholds or rejects a protest, with an answer.

    Raises what `require` does, `BadVerdict`, `Conflict` where it has been answered.
    """
    board = hold(protest.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=answer))
    protest = lock(protest)
    if protest.state != ProtestState.OPEN:
        raise Conflict(_("这件申诉已经答复。"))
    _check_answer(state, answer)
    protest.state, protest.answer = state, answer.strip()[:400]
    protest.is_upheld = state == ProtestState.UPHELD
    protest.ruling, protest.answered_at = ruling, timezone.now()
    protest.save(update_fields=["state", "is_upheld", "answer", "ruling", "answered_at"])
    _note(acting, board, protest, "protest.answer")
    return protest


@transaction.atomic
def appeal(*, acting: Acting, protest: Protest, text: str) -> Protest:
    """Who protested does not accept the answer: once, until the table is final.

    Raises what `require` does, `NotAllowed` for everybody else, `BadVerdict`, `Conflict` where
    there is no answer yet or it has been appealed against.
    """
    board, protest = _own(acting, protest)
    if protest.state not in ANSWERS:
        raise Conflict(_("只能对裁判长的答复上诉，每件申诉一次。"))
    if not text.strip():
        raise BadVerdict(_("请写明为什么上诉。"))
    protest.state, protest.appeal = ProtestState.APPEALED, text.strip()[:400]
    protest.appealed_at = timezone.now()
    protest.save(update_fields=["state", "appeal", "appealed_at"])
    _note(acting, board, protest, "protest.appeal")
    return protest


@transaction.atomic
def answer_appeal(*, acting: Acting, protest: Protest, state: ProtestState, answer: str) -> Protest:
    """The last word on an appeal, entered by the chief referee; where the organizer has named a
    仲裁 it is theirs, and their names are kept with it. Raises as `answer_protest`."""
    board = hold(protest.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=answer))
    protest = lock(protest)
    if protest.state != ProtestState.APPEALED:
        raise Conflict(_("这件申诉没有等着答复的上诉。"))
    _check_answer(state, answer)
    protest.state, protest.final_answer = FINAL[state], answer.strip()[:400]
    protest.final_by, protest.final_at = committee_of(board.event.competition), timezone.now()
    protest.save(update_fields=["state", "final_answer", "final_by", "final_at"])
    _note(acting, board, protest, "protest.appeal-answer")
    return protest


@transaction.atomic
def withdraw_appeal(*, acting: Acting, protest: Protest) -> Protest:
    """Who appealed takes it back before it is answered (C9.5); the answer stands, and he may
    appeal again. Raises as `appeal`."""
    board, protest = _own(acting, protest)
    if protest.state != ProtestState.APPEALED:
        raise Conflict(_("这件申诉没有等着答复的上诉。"))
    protest.state = ANSWERS[0] if protest.is_upheld else ANSWERS[1]
    protest.appeal, protest.appealed_at = "", None
    protest.save(update_fields=["state", "appeal", "appealed_at"])
    _note(acting, board, protest, "protest.appeal-withdraw")
    return protest


@transaction.atomic
def take_back_final_answer(*, acting: Acting, protest: Protest) -> Protest:
    """The appeal waits for its answer again (C9.5), unless a ruling has followed from it.

    Raises what `require` does, `Conflict`.
    """
    board = hold(protest.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason="-"))
    protest = lock(protest)
    if protest.state not in FINAL.values() or protest.final_at is None:
        raise Conflict(_("这件申诉的上诉还没有答复，请刷新后再看。"))
    ruling = protest.ruling
    if ruling is not None and ruling.is_current and ruling.created_at > protest.final_at:
        raise Conflict(_("已经按这个答复作了裁决，请先撤销那条裁决。"), code="ruled-on")
    protest.state, protest.final_answer = ProtestState.APPEALED, ""
    protest.final_by, protest.final_at = "", None
    protest.save(update_fields=["state", "final_answer", "final_by", "final_at"])
    _note(acting, board, protest, "protest.appeal-unanswer")
    return protest


def is_own(acting: Acting, protest: Protest, seats: Sequence[Seat]) -> bool:
    """Whether he made the protest: by the same account or link, or another link of the entrant
    who sits where it came from (`seats` are the table's in order)."""
    if acting.key == protest.written_by.key:
        return True
    if protest.position is None or protest.position >= len(seats):
        return False
    return seats[protest.position].entrant_id in acting.entrant_ids


def _own(acting: Acting, protest: Protest) -> tuple[Board, Protest]:
    board = hold(protest.sheet, whole=True)
    require(acting, Action.PROTEST, board.met())
    protest = lock(protest)
    need_own(acting, protest, board)
    return board, protest


def need_own(acting: Acting, protest: Protest, board: Board) -> None:
    """Raises `NotAllowed` for everybody but who made the protest."""
    if not is_own(acting, protest, board.seats):
        raise NotAllowed(
            _("这一步只有提出申诉的人可以做。"), state=board.met().state, who=frozenset()
        )


def _seat_of(acting: Acting, board: Board) -> int | None:
    """The seat of the entrant whose link it is, where it is not the table's."""
    if board.table.pk in acting.table_ids:
        return None
    mine = [seat.position for seat in board.seats if seat.entrant_id in acting.entrant_ids]
    return mine[0] if mine else None


def _check_answer(state: ProtestState, answer: str) -> None:
    if state not in ANSWERS:
        raise BadVerdict(_("请选成立还是驳回。"))
    if not answer.strip():
        raise BadVerdict(_("请写明答复。"))


def _note(acting: Acting, board: Board, protest: Protest, action: str) -> None:
    audit(
        actor=acting,
        action=action,
        scope=scope_of(board),
        subject=protest,
        data={"state": str(protest.state)},
    )
    bump(board.sheet.scope)
