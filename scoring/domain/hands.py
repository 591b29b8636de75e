"""Hands entered, corrected, voided and flagged: chains of versions (C6.1–C6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import cast

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.idempotency import do_once
from core.domain.versions import bump
from core.errors import Conflict
from core.metrics import ENTRIES
from engine import __version__ as engine_version
from scoring.domain.board import Board
from scoring.domain.closing import hold, make_final, scope_of, settle_again
from scoring.domain.errors import BadEntry, Differs, VersionPassed
from scoring.domain.replays import NOTHING
from scoring.domain.room import check_free, check_room, check_span, check_sum, who_wrote
from scoring.domain.sheets import drop_confirmations
from scoring.domain.stopping import check_stopped, stopped_winners
from scoring.enums import Evidence, SheetState
from scoring.evidence import Counted, EntryError, count
from scoring.models import Hand, HandVersion, Sheet, TieBreak
from scoring.words import fitting
from tournament.acting import Acting
from tournament.domain.starting import start_table
from tournament.enums import State
from tournament.permissions import Action, require


class Difference(StrEnum):
    """C6.3: what to do where the claimed and the computed value differ."""

    ASK = "ask"
    COMPUTED = "computed"
    FLAG = "flag"


@dataclass(frozen=True)
class Entered:
    """What somebody entered for a hand: the level of evidence and its payload
    (`scoring.evidence`), and what to do where the table claimed something else."""

    evidence: Evidence
    payload: Mapping[str, object] = field(default_factory=dict)
    difference: Difference = Difference.ASK

    def as_json(self) -> dict[str, object]:
        """The request, for the idempotency key."""
        return {
            "evidence": str(self.evidence),
            "payload": dict(self.payload),
            "difference": str(self.difference),
        }


@dataclass(frozen=True)
class Late:
    """What comes with a change after the table is confirmed (C7.3, C9.1).

    Where others would advance and have played on: `as_played` leaves them, `replay` voids what
    they have played since.
    """

    reason: str = ""
    effects_shown: bool = False
    as_played: bool = False
    replay: bool = False


NOT_LATE = Late()


def enter_hand(
    *,
    acting: Acting,
    sheet: Sheet,
    entered: Entered,
    number: int | None = None,
    extra: bool = False,
    key: str = "",
    late: Late = NOT_LATE,
) -> HandVersion:
    """A new hand of the sheet, the next one unless `number` says which; `extra`: a 加赛 (C8.2).

    The first starts the table. With the client's `key` the same request is done once. Raises
    what `require` does, `BadEntry`, `Differs`, `HandTaken`, `SheetFull`, `NotReady` (the table
    cannot start), `KeyReused`; on a confirmed table also what `settle_again` does.
    """

    def act() -> HandVersion:
        return _enter(acting, sheet, entered, number, extra, late)

    if not key:
        return act()
    request = {"number": number, "extra": extra, **entered.as_json()}
    answer = do_once(
        scope=sheet.scope, key=key, request=request, act=lambda: (201, {"version": act().pk})
    )
    made = cast("dict[str, int]", answer.json)
    return HandVersion.objects.select_related("hand").get(pk=made["version"])


@transaction.atomic
def _enter(
    acting: Acting,
    sheet: Sheet,
    entered: Entered,
    number: int | None,
    extra: bool,
    late: Late,
) -> HandVersion:
    board = hold(sheet)
    _require(acting, board, late)
    number = number or board.next_number
    tie_break, among = _extra(board) if extra else (None, None)
    check_free(board, number)
    counted = _count(board, entered, number)
    _check_stopped(board, counted, entered, number, late)
    if not extra:
        check_room(board, number, counted.hands)
    check_free(board, number, counted.hands)
    hand = Hand.objects.create(sheet=board.sheet, number=number, tie_break=tie_break)
    version = _write(acting, board, hand, counted, entered, late, among=among)
    if board.table.state != State.RUNNING and not board.is_done:
        started = start_table(acting=acting, table=board.table)
        make_final(started.finals)
    _after(acting, board, "hand.enter", version, late)
    transaction.on_commit(ENTRIES.labels(str(version.evidence)).inc, robust=True)
    return version


def _require(acting: Acting, board: Board, late: Late) -> None:
    # The effects are computed from the change itself, so they are asked for after it is made.
    require(acting, Action.ENTER_HAND, board.met(reason=late.reason, effects_shown=True))
    if board.is_walkover:
        raise Conflict(_("这一桌没有打，有人直接晋级。要打请先重新打开。"), code="walked-over")


def _extra(board: Board) -> tuple[TieBreak, list[int]]:
    """The tie break that the next 加赛 belongs to, and who is level."""
    ties = [tie for tie in board.open_ties if tie.hand is not None]
    if not ties or not (board.is_full or board.is_called):
        raise Conflict(_("现在没有要加赛的同分。"), code="no-tie")
    tied = sorted(ties[0].keys)
    tie_break, _made = TieBreak.objects.get_or_create(
        sheet=board.sheet, line=ties[0].lines[0], defaults={"tied": tied}
    )
    played = HandVersion.objects.filter(hand__tie_break=tie_break, is_current=True, is_void=False)
    if tie_break.tied != tied and not played.exists():
        tie_break.tied = tied
        tie_break.save(update_fields=["tied"])
    return tie_break, tied


def _count(board: Board, entered: Entered, number: int) -> Counted:
    """Raises `BadEntry`, and `Differs` where it has to be asked."""
    try:
        counted = count(str(entered.evidence), entered.payload, board.asked(number))
    except EntryError as error:
        raise BadEntry(error) from error
    if counted.claimed is not None and entered.difference == Difference.ASK:
        raise Differs(counted)
    return counted


def _check_stopped(
    board: Board, counted: Counted, entered: Entered, number: int, late: Late
) -> None:
    is_flagged = entered.difference == Difference.FLAG
    check_stopped(board, counted, number, is_flagged=is_flagged, reason=late.reason)


def _write(
    acting: Acting,
    board: Board,
    hand: Hand,
    counted: Counted,
    entered: Entered,
    late: Late,
    *,
    number: int = 1,
    among: list[int] | None = None,
) -> HandVersion:
    payload = dict(counted.payload)
    if among is not None:
        payload["among"] = among
    doubtful = counted.claimed is not None or stopped_winners(board, counted, hand.number)
    flagged = bool(doubtful) and entered.difference == Difference.FLAG
    version = HandVersion(
        hand=hand,
        version=number,
        evidence=entered.evidence,
        payload=payload,
        computed=None if counted.computed is None else dict(counted.computed),
        dealer=counted.dealer,
        winners=None if counted.winners is None else list(counted.winners),
        source=counted.source,
        special=counted.special,
        payer=counted.payer,
        hu=counted.hu,
        xing=counted.xing,
        total=counted.total,
        is_flagged=flagged,
        engine_version=engine_version if board.is_counted else "",
        rules_digest=board.event.rules_digest,
        reason=late.reason.strip()[:200],
        is_after_final=board.table.state == State.FINAL,
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    version.deltas = counted.deltas
    version.save()
    return version


def _after(acting: Acting, board: Board, action: str, version: HandVersion, late: Late) -> None:
    """Audit row, and what hangs on the sheet's sums."""
    audit(
        actor=acting,
        action=action,
        scope=scope_of(board),
        subject=version.hand,
        data={
            "version": version.version,
            "deltas": list(version.deltas),
            "evidence": version.evidence,
            "after_final": version.is_after_final,
        },
    )
    follow(acting, board, late, late.reason)


