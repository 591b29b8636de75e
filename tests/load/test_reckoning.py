"""The reckoning finds what it is there for: each kind of loss, doubling and change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.load.notes import Fate, Note, Notes
from tests.load.reckoning import Books, Reckoning

LINE = {"source": "own-flip", "winner": "甲", "hu": 16, "xing_count": 1}
OTHER = {**LINE, "winner": "乙"}


def version(pk: int, hand: int, number: int, chain: int, **more: Any) -> dict[str, Any]:
    """A row of a hand at table 5, won by 甲."""
    return {
        "id": pk, "hand_id": hand, "number": number, "version": chain, "table_id": 5,
        "is_current": True, "is_void": False, "payload": {**LINE, "dealer": "甲"}, "winners": [0],
        "tie_break_id": None, "delta_1": 12, "delta_2": -6, "delta_3": -6, "delta_4": 0, **more,
    }  # fmt: skip


def day() -> tuple[Books, Notes]:
    """Two hands, the second of them corrected, and all of it noted."""
    of_second = {"payload": OTHER, "winners": [1], "delta_1": -6, "delta_2": 12}
    books = Books(
        hands=[
            {"id": 1, "number": 1, "table_id": 5},
            {"id": 2, "number": 2, "table_id": 5},
        ],
        versions=[
            version(1, 1, 1, 1),
            version(2, 2, 2, 1, is_current=False),
            version(3, 2, 2, 2, **of_second),
        ],
        keys=[
            {"scope": "table:5", "key": "a", "answer": {"version": 1}},
            {"scope": "table:5", "key": "b", "answer": {"version": 2}},
        ],
        audits=[
            {"action": "hand.enter", "subject": "hand:1"},
            {"action": "hand.enter", "subject": "hand:2"},
            {"action": "hand.correct", "subject": "hand:2"},
            {"action": "sheet.submit", "subject": "sheet:9"},
        ],
    )
    notes = Notes()
    notes.act(Note("enter", 5, 1, 1, "a", LINE, Fate.ACKED, 1))
    notes.act(Note("enter", 5, 2, 1, "b", LINE, Fate.ACKED, 1))
    notes.act(Note("correct", 5, 2, 2, "", OTHER, Fate.ACKED, 1))
    notes.act(Note("submit", 5, fate=Fate.ACKED, tries=1))
    return books, notes


def test_a_day_on_which_all_is_well_has_nothing_amiss() -> None:
    books, notes = day()
    found = Reckoning(books, notes)
    assert (found.amiss(), found.lost, found.doubled) == ([], 0, 0)
    assert found.nets() == {5: [6, 6, -12]}


def test_an_entry_whose_answer_was_lost_may_be_there_or_not() -> None:
    for is_there in (True, False):
        books, notes = day()
        notes.actions[0].fate = Fate.LOST
        if not is_there:
            del books.hands[0], books.versions[0], books.keys[0], books.audits[0]
            books.hands[0]["number"] = notes.actions[1].number = notes.actions[2].number = 1
            for row in books.versions:
                row["number"] = 1
        assert Reckoning(books, notes).amiss() == []


def lose_an_entry(books: Books, _notes: Notes) -> None:
    del books.hands[0], books.versions[0], books.keys[0], books.audits[0]


def lose_a_correction(books: Books, _notes: Notes) -> None:
    del books.versions[2], books.audits[2]
    books.versions[1]["is_current"] = True


def change_a_value(books: Books, _notes: Notes) -> None:
    books.versions[0]["payload"] = {**LINE, "hu": 17}


def double_a_hand(books: Books, _notes: Notes) -> None:
    books.hands.append({"id": 3, "number": 3, "table_id": 5})
    books.versions.append(version(4, 3, 3, 1))
    books.audits.append({"action": "hand.enter", "subject": "hand:3"})


def double_a_correction(books: Books, _notes: Notes) -> None:
    books.versions[2]["is_current"] = False
    books.versions.append({**books.versions[2], "id": 4, "version": 3, "is_current": True})
    books.audits.append({"action": "hand.correct", "subject": "hand:2"})


def do_what_was_refused(_books: Books, notes: Notes) -> None:
    notes.actions[0].fate = Fate.REFUSED


def move_to_another_table(books: Books, _notes: Notes) -> None:
    for row in books.keys:
        row["scope"] = "table:6"


def leave_two_current(books: Books, _notes: Notes) -> None:
    books.versions[1]["is_current"] = True


def leave_a_gap(books: Books, _notes: Notes) -> None:
    books.hands[1]["number"] = 3


def give_away_points(books: Books, _notes: Notes) -> None:
    books.versions[0]["delta_2"] = -5


def pay_the_wrong_one(books: Books, _notes: Notes) -> None:
    books.versions[0]["winners"] = [2]


def forget_an_audit_row(books: Books, _notes: Notes) -> None:
    del books.audits[2]


def forget_a_submission(books: Books, _notes: Notes) -> None:
    del books.audits[3]


def submit_twice(books: Books, _notes: Notes) -> None:
    books.audits.append(books.audits[3])


def answer_strangely(_books: Books, notes: Notes) -> None:
    notes.wonder("POST /: 500")


@pytest.mark.parametrize(
    ("spoil", "sentence", "lost", "doubled"),
    [
        (lose_an_entry, "lost: ", 1, 0),
        (lose_a_correction, "lost: ", 1, 0),
        (change_a_value, "changed: ", 1, 0),
        (double_a_hand, "doubled: ", 0, 1),
        (double_a_correction, "nobody made ", 0, 1),
        (do_what_was_refused, "refused and done: ", 0, 1),
        (move_to_another_table, "at another table: ", 0, 2),
        (leave_two_current, "hand {'id': 2", 0, 0),
        (leave_a_gap, "table 5 has hands [1, 3]", 0, 0),
        (give_away_points, "points of ", 0, 0),
        (pay_the_wrong_one, "points of ", 0, 0),
        (forget_an_audit_row, "1 audit rows are missing", 0, 0),
        (forget_a_submission, "0 audit rows sheet.submit for 1", 0, 0),
        (submit_twice, "2 audit rows sheet.submit for 1", 0, 0),
        (answer_strangely, "POST /: 500", 0, 0),
    ],
)
def test_the_reckoning_finds_it(
    spoil: Callable[[Books, Notes], None], sentence: str, lost: int, doubled: int
) -> None:
    books, notes = day()
    spoil(books, notes)
    found = Reckoning(books, notes)
    assert any(said.startswith(sentence) for said in found.amiss()), found.amiss()
    assert (found.lost, found.doubled) == (lost, doubled)


def test_a_day_without_hands_proves_nothing() -> None:
    empty = Books(hands=[], versions=[], keys=[], audits=[])
    assert Reckoning(empty, Notes()).amiss() == ["no hand was entered"]
