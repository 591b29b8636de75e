"""The wrong people sat at the seats, noticed later: columns are swapped (C9.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.errors import Conflict, DomainError
from scoring.counted import Counted, EntryError
from scoring.domain.board import Board
from scoring.domain.closing import hold, scope_of
from scoring.domain.hands import NOT_LATE, Late, follow
from scoring.enums import PenaltyLevel
from scoring.models import Hand, HandVersion, Penalty, Ruling, Sheet
from scoring.reseated import after, inverse, moved, reseated, seats_of
from scoring.words import fitting
from tournament.acting import Acting
from tournament.enums import State
from tournament.permissions import Action, require


class BadSwap(DomainError):
    """Columns that cannot be swapped so; the message says why."""

    code = "bad-swap"
    status = 422


@dataclass(frozen=True)
class Swapped:
    """Hands `first` … `last` whose columns are swapped now; `seating` as in `scoring.reseated`."""

    first: int
    last: int
    seating: tuple[int, ...]

    @property
    def back(self) -> tuple[int, ...]:
        """The seating that takes it back."""
        return inverse(self.seating)


@transaction.atomic
def swap_seats(
    *,
    acting: Acting,
    sheet: Sheet,
    seating: Sequence[int],
    first: int,
    last: int,
    reason: str,
    late: Late = NOT_LATE,
) -> list[HandVersion]:
    """What hands `first` … `last` say of seat i belongs to seat `seating[i]`: a new version each.

    Points, winner, payer and dealer move, what was entered and its result stay (C9.4); rulings on
    these hands and penalties for them move along. The inverse takes it back. Raises what
    `require` does, `BadSwap`; on a confirmed table what `settle_again` does.
    """
    board = hold(sheet, whole=True)
    require(acting, Action.ENTER_HAND, board.met(reason=reason, effects_shown=True))
    _check(board, seating, reason)
    chosen = _chosen(board, first, last)
    made = [_swap(acting, board, version, seating, reason) for version in chosen]
    hands = [version.hand for version in chosen]
    _move_rulings(acting, board, hands, seating)
    _move_penalties(acting, hands, seating)
    audit(
        actor=acting,
        action="sheet.swap-seats",
        scope=scope_of(board),
        subject=board.sheet,
        data={
            "hands": [hand.number for hand in hands],
            "seating": list(seating),
        },
        said={"reason": reason.strip()[:200]},
    )
    follow(acting, board, late, reason)
    return made


def swapped(board: Board) -> list[Swapped]:
    """The hands whose columns are swapped, those in a row with the same seating together."""
    found: list[Swapped] = []
    for version, line in zip(board.versions, board.lines, strict=True):
        seats = version.payload.get("seats")
        if seats is None or version.is_void:
            continue
        last, seating = line.number + line.hands - 1, tuple(seats)
        if found and found[-1].last + 1 == line.number and found[-1].seating == seating:
            found[-1] = Swapped(found[-1].first, last, seating)
        else:
            found.append(Swapped(line.number, last, seating))
    return found


def _check(board: Board, seating: Sequence[int], reason: str) -> None:
    if sorted(seating) != list(range(len(board.seats))):
        raise BadSwap(_("每个座位要正好对应一个人，请再看一遍。"))
    if list(seating) == sorted(seating):
        raise BadSwap(_("座位没有变。请选出每一列其实是谁。"))
    if not reason.strip():
        raise BadSwap(_("对换要写明原因。"))


def _chosen(board: Board, first: int, last: int) -> list[HandVersion]:
    chosen = []
    for version, line in zip(board.versions, board.lines, strict=True):
        end = line.number + line.hands - 1
        if version.is_void or end < first or line.number > last:
            continue
        if version.hand.is_extra:
            raise BadSwap(
                fitting(
                    board.is_counted,
                    _("第 %(n)d 局是加赛，不能对换；要改请作废后重记。"),
                    _("第 %(n)d 盘是加赛，不能对换；要改请作废后重记。"),
                )
                % {"n": line.number}
            )
        if line.number < first or end > last:
            raise BadSwap(
                _("第 %(a)d 到 %(b)d 局是一起记的总分，要一起对换。") % {"a": line.number, "b": end}
            )
        chosen.append(version)
    if not chosen:
        raise BadSwap(
            fitting(
                board.is_counted,
                _("这几局里没有记分，请看局数对不对。"),
                _("这几盘里没有记分，请看盘数对不对。"),
            )
        )
    return chosen


def _swap(
    acting: Acting, board: Board, version: HandVersion, seating: Sequence[int], reason: str
) -> HandVersion:
    count = len(board.seats)
    payload = {key: value for key, value in version.payload.items() if key != "seats"}
    try:
        before = seats_of(version.payload, count)
    except EntryError as error:
        raise Conflict(str(error)) from error
    changed = reseated(
        Counted(
            evidence=version.evidence,
            payload=payload,
            deltas=version.deltas[:count],
            computed=version.computed,
            dealer=version.dealer,
            winners=None if version.winners is None else tuple(version.winners),
            payer=version.payer,
        ),
        seating,
    )
    seats = after(before, seating)
    HandVersion.objects.filter(pk=version.pk).update(is_current=False)
    version.pk = None
    version._state.adding = True
    version.version += 1
    version.author_id, version.link_id = acting.user_id, acting.link_id
    version.reason = reason.strip()[:200]
    version.is_after_final = board.table.state == State.FINAL
    version.payload = payload if list(seats) == sorted(seats) else {**payload, "seats": list(seats)}
    version.computed = None if changed.computed is None else dict(changed.computed)
    version.dealer, version.payer = changed.dealer, changed.payer
    version.winners = None if changed.winners is None else list(changed.winners)
    version.deltas = changed.deltas
    version.save()
    return version


def _move_rulings(
    acting: Acting, board: Board, hands: Sequence[Hand], seating: Sequence[int]
) -> None:
    for hand in hands:
        ruling = board.rulings.get(hand.pk)
        if ruling is None:
            continue
        Ruling.objects.filter(pk=ruling.pk).update(is_current=False)
        copy = Ruling(
            sheet=board.sheet,
            hand=hand,
            reason=ruling.reason,
            author_id=acting.user_id,
            link_id=acting.link_id,
        )
        copy.deltas = moved(ruling.deltas, seating)
        copy.places = None if ruling.places is None else list(moved(ruling.places, seating))
        copy.save()


def _move_penalties(acting: Acting, hands: Sequence[Hand], seating: Sequence[int]) -> None:
    """A disqualification stays: it is the entrant's, not the column's."""
    given = Penalty.objects.filter(hand__in=hands, voided_at=None)
    for penalty in given.exclude(level=PenaltyLevel.DISQUALIFIED):
        Penalty.objects.filter(pk=penalty.pk).update(voided_at=timezone.now())
        penalty.pk = None
        penalty._state.adding = True
        penalty.position = seating[penalty.position]
        penalty.deltas = moved(penalty.deltas, seating)
        penalty.author_id, penalty.link_id = acting.user_id, acting.link_id
        penalty.save()