def follow(acting: Acting, board: Board, late: Late, reason: str) -> None:
    """What hangs on the sheet's sums after a change: confirmations fall away, a confirmed table
    is settled again (raises as `settle_again`), and the sheet has a new version."""
    if board.sheet.state == SheetState.SUBMITTED:
        drop_confirmations(board.sheet)
    if board.is_done:
        settle_again(
            acting=acting,
            board=Board(board.sheet, board.table),
            reason=reason,
            effects_shown=late.effects_shown,
            as_played=late.as_played,
            replay=late.replay,
        )
    bump(board.sheet.scope)


@transaction.atomic
def correct_hand(
    *,
    acting: Acting,
    hand: Hand,
    entered: Entered,
    seen: int | None = None,
    late: Late = NOT_LATE,
) -> HandVersion:
    """A new version of the hand takes the place of the one that counts (C6.2, C9.1).

    `seen` is the version the page showed. Raises what `enter_hand` does, `VersionPassed`.
    """
    board = hold(hand.sheet)
    _require(acting, board, late)
    current = _current(board, hand, seen)
    entered = _as_seated(entered, current)
    counted = _count(board, entered, hand.number)
    _check_stopped(board, counted, entered, hand.number, late)
    if counted.hands > 1:
        others = [v for v in board.versions if v.pk != current.pk]
        check_span(board, others, hand.number, counted.hands)
    if not hand.is_extra:
        check_sum(board, counted.hands, current)
    _supersede(current)
    version = _write(
        acting,
        board,
        hand,
        counted,
        entered,
        late,
        number=current.version + 1,
        among=current.payload.get("among"),
    )
    _after(acting, board, "hand.correct", version, late)
    return version


