"""C11: the rules replaced, or a newer engine, and all hands judged again as a set."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from core.domain import jobs
from core.errors import Conflict, DomainError
from core.models import AuditRow
from engine import __version__ as engine_version
from engine.rules import preset
from scoring.domain.board import Board
from scoring.domain.errors import TieOpen
from scoring.domain.hands import Entered, Late, correct_hand, enter_hand, void_hand
from scoring.domain.rejudge_decisions import Outdated, apply_rejudge, dismiss_rejudge
from scoring.domain.rejudging import (
    NothingToRejudge,
    has_older_engine,
    propose_rejudge,
    read_effects,
    recompute_rejudge,
)
from scoring.domain.sheets import confirm_sheet, open_sheet, submit_sheet
from scoring.domain.verdicts import rule_on_hand, rule_on_table
from scoring.enums import Evidence, RejudgeState
from scoring.models import Confirmation, HandVersion, Rejudge, Sheet
from tests.scoring.records import texts
from tests.scoring.sheets import DRAWN, FLIP, WIN, make_hall, result, totals
from tests.tournament.competitions import Made, make_published
from tournament.domain.results import PlaceChange
from tournament.enums import ConfirmationMode, State
from tournament.models import Event, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

SLIP: dict[str, Any] = {
    "source": "own-flip", "winner": "甲", "hand": "七七七壹壹壹贰贰贰陆陆捌捌捌",
    "table": ["吃 一二三", "吃 四五六"], "card": "陆", "xing": "九",
}  # fmt: skip


def propose(acting: Any, event: Event, preset_id: str = "competition", **options: Any) -> Rejudge:
    """Proposed and computed."""
    made = propose_rejudge(acting=acting, event=event, preset_id=preset_id, options=options)
    assert made.state == RejudgeState.COMPUTING
    jobs.sweep()
    made.refresh_from_db()
    return made


def apply(acting: Any, rejudge: Rejudge) -> Rejudge:
    return apply_rejudge(acting=acting, rejudge=rejudge, reason="规程写的是十五胡")


def test_all_levels_are_judged_again_and_only_differences_written() -> None:
    """Result line, slip and record follow the new rules; paper, void and ruled hands stand."""
    hall = make_hall(hands=9)
    hall.enter(WIN)
    hall.enter(FLIP)
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=Entered(Evidence.SLIP, SLIP))
    (text,) = texts(1, seed=3)
    enter_hand(
        acting=hall.referee, sheet=hall.sheet, entered=Entered(Evidence.RECORD, {"text": text})
    )
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(9, -9, 0))
    hall.enter(DRAWN)
    void = hall.enter(FLIP)
    void_hand(acting=hall.referee, hand=void.hand, reason="重复")
    ruled = hall.enter(FLIP)
    rule_on_hand(acting=hall.chief, hand=ruled.hand, deltas=[1, 0, -1], reason="录像")
    event = Event.objects.get()
    before = {v.hand.number: v for v in hall.board().versions}
    assert {v.engine_version for v in before.values()} == {engine_version}
    assert {v.rules_digest for v in before.values()} == {event.rules_digest}

    made = propose(hall.chief, event, min_hu=15, own_flip_bonus="none")

    assert made.state == RejudgeState.SHOWN
    assert made.summary["illegal"] == 2
    assert made.summary["hands"] == 6
    apply(hall.chief, made)

    event.refresh_from_db()
    rules = preset("competition").with_options({"min_hu": 15, "own_flip_bonus": "none"})
    assert (event.preset, event.rules_digest) == ("competition", rules.digest)
    after = {v.hand.number: v for v in hall.board().versions}
    changed = {n for n in after if after[n].pk != before[n].pk}
    assert changed == {1, 2, 3, 8, *({4} if 4 in changed else ())}
    for number in (2, 8):
        assert after[number].is_flagged, "10 胡 is below 15: 待裁, with the old values"
        assert after[number].deltas == before[number].deltas == (-2, -2, 4, 0)
    assert after[3].deltas[0] < before[3].deltas[0]
    assert not after[3].is_flagged
    assert [v.hand.number for v in hall.board().flagged] == [2], "hand 8 has its ruling"
    assert hall.board().lines[7].points == (1, 0, -1)
    for number in changed:
        version = after[number]
        assert version.version == before[number].version + 1
        assert version.rules_digest == rules.digest
        assert version.reason == "规程写的是十五胡"
        assert version.author_id == hall.chief.user_id
        assert version.rejudged.version == before[number]
    assert AuditRow.objects.filter(action="rejudge.apply").count() == 1

    back = propose(hall.chief, event)
    apply(hall.chief, back)
    again = {v.hand.number: v for v in hall.board().versions}
    assert {n: v.deltas for n, v in again.items()} == {n: v.deltas for n, v in before.items()}
    assert not any(v.is_flagged for v in again.values()), "what a rejudge flagged it also clears"
    assert again[4].payload == before[4].payload


def test_record_is_replayed_under_the_new_rules_and_written_under_them() -> None:
    """The text's header follows, so that correcting it later is possible."""
    hall = make_hall(hands=40, event={"preset": "local"})
    for text in texts(20, "local"):
        entered = Entered(Evidence.RECORD, {"text": text})
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=entered)
    made = propose(hall.chief, Event.objects.get(), "competition")
    apply(hall.chief, made)
    moved = [v for v in hall.board().versions if v.version == 2 and not v.is_flagged]
    assert moved
    for version in moved:
        assert "规则: competition" in version.payload["text"]
        corrected = correct_hand(
            acting=hall.referee,
            hand=version.hand,
            entered=Entered(Evidence.RECORD, {"text": version.payload["text"]}),
        )
        assert corrected.deltas == version.deltas


