"""Who may do what when (C7.3), as data; who sees drafts; what a refusal says (C7.4).

The only place where rights are decided. `tournament` and `scoring` ask with `require`, pages
with `may` to show a button or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.errors import DomainError
from tournament.acting import Acting
from tournament.enums import ConfirmationMode, Role, State


class Action(Enum):
    """The rows of C7.3's table, one member for each action that shares a row."""

    DRAW = auto()
    PUBLISH = auto()
    SWAP = auto()
    LATE_ENTRY = auto()
    ENTER_HAND = auto()
    SUBMIT_SHEET = auto()
    CALL_TIME = auto()
    CONFIRM_SHEET = auto()
    SEND_BACK = auto()
    PENALIZE = auto()
    PROTEST = auto()
    RULE = auto()
    WITHDRAW = auto()
    DISQUALIFY = auto()
    REPLACE = auto()


class Need(Enum):
    """What a cell of the table asks besides the role."""

    NO_HAND = auto()
    SHEET_OPEN = auto()
    SHEET_SUBMITTED = auto()
    CONFIRMING = auto()
    EFFECTS = auto()
    REASON = auto()


@dataclass(frozen=True)
class Met:
    """What an action meets.

    `state` is the state of the table it is about, or of the round (for a draw the stage's
    first round). `table_id` and `seated` (entrant ids) say which table and who sits there;
    `has_hands` whether one of the tables concerned has a hand; `is_submitted` whether its
    sheet waits for confirmation; `confirmation` the stage's mode; `authors` the keys of
    those who entered hands there. `reason` and `effects_shown` say what came with the
    request.
    """

    state: State
    table_id: int | None = None
    seated: frozenset[int] = frozenset()
    has_hands: bool = False
    is_submitted: bool = False
    confirmation: ConfirmationMode = ConfirmationMode.NONE
    authors: frozenset[str] = frozenset()
    reason: str = ""
    effects_shown: bool = False


class NotAllowed(DomainError):
    """C7.4: the state it met and who could do it."""

    code = "not-allowed"
    status = 403

    def __init__(self, message: str | Promise, *, state: State | None, who: frozenset[Role]):
        super().__init__(message)
        self.state = state
        self.who = who


class ReasonNeeded(DomainError):
    """The action is allowed, but only with a reason."""

    code = "reason-needed"


class EffectsUnseen(DomainError):
    """The action is allowed, but its effects must have been shown first."""

    code = "effects-unseen"
    status = 409


@dataclass(frozen=True)
class Grant:
    """One entry of a cell: these roles, if these needs are met."""

    roles: frozenset[Role]
    needs: frozenset[Need] = frozenset()


def _grant(roles: str, *needs: Need) -> Grant:
    """`_grant("R C", Need.REASON)`: the letters of C7.3."""
    found = frozenset(role for letter in roles.split() for role in _LETTERS[letter])
    return Grant(found, frozenset(needs))


_LETTERS: Final[Mapping[str, tuple[Role, ...]]] = {
    "O": (Role.OWNER, Role.ORGANIZER),
    "C": (Role.CHIEF,),
    "R": (Role.REFEREE,),
    "T": (Role.TABLE,),
    "E": (Role.ENTRANT,),
}

_ARRANGE: Final = {
    State.DRAWN: (_grant("O C"),),
    State.PUBLISHED: (_grant("O C", Need.NO_HAND),),
    State.RUNNING: (_grant("C", Need.NO_HAND),),
}
_AT_TABLE: Final = {State.RUNNING: (_grant("R T C"),)}
_CONFIRM: Final = {
    State.RUNNING: (
        _grant("R T E", Need.SHEET_SUBMITTED, Need.CONFIRMING),
        _grant("C", Need.SHEET_SUBMITTED),
    )
}
_REMOVE: Final = {
    State.PLANNED: (_grant("O C"),),
    State.DRAWN: (_grant("O C"),),
    State.PUBLISHED: (_grant("O C"),),
    State.RUNNING: (_grant("C"),),
    State.CONFIRMED: (_grant("C"),),
}

