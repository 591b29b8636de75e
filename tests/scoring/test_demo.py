"""The demo: three competitions through the functions of the pages, once a database."""

from __future__ import annotations

import io
import os
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Sum

from core.models import AuditRow, User
from engine.rules import preset
from engine.simulate import play_hands
from scoring import demo
from scoring.demo_hands import Hands, payload, played, read_records, result_of, turned
from scoring.demo_names import UNITS, as_pasted, roster
from scoring.domain.board import Board
from scoring.enums import Evidence, ProtestState, SheetState
from scoring.evidence import Terms, count
from scoring.models import HandVersion, Penalty, Protest, Ruling, Sheet
from tests.factories import make_user
from tournament.domain.draws import document_of
from tournament.domain.pasting import read_lines
from tournament.enums import EntrantStatus, EntryStatus, State
from tournament.models import Competition, Draw, Table
from tournament.pairing.document import dump, verify

FOLDER = Path(os.environ.get("ZIPAI_RECORDS", Path(__file__).parents[3] / "shared" / "records"))
SMALL = demo.Size(hands=8, final_hands=2)
"""Hands a table, so that the whole demo takes seconds; two in the final make ties likely."""


@pytest.fixture(scope="module")
def folder() -> Path:
    """The real hands' folder."""
    if not FOLDER.is_dir():
        pytest.skip(f"no real records at {FOLDER}: set ZIPAI_RECORDS to their folder")
    return FOLDER


def load(seed: int = 1, **fields: object) -> demo.Loaded:
    source = demo.Source(make_user(), random.Random(seed), size=SMALL, **fields)
    loaded = demo.load(source)
    assert loaded is not None
    return loaded


def states(made: demo.Made) -> Counter[tuple[int, str]]:
    """How many tables of each round are in each state."""
    return Counter(made.stage.rounds.values_list("number", "tables__state"))


def statuses(made: demo.Made) -> Counter[str]:
    return Counter(made.event.entrants.values_list("status", flat=True))


@pytest.mark.django_db
def test_the_demo_is_a_finished_a_running_and_an_open_competition_once() -> None:
    loaded = load()
    assert_finished(loaded.finished)
    assert_running(loaded.running)
    assert_open(loaded.open)
    assert_sums()
    assert Competition.objects.filter(published_at__isnull=False).count() == 3
    assert list(loaded.tokens) == [
        "裁判长 蒋老师",
        "裁判 秦老师",
        "裁判 莫老师",
        "第 2 轮第 1 桌的选手",
    ]
    assert_second_changes_nothing()


def assert_second_changes_nothing() -> None:
    counted = (AuditRow, User, Competition, HandVersion)
    before = [model.objects.count() for model in counted]
    out = io.StringIO()
    call_command("demo", stdout=out)
    assert out.getvalue() == "演示比赛已经有了，没有改动 / the demo is there already, unchanged\n"
    assert demo.load(demo.Source(User.objects.get(), random.Random(2))) is None
    assert [model.objects.count() for model in counted] == before


def assert_finished(made: demo.Made) -> None:
    """27 → 9 → 3 → 1: a champion, 26 eliminated, everything final (C3.4, C7.1)."""
    made.competition.refresh_from_db()
    assert made.competition.is_over
    assert statuses(made) == {EntrantStatus.OUT: 26, EntrantStatus.IN: 1}
    assert states(made) == {(1, State.FINAL): 9, (2, State.FINAL): 3, (3, State.FINAL): 1}
    champion = made.event.entrants.get(status=EntrantStatus.IN)
    final = Table.objects.get(round__stage=made.stage, round__is_last=True)
    assert final.seats.get(place=1).entrant == champion
    sheets = Sheet.objects.filter(table__round__stage=made.stage)
    assert Counter(sheets.values_list("state", flat=True)) == {SheetState.FINAL: 13}
    hands = HandVersion.objects.filter(hand__sheet__in=sheets)
    assert set(hands.values_list("evidence", flat=True)) == set(Evidence.values) - {Evidence.GAME}
    assert not hands.filter(is_flagged=True).exists()
    (corrected,) = hands.filter(version=2)
    assert [v.xing - (corrected.xing or 0) for v in corrected.hand.versions.all()] == [1, 0]
    ruling = Ruling.objects.get(sheet__in=sheets, hand__isnull=False)
    assert Protest.objects.get(sheet__in=sheets).ruling == ruling
    assert Penalty.objects.get(sheet__in=sheets).deducted == 2
    called = Table.objects.get(round__stage=made.stage, called_at__isnull=False)
    assert Board(called.sheet).sums.played == 6
    assert_draw(made)


def assert_running(made: demo.Made) -> None:
    """Round two has begun: a table in every state (C7)."""
    assert states(made) == {
        (1, State.FINAL): 6,
        (1, State.CONFIRMED): 2,
        (1, State.RUNNING): 1,
        (2, State.RUNNING): 2,
        (2, State.PUBLISHED): 1,
        (3, State.PUBLISHED): 1,
    }
    assert statuses(made) == {EntrantStatus.OUT: 16, EntrantStatus.IN: 11}
    playing, waiting, not_ready = Table.objects.filter(
        round__stage=made.stage, round__number=2
    ).order_by("number")
    board = Board(playing.sheet)
    assert board.sheet.state == SheetState.OPEN
    (flagged,) = board.flagged
    said, computed = flagged.payload["claim"], flagged.computed
    assert (said["hu"], said["total"]) == (computed["hu"] + 3, computed["total"] + 1)
    assert Protest.objects.get(sheet=playing.sheet).state == ProtestState.OPEN
    assert waiting.sheet.state == SheetState.SUBMITTED
    assert waiting.sheet.confirmations.filter(is_current=True).count() == 1
    assert not not_ready.sheet.hands.exists()
    assert not_ready.seats.filter(entrant=None).count() == 1
    last_of_first = Table.objects.get(round__stage=made.stage, round__number=1, state=State.RUNNING)
    assert last_of_first in [seat.source for seat in not_ready.seats.all()]
    assert Board(last_of_first.sheet).sums.played == 4
    assert made.competition.entries.filter(checked_in_at__isnull=False).count() == 27
    assert_draw(made)


