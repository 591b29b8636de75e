"""The wrong people sat at the seats (C9.4): columns swapped, results kept, exact to the totals."""

from __future__ import annotations

import pytest

from scoring.domain.errors import ShowEffects
from scoring.domain.hands import Entered, Late, correct_hand, enter_hand, void_hand
from scoring.domain.rehearsal import Standing, rehearse
from scoring.domain.reseating import BadSwap, Swapped, swap_seats, swapped
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import Evidence, PenaltyKind
from scoring.evidence import count
from scoring.models import HandVersion, Sheet
from scoring.shown import ShownSheet
from tests.scoring.records import result_of, won
from tests.scoring.sheets import DRAWN, FLIP, WIN, Hall, make_hall, totals
from tests.scoring.test_domain_verdicts import SEEN, close, nine, seat_after
from tests.scoring.test_evidence import SLIP
from tournament.domain.tables import Depends
from tournament.enums import DealerOption
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

CYCLE = (1, 2, 0)
"""What is written of 甲 is 乙's, of 乙 丙's, of 丙 甲's."""
BACK = (2, 0, 1)


def swap(hall: Hall, seating: tuple[int, ...], first: int, last: int) -> list[HandVersion]:
    return swap_seats(
        acting=hall.referee,
        sheet=hall.sheet,
        seating=seating,
        first=first,
        last=last,
        reason="坐错了",
    )


def nets(hall: Hall) -> list[int]:
    return [seat.net for seat in hall.board().sums.seats]


def test_all_four_levels_of_evidence_move_and_still_recount() -> None:
    """C9.4: what was entered stays; counted again it gives the same; the inverse undoes (C9.5)."""
    hall = make_hall(hands=4)
    text = won()
    hall.enter(WIN)
    for evidence, payload in (
        (Evidence.SLIP, {**SLIP, "dealer": "甲"}),
        (Evidence.RECORD, {"text": text}),
        (Evidence.TOTALS, {"deltas": [3, -2, -1]}),
    ):
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=Entered(evidence, payload))
    before = hall.board()
    was = [version.deltas[:3] for version in before.versions]
    assert was[0] == (6, -6, 0)
    assert was[2:] == [result_of(text).deltas, (3, -2, -1)]
    net = nets(hall)

    swap(hall, CYCLE, 1, 4)

    board = hall.board()
    assert [v.deltas[:3] for v in board.versions] == [(d[2], d[0], d[1]) for d in was]
    assert nets(hall) == [net[2], net[0], net[1]]
    assert board.sums.balance == 0
    first, slip, record, paper = board.versions
    assert (first.winners, first.payer, first.dealer) == ([1], 2, 1)
    assert first.computed is not None
    assert (first.computed["winner"], first.computed["payer"]) == (["乙"], "丙")
    assert (first.computed["deltas"], first.computed["next_dealer"]) == ([0, 6, -6], "乙")
    assert (first.version, first.reason, first.hu, first.total) == (2, "坐错了", 16, 3)
    assert record.payload == {"text": text, "seats": [1, 2, 0]}
    assert {k: v for k, v in slip.payload.items() if k != "seats"} == before.versions[1].payload
    for version in (first, slip, record, paper):
        again = count(version.evidence, version.payload, board.terms(version.hand.number))
        assert again.deltas == version.deltas[:3]
        assert (again.dealer, again.payer) == (version.dealer, version.payer)
        assert (again.winners and list(again.winners)) == version.winners
        assert again.computed == version.computed
        assert dict(again.payload) == version.payload
    assert swapped(board) == [Swapped(1, 4, CYCLE)]
    assert swapped(board)[0].back == BACK

    told = ShownSheet(board, mask=False, urls={}).hands("")[2]["reseated"]
    assert told == "坐错了座位：原来记的甲是乙，乙是丙，丙是甲。"
    again_entered = Entered(Evidence.RECORD, {"text": text})
    same = correct_hand(acting=hall.referee, hand=record.hand, entered=again_entered)
    assert (same.payload, same.deltas) == (record.payload, record.deltas)

    swap(hall, BACK, 1, 4)

    board = hall.board()
    assert nets(hall) == net
    assert swapped(board) == []
    for old, new in zip(before.versions, board.versions, strict=True):
        assert (new.payload, new.computed, new.deltas) == (old.payload, old.computed, old.deltas)
        assert (new.winners, new.payer, new.dealer) == (old.winners, old.payer, old.dealer)


def test_a_range_moves_with_its_rulings_and_penalties_and_the_next_dealer() -> None:
    """C9.4, R9.5: the winner deals; a correction in true seats forgets the swap."""
    hall = make_hall(hands=4, stage={"dealer": DealerOption.WINNER})
    one, two = hall.enter(FLIP), hall.enter(WIN)
    rule_on_hand(acting=hall.chief, hand=two.hand, deltas=[5, -5, 0], reason="录像")
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=1, kind=PenaltyKind.DEDUCTION, amount=3,
        reason="漏扫", hand=two.hand,
    )  # fmt: skip
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=1, kind=PenaltyKind.OPPONENTS, amount=1,
        reason="说话",
    )  # fmt: skip
    assert nets(hall) == [-2 + 5 + 1, -2 - 5 - 3 - 2, 4 + 0 + 1]
    assert hall.board().terms().dealer == 0

    swap(hall, (0, 2, 1), 2, 2)

    assert nets(hall) == [-2 + 5 + 1, -2 + 0 - 2, 4 - 5 - 3 + 1]
    board = hall.board()
    assert (board.sums.balance, board.terms().dealer) == (0, 0)
    assert (board.versions[0].pk, board.versions[1].payer) == (one.pk, 2)
    swap(hall, (2, 1, 0), 1, 1)
    assert nets(hall)[0] == 4 + 5 + 1
    assert swapped(hall.board()) == [Swapped(1, 1, (2, 1, 0)), Swapped(2, 2, (0, 2, 1))]
    correct_hand(acting=hall.referee, hand=one.hand, entered=Entered(Evidence.RESULT, {**FLIP}))
    assert [found.first for found in swapped(hall.board())] == [2]


