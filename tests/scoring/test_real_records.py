"""The main job on real input: hands really played, from the draw to the champion.

The records of `../shared/records` (or of the folder that ZIPAI_RECORDS names) fill the sheets of
a competition of 27; every delta, sum, place, advance, the champion and the standings are
compared with what this file works out from the records' own `=` lines alone.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pytest

from engine.rules import preset
from scoring import queries_public
from scoring.domain.board import Board
from scoring.domain.errors import BadEntry
from scoring.domain.hands import Entered, enter_hand
from scoring.domain.sheets import confirm_sheet, open_sheet, submit_sheet
from scoring.enums import Evidence, SheetState
from scoring.finishes import Row, rows
from scoring.models import HandVersion, Sheet
from scoring.standings import Finish
from tests.tournament.competitions import Made, draw, make
from tournament.domain.draws import publish_draw
from tournament.domain.settings import set_play, set_rules
from tournament.enums import ConfirmationMode, DealerOption, EntrantStatus, State
from tournament.models import Entrant, Seat, Table

pytestmark = pytest.mark.django_db

FOLDER = Path(os.environ.get("ZIPAI_RECORDS", Path(__file__).parents[3] / "shared" / "records"))
SEATS = "甲乙丙"
CLAIM = re.compile(r"^= ([甲乙丙]) 胡(\d+) 计(\d+) 甲([+-]\d+) 乙([+-]\d+) 丙([+-]\d+)$", re.M)
HANDS, FINAL_HANDS = 4, 13


@dataclass
class Claimed:
    """A record's text and what its own `=` line says; seats from 0."""

    text: str
    winner: int
    hu: int
    total: int
    deltas: tuple[int, ...]

    @property
    def payer(self) -> int | None:
        """Who alone pays: the discarder of a win on a discard."""
        losers = [seat for seat, delta in enumerate(self.deltas) if delta < 0]
        return losers[0] if len(losers) == 1 else None


def read_claim(text: str) -> Claimed:
    found = CLAIM.search(text)
    assert found is not None
    winner, hu, total, *deltas = found.groups()
    return Claimed(text, SEATS.index(winner), int(hu), int(total), tuple(map(int, deltas)))


def turned(text: str, by: int) -> str:
    """The same hand with every seat moved on by `by`: 甲 deals in all files, somebody else here."""
    table = str.maketrans({seat: SEATS[(i + by) % 3] for i, seat in enumerate(SEATS)})
    lines = text.translate(table).splitlines()
    found = re.match(r"= ([甲乙丙]) 胡(\d+) 计(\d+) (.*)$", lines[-1])
    assert found is not None
    lines[-1] = f"= {found[1]} 胡{found[2]} 计{found[3]} {' '.join(sorted_seats(found[4]))}"
    return "\n".join(lines) + "\n"


def sorted_seats(points: str) -> list[str]:
    return sorted(points.split(), key=lambda part: SEATS.index(part[0]))


@pytest.fixture
def records() -> list[str]:
    """The texts of the hands that are under `local` as it is: 61 of 62."""
    if not FOLDER.is_dir():
        pytest.skip(f"no real records at {FOLDER}: set ZIPAI_RECORDS to their folder")
    texts = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.zpr"))]
    assert len(texts) == 62
    plain = [text for text in texts if "选项." not in text]
    assert len(plain) == 61
    return plain


def make_local(entrants: int = 27) -> Made:
    """A published competition under `local` that plays 4 hands a table, 13 in the final."""
    made = make(entrants)
    set_rules(acting=made.owner, event=made.event, preset_id="local", options={})
    set_play(
        acting=made.owner,
        stage=made.stage,
        values={
            "hands": HANDS,
            "final_hands": FINAL_HANDS,
            "confirmation": ConfirmationMode.PLAYERS,
            "dealer": DealerOption.WINNER,
            "extra_hands": False,
        },
    )
    draw(made)
    publish_draw(acting=made.owner, stage=made.stage)
    made.event.refresh_from_db()
    return made


