"""Freezing, drawing, publishing (C4, C7.3); the rows of a drawn plan (C2.1, C3.5)."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.errors import Conflict, DomainError
from core.models import AuditRow
from tests.factories import make_acting
from tests.tournament.competitions import Made, draw, make, make_published, names, play
from tournament.domain.draws import (
    cancel_freeze,
    document_of,
    enter_words,
    freeze_draw,
    publish_draw,
)
from tournament.domain.entries import ListFrozen, add_entry, add_pasted, withdraw_before_draw
from tournament.domain.settings import PlanFixed, set_plan
from tournament.domain.starting import start_table
from tournament.enums import Role, State, Way
from tournament.models import ApartGroup, Draw, Seat, Table
from tournament.pairing.document import dump, verify
from tournament.permissions import NotAllowed, ReasonNeeded
from tournament.queries.draws import lots, together

pytestmark = pytest.mark.django_db

SCRIPT = Path(__file__).parents[2] / "static" / "verify_draw.py"


def first_round(made: Made) -> list[list[int | None]]:
    """The numbers at each table of round 1 in seat order, None for a filler."""
    return [
        [seat.entrant.number if seat.entrant else None for seat in table.seats.order_by("position")]
        for table in made.tables(1)
    ]


def test_freeze_publishes_the_digest_of_the_list_and_the_hash_of_the_secret() -> None:
    """C4.1: number⇥unit⇥seed⇥SHA-256(salt‖name), LF, in order of number."""
    made = make(3)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    lines = frozen.lines.splitlines()
    salt = bytes.fromhex(frozen.salt)
    first = hashlib.sha256(salt + "选手1".encode()).hexdigest()
    assert lines[0] == f"1\t单位1\t\t{first}"
    assert frozen.list_digest == hashlib.sha256(frozen.lines.encode()).hexdigest()
    assert frozen.secret_hash == hashlib.sha256(bytes.fromhex(frozen.secret)).hexdigest()
    assert (frozen.number, frozen.is_drawn) == (None, False)
    audit = AuditRow.objects.get(action="draw.freeze")
    assert audit.data["list"] == frozen.list_digest
    assert frozen.secret not in json.dumps(audit.data)


def test_seed_is_list_digest_secret_and_words() -> None:
    """C4.2."""
    made = make(9)
    drawn = draw(made, "三个六，红红黑")
    seed = hashlib.sha256(
        bytes.fromhex(drawn.list_digest) + bytes.fromhex(drawn.secret) + "三个六，红红黑".encode()
    )
    assert drawn.seed == seed.hexdigest()
    assert drawn.number == 1


def test_words_count_exactly_as_given() -> None:
    made = make(9)
    drawn = draw(made, " 红 ")
    assert drawn.words == " 红 "
    assert verify(dump(document_of(drawn))) == []


@pytest.mark.parametrize("words", ["", "  ", "红\n黑", "红" * 201])
def test_words_that_are_none_are_refused(words: str) -> None:
    made = make(9)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(DomainError) as refusal:
        enter_words(acting=made.owner, draw=frozen, words=words)
    assert refusal.value.code == "words"
    assert made.stage.rounds.count() == 0


def test_rows_are_the_published_result() -> None:
    """C2.1, C3.5: every table, seat and first dealer as in the document."""
    made = make(28)
    set_plan(
        acting=made.owner, stage=made.stage, table_size=3, advance=1, way=Way.BYES, entrants=28
    )
    drawn = draw(made)
    assert drawn.result is not None
    for round_, expected in zip(
        made.stage.rounds.order_by("number"), drawn.result["rounds"], strict=True
    ):
        for table, planned in zip(round_.tables.order_by("number"), expected, strict=True):
            assert table.first_dealer == planned["dealer"] == (round_.number - 1) % 3
            assert table.seat_count == len(planned["seats"])
            for seat, spot in zip(table.seats.order_by("position"), planned["seats"], strict=True):
                assert seat.is_filler == ("filler" in spot)
                assert (seat.entrant.number if seat.entrant else None) == spot.get("entrant")
                source = (seat.source.number, seat.source_place) if seat.source else (None, None)
                assert source == (spot.get("table"), spot.get("place"))
    hands = list(made.stage.rounds.order_by("number").values_list("hands", "is_last"))
    assert hands == [(12, False), (12, False), (12, False), (24, True)]


def test_zones_lead_from_the_final_down() -> None:
    made = make_published(27)
    zones = [t.zone for r in (3, 2, 1) for t in made.tables(r)]
    assert zones[:4] == ["0", "0.0", "0.1", "0.2"]
    assert zones[4:] == [f"0.{i}.{j}" for i in range(3) for j in range(3)]


def test_document_redraws_bit_for_bit_everywhere(tmp_path: Path) -> None:
    """C4.5: on the server, by the command, by the stand-alone script; a change is found."""
    made = make(28)
    document = document_of(draw(made))
    good = tmp_path / "draw.json"
    good.write_text(dump(document), encoding="utf-8")
    assert verify(good.read_bytes()) == []
    call_command("verify_draw", good)
    assert subprocess.run([sys.executable, SCRIPT, good], capture_output=True).returncode == 0

    bad = tmp_path / "bad.json"
    bad.write_text(dump({**document, "words": "别的话"}), encoding="utf-8")
    with pytest.raises(CommandError, match="种子"):
        call_command("verify_draw", bad)
    assert subprocess.run([sys.executable, SCRIPT, bad], capture_output=True).returncode == 1


def test_command_says_which_file_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.json"):
        call_command("verify_draw", tmp_path / "none.json")


def test_no_name_stands_in_the_document() -> None:
    """C4.1: names are hashed only."""
    made = make(9)
    assert "选手" not in dump(document_of(draw(made)))


def test_units_and_apart_groups_are_kept_apart_or_named() -> None:
    """C1.4, C4.4: with two of a unit at one table the log says so."""
    made = make()
    add_pasted(acting=made.owner, event=made.event, text="甲某,一队\n乙某,一队\n丙某,二队")
    drawn = draw(made)
    assert together(drawn) == ["第 1 轮第 1 桌：1、2 号同属“一队”，未能分开。"]

    other = make()
    add_pasted(acting=other.owner, event=other.event, text=names(9))
    group = ApartGroup.objects.create(competition=other.competition, name="莫家")
    group.entries.set(other.competition.entries.filter(number__in=[1, 5, 9]))
    drawn = draw(other)
    assert drawn.plan["apart"] == [[1, 5, 9]]
    crowded = [table for table in first_round(other) if len({1, 5, 9} & set(table)) > 1]
    assert len([line for line in together(drawn) if "回避组" in line]) == len(crowded)


def test_lots_are_everybodys_and_different() -> None:
    """C8.1."""
    made = make(9)
    found = lots(draw(made))
    assert sorted(found) == list(range(1, 10))
    assert sorted(found.values()) == list(range(1, 10))


def test_another_draw_needs_a_reason_and_keeps_the_first() -> None:
    """C4.2, C7.3."""
    made = make(9)
    first = draw(made, "红")
    before = first_round(made)
    with pytest.raises(ReasonNeeded):
        freeze_draw(acting=made.owner, stage=made.stage)
    second = draw(made, "红", reason="漏了一名选手")
    assert (first.number, second.number, second.reason) == (1, 2, "漏了一名选手")
    assert first.secret != second.secret
    first.refresh_from_db()
    assert verify(dump(document_of(first))) == []
    assert first.words == "红"
    assert made.stage.rounds.count() == 2
    assert Table.objects.filter(round__stage=made.stage).count() == 4
    assert first_round(made) != before


def test_another_draw_after_publishing_is_a_draft_again() -> None:
    """C7.3: published, no hand yet: O with reason."""
    made = make_published(9)
    draw(made, reason="有人没到")
    assert {r.state for r in made.stage.rounds.all()} == {State.DRAWN}


def test_no_draw_once_a_hand_is_in() -> None:
    made = make_published(9)
    start_table(acting=made.owner, table=made.tables(1)[0])
    with pytest.raises(NotAllowed, match="进行中"):
        freeze_draw(acting=made.owner, stage=made.stage, reason="想重来")


def test_words_are_refused_where_a_hand_came_in_after_the_freeze() -> None:
    made = make_published(9)
    frozen = freeze_draw(acting=made.owner, stage=made.stage, reason="有人没到")
    start_table(acting=made.owner, table=made.tables(1)[0])
    with pytest.raises(NotAllowed):
        enter_words(acting=made.owner, draw=frozen, words="红")
    assert made.stage.rounds.first().state == State.RUNNING


def test_only_organizers_draw_and_leaders_publish() -> None:
    """C7.3: draw is O; publish is O C."""
    made = make(9)
    chief = make_acting(made.competition, Role.CHIEF)
    referee = make_acting(made.competition, Role.REFEREE)
    with pytest.raises(NotAllowed, match="主办人、组织者"):
        freeze_draw(acting=chief, stage=made.stage)
    draw(made)
    with pytest.raises(NotAllowed):
        publish_draw(acting=referee, stage=made.stage)
    assert publish_draw(acting=chief, stage=made.stage).published_at is not None
    assert set(Table.objects.values_list("state", flat=True)) == {"published"}


def test_nothing_is_published_twice_or_before_the_draw() -> None:
    made = make(9)
    with pytest.raises(NotAllowed, match="计划中"):
        publish_draw(acting=made.owner, stage=made.stage)
    draw(made)
    publish_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(Conflict, match="已经公布"):
        publish_draw(acting=made.owner, stage=made.stage)


def test_frozen_list_does_not_change_until_it_is_let_go() -> None:
    """C4.1, C9.5."""
    made = make(9)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    entrant = made.event.entrants.first()
    with pytest.raises(ListFrozen):
        add_entry(acting=made.owner, event=made.event, name="迟来")
    with pytest.raises(ListFrozen):
        withdraw_before_draw(acting=made.owner, entrant=entrant)
    with pytest.raises(PlanFixed):
        set_plan(acting=made.owner, stage=made.stage, table_size=2, advance=1, way=None, entrants=9)
    with pytest.raises(Conflict, match="已经冻结"):
        freeze_draw(acting=made.owner, stage=made.stage)

    cancel_freeze(acting=made.owner, draw=frozen)

    assert Draw.objects.count() == 0
    assert AuditRow.objects.get(action="draw.unfreeze").data["list"] == frozen.list_digest
    add_entry(acting=made.owner, event=made.event, name="迟来")


def test_drawn_list_is_not_let_go() -> None:
    made = make(9)
    drawn = draw(made)
    with pytest.raises(Conflict, match="已经抽签"):
        cancel_freeze(acting=made.owner, draw=drawn)
    with pytest.raises(Conflict, match="已经抽过"):
        enter_words(acting=made.owner, draw=drawn, words="再来")


def test_one_entrant_makes_no_draw() -> None:
    made = make(1)
    with pytest.raises(DomainError, match="至少要有两名"):
        freeze_draw(acting=made.owner, stage=made.stage)


def test_plan_of_another_number_is_refused_with_the_way_out() -> None:
    """C3.1: compact chosen for 28, then the field grew to 40."""
    made = make(28)
    set_plan(
        acting=made.owner, stage=made.stage, table_size=3, advance=1, way=Way.COMPACT, entrants=28
    )
    add_pasted(acting=made.owner, event=made.event, text=names(40))
    with pytest.raises(DomainError, match="四人桌"):
        freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(DomainError) as refusal:
        set_plan(
            acting=made.owner,
            stage=made.stage,
            table_size=3,
            advance=1,
            way=Way.COMPACT,
            entrants=40,
        )
    assert refusal.value.code == "plan-way"


def test_seeds_sit_in_different_zones() -> None:
    """C4.4."""
    made = make(27)
    for seed in (1, 2, 3):
        made.event.entrants.filter(entry__number=seed * 5).update(seed=seed)
    draw(made)
    zones = {
        Seat.objects.get(round__number=1, entrant__seed=seed).table.zone[:3] for seed in (1, 2, 3)
    }
    assert zones == {"0.0", "0.1", "0.2"}


def test_2187_entrants_are_drawn_and_published_in_bulk() -> None:
    """Every entrant once, thousands of rows by some hundred statements at most."""
    made = make(2187)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    with CaptureQueriesContext(connection) as drawing:
        enter_words(acting=made.owner, draw=frozen, words="红")
    with CaptureQueriesContext(connection) as publishing:
        publish_draw(acting=made.owner, stage=made.stage)
    assert Seat.objects.filter(round__number=1, entrant__isnull=False).count() == 2187
    assert Table.objects.count() == 1093
    assert len(drawing) <= 100
    assert len(publishing) <= 30


def test_second_draw_may_follow_a_played_stage_of_another_event() -> None:
    """Rows of one stage only are cleared."""
    made, other = make_published(3), make_published(9)
    play(other, other.tables(1)[0])
    draw(made, reason="有人没到")
    assert other.stage.rounds.count() == 2
