"""Late, gone, disqualified, back again (C9.2, C9.3, C9.5), exact to the last total."""

from __future__ import annotations

import pytest

from core.errors import Conflict, DomainError
from scoring.domain.board import Board
from scoring.domain.closing import finalize_round
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import correct_hand, enter_hand
from scoring.domain.lateness import mark_late
from scoring.domain.leaving import come_back, leave, proposals
from scoring.domain.sheets import confirm_sheet, must_confirm, open_sheet, submit_sheet
from scoring.domain.undo import reopen_sheet
from scoring.domain.verdicts import BadVerdict, void_penalty
from scoring.models import Penalty, Sheet
from tests.factories import make_acting
from tests.scoring.sheets import FLIP, WIN, Hall, make_hall, totals
from tests.scoring.test_domain_reseating import nets
from tests.scoring.test_domain_verdicts import SEEN, close, nine, seat_after
from tests.tournament.competitions import Made
from tournament.domain.gaps import fill_gap, filled_gaps, gaps, open_gap
from tournament.domain.leaving import given_up
from tournament.domain.settings import set_play
from tournament.domain.starting import NotReady
from tournament.enums import EntrantStatus, Role
from tournament.models import Entrant, Seat, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def holder(seat: Seat) -> Entrant:
    assert seat.entrant is not None
    return seat.entrant


def places(table: Table) -> list[int | None]:
    return list(table.seats.order_by("position").values_list("place", flat=True))


def status(entrant: Entrant) -> str:
    return Entrant.objects.get(pk=entrant.pk).status


def late(hall: Hall, minutes: int, position: int = 1, **more: object) -> object:
    args = {"acting": hall.referee, "table": hall.table, "position": position, **more}
    return mark_late(minutes=minutes, **args)  # type: ignore[arg-type]


def test_who_is_late_pays_by_the_steps_and_then_forfeits() -> None:
    """C9.2: ≤ 10 min 扣 2, ≤ 15 min 扣 4 in its stead, later absent and last; all undone."""
    hall = make_hall(hands=2)
    late(hall, 10)
    assert nets(hall) == [0, -2, 0]
    hall.enter(FLIP)
    late(hall, 11)
    assert nets(hall) == [-2, -2 - 4, 4]
    assert hall.board().sums.balance == 0
    given = Penalty.objects.get(voided_at=None)
    assert (given.deducted, given.code, given.reason) == (4, "late", "迟到 11 分钟")
    void_penalty(acting=hall.referee, penalty=given)
    assert nets(hall) == [-2, -2, 4]
    with pytest.raises(NotAllowed, match="裁判长"):
        late(hall, 16)
    late(hall, 16, acting=hall.chief)
    seat = hall.table.seats.get(position=1)
    assert (seat.entrant, seat.forfeits, seat.sat_in_from) == (hall.entrants[1], True, 2)
    assert status(hall.entrants[1]) == EntrantStatus.ABSENT
    come_back(acting=hall.chief, entrant=hall.entrants[1])
    seat.refresh_from_db()
    assert (seat.forfeits, seat.sat_in_from) == (False, None)
    late(hall, 16, acting=hall.chief)
    hall.enter({**FLIP, "winner": "乙"})
    assert nets(hall) == [-4, 2, 2]
    ranks = {row.key: row.place for row in hall.board().ranking.rows}
    assert ranks == {2: 1, 0: 2, 1: 3}
    with pytest.raises(Conflict, match="陪打已经替他打过"):
        come_back(acting=hall.chief, entrant=hall.entrants[1])
    for minutes, position in ((0, 1), (241, 1), (5, 3)):
        with pytest.raises(BadVerdict):
            late(hall, minutes, position)