@dataclass
class Tally:
    """What this test itself keeps of a table: by seat."""

    dealer: int
    nets: list[int] = field(default_factory=lambda: [0, 0, 0])
    won: list[int] = field(default_factory=lambda: [0, 0, 0])
    discards: list[int] = field(default_factory=lambda: [0, 0, 0])
    hands: int = 0

    def add(self, claimed: Claimed) -> None:
        self.nets = [net + delta for net, delta in zip(self.nets, claimed.deltas, strict=True)]
        self.won[claimed.winner] += 1
        if claimed.payer is not None:
            self.discards[claimed.payer] += 1
        self.dealer = claimed.winner
        self.hands += 1

    def order(self, lots: list[int]) -> list[int]:
        """Seats best first by C8.1 without 加赛; `lots` by seat, 1 is best."""
        return sorted(
            range(3),
            key=lambda s: (-self.nets[s], -self.won[s], self.discards[s], lots[s]),
        )


def lots_of(made: Made, table: Table) -> list[int]:
    numbers = made.stage.draws.get().result["lots"]
    seats = table.seats.select_related("entrant__entry").order_by("position")
    return [numbers.index(seat.entrant.number) + 1 for seat in seats]


def play(made: Made, table: Table, hands: list[str]) -> tuple[Tally, list[int]]:
    """Enters hands as records, closes the sheet, and compares all of it with the tally."""
    sheet = open_sheet(table)
    tally = Tally(table.first_dealer)
    for number, original in enumerate(hands, 1):
        text = turned(original, tally.dealer)
        claimed = read_claim(text)
        assert Board(sheet).terms().dealer == tally.dealer, "C2.3 winner: R9.5"

        version = enter_hand(
            acting=made.owner, sheet=sheet, entered=Entered(Evidence.RECORD, {"text": text})
        )

        assert version.hand.number == number
        assert version.deltas == (*claimed.deltas, 0)
        assert (version.hu, version.total) == (claimed.hu, claimed.total)
        assert (version.winners, version.dealer) == ([claimed.winner], tally.dealer)
        assert version.payer == claimed.payer
        assert version.is_checked
        assert not version.is_flagged
        tally.add(claimed)
    sheet.refresh_from_db()
    board = Board(sheet)
    assert [seat.net for seat in board.sums.seats] == tally.nets
    assert [seat.hands_won for seat in board.sums.seats] == tally.won
    assert [seat.discards for seat in board.sums.seats] == tally.discards
    assert board.sums.balance == 0
    order = tally.order(lots_of(made, table))
    assert [row.key for row in board.ranking.rows] == order

    submit_sheet(acting=made.owner, sheet=sheet)
    confirm_sheet(acting=made.owner, sheet=sheet, digest=Board(sheet).digest)

    sheet.refresh_from_db()
    assert sheet.state == SheetState.CONFIRMED
    places = dict(table.seats.values_list("position", "place"))
    assert places == {position: place for place, position in enumerate(order, 1)}
    assert list(table.seats.filter(advances=True).values_list("position", flat=True)) == [order[0]]
    return tally, order


