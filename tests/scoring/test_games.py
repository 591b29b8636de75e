"""Games of other disciplines: counted, best of k, level, corrected (C10)."""

from __future__ import annotations

import pytest

from scoring.criteria import Criterion
from scoring.domain.errors import BadEntry, HandTaken, NotFull, SheetFull, TieOpen
from scoring.domain.hands import Late, correct_hand, enter_hand, restore_hand, void_hand
from scoring.domain.lateness import mark_late
from scoring.domain.reseating import swap_seats
from scoring.domain.sheets import submit_sheet
from scoring.domain.verdicts import BadVerdict, penalize, rule_on_hand, rule_on_table
from scoring.enums import PenaltyKind, PenaltyLevel, SheetState
from scoring.games import GameTerms, count_game, is_decided, ranked, share_text
from scoring.history import SheetHistory
from scoring.penalties import BY_CODE, Earlier, ladder, next_level
from scoring.queries_history import what_happened
from tests.scoring.games import DRAW, LEFT, RIGHT, game, make_games, play
from tests.scoring.sheets import WIN
from tournament.enums import CountedBy
from tournament.models import Seat

pytestmark = pytest.mark.django_db


def places(hall):
    """Place and whether he goes on, in seat order."""
    seats = Seat.objects.filter(table=hall.table).order_by("position")
    return [(seat.place, seat.advances) for seat in seats]


def test_places_are_normalised_and_shares_are_whole() -> None:
    assert ranked([3, 5, 3]) == [1, 3, 1]
    for values, deltas in (
        ([1, 2], (12, 0)),
        ([1, 1], (6, 6)),
        ([2, 2, 7], (6, 6, 0)),
        ([1, 1, 1], (4, 4, 4)),
        ([1, 1, 1, 1], (3, 3, 3, 3)),
    ):
        counted = count_game({"places": values}, GameTerms(len(values)))
        assert counted.deltas == deltas
    assert [share_text(n) for n in (0, 4, 6, 12, 18, 28)] == ["0", "1/3", "½", "1", "1½", "2 1/3"]


def test_points_alone_say_who_won() -> None:
    counted = count_game({"points": [18, 30, -5]}, GameTerms(3))
    assert counted.payload == {"places": [2, 1, 3], "points": [18, 30, -5]}
    assert (counted.deltas, counted.winners) == ((0, 12, 0), (1,))
    assert count_game({"points": [7, 7]}, GameTerms(2, by_points=True)).winners == ()


def test_best_of_three_is_decided_after_two_wins_and_not_before() -> None:
    assert is_decided([24, 0], 1)
    assert not is_decided([12, 0], 1)
    assert not is_decided([18, 6], 1)  # a draw so far: one more may level it


def test_table_ends_as_soon_as_it_is_decided() -> None:
    hall = make_games(3)
    play(hall, game(LEFT))
    assert not hall.board().is_full
    play(hall, game(LEFT))
    assert hall.board().is_full
    with pytest.raises(SheetFull, match="分出胜负"):
        play(hall, game(RIGHT))
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert places(hall) == [(1, True), (2, False)]
    (reason,) = hall.board().ranking.reasons
    assert (reason.zh, reason.en) == ("胜局 2 对 0", "games won 2 to 0")


def test_level_games_want_one_more_game() -> None:
    """The analog of 加赛 (C8.2): 1½ each, points not typed."""
    hall = make_games(3)
    play(hall, game(LEFT), game(RIGHT), game(DRAW))
    with pytest.raises(TieOpen):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    play(hall, game(DRAW), game(RIGHT), extra=True)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert places(hall) == [(2, False), (1, True)]
    board = hall.board()
    assert [one.net for one in board.sums.seats] == [18, 18]
    (reason,) = board.ranking.reasons
    assert (reason.criterion, reason.zh) == (Criterion.EXTRA_GAME, "加赛一盘 1 对 0")


def test_chief_may_rule_the_places_in_place_of_one_more_game() -> None:
    hall = make_games(1)
    play(hall, game(DRAW))
    rule_on_table(acting=hall.chief, sheet=hall.sheet, places={0: 2, 1: 1}, reason="抽签")
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert places(hall) == [(2, False), (1, True)]


def test_three_players_level_in_games_are_parted_by_points() -> None:
    hall = make_games(3, seats=3)
    play(
        hall,
        game([1, 2, 3], [30, 20, 10]),
        game([2, 1, 3], [20, 30, 10]),
        game([3, 2, 1], [0, 5, 10]),
    )
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert places(hall) == [(2, False), (1, True), (3, False)]
    assert [reason.zh for reason in hall.board().ranking.reasons] == [
        "得分 55 对 50",
        "得分 50 对 30",
    ]


def test_points_count_where_the_event_says_so() -> None:
    hall = make_games(2, seats=3, by=CountedBy.POINTS)
    with pytest.raises(BadEntry, match="得分"):
        play(hall, game([1, 2, 3]))
    play(hall, game(points=[100, -20, -30]), game(points=[0, 50, 40]))
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert [one.net for one in hall.board().sums.seats] == [100, 30, 10]
    assert places(hall) == [(1, True), (2, False), (3, False)]


def test_filler_counts_at_the_table_and_has_no_place() -> None:
    hall = make_games(1, seats=3, filler=True)
    play(hall, game([2, 3, 1]))
    with pytest.raises(TieOpen):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    play(hall, game([2, 3, 1]), extra=True)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert places(hall) == [(1, True), (2, False), (None, False)]