def _as_seated(entered: Entered, current: HandVersion) -> Entered:
    """A record that is entered once more is still written with the seats it was (C9.4)."""
    seats = current.payload.get("seats")
    if seats is None or not entered.evidence == current.evidence == Evidence.RECORD:
        return entered
    return replace(entered, payload={**entered.payload, "seats": seats})


def _current(board: Board, hand: Hand, seen: int | None) -> HandVersion:
    current = next(version for version in board.versions if version.hand_id == hand.pk)
    if seen is not None and seen != current.version:
        raise VersionPassed(
            fitting(
                board.is_counted,
                _("第 %(n)d 局刚刚被%(who)s改过，请看过新的记录再改。"),
                _("第 %(n)d 盘刚刚被%(who)s改过，请看过新的记录再改。"),
            )
            % {"n": hand.number, "who": who_wrote(current)}
        )
    return current


def _supersede(current: HandVersion) -> None:
    HandVersion.objects.filter(pk=current.pk).update(is_current=False)


def void_hand(
    *, acting: Acting, hand: Hand, reason: str, seen: int | None = None, late: Late = NOT_LATE
) -> HandVersion:
    """The hand counts for nothing any more; its number stays (C6.2). A reason is needed."""
    if not reason.strip():
        raise Conflict(_("作废要写明原因。"), code="reason-needed", status=400)
    late = replace(late, reason=reason)
    return _copy(acting, hand, "hand.void", seen, late, **NOTHING, deltas=(0, 0, 0, 0))


def restore_hand(
    *,
    acting: Acting,
    hand: Hand,
    version: int,
    seen: int | None = None,
    late: Late = NOT_LATE,
) -> HandVersion:
    """An earlier version of the hand counts again, as a new one that says the same: the undo of a
    correction and of a void (C9.5). Raises what `correct_hand` does."""
    return _copy(acting, hand, "hand.restore", seen, late, of=version)


def flag_hand(*, acting: Acting, hand: Hand, reason: str, seen: int | None = None) -> HandVersion:
    """待裁: the hand is disputed, until the chief referee rules or the flag is cleared."""
    return _copy(acting, hand, "hand.flag", seen, Late(reason), is_flagged=True)


def clear_flag(*, acting: Acting, hand: Hand, seen: int | None = None) -> HandVersion:
    """The dispute is settled: what was computed counts."""
    return _copy(acting, hand, "hand.clear-flag", seen, NOT_LATE, is_flagged=False)


def _earlier(board: Board, current: HandVersion, number: int) -> HandVersion:
    """The version to come back, where the sheet still has room for it."""
    found = HandVersion.objects.filter(hand=current.hand_id, version=number, is_void=False)
    version = found.exclude(pk=current.pk).select_related("hand").first()
    if version is None:
        raise Conflict(_("这一版不能恢复，请刷新后再看。"))
    hands = int(version.payload.get("hands", 1))
    others = [one for one in board.versions if one.pk != current.pk]
    check_span(board, others, version.hand.number, hands)
    if current.is_void and not version.hand.is_extra:
        check_room(board, version.hand.number, hands)
    elif not version.hand.is_extra:
        check_sum(board, hands, current)
    return version


@transaction.atomic
def _copy(
    acting: Acting,
    hand: Hand,
    action: str,
    seen: int | None,
    late: Late,
    *,
    of: int | None = None,
    **changes: object,
) -> HandVersion:
    """A new version that differs in `changes` alone from the current one, or from version `of`."""
    board = hold(hand.sheet)
    _require(acting, board, late)
    current = _current(board, hand, seen)
    version = current if of is None else _earlier(board, current, of)
    _supersede(current)
    version.pk = None
    version._state.adding = True
    version.version, version.is_current = current.version + 1, True
    version.author_id, version.link_id = acting.user_id, acting.link_id
    version.reason = late.reason.strip()[:200]
    version.is_after_final = board.table.state == State.FINAL
    for name, value in changes.items():
        setattr(version, name, value)
    version.save()
    _after(acting, board, action, version, late)
    return version
