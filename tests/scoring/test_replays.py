"""A correction after the next round began, in all four cases of C9.1, to the last total."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.models import AuditRow
from scoring.domain.board import Board
from scoring.domain.closing import finalize_round
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import Late, correct_hand, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import PenaltyKind
from scoring.finishes import rows
from scoring.models import Confirmation, Hand, HandVersion, Penalty, Ruling, Sheet
from scoring.queries_public import done, seat_rows, seats_of, table_nets
from tests.factories import make_acting
from tests.scoring.sheets import totals
from tests.tournament.competitions import Made, make_published
from tournament.domain.reopening import dependents
from tournament.domain.settings import set_play
from tournament.domain.tables import Depends
from tournament.enums import ConfirmationMode, EntrantStatus, Role, State
from tournament.models import Competition, Entrant, Seat, Table
from tournament.permissions import NotAllowed, ReasonNeeded

pytestmark = pytest.mark.django_db

SEEN = Late("录像", effects_shown=True)
AS_PLAYED = Late("录像", effects_shown=True, as_played=True)
REPLAY = Late("录像", effects_shown=True, replay=True)


@dataclass
class Hall:
    """Twenty-seven entrants at 9 + 3 + 1 tables, one hand each; 甲 wins everywhere."""

    made: Made

    def table(self, round_number: int, number: int) -> Table:
        return self.made.tables(round_number)[number - 1]

    def play(self, round_number: int, *numbers: int, deltas: tuple[int, ...] = (4, -1, -3)) -> None:
        for number in numbers:
            sheet = open_sheet(self.table(round_number, number))
            enter_hand(acting=self.made.owner, sheet=sheet, entered=totals(*deltas))
            submit_sheet(acting=self.made.owner, sheet=sheet)

    def correct(self, number: int, deltas: tuple[int, ...], late: Late) -> HandVersion:
        hand = Hand.objects.get(sheet__table=self.table(1, number), number=1)
        return correct_hand(acting=self.made.owner, hand=hand, entered=totals(*deltas), late=late)

    def entrant(self, round_number: int, number: int, position: int) -> int | None:
        return self.table(round_number, number).seats.get(position=position).entrant_id

    def at(self, source: int, round_number: int = 1) -> Seat:
        """The seat that a table fills."""
        return Seat.objects.get(source=self.table(round_number, source))

    def places(self, round_number: int, number: int) -> list[tuple[int | None, bool | None]]:
        seats = self.table(round_number, number).seats.order_by("position")
        return list(seats.values_list("place", "advances"))

    def nets(self, round_number: int, number: int) -> list[int]:
        board = Board(Sheet.objects.get(table=self.table(round_number, number)))
        assert board.sums.balance == 0
        return [seat.net for seat in board.sums.seats]

    def states(self, round_number: int) -> str:
        """First letters of the states of the round, its tables and their sheets."""
        tables = self.made.tables(round_number)
        round_state = self.made.stage.rounds.get(number=round_number).state
        sheets = [Sheet.objects.filter(table=table).first() for table in tables]
        return " ".join(
            [
                round_state[0],
                "".join(table.state[0] for table in tables),
                "".join(sheet.state[0] if sheet else "-" for sheet in sheets),
            ]
        )

    def still_in(self) -> set[int]:
        found = Entrant.objects.filter(event=self.made.event, status=EntrantStatus.IN)
        return set(found.values_list("pk", flat=True))

    def final_places(self) -> dict[int | None, int | None]:
        """Entrant → place in the standings."""
        seats = seat_rows(seats_of(self.made.event), mask=False)
        found = rows(seats, table_nets(done(seats)), {}, ())
        return {row.entrant: row.standing.place for row in found}


@pytest.fixture
def hall() -> Hall:
    made = make_published(27)
    set_play(
        acting=made.owner,
        stage=made.stage,
        values={"confirmation": ConfirmationMode.NONE, "extra_hands": False},
    )
    made.stage.rounds.update(hands=1)
    hall = Hall(made)
    hall.play(1, *range(1, 10))
    return hall


def first_table_of(hall: Hall, source: int, round_number: int = 1) -> int:
    """The number of the table that a table leads to."""
    return hall.at(source, round_number).table.number


def test_points_only_change_at_once_after_the_next_round_began(hall: Hall) -> None:
    """C9.1: totals change, nobody moves."""
    number = first_table_of(hall, 1)
    hall.play(2, number)
    with pytest.raises(ShowEffects) as caught:
        hall.correct(1, (6, -2, -4), Late("录像"))
    assert (caught.value.nets, caught.value.effects.moves) == ((6, -2, -4), ())
    seat, still_in = hall.at(1).entrant_id, hall.still_in()
    assert hall.correct(1, (6, -2, -4), SEEN).is_after_final
    assert hall.nets(1, 1) == [6, -2, -4]
    assert hall.places(1, 1) == [(1, True), (2, False), (3, False)]
    assert (hall.at(1).entrant_id, hall.still_in()) == (seat, still_in)
    assert hall.nets(2, number) == [4, -1, -3]


def test_others_sit_down_where_the_next_table_has_no_hand(hall: Hall) -> None:
    """C9.1 swap: another table of the next round has begun, this one not."""
    mine = first_table_of(hall, 1)
    hall.play(2, *({1, 2, 3} - {mine}))
    was, now = hall.entrant(1, 1, 0), hall.entrant(1, 1, 1)
    hall.correct(1, (-3, 4, -1), SEEN)
    assert hall.at(1).entrant_id == now
    assert hall.places(1, 1) == [(3, False), (1, True), (2, False)]
    assert hall.nets(1, 1) == [-3, 4, -1]
    assert now in hall.still_in()
    assert was not in hall.still_in()
    hall.play(2, mine)
    assert hall.states(2) == "c ccc ccc"


def test_what_was_played_stands_unless_the_chief_referee_chooses(hall: Hall) -> None:
    """C9.1 “stands as played”, to the standings."""
    mine = first_table_of(hall, 1)
    hall.play(2, 1, 2, 3)
    hall.play(3, 1)
    was, now, still_in = hall.entrant(1, 1, 0), hall.entrant(1, 1, 1), hall.still_in()
    before = hall.final_places()
    with pytest.raises(Depends):
        hall.correct(1, (-3, 4, -1), SEEN)
    hall.correct(1, (-3, 4, -1), AS_PLAYED)
    assert hall.at(1).entrant_id == was
    assert hall.places(1, 1) == [(3, True), (1, False), (2, False)]
    assert hall.nets(1, 1) == [-3, 4, -1]
    assert hall.still_in() == still_in
    assert hall.nets(2, mine) == [4, -1, -3]
    best = {key: place for key, place in before.items() if place and place < 10}
    after = hall.final_places()
    assert {key: after[key] for key in best} == best
    assert now not in best


def test_replay_voids_all_that_depends_and_nothing_else(hall: Hall) -> None:
    """C9.1 “replay from here”: the champion is decided, everything final, then it starts anew."""
    made, mine = hall.made, first_table_of(hall, 1)
    others = sorted({1, 2, 3} - {mine})
    hall.play(2, 1, 2, 3)
    sheet = Sheet.objects.get(table=hall.table(2, mine))
    hand = sheet.hands.get()
    rule_on_hand(acting=made.owner, hand=hand, deltas=[5, -2, -3], reason="看错", late=SEEN)
    penalize(
        acting=made.owner, sheet=sheet, position=2, kind=PenaltyKind.DEDUCTION, amount=1,
        reason="迟到", late=SEEN,
    )  # fmt: skip
    hall.play(3, 1)
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(number=3))
    assert Competition.objects.get().is_over
    assert [hall.states(n) for n in (1, 2, 3)] == ["f fffffffff fffffffff", "f fff fff", "f f f"]
    was, now = hall.entrant(1, 1, 0), hall.entrant(1, 1, 1)
    with pytest.raises(ShowEffects) as caught:
        hall.correct(1, (-3, 4, -1), Late("录像"))
    effects = caught.value.effects
    assert [(t.round.number, t.number) for t in dependents(effects)] == [(2, mine), (3, 1)]
    with pytest.raises(ReasonNeeded):
        hall.correct(1, (-3, 4, -1), Late("", effects_shown=True, replay=True))
    rows_before = HandVersion.objects.count()

    corrected = hall.correct(1, (-3, 4, -1), REPLAY)

    assert (corrected.is_after_final, corrected.reason) == (True, "录像")
    assert not Competition.objects.get().is_over
    fed = "".join(
        "c" if Seat.objects.get(source=t).table.number == mine else "f" for t in made.tables(1)
    )
    assert hall.states(1) == f"c {fed} {fed}"
    two = "".join("p" if n == mine else "c" for n in (1, 2, 3))
    assert hall.states(2) == f"r {two} {two.replace('p', 'o')}"
    assert hall.states(3) == "p p o"
    assert hall.at(1).entrant_id == now
    assert hall.at(mine, 2).entrant_id is None
    assert [hall.at(n, 2).entrant_id for n in others] == [hall.entrant(2, n, 0) for n in others]
    inside = {hall.entrant(2, mine, p) for p in range(3)} | {hall.entrant(2, n, 0) for n in others}
    assert hall.still_in() == inside
    assert was not in inside
    assert hall.places(2, mine) == hall.places(3, 1) == [(None, None)] * 3
    assert hall.nets(2, mine) == hall.nets(3, 1) == [0, 0, 0]
    assert [hall.nets(2, n) for n in others] == [[4, -1, -3]] * 2
    assert hall.nets(1, 1) == [-3, 4, -1]
    chain = HandVersion.objects.filter(hand=hand).order_by("version")
    assert [(v.deltas[0], v.is_void, v.reason) for v in chain] == [
        (4, False, ""),
        (0, True, "这一桌重打：录像"),
    ]
    assert HandVersion.objects.count() == rows_before + 3
    assert not Ruling.objects.filter(is_current=True).exists()
    assert Ruling.objects.get().deltas == (5, -2, -3, 0)
    assert Penalty.objects.get().voided_at is not None
    assert not Confirmation.objects.filter(sheet=sheet, is_current=True).exists()
    sheet.refresh_from_db()
    assert sheet.sent_back_word == "这一桌重打：录像"
    assert (sheet.submitted_at, sheet.confirmed_at, sheet.final_at) == (None, None, None)
    assert AuditRow.objects.filter(action="sheet.replay").count() == 2
    assert AuditRow.objects.filter(action="table.replay").count() == 2

    hall.play(2, mine, deltas=(-2, 3, -1))
    hall.play(3, 1, deltas=(2, -3, 1))
    assert [hall.states(n) for n in (1, 2, 3)] == ["f fffffffff fffffffff", "f fff fff", "c c c"]
    assert hall.at(mine, 2).entrant_id == hall.entrant(2, mine, 1)
    assert hall.nets(2, mine) == [-2, 3, -1]
    assert len(hall.still_in()) == 1
    champion = hall.entrant(3, 1, 0)
    assert hall.still_in() == {champion}
    places = hall.final_places()
    assert places[champion] == 1
    assert places[hall.entrant(3, 1, 2)] == 2
    assert places[hall.entrant(3, 1, 1)] == 3
    assert was is not None
    assert (places[was] or 0) > 9


def test_replay_is_the_chief_referees_also_by_penalty_and_ruling(hall: Hall) -> None:
    """C9.1 holds for all that changes a sheet's sums."""
    made, mine = hall.made, first_table_of(hall, 1)
    hall.play(2, mine)
    sheet = Sheet.objects.get(table=hall.table(1, 1))
    penalize(
        acting=made.owner, sheet=sheet, position=0, kind=PenaltyKind.DEDUCTION, amount=9,
        reason="换牌", late=REPLAY,
    )  # fmt: skip
    assert hall.at(1).entrant_id == hall.entrant(1, 1, 1)
    assert hall.table(2, mine).state == State.PUBLISHED
    assert hall.nets(1, 1) == [-5, -1, -3]
    hall.play(2, mine)
    rule_on_hand(
        acting=made.owner, hand=sheet.hands.get(), deltas=[9, -8, -1], reason="录像", late=REPLAY
    )
    assert hall.nets(1, 1) == [0, -8, -1]
    assert hall.at(1).entrant_id == hall.entrant(1, 1, 0)
    assert hall.nets(2, mine) == [0, 0, 0]
    with pytest.raises(NotAllowed):
        rule_on_hand(
            acting=make_acting(made.competition, Role.REFEREE),
            hand=sheet.hands.get(), deltas=[0, 0, 0], reason="x", late=REPLAY,
        )  # fmt: skip
