"""C7.3, cell by cell, against a list written from the spec's text and independent of the code."""

from __future__ import annotations

import itertools

import pytest

from tournament.acting import Acting
from tournament.enums import ConfirmationMode, Role, State
from tournament.permissions import (
    Action,
    EffectsUnseen,
    Met,
    NotAllowed,
    ReasonNeeded,
    checks_in,
    demand,
    is_chief,
    leads,
    may,
    organizes,
    referees,
    require,
    sees_competition,
    visible_states,
    who_may,
)

TABLE, OTHER_TABLE, ENTRANT, OTHER_ENTRANT = 11, 12, 21, 22

LETTERS = {
    "O": [Role.OWNER, Role.ORGANIZER],
    "C": [Role.CHIEF],
    "R": [Role.REFEREE],
    "T": [Role.TABLE],
    "E": [Role.ENTRANT],
}

# One line an action and state: who may, then what else must hold. A line that is missing is a
# dash. `nohand`: no hand at those tables yet; `open`, `submitted`: the sheet; `mode`: C7.2.
SPEC = """
DRAW planned: O
DRAW drawn: O
DRAW published: O nohand
PUBLISH|SWAP|LATE_ENTRY drawn: O C
PUBLISH|SWAP|LATE_ENTRY published: O C nohand
PUBLISH|SWAP|LATE_ENTRY running: C nohand
ENTER_HAND published: R T C
ENTER_HAND running: R T open
ENTER_HAND running: C
ENTER_HAND confirmed|final: C
SUBMIT_SHEET|CALL_TIME running: R T C
CONFIRM_SHEET|SEND_BACK running: T E submitted mode=players
CONFIRM_SHEET|SEND_BACK running: R submitted mode=referee notauthor
CONFIRM_SHEET|SEND_BACK running: C submitted
PENALIZE drawn|published|running: R C
PENALIZE confirmed|final: C
PROTEST running|confirmed: E T R
RULE running|confirmed|final: C
WITHDRAW|DISQUALIFY|REPLACE planned|drawn|published: O C
WITHDRAW|DISQUALIFY|REPLACE running|confirmed: C
"""
REASON = {("DRAW", "drawn"), ("DRAW", "published"), ("ENTER_HAND", "final")}
EFFECTS = {("ENTER_HAND", "confirmed"), ("ENTER_HAND", "final")}


def expected(action: str, state: str, role: Role, met: Met, *, is_author: bool) -> bool:
    """What SPEC says of a role at its own table and for its own entrant."""
    for line in SPEC.strip().splitlines():
        head, _, words = line.partition(": ")
        actions, states = head.split()
        if action not in actions.split("|") or state not in states.split("|"):
            continue
        roles = [r for word in words.split() if word in LETTERS for r in LETTERS[word]]
        holds = {
            "nohand": not met.has_hands,
            "open": not met.is_submitted,
            "submitted": met.is_submitted,
            "mode=players": met.confirmation == ConfirmationMode.PLAYERS,
            "mode=referee": met.confirmation == ConfirmationMode.REFEREE,
            "notauthor": not is_author,
        }
        if role in roles and all(holds[word] for word in words.split() if word in holds):
            return True
    return False


def somebody(role: Role, *, table: int = TABLE, entrant: int = ENTRANT) -> Acting:
    """One person with one role."""
    return Acting(
        user_id=1 if role not in (Role.TABLE, Role.ENTRANT) else None,
        link_id=1 if role in (Role.TABLE, Role.ENTRANT) else None,
        competition_id=5,
        roles=frozenset({role}),
        table_ids=frozenset({table} if role == Role.TABLE else ()),
        entrant_ids=frozenset({entrant} if role == Role.ENTRANT else ()),
    )


def circumstances(state: State, *, authors: frozenset[str] = frozenset()) -> list[Met]:
    """Every combination of hands, submission and confirmation mode that a state can meet."""
    return [
        Met(
            state=state,
            table_id=TABLE,
            seated=frozenset({ENTRANT}),
            has_hands=has_hands,
            is_submitted=is_submitted,
            confirmation=mode,
            authors=authors,
        )
        for has_hands, is_submitted, mode in itertools.product(
            (False, True), (False, True), ConfirmationMode
        )
    ]


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("action", Action)
def test_every_role_in_every_circumstance_as_c7_3_says(action: Action, state: State) -> None:
    for role, is_author in itertools.product(Role, (False, True)):
        acting = somebody(role)
        for met in circumstances(state, authors=frozenset({acting.key} if is_author else ())):
            wanted = expected(action.name, state.value, role, met, is_author=is_author)
            assert may(acting, action, met) is wanted, (role, met)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("action", Action)
def test_nobody_without_a_role_may_anything(action: Action, state: State) -> None:
    """C7.4."""
    for met in circumstances(state):
        assert not may(Acting(competition_id=5), action, met)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("action", Action)
def test_a_link_of_another_table_or_entrant_is_worth_nothing_here(
    action: Action, state: State
) -> None:
    table_link = somebody(Role.TABLE, table=OTHER_TABLE)
    entrant_link = somebody(Role.ENTRANT, entrant=OTHER_ENTRANT)
    for met in circumstances(state):
        assert not may(table_link, action, met)
        assert not may(entrant_link, action, met)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("action", Action)