def test_who_sat_out_of_four_is_swapped_too() -> None:
    """R2.2: the engine would let another seat sit out; the evidence is counted as entered."""
    hall = make_hall(hands=4, seats=4)
    hall.enter(DRAWN)
    hall.enter({**WIN, "dealer": "甲"})
    assert nets(hall) == [6, -6, 0, 0]
    swap(hall, (2, 1, 0, 3), 2, 2)
    assert nets(hall) == [0, -6, 6, 0]
    version = hall.board().versions[1]
    assert (version.dealer, version.winners) == (2, [2])


@pytest.mark.parametrize(
    ("seating", "first", "last", "reason", "message"),
    [
        ((0, 1, 2), 1, 2, "错", "座位没有变"),
        ((1, 1, 0), 1, 2, "错", "正好对应一个人"),
        ((1, 0, 2), 1, 2, " ", "写明原因"),
        ((1, 0, 2), 7, 9, "错", "没有记分"),
        ((1, 0, 2), 1, 3, "错", "第 3 到 4 局是一起记的总分"),
    ],
)
def test_swap_that_cannot_be(
    seating: tuple[int, ...], first: int, last: int, reason: str, message: str
) -> None:
    hall = make_hall(hands=4)
    hall.enter(WIN)
    void_hand(acting=hall.referee, hand=hall.enter(WIN).hand, reason="重打")
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(2, -2, 0, hands=2))
    with pytest.raises(BadSwap, match=message):
        swap_seats(
            acting=hall.referee, sheet=hall.sheet, seating=seating, first=first, last=last,
            reason=reason,
        )  # fmt: skip
    assert hall.board().versions[0].version == 1


def test_a_rehearsal_shows_totals_and_places_and_writes_nothing() -> None:
    hall = make_hall(hands=2)
    hall.fill(WIN, FLIP)
    rows = HandVersion.objects.count()
    found = rehearse(
        hall.board(),
        lambda late: swap_seats(
            acting=hall.referee, sheet=hall.sheet, seating=(1, 0, 2), first=1, last=1,
            reason="坐错", late=late,
        ),
        "坐错",
    )  # fmt: skip
    assert found.before == (Standing(4, 1), Standing(-8, 3), Standing(4, 1))
    assert found.after == (Standing(-8, 3), Standing(4, 1), Standing(4, 1))
    assert found.effects is None
    assert (HandVersion.objects.count(), nets(hall)) == (rows, [4, -8, 4])


def test_swap_on_a_confirmed_table_shows_effects_and_moves_who_advanced() -> None:
    """C9.4 through C9.1: C alone; swapped before the next table's first hand, else as played."""
    made = nine()
    tables = made.tables(1)
    for table in tables:
        close(made, table, 4, -1, -3)
    sheet = Sheet.objects.get(table=tables[0])
    winner = seat_after(tables[0]).entrant

    def act(late: Late, seating: tuple[int, ...] = CYCLE) -> None:
        swap_seats(
            acting=made.owner, sheet=sheet, seating=seating, first=1, last=1, reason="错",
            late=late,
        )  # fmt: skip

    with pytest.raises(ShowEffects) as caught:
        act(Late())
    assert [move.after for move in caught.value.effects.moves] == [
        tables[0].seats.get(position=1).entrant_id
    ]
    act(SEEN)
    assert seat_after(tables[0]).entrant == tables[0].seats.get(position=1).entrant
    assert list(tables[0].seats.order_by("position").values_list("place", flat=True)) == [3, 1, 2]
    act(SEEN, BACK)
    assert seat_after(tables[0]).entrant == winner

    (final,) = made.tables(2)
    enter_hand(acting=made.owner, sheet=Sheet.objects.get_or_create(
        table=final, defaults={"hands_planned": 1})[0], entered=totals(1, -1, 0))  # fmt: skip
    with pytest.raises(Depends):
        act(SEEN)
    act(Late(reason="录像", effects_shown=True, as_played=True))
    assert seat_after(tables[0]).entrant == winner
    assert list(tables[0].seats.order_by("position").values_list("place", flat=True)) == [3, 1, 2]


def test_only_who_may_correct_a_hand_swaps() -> None:
    """C7.3."""
    hall = make_hall()
    hall.enter(WIN)
    with pytest.raises(NotAllowed):
        swap_seats(
            acting=hall.entrant_link(0), sheet=hall.sheet, seating=CYCLE, first=1, last=1,
            reason="错",
        )  # fmt: skip
    swap_seats(
        acting=hall.table_link(), sheet=hall.sheet, seating=CYCLE, first=1, last=1, reason="错"
    )
    assert nets(hall) == [0, 6, -6]
