"""A record written tap by tap (牌谱记录): begun, dealt, played, undone.

Every change says which revision its page showed. A request that has been done already is not
done again; another one on a page that is behind is refused, and the answer says what came.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from engine import cards
from engine.errors import ZipaiError
from scoring.domain.board import Board
from scoring.domain.closing import hold, scope_of
from scoring.domain.errors import in_language
from scoring.models import Recording, Sheet
from scoring.recorder import Draft
from tournament.acting import Acting
from tournament.permissions import Action, require

LONGEST: Final = 200
"""Characters of a request."""


class NotLegal(DomainError):
    """The rules do not let this event (or these cards) come here."""

    code = "not-legal"
    status = 422

    def __init__(self, error: ZipaiError) -> None:
        super().__init__(in_language(error), code=error.code)


class RecordingMoved(Conflict):
    """Somebody has gone on with the recording since the page was shown."""

    code = "recording-moved"


class RecordingClosed(Conflict):
    """The recording has been saved or put away."""

    code = "recording-closed"


def draft_of(recording: Recording, board: Board) -> Draft:
    """What the recording says, under the rules of its sheet."""
    return Draft(
        board.rules,
        board.event.preset,
        recording.number,
        recording.dealer,
        recording.cards,
        recording.steps,
    )


@transaction.atomic
def begin_recording(
    *, acting: Acting, sheet: Sheet, number: int | None = None, dealer: int | None = None
) -> Recording:
    """An empty recording of the hand `number` (the next one), dealt by `dealer` (whose turn it
    is); the one that is open for this hand, where there is one."""
    board = hold(sheet)
    _require(acting, board)
    number = number or board.next_number
    found = Recording.objects.filter(sheet=board.sheet, number=number, done_at=None).first()
    if found is not None:
        return found
    made = Recording.objects.create(
        sheet=board.sheet,
        number=number,
        dealer=_dealer(board, number, dealer),
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    note(acting, board, made, "recording.begin")
    return made


def _dealer(board: Board, number: int, dealer: int | None) -> int:
    if not board.is_counted:
        raise DomainError(_("这个项目不是字牌，没有牌谱。"), code="unknown-rules")
    if dealer is None:
        return board.terms(number).dealer
    if not 0 <= dealer < board.table.seat_count:
        raise DomainError(_("请选这一局谁坐庄。"), code="unknown-seat")
    return dealer


def _require(acting: Acting, board: Board) -> None:
    # A recording is a draft: what a late hand must say is asked for when it is saved.
    require(acting, Action.ENTER_HAND, board.met(reason="-", effects_shown=True))


def note(acting: Acting, board: Board, row: Recording, action: str) -> None:
    """The audit row and the new version of a recording that was changed."""
    audit(
        actor=acting,
        action=action,
        scope=scope_of(board),
        subject=row,
        data={"number": row.number, "revision": row.revision, "request": row.last},
    )
    bump(f"recording:{row.pk}")


def held_open(acting: Acting, recording: Recording) -> tuple[Board, Recording]:
    """Sheet and recording locked, for somebody who may enter hands here (`NotAllowed`)."""
    board = hold(recording.sheet)
    row = lock(recording)
    row.sheet = board.sheet
    _require(acting, board)
    return board, row


@transaction.atomic
def _change(
    acting: Acting,
    recording: Recording,
    seen: int,
    request: str,
    act: Callable[[Recording, Draft], None],
) -> Recording:
    if len(request) > LONGEST:
        raise DomainError(_("太长了，请只写这一处的牌。"), code="syntax")
    board, row = held_open(acting, recording)
    if seen == row.revision - 1 and request == row.last:
        return row
    if row.done_at is not None:
        raise RecordingClosed(_("这份牌谱已经保存或收起，不能再改。"))
    if seen != row.revision:
        raise RecordingMoved(
            _("这份牌谱刚刚在别处有改动（最后一步：%(last)s）。下面是现在的样子，请接着记。")
            % {"last": row.last}
        )
    try:
        act(row, draft_of(row, board))
    except ZipaiError as error:
        raise NotLegal(error) from error
    row.revision += 1
    row.last = request
    row.save(update_fields=["cards", "steps", "is_dealing", "revision", "last", "updated_at"])
    note(acting, board, row, "recording.change")
    return row


def lay_card(
    *, acting: Acting, recording: Recording, seen: int, place: str, card: str
) -> Recording:
    """One more card of the deal, laid at its place. Raises `NotLegal` `deck`, `deal-count`."""

    def act(row: Recording, draft: Draft) -> None:
        _write(row, draft, place, draft.cards.get(place, "") + card)

    return _change(acting, recording, seen, f"发 {place} {card}", act)


def take_card(*, acting: Acting, recording: Recording, seen: int, place: str) -> Recording:
    """The card laid last at a place is taken back."""

    def act(row: Recording, draft: Draft) -> None:
        _write(row, draft, place, draft.cards.get(place, "")[:-1])

    return _change(acting, recording, seen, f"退 {place}", act)


def write_cards(
    *, acting: Acting, recording: Recording, seen: int, place: str, text: str
) -> Recording:
    """All cards of a place at once, in any way people write them."""

    def act(row: Recording, draft: Draft) -> None:
        _write(row, draft, place, cards.text(cards.parse_many(text)))

    return _change(acting, recording, seen, f"写 {place} {text.strip()}", act)


def _write(row: Recording, draft: Draft, place: str, written: str) -> None:
    """Puts cards at a place of the deal, checked as far as they go."""
    if not row.is_dealing:
        raise ZipaiError("out-of-turn", "R2", "已经发完牌了", "the deal is done")
    if place not in draft.places:
        raise ZipaiError(
            "unknown-seat", "R2.2", f"{place} 这一局不上场", f"{place} does not play this hand"
        )
    row.cards = {**row.cards, place: written}
    after = Draft(draft.rules, draft.preset, draft.number, draft.dealer, row.cards, ())
    most, have = after.wanted(place), len(after.held(place))
    if have > most:
        raise ZipaiError(
            "deal-count",
            "R2.1",
            f"{place} 最多 {most} 张，这里有 {have} 张 (R2.1)",
            f"{place} holds {most} cards at most, here are {have} (R2.1)",
        )
    for card, left in after.left.items():
        if left < 0:
            name = cards.NAMES[card]
            raise ZipaiError(
                "deck",
                "R1",
                f"{name} 一共只有四张，前面已经发过 (R1)",
                f"there are four copies of {name} only, and all are dealt (R1)",
            )


def start_play(*, acting: Acting, recording: Recording, seen: int) -> Recording:
    """The deal is complete. What must follow it does at once. Raises `NotLegal` `deal-count`."""

    def act(row: Recording, draft: Draft) -> None:
        row.steps = draft.begun()
        row.is_dealing = False

    return _change(acting, recording, seen, "开打", act)


def reopen_deal(*, acting: Acting, recording: Recording, seen: int) -> Recording:
    """Back to the cards of the deal; the events are kept as far as they will still be legal."""

    def act(row: Recording, draft: Draft) -> None:
        row.is_dealing = True

    return _change(acting, recording, seen, "改发牌", act)


def add_event(*, acting: Acting, recording: Recording, seen: int, line: str) -> Recording:
    """The next event, a line of the notation, and those that are then the only legal ones.

    Raises `NotLegal` with the engine's code.
    """

    def act(row: Recording, draft: Draft) -> None:
        if row.is_dealing:
            raise ZipaiError("out-of-turn", "R2", "还在发牌", "the cards are still being dealt")
        row.steps = draft.tapped(line)

    # A line may have a note of people behind it: it is no part of the event, and in no audit row.
    return _change(acting, recording, seen, line.partition("{")[0].strip(), act)


def undo_event(*, acting: Acting, recording: Recording, seen: int) -> Recording:
    """The last tap is taken back with what followed it; before the first, the deal is open again.

    Where a changed deal has left events that are not legal any more, all of those go.
    """

    def act(row: Recording, draft: Draft) -> None:
        if row.is_dealing:
            raise ZipaiError("out-of-turn", "R2", "还没有开打", "no event has been written")
        row.steps = draft.undone()
        row.is_dealing = not row.steps

    return _change(acting, recording, seen, "撤回", act)