def test_real_hands_take_27_entrants_to_one_champion(records: list[str]) -> None:
    """C6–C8 whole: 9 → 3 → 1 tables, 4 hands each and 13 in the final, are the 61 hands."""
    made = make_local()
    stage = made.stage
    left = iter(records)
    finishes: dict[int, Finish] = {}
    for round_ in stage.rounds.order_by("number"):
        planned = FINAL_HANDS if round_.is_last else HANDS
        winners = []
        for table in round_.tables.order_by("number"):
            tally, order = play(made, table, [next(left) for _ in range(planned)])
            entrants = [seat.entrant_id for seat in table.seats.order_by("position")]
            lots = lots_of(made, table)
            for place, seat in enumerate(order, 1):
                finishes[entrants[seat]] = Finish(
                    entrants[seat], round_.number, place, tally.nets[seat], tally.hands, lots[seat]
                )
            winners.append(entrants[order[0]])
        following = Seat.objects.filter(round__stage=stage, round__number=round_.number + 1)
        assert sorted(following.values_list("entrant", flat=True)) == (
            [] if round_.is_last else sorted(winners)
        )
    assert list(left) == []
    assert HandVersion.objects.count() == 61
    assert made.event.entrants.filter(status=EntrantStatus.OUT).count() == 26
    champion = made.event.entrants.get(status=EntrantStatus.IN)
    assert [champion.pk] == winners
    assert_standings(made, finishes, champion)
    assert_states(made)


def site_standings(made: Made) -> list[Row]:
    """The rows of the public page of standings."""
    seats = queries_public.seat_rows(queries_public.seats_of(made.event), mask=False)
    lots = queries_public.public_lots(made.event)
    entrants = made.event.entrants.select_related("entry")
    by_entrant = {entrant.pk: lots[entrant.number or 0] for entrant in entrants}
    return rows(seats, queries_public.table_nets(queries_public.done(seats)), by_entrant)


def assert_standings(made: Made, finishes: dict[int, Finish], champion: Entrant) -> None:
    """C8.5: the round reached, the place there, net 舵 per hand; the first three never shared."""
    expected = sorted(
        finishes.values(),
        key=lambda f: (-f.round, f.place, -Fraction(f.net, f.hands), f.lot),
    )
    found = site_standings(made)
    standings = [row.standing for row in found]
    assert {row.entrant: row.finish for row in found} == finishes
    assert standings[0].key == champion.pk
    assert [s.place for s in standings[:3]] == [1, 2, 3]
    assert [s.prize.zh if s.prize else None for s in standings[:4]] == [
        "一等奖",
        "二等奖",
        "三等奖",
        "优秀奖",
    ]
    ranks = [(-f.round, f.place, -Fraction(f.net, f.hands)) for f in expected]
    assert [
        (
            -finishes[s.key].round,
            finishes[s.key].place,
            -Fraction(finishes[s.key].net, finishes[s.key].hands),
        )
        for s in standings
    ] == ranks
    for standing in standings[3:]:
        mine = finishes[standing.key]
        rank = (-mine.round, mine.place, -Fraction(mine.net, mine.hands))
        assert standing.place == ranks.index(rank) + 1
        assert standing.shared == (ranks.count(rank) > 1)


def assert_states(made: Made) -> None:
    """C7.1: a first hand makes the tables before it final; the last round waits its minutes."""
    *before, last = made.stage.rounds.order_by("number")
    assert [round_.state for round_ in before] == [State.FINAL] * 2
    assert last.state == State.CONFIRMED
    assert list(
        Sheet.objects.filter(table__round__in=before).values_list("state", flat=True).distinct()
    ) == [SheetState.FINAL]


def test_record_of_other_rules_is_refused_with_the_option_that_differs() -> None:
    """C6.1: one real hand was played with 中醒, which `local` has not."""
    if not FOLDER.is_dir():
        pytest.skip(f"no real records at {FOLDER}: set ZIPAI_RECORDS to their folder")
    (text,) = [
        text
        for path in sorted(FOLDER.glob("*.zpr"))
        if "选项." in (text := path.read_text(encoding="utf-8"))
    ]
    made = make_local(3)
    assert made.event.rules_digest == preset("local").digest
    (table,) = made.tables(1)
    with pytest.raises(BadEntry) as caught:
        enter_hand(
            acting=made.owner,
            sheet=open_sheet(table),
            entered=Entered(Evidence.RECORD, {"text": text}),
        )
    assert caught.value.entry.field == "text"
    assert caught.value.entry.zh == "牌谱的规则和本项目的不一样：xing"
    assert not HandVersion.objects.exists()