def test_steps_of_lateness_are_the_organizers() -> None:
    """C9.2: amounts are settings; a step of 0 warns, whoever is later is absent from hand 1."""
    made = nine()
    set_play(acting=made.owner, stage=made.stage, values={"lateness": [[5, 0], [30, 7]]})
    made.stage.rounds.update(hands=1)
    table = made.tables(1)[0]
    gone = holder(table.seats.get(position=2))
    warned = mark_late(acting=made.owner, table=table, position=0, minutes=5).penalty
    assert warned is not None
    assert (warned.deducted, warned.level) == (0, "warning")
    mark_late(acting=made.owner, table=table, position=1, minutes=30)
    seat = mark_late(acting=made.owner, table=table, position=2, minutes=31).forfeited
    assert seat is not None
    assert (seat.entrant, seat.sat_in_from, seat.is_filler) == (gone, 1, False)
    close(made, table, -1, 4, -3)
    sums = Board(Sheet.objects.get(table=table)).sums
    assert [one.net for one in sums.seats] == [-1, 4 - 7, -3]
    assert places(table) == [1, 2, 3]
    for steps in ([], [[10, 2], [10, 3]], [[0, 2]], [[10, -1]], [["a", 1]], [[10]]):
        with pytest.raises(DomainError):
            set_play(acting=made.owner, stage=nine().stage, values={"lateness": steps})


def test_who_withdraws_during_a_table_is_played_for_and_ranks_last() -> None:
    """C9.3: hands afterwards keep their points in his column; he confirms nothing any more."""
    hall = make_hall(hands=4, is_last=True)
    hall.fill(WIN, WIN)
    seat = leave(acting=hall.chief, entrant=hall.entrants[0], status=EntrantStatus.WITHDRAWN)
    assert seat is not None
    assert (seat.sat_in_from, seat.forfeits, seat.entrant) == (3, True, hall.entrants[0])
    hall.fill(FLIP, WIN)
    assert nets(hall) == [6 + 6 - 2 + 6, -6 - 6 - 2 - 6, 4]
    board = hall.board()
    assert {row.key: (row.place, row.advances) for row in board.ranking.rows} == {
        2: (1, True), 1: (2, False), 0: (3, False),
    }  # fmt: skip
    assert must_confirm(board) == [1, 2]
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    confirm_sheet(acting=hall.table_link(), sheet=hall.sheet, digest=board.digest, position=1)
    again = leave(acting=hall.chief, entrant=hall.entrants[1], status=EntrantStatus.WITHDRAWN)
    assert again is not None
    assert (again.sat_in_from, again.forfeits) == (None, True)
    assert hall.board().digest != board.digest
    assert not hall.sheet.confirmations.filter(is_current=True).exists()
    confirm_sheet(acting=hall.chief, sheet=hall.sheet, digest=hall.board().digest, position=None)
    assert places(hall.table) == [2, 3, 1]
    assert [status(one) for one in hall.entrants] == ["withdrawn", "withdrawn", "in"]


def test_between_rounds_the_best_who_did_not_advance_takes_the_seat_and_gives_it_back() -> None:
    """C9.3, C8.4: net per hand; undone while the table has no hand (C9.5)."""
    made = nine()
    tables = made.tables(1)
    made.stage.rounds.filter(number=1).update(hands=2)
    for table, deltas in zip(tables, ((4, -1, -3), (4, 3, -7), (2, 1, -3)), strict=True):
        sheet = open_sheet(table)
        twice = table == tables[1]
        sheet.hands_planned = 2 if twice else 1
        sheet.save()
        enter_hand(acting=made.owner, sheet=sheet, entered=totals(*deltas, hands=2 if twice else 1))
        submit_sheet(acting=made.owner, sheet=sheet)
    seat = seat_after(tables[0])
    gone = holder(seat)
    found = proposals(seat)
    shown = [(one.table, one.place, one.net, one.hands) for one in found]
    assert shown[:3] == [(2, 2, 3, 2), (3, 2, 1, 1), (1, 2, -1, 1)]
    assert sorted(shown[3:]) == [(1, 3, -3, 1), (2, 3, -7, 2), (3, 3, -3, 1)]
    best = found[0].entrant
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN, instead=best)
    seat.refresh_from_db()
    assert (seat.entrant, seat.stands_for, status(best)) == (best, gone, "in")
    back = come_back(acting=made.owner, entrant=gone)
    assert back == seat
    seat.refresh_from_db()
    assert (seat.entrant, seat.stands_for, status(best), status(gone)) == (
        gone, None, "out", "in",
    )  # fmt: skip

    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN, instead=best)
    enter_hand(acting=made.owner, sheet=open_sheet(made.tables(2)[0]), entered=totals(3, -1, -2))
    with pytest.raises(Conflict, match="已经开打"):
        come_back(acting=made.owner, entrant=gone)