def assert_open(made: demo.Made) -> None:
    """50 entrants, two waiting, 31 arrived, four seeds, no draw yet (C1.2)."""
    assert statuses(made) == {EntrantStatus.IN: 50}
    entries = made.competition.entries
    assert entries.filter(status=EntryStatus.WAITLISTED).count() == 2
    assert entries.filter(checked_in_at__isnull=False).count() == 31
    assert sorted(made.event.entrants.exclude(seed=None).values_list("seed", flat=True)) == [
        1, 2, 3, 4,
    ]  # fmt: skip
    assert not made.stage.draws.exists()
    assert "桂林" not in made.competition.name
    assert made.competition.regulations.get().text.startswith(f"一、名称：{made.competition.name}")


def assert_draw(made: demo.Made) -> None:
    """C4.5: what is published redraws bit for bit."""
    draw = Draw.objects.get(stage=made.stage)
    assert verify(dump(document_of(draw))) == []


def assert_sums() -> None:
    """C6.2, C6.5: every hand and every sheet sums to zero."""
    total = F("delta_1") + F("delta_2") + F("delta_3") + F("delta_4")
    assert HandVersion.objects.aggregate(sum=Sum(total))["sum"] == 0
    for sheet in Sheet.objects.all():
        assert Board(sheet).sums.balance == 0


@pytest.mark.django_db
def test_the_demo_takes_given_records_first_and_plays_by_their_rules(folder: Path) -> None:
    records = read_records(folder)
    assert len(records) == 62
    loaded = load(records=records)
    assert loaded.finished.event.preset == "local"
    assert statuses(loaded.finished) == {EntrantStatus.OUT: 26, EntrantStatus.IN: 1}
    first = Table.objects.get(round__stage=loaded.finished.stage, round__number=1, number=1)
    entered = [version.deltas for version in Board(first.sheet).versions]
    hands = Hands("local", random.Random(1), records)
    board = Board(first.sheet)
    dealer, expected = first.first_dealer, []
    for _hand in range(SMALL.hands):
        result = result_of(hands.deal(board.rules, dealer))
        expected.append((*result.deltas, 0))
        dealer = result.next_dealer
    assert entered == expected


@pytest.mark.django_db
def test_the_command_makes_an_account_and_prints_links_that_open(client) -> None:
    """In full, as people get it; the links are the running competition's."""
    out = io.StringIO()
    call_command("demo", seed=5, address="http://hall:8000", stdout=out)
    said = out.getvalue()
    assert re.search(r"第一个账号 / first account: organizer\n密码.*: \S{12}\n", said)
    assert Competition.objects.filter(created_by__username="organizer").count() == 3
    paths = re.findall(r"http://hall:8000(/l/\S+/)$", said, re.M)
    assert len(paths) == 4
    for path in paths:
        assert client.get(path).status_code == 302


@pytest.mark.django_db
def test_a_folder_without_records_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="没有可用的牌谱"):
        call_command("demo", records=tmp_path)
    with pytest.raises(CommandError, match="读不了牌谱"):
        call_command("demo", records=tmp_path / "nowhere")
    assert not User.objects.exists()
    assert not Competition.objects.exists()


@pytest.mark.parametrize("preset_id", ["competition", "local"])
def test_a_simulated_hand_counts_the_same_at_every_level_of_evidence(preset_id: str) -> None:
    """C6.1: totals, result line, slip and record of one hand have the same points."""
    rules = preset(preset_id)
    compared = 0
    for hand in play_hands(rules, 60, random.Random(3)):
        result = result_of(hand)
        for evidence in Evidence:
            if evidence is Evidence.SLIP and not hand.wall_left:
                continue
            entered = payload(hand, evidence, preset_id)
            counted = count(str(evidence), entered, Terms(rules, hand.dealer))
            assert counted.deltas == result.deltas, (evidence, entered)
            assert counted.claimed is None
            compared += 1
    assert compared > 200


def test_a_record_turned_by_one_seat_is_the_same_hand_one_seat_on(folder: Path) -> None:
    """R2.2: who sits where changes nothing but the seats' names."""
    for record in read_records(folder):
        plain = result_of(played(record))
        moved = result_of(played(turned(record, 1)))
        assert moved.deltas == (*plain.deltas[-1:], *plain.deltas[:-1])
        assert (moved.hu, moved.total, moved.xing) == (plain.hu, plain.total, plain.xing)
        assert moved.winners == tuple((seat + 1) % 3 for seat in plain.winners)


def test_a_roster_has_no_name_twice_and_units_with_several() -> None:
    """C1.4, C4.4: the draw has whom to keep apart; the list can be pasted as it is."""
    people = roster(52, random.Random(7))
    assert len({name for name, _unit in people}) == 52
    units = Counter(unit for _name, unit in people)
    assert set(units) <= set(UNITS)
    assert max(units.values()) >= 4
    reading = read_lines(as_pasted(people), set())
    assert [(p.name, p.unit) for p in reading.people] == people
    assert roster(52, random.Random(7)) == people