TABLE: Final[Mapping[Action, Mapping[State, tuple[Grant, ...]]]] = {
    Action.DRAW: {
        State.PLANNED: (_grant("O"),),
        State.DRAWN: (_grant("O", Need.REASON),),
        State.PUBLISHED: (_grant("O", Need.REASON, Need.NO_HAND),),
    },
    Action.PUBLISH: _ARRANGE,
    Action.SWAP: _ARRANGE,
    Action.LATE_ENTRY: _ARRANGE,
    Action.ENTER_HAND: {
        State.PUBLISHED: (_grant("R T C"),),
        State.RUNNING: (
            _grant("R T C", Need.SHEET_OPEN),
            _grant("C", Need.SHEET_SUBMITTED),
        ),
        State.CONFIRMED: (_grant("C", Need.EFFECTS),),
        State.FINAL: (_grant("C", Need.EFFECTS, Need.REASON),),
    },
    Action.SUBMIT_SHEET: _AT_TABLE,
    Action.CALL_TIME: _AT_TABLE,
    Action.CONFIRM_SHEET: _CONFIRM,
    Action.SEND_BACK: _CONFIRM,
    Action.PENALIZE: {
        State.DRAWN: (_grant("R C"),),
        State.PUBLISHED: (_grant("R C"),),
        State.RUNNING: (_grant("R C"),),
        State.CONFIRMED: (_grant("C"),),
        State.FINAL: (_grant("C"),),
    },
    Action.PROTEST: {
        State.RUNNING: (_grant("E T R"),),
        State.CONFIRMED: (_grant("E T R"),),
    },
    Action.RULE: {
        State.RUNNING: (_grant("C"),),
        State.CONFIRMED: (_grant("C"),),
        State.FINAL: (_grant("C"),),
    },
    Action.WITHDRAW: _REMOVE,
    Action.DISQUALIFY: _REMOVE,
    Action.REPLACE: _REMOVE,
}
"""C7.3. A state that is missing is a dash: nobody may."""

_CONFIRMING: Final[Mapping[ConfirmationMode, frozenset[Role]]] = {
    ConfirmationMode.NONE: frozenset(),
    ConfirmationMode.PLAYERS: frozenset({Role.TABLE, Role.ENTRANT}),
    ConfirmationMode.REFEREE: frozenset({Role.REFEREE}),
}


def may(acting: Acting, action: Action, met: Met) -> bool:
    """Whether he may do it, given the reason and the look at the effects it may need."""
    return _grant_of(acting, action, met) is not None


def require(acting: Acting, action: Action, met: Met) -> None:
    """Raises `NotAllowed`, `ReasonNeeded` or `EffectsUnseen` unless he may do it now."""
    grant = _grant_of(acting, action, met)
    if grant is None:
        raise _refusal(acting, action, met)
    if Need.REASON in grant.needs and not met.reason.strip():
        raise ReasonNeeded(_("这一步要写明原因。"))
    if Need.EFFECTS in grant.needs and not met.effects_shown:
        raise EffectsUnseen(_("请先看过这次更正的影响，再保存。"))


def who_may(action: Action, met: Met) -> frozenset[Role]:
    """The roles that could do it in what was met."""
    return frozenset(
        role
        for grant in TABLE[action].get(met.state, ())
        if _circumstances_fit(grant, met)
        for role in _roles_of(grant, met)
    )


def organizes(acting: Acting) -> bool:
    """Owner or organizer: the competition's data, entrants, plans, members and links."""
    return acting.is_any(Role.OWNER, Role.ORGANIZER)


def owns(acting: Acting) -> bool:
    """The owner alone: what cannot be taken back, or is everybody's."""
    return acting.is_any(Role.OWNER)


def leads(acting: Acting) -> bool:
    """Owner, organizer or chief referee: sees drafts, gives out links."""
    return acting.is_any(Role.OWNER, Role.ORGANIZER, Role.CHIEF)


def is_chief(acting: Acting) -> bool:
    """裁判长."""
    return acting.is_any(Role.CHIEF)


