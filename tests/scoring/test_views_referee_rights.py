"""Every address of a sheet × method × role × state, against a list written by hand from C7.3."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from scoring.domain.protests import protest
from scoring.domain.recording import begin_recording
from scoring.domain.sheets import confirm_sheet, submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import PenaltyKind
from scoring.models import Hand
from scoring.urls.referee import urlpatterns
from tests.factories import make_entrant, make_table
from tests.scoring.clients import member, publish, url, with_link
from tests.scoring.sheets import WIN, Hall, make_hall
from tournament.enums import Role, State

pytestmark = pytest.mark.django_db

STATES = ("drawn", "published", "running", "submitted", "confirmed", "final")
ENTRY = {"evidence": "result", **{k: str(v) for k, v in WIN.items()}, "reason": "录像"}
RULING = {"delta_0": "1", "delta_1": "-1", "delta_2": "0", "reason": "录像"}
DATA: dict[str, dict[str, str]] = {
    "sheet": ENTRY,
    "sheet_preview": ENTRY,
    "hand_correct": ENTRY,
    "hand_void": {"reason": "重打"},
    "hand_flag": {"reason": "有争议"},
    "hand_clear": {"reason": "没有争议"},
    "sheet_confirm": {"digest": "", "position": "0"},
    "sheet_back": {"word": "记反了"},
    "penalty": {"position": "0", "kind": "deduction", "amount": "2", "reason": "迟到"},
    "table_ruling": {"place_0": "1", "place_1": "2", "place_2": "3", "reason": "抽签"},
    "hand_ruling": RULING,
    "protest": {"text": "不对"},
    "protest_answer": {"state": "rejected", "answer": "看过"},
    "protest_appeal": {"text": "不服"},
    "protest_final": {"state": "rejected", "answer": "看过"},
    "penalty_void": {"reason": "错罚"},
    "recorder": {"number": "1", "dealer": "0"},
    "recording": {"seen": "0", "do": "发 甲 一"},
    "recording_save": {"seen": "0"},
    "ruling_drop": {"reason": "错裁"},
}
ANYONE = "O C R T E"
SEE = dict.fromkeys(STATES[1:], ANYONE) | {"drawn": "O C"}
"""Who sees the pages of the table: drafts are O's and C's (C7.4)."""
ENTER = {
    "published": "R T C", "running": "R T C", "submitted": "C", "confirmed": "C", "final": "C",
}  # fmt: skip
CLOSE = {"running": "R T C", "submitted": "R T C"}
CONFIRM = {"submitted": "T E C"}
PENALTY = {
    "drawn": "C", "published": "R C", "running": "R C", "submitted": "R C", "confirmed": "C",
    "final": "C",
}  # fmt: skip
PROTEST = {"running": "E T R", "submitted": "E T R", "confirmed": "E T R"}
RULE = {"running": "C", "submitted": "C", "confirmed": "C", "final": "C"}
ALLOWED: dict[tuple[str, str], dict[str, str]] = {
    ("sheet", "GET"): SEE,
    ("sheet", "POST"): ENTER,
    ("sheet_live", "GET"): SEE,
    ("sheet_preview", "POST"): SEE,
    ("sheet_submit", "POST"): CLOSE,
    ("sheet_call", "POST"): CLOSE,
    ("sheet_confirm", "GET"): SEE,
    ("sheet_confirm", "POST"): CONFIRM,
    ("sheet_back", "POST"): CONFIRM,
    ("recorder", "GET"): ENTER,
    ("recorder", "POST"): ENTER,
    ("recording", "GET"): ENTER,
    ("recording", "POST"): ENTER,
    ("recording_save", "POST"): ENTER,
    ("recording_away", "POST"): ENTER,
    ("hand", "GET"): SEE,
    ("hand_correct", "GET"): ENTER,
    ("hand_correct", "POST"): ENTER,
    ("hand_void", "POST"): ENTER,
    ("hand_flag", "POST"): ENTER,
    ("hand_clear", "POST"): ENTER,
    ("hand_ruling", "GET"): RULE,
    ("hand_ruling", "POST"): RULE,
    ("table_ruling", "GET"): RULE,
    ("table_ruling", "POST"): RULE,
    ("ruling_drop", "POST"): RULE,
    ("penalty", "GET"): PENALTY,
    ("penalty", "POST"): PENALTY,
    ("penalty_void", "POST"): PENALTY,
    ("protest", "GET"): PROTEST,
    ("protest", "POST"): PROTEST,
    ("protest_answer", "GET"): RULE,
    ("protest_answer", "POST"): RULE,
    ("protest_withdraw", "POST"): {},
    ("protest_appeal", "GET"): {},
    ("protest_appeal", "POST"): {},
    ("protest_final", "GET"): RULE,
    ("protest_final", "POST"): RULE,
}
"""By address and method: state → the letters of those who may. Without a hand there are no
addresses of hands, so published tables are asked for the others only."""
OF_A_HAND = ("hand", "ruling_drop", "protest_", "penalty_void", "recording")


def in_state(state: str) -> Hall:
    """A table that has come as far, with a penalty, a ruling and a protest once it has a hand."""
    hall = make_hall(1)
    publish(hall)
    if state == "drawn":
        hall.table.state = hall.table.round.state = State.DRAWN
        hall.table.save()
        hall.table.round.save()
    if state in ("drawn", "published"):
        return hall
    version = hall.enter(WIN)
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=1, kind=PenaltyKind.DEDUCTION, amount=1,
        reason="迟到",
    )  # fmt: skip
    rule_on_hand(acting=hall.chief, hand=version.hand, deltas=[6, -4, -2], reason="录像")
    protest(acting=hall.table_link(), sheet=hall.sheet, text="不对")
    begin_recording(acting=hall.referee, sheet=hall.sheet, number=1)
    if state != "running":
        submit_sheet(acting=hall.referee, sheet=hall.sheet)
    if state in ("confirmed", "final"):
        confirm_sheet(acting=hall.chief, sheet=hall.sheet, digest=hall.board().digest)
    if state == "final":
        hall.table.refresh_from_db()
        hall.table.state = State.FINAL
        hall.table.save()
    return hall


def everybody(hall: Hall) -> dict[str, Client]:
    other = make_table(hall.table.round)
    elsewhere = make_entrant(hall.table.round.stage.event)
    return {
        "O": member(hall, Role.OWNER),
        "C": member(hall, Role.CHIEF),
        "R": member(hall, Role.REFEREE),
        "T": with_link(hall, Role.TABLE, table=hall.table),
        "E": with_link(hall, Role.ENTRANT, entrant=hall.entrants[1]),
        "nobody": Client(),
        "an account": member(hall),
        "another table": with_link(hall, Role.TABLE, table=other),
        "another entrant": with_link(hall, Role.ENTRANT, entrant=elsewhere),
    }


def address(hall: Hall, name: str) -> str:
    args: list[Any] = []
    if name.startswith("hand"):
        args = [1]
    elif name == "ruling_drop":
        args = [hall.sheet.rulings.get().pk]
    elif name.startswith("protest_"):
        args = [hall.sheet.protests.get().pk]
    elif name.startswith("recording"):
        args = [hall.sheet.recordings.get().pk]
    elif name == "penalty_void":
        args = [hall.sheet.penalties.get().pk]
    return url(hall, name, *args)


def ask(client: Client, method: str, where: str, data: dict[str, str]) -> int:
    """The status, with everything that was written undone."""
    point = transaction.savepoint()
    answer = client.post(where, data) if method == "POST" else client.get(where)
    transaction.savepoint_rollback(point)
    return answer.status_code


@pytest.mark.parametrize("state", STATES)
def test_everybody_at_every_address_in_this_state(state: str) -> None:
    """C7.3, C7.4."""
    hall = in_state(state)
    people = everybody(hall)
    has_hand = Hand.objects.exists()
    wrong = []
    for (name, method), cells in ALLOWED.items():
        if not has_hand and name.startswith(OF_A_HAND):
            continue
        may = cells.get(state, "").split()
        where, data = address(hall, name), DATA.get(name, {})
        if name == "sheet_confirm":
            data = {**data, "digest": hall.board().digest}
        for who, client in people.items():
            status = ask(client, method, where, data)
            if (status not in (403, 404)) != (who in may):
                wrong.append((name, method, who, status))
            assert status != 500
    assert wrong == []


def test_drafts_are_not_found_by_those_who_may_not_see_them() -> None:
    """C7.4: no difference between a draft and nothing."""
    hall = in_state("drawn")
    people = everybody(hall)
    for who in ("R", "T", "E", "nobody"):
        assert people[who].get(url(hall, "sheet")).status_code == 404


def test_every_address_of_a_sheet_is_in_the_list() -> None:
    names = {pattern.name for pattern in urlpatterns} - {
        "desk",
        "round_final",
        "records",
        "records_job",
        "records_job_change",
    }
    assert {name for name, _method in ALLOWED} == names


@pytest.mark.parametrize(
    ("name", "letters"),
    [("desk", "O C R"), ("records", "O C R")],
)
def test_pages_of_the_whole_competition(name: str, letters: str) -> None:
    hall = in_state("running")
    for who, client in everybody(hall).items():
        status = client.get(reverse(name, args=[hall.competition.code])).status_code
        assert status == (200 if who in letters.split() else 403), who


def test_wrong_methods_are_refused() -> None:
    hall = in_state("running")
    chief = member(hall, Role.CHIEF)
    for name, method in ALLOWED:
        if (name, "GET") not in ALLOWED:
            assert chief.get(address(hall, name)).status_code == 405, name
        if method == "GET" and (name, "POST") not in ALLOWED:
            assert chief.post(address(hall, name)).status_code == 405, name


def test_refusal_says_the_state_and_who_could() -> None:
    """C7.4."""
    hall = in_state("submitted")
    answer = member(hall, Role.REFEREE).post(url(hall, "sheet"), ENTRY)
    assert answer.status_code == 403
    assert answer["X-Error-Code"] == "not-allowed"
    assert "记分表已提交，现在只有裁判长可以改" in answer.content.decode()