def test_correction_void_and_restore_are_versions() -> None:
    hall = make_games(3)
    first, _second = play(hall, game(LEFT), game(LEFT))
    corrected = correct_hand(acting=hall.referee, hand=first.hand, entered=game(RIGHT), seen=1)
    assert (corrected.version, corrected.deltas[:2]) == (2, (0, 12))
    assert not hall.board().is_full
    void_hand(acting=hall.referee, hand=first.hand, reason="摆错子")
    assert hall.board().sums.played == 1
    restore_hand(acting=hall.referee, hand=first.hand, version=1)
    assert [one.net for one in hall.board().sums.seats] == [24, 0]


def test_correction_after_the_end_shows_who_goes_on_instead() -> None:
    """C9.1 by the same ways as 字牌."""
    hall = make_games(1)
    (version,) = play(hall, game(LEFT))
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    late = Late("记反了", effects_shown=True)
    correct_hand(acting=hall.chief, hand=version.hand, entered=game(RIGHT), late=late)
    assert places(hall) == [(2, False), (1, True)]


def test_swapped_columns_take_their_points_along() -> None:
    """C9.4."""
    hall = make_games(3)
    play(hall, game(LEFT, [10, 4]))
    swap_seats(
        acting=hall.referee, sheet=hall.sheet, seating=[1, 0], first=1, last=1, reason="坐反"
    )
    assert [(one.net, one.second) for one in hall.board().sums.seats] == [(0, 4), (12, 10)]


def test_ruling_on_a_game_gives_it_to_one() -> None:
    hall = make_games(3)
    (version, *_rest) = play(hall, game(LEFT))
    for wrong in ([6, 5], [12, 12], [3, 0]):
        with pytest.raises(BadVerdict):
            rule_on_hand(acting=hall.chief, hand=version.hand, deltas=wrong, reason="错判")
    rule_on_hand(acting=hall.chief, hand=version.hand, deltas=[0, 12], reason="超时判负")
    assert [one.net for one in hall.board().sums.seats] == [0, 12]
    assert hall.board().lines[0].winners_counted == (1,)


def test_games_know_no_points_as_penalty() -> None:
    """C6.5: there is no sum to take them from; a warning stays possible, points cost points."""
    hall = make_games(3)
    with pytest.raises(BadVerdict, match="胜局"):
        penalize(
            acting=hall.referee, sheet=hall.sheet, position=0, kind=PenaltyKind.DEDUCTION,
            amount=2, reason="迟到",
        )  # fmt: skip
    with pytest.raises(BadVerdict, match="停和"):
        penalize(
            acting=hall.referee, sheet=hall.sheet, position=0, level=PenaltyLevel.NO_HU, reason="吵"
        )
    late = mark_late(acting=hall.referee, table=hall.table, position=0, minutes=5)
    assert late.penalty is not None
    assert late.penalty.level == PenaltyLevel.WARNING

    points = make_games(1, by=CountedBy.POINTS)
    play(points, game(points=[30, 29]))
    penalize(
        acting=points.referee, sheet=points.sheet, position=0, kind=PenaltyKind.DEDUCTION,
        amount=2, reason="迟到",
    )  # fmt: skip
    assert [one.net for one in points.board().sums.seats] == [28, 29]


def test_who_is_absent_loses_after_one_game_for_the_other() -> None:
    """A walkover is a forfeited table (C9.2); the one game starts it."""
    hall = make_games(3)
    mark_late(acting=hall.chief, table=hall.table, position=0, minutes=16)
    play(hall, game(RIGHT))
    assert hall.board().is_decided
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert places(hall) == [(2, False), (1, True)]
    assert hall.board().sheet.state == SheetState.CONFIRMED


def test_same_key_enters_a_game_once() -> None:
    hall = make_games(3)
    for _time in range(2):
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=game(LEFT), key="a")
    assert hall.board().sums.played == 1
    with pytest.raises(BadEntry):
        hall.enter(WIN)


def test_history_and_messages_speak_of_games() -> None:
    hall = make_games(3)
    first, *_more = play(hall, game(LEFT))
    correct_hand(acting=hall.referee, hand=first.hand, entered=game(RIGHT))
    rule_on_hand(acting=hall.chief, hand=first.hand, deltas=[12, 0], reason="错判")
    with pytest.raises(HandTaken, match="第 1 盘已由"):
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=game(LEFT), number=1)
    with pytest.raises(NotFull, match="打了 1 盘，应打 3 盘"):
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    board = hall.board()
    steps = SheetHistory(board, what_happened(board.sheet)).steps()
    said = [(step.title, step.lines) for step in steps if step.number]
    assert [title for title, _lines in said[:2]] == ["记第 1 盘", "更正第 1 盘"]
    assert said[2][1][0] == "第 1 盘判为 1：0"
    assert not [text for _title, lines in said for text in lines if "局" in text or "舵" in text]


def test_ladder_has_the_steps_of_the_game() -> None:
    assert ladder(is_counted=True, by_games=False) == tuple(PenaltyLevel)
    points = (PenaltyLevel.WARNING, PenaltyLevel.POINTS, PenaltyLevel.DISQUALIFIED)
    assert ladder(is_counted=False, by_games=False) == points
    games = (PenaltyLevel.WARNING, PenaltyLevel.DISQUALIFIED)
    assert ladder(is_counted=False, by_games=True) == games
    insult = BY_CODE["insult"]
    once = [Earlier("insult", PenaltyLevel.WARNING)]
    assert next_level(insult, [], games) == PenaltyLevel.WARNING
    assert next_level(insult, once, points) == PenaltyLevel.POINTS
    assert next_level(BY_CODE["cheating"], [], games) == PenaltyLevel.DISQUALIFIED