def referees(acting: Acting) -> bool:
    """Referee or chief referee: sees every table's sheet."""
    return acting.is_any(Role.REFEREE, Role.CHIEF)


def checks_in(acting: Acting) -> bool:
    """Who may mark that somebody has arrived: organizers and referees."""
    return leads(acting) or referees(acting)


def is_his(acting: Acting, entry_id: int) -> bool:
    """The entry is the actor's own, by its link."""
    return entry_id in acting.entry_ids


def is_at_table(acting: Acting, table_id: int, seated: frozenset[int]) -> bool:
    """The table's link, or that of one of those who sit there (entrant ids)."""
    return table_id in acting.table_ids or not acting.entrant_ids.isdisjoint(seated)


def sees_competition(acting: Acting, *, is_published: bool) -> bool:
    """A competition not yet published is seen by those with a role in it only."""
    return is_published or bool(acting.roles)


def visible_states(acting: Acting) -> tuple[State, ...]:
    """The states of rounds and tables he may see: planned and drawn are drafts (C7.4).

    The one rule for drafts; queries filter by it: `filter(state__in=visible_states(acting))`.
    """
    drafts = (State.PLANNED, State.DRAWN)
    return tuple(state for state in State if leads(acting) or state not in drafts)


def demand(allowed: bool, *who: Role) -> None:
    """Raises `NotAllowed` naming `who` unless `allowed`: for what no state decides."""
    if not allowed:
        message = _("这一步只有%(who)s可以做。") % {"who": _names(who)}
        raise NotAllowed(message, state=None, who=frozenset(who))


def _grant_of(acting: Acting, action: Action, met: Met) -> Grant | None:
    roles = _roles_here(acting, met)
    for grant in TABLE[action].get(met.state, ()):
        if _circumstances_fit(grant, met) and not roles.isdisjoint(_roles_of(grant, met)):
            has_entered = Need.CONFIRMING in grant.needs and acting.key in met.authors
            if not (has_entered and met.confirmation == ConfirmationMode.REFEREE):
                return grant
    return None


def _roles_here(acting: Acting, met: Met) -> frozenset[Role]:
    """His roles without links that belong to other tables and other entrants."""
    elsewhere = set()
    if met.table_id not in acting.table_ids:
        elsewhere.add(Role.TABLE)
    if acting.entrant_ids.isdisjoint(met.seated):
        elsewhere.add(Role.ENTRANT)
    return acting.roles - elsewhere


def _circumstances_fit(grant: Grant, met: Met) -> bool:
    return not (
        (Need.NO_HAND in grant.needs and met.has_hands)
        or (Need.SHEET_OPEN in grant.needs and met.is_submitted)
        or (Need.SHEET_SUBMITTED in grant.needs and not met.is_submitted)
    )


def _roles_of(grant: Grant, met: Met) -> frozenset[Role]:
    if Need.CONFIRMING in grant.needs:
        return grant.roles & _CONFIRMING[met.confirmation]
    return grant.roles


def _refusal(acting: Acting, action: Action, met: Met) -> NotAllowed:
    if not acting.roles:
        message: str | Promise = _("这一步要有身份才能做：请登录，或用发给你的链接打开。")
        return NotAllowed(message, state=None, who=frozenset())
    who = who_may(action, met)
    words = {"state": met.state.label, "who": _names(who)}
    if not who:
        message = _("现在的状态是“%(state)s”，这一步现在不能做。") % words
    elif met.is_submitted and action is Action.ENTER_HAND:
        message = _("记分表已提交，现在只有%(who)s可以改。") % words
    elif acting.key in met.authors and who == {Role.REFEREE, Role.CHIEF}:
        message = _("要由没有在这张表上记过分的另一位裁判确认，或由裁判长确认。")
    else:
        message = _("现在的状态是“%(state)s”，这一步只有%(who)s可以做。") % words
    return NotAllowed(message, state=met.state, who=who)


def _names(roles: Iterable[Role]) -> str:
    """`裁判长、裁判`, in the order of the roles."""
    wanted = set(roles)
    return gettext("、").join(str(role.label) for role in Role if role in wanted)