def test_a_correction_keeps_a_stand_in_unless_another_has_won_the_seat() -> None:
    """C9.1 with C9.3."""
    made = nine()
    tables = made.tables(1)
    versions = [close(made, table, 4, -1, -3) for table in tables]
    seat = seat_after(tables[0])
    gone = holder(seat)
    best = proposals(seat)[0].entrant
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN, instead=best)

    correct_hand(acting=made.owner, hand=versions[0].hand, entered=totals(5, -2, -3), late=SEEN)
    seat.refresh_from_db()
    assert (seat.entrant, seat.stands_for) == (best, gone)
    correct_hand(acting=made.owner, hand=versions[0].hand, entered=totals(-3, 4, -1), late=SEEN)
    seat.refresh_from_db()
    assert (seat.entrant, seat.stands_for) == (tables[0].seats.get(position=1).entrant, None)
    if seat.entrant != best:
        assert status(best) == "out"


def test_a_champion_disqualified_after_confirmation_gives_way() -> None:
    """C9.3, C7.3: C alone, with a reason and the effects seen; taken back; final: nobody."""
    made = nine()
    for table in made.tables(1):
        close(made, table, 4, -1, -3)
    (final,) = made.tables(2)
    close(made, final, 7, -3, -4)
    champion = holder(final.seats.get(position=0))
    second = holder(final.seats.get(position=1))
    args = {"entrant": champion, "status": EntrantStatus.DISQUALIFIED, "reason": "换牌"}
    with pytest.raises(NotAllowed):
        leave(acting=make_acting(made.competition, Role.OWNER), **args)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="写明原因"):
        leave(acting=made.owner, **{**args, "reason": ""})  # type: ignore[arg-type]
    with pytest.raises(ShowEffects) as caught:
        leave(acting=made.owner, **args)  # type: ignore[arg-type]
    assert caught.value.effects.champion == (champion.pk, second.pk)
    assert status(champion) == "in"
    leave(acting=made.owner, late=SEEN, **args)  # type: ignore[arg-type]
    assert places(final) == [3, 1, 2]
    assert (status(champion), status(second)) == ("disqualified", "in")
    come_back(acting=made.owner, entrant=champion, late=SEEN)
    assert places(final) == [1, 2, 3]
    assert (status(champion), status(second)) == ("in", "out")

    finalize_round(acting=made.owner, round_=final.round)
    with pytest.raises(NotAllowed):
        leave(acting=made.owner, late=SEEN, **args)  # type: ignore[arg-type]


def test_an_eliminated_entrant_is_disqualified_to_the_last_place_of_his_table() -> None:
    made = nine()
    table = made.tables(1)[0]
    close(made, table, 4, -1, -3)
    second = holder(table.seats.get(position=1))
    leave(
        acting=made.owner, entrant=second, status=EntrantStatus.DISQUALIFIED, reason="传牌",
        late=SEEN,
    )  # fmt: skip
    assert (places(table), status(second)) == ([1, 3, 2], "disqualified")
    come_back(acting=made.owner, entrant=second, late=SEEN)
    assert (places(table), status(second)) == ([1, 2, 3], "out")


def test_a_table_that_all_leave_sends_nobody_on() -> None:
    """C9.3."""
    made = nine()
    table = made.tables(1)[0]
    enter_hand(acting=made.owner, sheet=open_sheet(table), entered=totals(1, -1, 0))
    for position in range(3):
        leave(
            acting=made.owner, entrant=holder(table.seats.get(position=position)),
            status=EntrantStatus.WITHDRAWN,
        )  # fmt: skip
    submit_sheet(acting=made.owner, sheet=Sheet.objects.get(table=table))
    table.refresh_from_db()
    assert table.state == "confirmed"
    assert seat_after(table).entrant is None


def abandoned(made: Made) -> Table:
    """The second table of the first round, which all its three leave after its only hand: nobody
    goes on. The other two are confirmed."""
    first, table, third = made.tables(1)
    enter_hand(acting=made.owner, sheet=open_sheet(table), entered=totals(1, -1, 0))
    for position in range(3):
        leave(
            acting=made.owner, entrant=holder(table.seats.get(position=position)),
            status=EntrantStatus.WITHDRAWN,
        )  # fmt: skip
    submit_sheet(acting=made.owner, sheet=Sheet.objects.get(table=table))
    close(made, first, 4, -1, -3)
    close(made, third, 4, 1, -5)
    return table