def test_proposing_is_the_chief_referees_and_once_at_a_time() -> None:
    hall = make_hall()
    event = Event.objects.get()
    options = {"min_hu": 15}

    def ask(acting: Any = hall.chief, **given: Any) -> Rejudge:
        return propose_rejudge(
            acting=acting, event=event, preset_id="competition", options=given or options
        )

    with pytest.raises(Conflict) as caught:
        ask()
    assert caught.value.code == "not-frozen"
    hall.enter(WIN)
    with pytest.raises(NotAllowed):
        ask(hall.referee)
    with pytest.raises(NothingToRejudge):
        ask(min_hu=10)
    with pytest.raises(DomainError) as bad:
        ask(min_hu=11.5)
    assert bad.value.code == "bad-option"
    made = ask()
    with pytest.raises(Conflict) as again:
        ask()
    assert again.value.code == "rejudge-open"
    with pytest.raises(Conflict, match="还在重算"):
        apply(hall.chief, made)
    with pytest.raises(NotAllowed):
        dismiss_rejudge(acting=hall.referee, rejudge=made, reason="不改")
    with pytest.raises(DomainError) as reason:
        dismiss_rejudge(acting=hall.chief, rejudge=made, reason=" ")
    assert reason.value.code == "reason-needed"
    dismiss_rejudge(acting=hall.chief, rejudge=made, reason="不改")
    jobs.sweep()
    made.refresh_from_db()
    assert (made.state, made.reason) == (RejudgeState.DISMISSED, "不改")
    assert HandVersion.objects.count() == 1
    event.refresh_from_db()
    assert event.rules_digest == preset("competition").digest


def test_apply_refuses_what_changed_since_and_a_recomputation_shows_it() -> None:
    hall = make_hall()
    hall.enter(FLIP)
    event = Event.objects.get()
    made = propose(hall.chief, event, own_flip_bonus="none")
    hall.enter(FLIP)
    with pytest.raises(Outdated):
        apply(hall.chief, made)
    made.refresh_from_db()
    assert made.state == RejudgeState.SHOWN
    assert HandVersion.objects.count() == 2
    recompute_rejudge(acting=hall.chief, rejudge=made)
    jobs.sweep()
    made.refresh_from_db()
    assert made.summary["changed"] == 2
    apply(hall.chief, made)
    assert [v.version for v in hall.board().versions] == [2, 2]
    with pytest.raises(Conflict, match="已经决定"):
        apply(hall.chief, made)


def test_newer_engine_is_offered_once_with_the_rules_unchanged() -> None:
    """A hand that an older engine counted otherwise, and paper that no engine counted."""
    hall = make_hall()
    old = hall.enter(WIN)
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(1, -1, 0))
    event = Event.objects.get()
    assert not has_older_engine(event)
    HandVersion.objects.filter(pk=old.pk).update(
        engine_version="0.0.9", delta_1=5, delta_2=-5, total=5
    )
    assert has_older_engine(event)
    made = propose(hall.chief, event)
    assert not made.changes_rules
    assert made.summary["changed"] == 1
    apply(hall.chief, made)
    assert not has_older_engine(event)
    first, paper = hall.board().versions
    assert (first.engine_version, first.deltas) == (engine_version, (6, -6, 0, 0))
    assert (paper.version, paper.deltas) == (1, (1, -1, 0, 0))


def test_submitted_sheet_loses_its_confirmations_and_keeps_its_state() -> None:
    hall = make_hall(hands=1)
    hall.enter(FLIP)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    confirm_sheet(
        acting=hall.entrant_link(0), sheet=hall.sheet, digest=hall.board().digest, position=0
    )
    apply(hall.chief, propose(hall.chief, Event.objects.get(), own_flip_bonus="none"))
    assert not Confirmation.objects.filter(is_current=True).exists()
    assert hall.board().sheet.state == "submitted"