def test_what_needs_a_reason_or_a_look_at_the_effects(action: Action, state: State) -> None:
    everything = Acting(user_id=1, competition_id=5, roles=frozenset(LETTERS["O"] + [Role.CHIEF]))
    met = Met(state=state, table_id=TABLE)
    if not may(everything, action, met):
        return
    needs_reason = (action.name, state.value) in REASON
    needs_effects = (action.name, state.value) in EFFECTS
    if needs_reason:
        for empty in ("", "  "):
            with pytest.raises(ReasonNeeded):
                require(everything, action, Met(state=state, reason=empty, effects_shown=True))
    if needs_effects:
        with pytest.raises(EffectsUnseen):
            require(everything, action, Met(state=state, reason="记错了"))
    require(
        everything,
        action,
        Met(state=state, reason="记错了" * needs_reason, effects_shown=needs_effects),
    )


def refusal(acting: Acting, action: Action, met: Met) -> NotAllowed:
    """The error that `require` raises."""
    with pytest.raises(NotAllowed) as refused:
        require(acting, action, met)
    assert (refused.value.code, refused.value.status) == ("not-allowed", 403)
    return refused.value


def test_a_refusal_names_the_state_and_who_could_do_it() -> None:
    """C7.4."""
    error = refusal(somebody(Role.REFEREE), Action.ENTER_HAND, Met(state=State.CONFIRMED))
    assert str(error) == "现在的状态是“已确认”，这一步只有裁判长可以做。"
    assert (error.state, error.who) == (State.CONFIRMED, {Role.CHIEF})


def test_a_refusal_lists_all_who_could_in_the_order_of_roles() -> None:
    error = refusal(somebody(Role.ENTRANT), Action.SUBMIT_SHEET, Met(state=State.RUNNING))
    assert str(error) == "现在的状态是“进行中”，这一步只有裁判长、裁判、本桌可以做。"


def test_a_refusal_where_nobody_may_says_so() -> None:
    error = refusal(somebody(Role.OWNER), Action.DRAW, Met(state=State.RUNNING))
    assert str(error) == "现在的状态是“进行中”，这一步现在不能做。"
    assert error.who == set()


def test_a_submitted_sheet_says_who_may_still_correct_it() -> None:
    met = Met(state=State.RUNNING, table_id=TABLE, is_submitted=True)
    error = refusal(somebody(Role.TABLE), Action.ENTER_HAND, met)
    assert str(error) == "记分表已提交，现在只有裁判长可以改。"


def test_who_entered_hands_does_not_confirm_them_as_the_second_referee() -> None:
    """C7.2."""
    met = Met(
        state=State.RUNNING,
        is_submitted=True,
        confirmation=ConfirmationMode.REFEREE,
        authors=frozenset({"user:1"}),
    )
    error = refusal(somebody(Role.REFEREE), Action.CONFIRM_SHEET, met)
    assert str(error) == "要由没有在这张表上记过分的另一位裁判确认，或由裁判长确认。"


def test_a_stranger_learns_nothing_but_how_to_get_in() -> None:
    error = refusal(Acting(competition_id=5), Action.DRAW, Met(state=State.DRAWN))
    assert str(error) == "这一步要有身份才能做：请登录，或用发给你的链接打开。"
    assert (error.state, error.who) == (None, set())


def test_who_may_counts_only_those_whose_circumstances_fit() -> None:
    arranging = {Role.OWNER, Role.ORGANIZER, Role.CHIEF}
    assert who_may(Action.SWAP, Met(state=State.PUBLISHED)) == arranging
    assert who_may(Action.SWAP, Met(state=State.PUBLISHED, has_hands=True)) == set()


def test_two_roles_give_the_rights_of_both() -> None:
    both = Acting(user_id=1, competition_id=5, roles=frozenset({Role.OWNER, Role.CHIEF}))
    assert may(both, Action.DRAW, Met(state=State.PLANNED))
    assert may(both, Action.RULE, Met(state=State.RUNNING))


DRAFTS = {State.PLANNED, State.DRAWN}


@pytest.mark.parametrize("role", Role)
def test_drafts_are_seen_by_organizers_and_the_chief_referee_only(role: Role) -> None:
    """C7.4."""
    sees = set(visible_states(somebody(role))) >= DRAFTS
    assert sees is (role in (Role.OWNER, Role.ORGANIZER, Role.CHIEF))
    assert set(State) - DRAFTS <= set(visible_states(somebody(role)))


def test_a_spectator_sees_what_is_published_and_later() -> None:
    assert visible_states(Acting()) == (
        State.PUBLISHED,
        State.RUNNING,
        State.CONFIRMED,
        State.FINAL,
    )


def test_an_unpublished_competition_is_seen_with_a_role_only() -> None:
    assert not sees_competition(Acting(), is_published=False)
    assert sees_competition(Acting(), is_published=True)
    assert sees_competition(somebody(Role.REFEREE), is_published=False)


@pytest.mark.parametrize(
    ("predicate", "letters"),
    [(organizes, "O"), (leads, "OC"), (is_chief, "C"), (referees, "CR"), (checks_in, "OCR")],
)
def test_predicates_that_no_state_decides(predicate: object, letters: str) -> None:
    allowed = {role for letter in letters for role in LETTERS[letter]}
    assert callable(predicate)
    assert {role for role in Role if predicate(somebody(role))} == allowed


def test_demand_names_who_could() -> None:
    demand(True, Role.OWNER)
    with pytest.raises(NotAllowed) as refused:
        demand(False, Role.OWNER, Role.ORGANIZER)
    assert str(refused.value) == "这一步只有主办人、组织者可以做。"
    assert refused.value.who == {Role.OWNER, Role.ORGANIZER}