def test_a_seat_that_nobody_has_won_is_filled_by_hand_and_emptied_again() -> None:
    """C9.3, C8.4, C9.5: best who did not advance or a filler; a winner found later goes first."""
    made = nine()
    table = abandoned(made)
    (final,) = made.tables(2)
    (seat,) = gaps(final)
    assert seat == seat_after(table)
    with pytest.raises(NotReady, match="空位"):
        enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(3, -1, -2))
    found = proposals(seat)
    assert [(one.table, one.place, one.net) for one in found][:2] == [(3, 2, 1), (1, 2, -1)]
    best = found[0].entrant
    with pytest.raises(NotAllowed):
        fill_gap(acting=make_acting(made.competition, Role.REFEREE), seat=seat, instead=best)
    winner = holder(seat_after(made.tables(1)[0]))
    with pytest.raises(Conflict, match="未晋级"):
        fill_gap(acting=made.owner, seat=seat, instead=winner)
    fill_gap(acting=made.owner, seat=seat, instead=best)
    assert (status(best), gaps(final), filled_gaps(final)) == ("in", [], [seat])
    with pytest.raises(Conflict, match="不空"):
        fill_gap(acting=made.owner, seat=seat, instead=None)
    with pytest.raises(Conflict, match="另行安排"):
        reopen_sheet(acting=made.owner, sheet=Sheet.objects.get(table=table), reason="看错")
    open_gap(acting=made.owner, seat=seat)
    assert (status(best), gaps(final)) == ("out", [seat])
    with pytest.raises(Conflict, match="不是补上"):
        open_gap(acting=made.owner, seat=seat)

    fill_gap(acting=made.owner, seat=seat, instead=best)
    back = holder(table.seats.get(position=2))
    come_back(acting=made.owner, entrant=back, late=SEEN)
    seat.refresh_from_db()
    assert (seat.entrant, seat.gap_filled, status(best)) == (back, False, "out")
    leave(acting=made.owner, entrant=back, status=EntrantStatus.WITHDRAWN)
    seat.refresh_from_db()
    assert (seat.is_filler, seat.stands_for) == (True, back)
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(3, -1, -2))


def test_a_filler_takes_a_seat_that_nobody_has_won_once_a_table() -> None:
    """C1.3."""
    made = nine()
    abandoned(made)
    (final,) = made.tables(2)
    (seat,) = gaps(final)
    fill_gap(acting=made.owner, seat=seat, instead=None)
    seat.refresh_from_db()
    assert (seat.is_filler, seat.gap_filled) == (True, True)
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(3, -1, -2))
    with pytest.raises(NotAllowed):
        open_gap(acting=made.owner, seat=seat)


def test_a_stand_in_who_leaves_too_may_come_back_while_nobody_has_played() -> None:
    """C9.5: who sat there after him is out as before; whom he stood in for may come back still."""
    made = nine()
    tables = made.tables(1)
    for table in tables:
        close(made, table, 4, -1, -3)
    seat = seat_after(tables[0])
    gone = holder(seat)
    first, second = (one.entrant for one in proposals(seat)[:2])
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN, instead=first)
    leave(acting=made.owner, entrant=first, status=EntrantStatus.WITHDRAWN, instead=second)
    leave(acting=made.owner, entrant=second, status=EntrantStatus.ABSENT)
    seat.refresh_from_db()
    assert (seat.is_filler, seat.stands_for, seat.stood_in) == (True, gone, [first.pk, second.pk])
    assert given_up(first) == seat
    come_back(acting=made.owner, entrant=second)
    come_back(acting=made.owner, entrant=first)
    seat.refresh_from_db()
    assert (seat.entrant, seat.stands_for, seat.stood_in) == (first, gone, [])
    assert (status(first), status(second), status(gone)) == ("in", "out", "withdrawn")
    come_back(acting=made.owner, entrant=gone)
    seat.refresh_from_db()
    assert (seat.entrant, seat.stands_for, status(first)) == (gone, None, "out")