def play(made: Made, table: Table, *payloads: dict[str, Any]) -> None:
    """These hands, confirmed by the chief referee."""
    sheet = open_sheet(table)
    for payload in payloads:
        enter_hand(acting=made.owner, sheet=sheet, entered=result(payload))
    submit_sheet(acting=made.owner, sheet=sheet)
    confirm_sheet(acting=made.owner, sheet=sheet, digest=Board(sheet).digest)


def won(source: str, winner: str, hu: int, payer: str | None = None) -> dict[str, Any]:
    return {"source": source, "winner": winner, "payer": payer, "hu": hu, "xing_count": 0}


@pytest.fixture
def made() -> Made:
    """Nine entrants, two hands a table; who wins table 1 depends on the bonus of 自摸."""
    made = make_published(9)
    made.stage.hands = made.stage.final_hands = 2
    made.stage.confirmation = ConfirmationMode.REFEREE
    made.stage.save()
    made.stage.rounds.update(hands=2)
    tables = made.tables(1)
    play(made, tables[0], won("own-flip", "甲", 10), won("discard", "乙", 15, "丙"))
    for table in tables[1:]:
        play(made, table, won("own-flip", "甲", 20), won("own-flip", "甲", 20))
    return made


def nets(table: Table) -> list[int]:
    return [seat.net for seat in Board(Sheet.objects.get(table=table)).sums.seats]


def test_confirmed_table_lets_another_advance_where_the_next_has_no_hand(made: Made) -> None:
    """C9.1, shown before it is done: places, and who would sit at the final."""
    table, final = made.tables(1)[0], made.tables(2)[0]
    first, second = list(table.seats.order_by("place"))[:2]
    before = nets(table)
    rejudge = propose(made.owner, made.event, own_flip_bonus="none")
    (row,) = rejudge.tables.filter(table=table)
    assert row.nets_before == before
    assert row.effects is not None
    effects = read_effects(row.effects)
    assert PlaceChange(first.entrant_id or 0, 1, 2) in effects.places
    (move,) = effects.moves
    assert (move.feed.table_id, move.after) == (final.pk, second.entrant_id)
    assert rejudge.summary["places"] == 1

    apply(made.owner, rejudge)

    assert nets(table) == row.nets_after
    seated = set(final.seats.values_list("entrant", flat=True))
    assert second.entrant_id in seated
    assert first.entrant_id not in seated


def test_who_has_played_on_stays_and_the_places_follow(made: Made) -> None:
    """C9.1: stands as played; hands of the running final are judged too."""
    table, final = made.tables(1)[0], made.tables(2)[0]
    first = table.seats.get(place=1)
    enter_hand(
        acting=made.owner, sheet=open_sheet(final), entered=result(won("own-flip", "乙", 20))
    )
    rejudge = propose(made.owner, made.event, own_flip_bonus="none")

    apply(made.owner, rejudge)

    first.refresh_from_db()
    assert (first.place, first.advances) == (2, True)
    assert first.entrant_id in set(final.seats.values_list("entrant", flat=True))
    version = HandVersion.objects.get(hand__sheet__table=final, is_current=True)
    assert version.version == 2
    late = HandVersion.objects.filter(hand__sheet__table=table, version=2)
    assert table.state == State.CONFIRMED
    assert all(version.is_after_final and version.reason for version in late)


def test_tie_at_the_line_wants_its_places_ruled_first(made: Made) -> None:
    """C8.6: nobody advances by a rejudge that leaves a tie."""
    table = made.tables(1)[1]
    late = Late(reason="录像", effects_shown=True)
    for hand, payload in zip(
        Sheet.objects.get(table=table).hands.all(),
        (won("own-flip", "甲", 15), won("own-flip", "乙", 14)),
        strict=True,
    ):
        correct_hand(acting=made.owner, hand=hand, entered=result(payload), late=late)
    rejudge = propose(made.owner, made.event, duo_step=3)
    assert rejudge.summary["ties"] == 1
    with pytest.raises(TieOpen, match="第 1 轮 2"):
        apply(made.owner, rejudge)
    made.event.refresh_from_db()
    assert made.event.rules_digest == rejudge.before_digest

    rule_on_table(
        acting=made.owner,
        sheet=Sheet.objects.get(table=table),
        places={0: 1, 1: 2, 2: 3},
        reason="抽签",
        late=late,
    )
    recompute_rejudge(acting=made.owner, rejudge=rejudge)
    jobs.sweep()
    apply(made.owner, Rejudge.objects.get())
    assert nets(table)[0] == nets(table)[1]
    assert table.seats.get(place=1).position == 0


@pytest.mark.parametrize("tables", [1, 3])
def test_computing_takes_the_same_few_queries_for_one_table_and_for_three(
    tables: int, made: Made, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for table in made.tables(1)[tables:]:
        Sheet.objects.filter(table=table).delete()
    jobs.sweep()
    propose_rejudge(
        acting=made.owner,
        event=made.event,
        preset_id="competition",
        options={"own_flip_bonus": "none"},
    )
    with django_assert_max_num_queries(30):
        jobs.sweep()
