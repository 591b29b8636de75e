"""Writes with a token: done once, by version, with the sentences of the pages."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from core.models import AuditRow
from scoring.models import Hand, HandVersion
from tests.api.callers import Caller, said, token_of
from tests.concurrency import at_once
from tests.scoring.records import won
from tests.scoring.sheets import Hall, make_hall
from tests.tournament.competitions import make
from tournament.enums import ApiScope, ConfirmationMode, EntrantStatus, EntryStatus, State
from tournament.models import Competition, Entry, Person

WIN = {"source": "discard", "winner": "甲", "payer": "乙", "hu": 16, "xing_count": 1}
FLIP = {"source": "own-flip", "winner": "丙", "hu": 10, "xing_count": 0}
CARDS = {
    "source": "discard",
    "winner": "甲",
    "payer": "乙",
    "hand": "四四四捌捌八",
    "table": ["碰 九", "吃 二七十"],
    "card": "八",
}


def given(payload: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"evidence": "result", "payload": payload, **more}


def referee_of(hall: Hall) -> Caller:
    return Caller(token_of(hall.referee, hall.competition))


def chief_of(hall: Hall) -> Caller:
    return Caller(token_of(hall.chief, hall.competition))


def at(hall: Hall, *rest: object) -> str:
    return "/".join(
        ["", "competitions", hall.competition.code, "tables", str(hall.table.pk), *map(str, rest)]
    )


def enter(caller: Caller, hall: Hall, payload: dict[str, Any], key: str = "", **more: Any) -> Any:
    return caller.post(
        at(hall, "hands"), given(payload, **more), Idempotency_Key=key or str(uuid.uuid4())
    )


@pytest.mark.django_db
def test_hand_is_counted_by_the_engine_and_told_with_its_version() -> None:
    hall = make_hall()
    answer = enter(referee_of(hall), hall, WIN)
    hand = said(answer)
    assert (answer.status_code, answer["ETag"]) == (201, '"1"')
    assert (hand["number"], hand["deltas"], hand["total"]) == (1, [6, -6, 0], 3)
    assert hand["outcome"] == "选手1 胡，选手2 点炮"
    version = HandVersion.objects.get()
    assert (version.author_id, version.link_id) == (hall.referee.user_id, None)
    assert AuditRow.objects.get(action="hand.enter").user_id == hall.referee.user_id
    hall.table.refresh_from_db()
    assert hall.table.state == State.RUNNING


@pytest.mark.django_db
def test_same_key_gives_the_same_hand_and_another_content_is_refused() -> None:
    """Stack fact 6."""
    hall = make_hall()
    caller = referee_of(hall)
    first, again = enter(caller, hall, WIN, "one"), enter(caller, hall, WIN, "one")
    assert (first.status_code, again.status_code) == (201, 201)
    assert said(first) == said(again)
    other = enter(caller, hall, FLIP, "one")
    assert (other.status_code, said(other)["code"]) == (422, "key-reused")
    assert Hand.objects.count() == 1


@pytest.mark.django_db
def test_hand_without_a_key_is_refused() -> None:
    hall = make_hall()
    answer = referee_of(hall).post(at(hall, "hands"), given(WIN))
    assert (answer.status_code, said(answer)["fields"][0]["field"]) == (422, "Idempotency-Key")
    assert not Hand.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("payload", "field", "code", "rule"),
    [
        ({**WIN, "hu": 9}, "payload.hu", "hu-too-low", "R7.4"),
        ({**WIN, "payer": "甲"}, "payload.payer", "syntax", "R9.3"),
        ({**WIN, "winner": "丁"}, "payload.winner", "unknown-seat", "R2.2"),
        ({"source": "flip"}, "payload.winner", "unknown-seat", "R2.2"),
    ],
)
def test_entry_that_cannot_be_says_which_field_and_rule(
    payload: dict[str, Any], field: str, code: str, rule: str
) -> None:
    hall = make_hall()
    answer = enter(referee_of(hall), hall, payload)
    problem = said(answer)
    assert (answer.status_code, problem["code"], problem["rule"]) == (422, code, rule)
    assert [one["field"] for one in problem["fields"]] == [field]
    assert problem["fields"][0]["message"] == problem["detail"]
    assert not Hand.objects.exists()


@pytest.mark.django_db
def test_sentence_comes_in_the_language_asked_for() -> None:
    hall = make_hall()
    caller = referee_of(hall)
    path, body = at(hall, "hands"), given({**WIN, "payer": "甲"})
    chinese = said(caller.post(path, body, Idempotency_Key="a"))["detail"]
    english = said(Caller(caller.token, "en").post(path, body, Idempotency_Key="a"))["detail"]
    assert chinese == "甲不能给自己点炮，请选打出那张牌的人"
    assert english == "甲 cannot discard to himself; choose who discarded the card"


@pytest.mark.django_db
def test_slip_that_does_not_win_shows_the_nearest_grouping() -> None:
    hall = make_hall()
    answer = enter(referee_of(hall), hall, CARDS, evidence="slip")
    assert answer.status_code == 422
    assert said(answer)["rule"].startswith("R")


@pytest.mark.django_db
def test_record_is_replayed_and_its_faults_come_by_line() -> None:
    hall = make_hall()
    caller = referee_of(hall)
    bad = enter(caller, hall, {"text": won().replace("摸", "吃", 1)}, evidence="record")
    assert (bad.status_code, said(bad)["faults"][0]["line"] > 0) == (422, True)
    good = said(enter(caller, hall, {"text": won()}, evidence="record"))
    assert (good["evidence"], sum(good["deltas"])) == ("record", 0)
    assert good["record"].endswith(f"/table/{hall.table.pk}/hand/1.zpr")


@pytest.mark.django_db
def test_claim_that_differs_asks_and_then_takes_what_was_computed() -> None:
    """C6.3."""
    hall = make_hall()
    caller = referee_of(hall)
    payload = {**WIN, "claim": {"total": 9}}
    asked = enter(caller, hall, payload)
    problem = said(asked)
    assert (asked.status_code, problem["code"]) == (409, "claim-differs")
    assert (problem["claimed"]["total"], problem["computed"]["total"]) == (9, 3)
    taken = said(enter(caller, hall, payload, difference="flag"))
    assert (taken["is_flagged"], taken["total"]) == (True, 3)


@pytest.mark.django_db
def test_hand_whose_number_is_taken_says_what_is_there() -> None:
    hall = make_hall()
    caller = referee_of(hall)
    enter(caller, hall, WIN)
    answer = enter(caller, hall, FLIP, number=1)
    problem = said(answer)
    assert (answer.status_code, problem["code"]) == (409, "hand-taken")
    assert (problem["hand"], problem["version"]) == (1, 1)


@pytest.mark.django_db
def test_correction_names_the_version_that_it_corrects() -> None:
    hall = make_hall()
    caller = referee_of(hall)
    enter(caller, hall, WIN)
    path = at(hall, "hands", 1)
    without = caller.put(path, given(FLIP))
    assert (without.status_code, said(without)["code"]) == (400, "if-match-needed")
    done = caller.put(path, given(FLIP), If_Match='"1"')
    assert (done.status_code, done["ETag"], said(done)["deltas"]) == (200, '"2"', [-2, -2, 4])
    late = caller.put(path, given(WIN), If_Match='"1"')
    assert (late.status_code, said(late)["code"]) == (409, "version-passed")
    assert HandVersion.objects.count() == 2


@pytest.mark.django_db
def test_sheet_is_submitted_confirmed_and_then_corrected_with_its_effects() -> None:
    """C7.2, C9.1."""
    hall = make_hall(hands=1, mode=ConfirmationMode.REFEREE)
    referee, chief = referee_of(hall), chief_of(hall)
    enter(referee, hall, WIN)
    sheet = said(referee.post(at(hall, "sheet", "submit")))
    assert sheet["sheet"] == "submitted"
    own = referee.post(at(hall, "sheet", "confirm"), {"digest": sheet["digest"]})
    assert (own.status_code, said(own)["code"]) == (403, "not-allowed")
    stale = chief.post(at(hall, "sheet", "confirm"), {"digest": "0" * 64})
    assert (stale.status_code, said(stale)["code"]) == (409, "sheet-changed")
    done = said(chief.post(at(hall, "sheet", "confirm"), {"digest": sheet["digest"]}))
    assert (done["state"], [one["place"] for one in done["players"]]) == ("confirmed", [1, 3, 2])
    path = at(hall, "hands", 1)
    unseen = chief.put(path, given(FLIP), If_Match='"1"')
    assert (unseen.status_code, said(unseen)["code"]) == (409, "effects-unseen")
    assert said(unseen)["effects"]["nets"] == [-2, -2, 4]
    seen = chief.put(path, given(FLIP, effects_shown=True), If_Match='"1"')
    assert (seen.status_code, said(seen)["deltas"]) == (200, [-2, -2, 4])


@pytest.mark.django_db
def test_sheet_sent_back_is_open_with_its_word() -> None:
    hall = make_hall(hands=1)
    referee, chief = referee_of(hall), chief_of(hall)
    enter(referee, hall, WIN)
    referee.post(at(hall, "sheet", "submit"))
    empty = chief.post(at(hall, "sheet", "send-back"), {"word": " "})
    assert (empty.status_code, said(empty)["code"]) == (400, "word-needed")
    back = said(chief.post(at(hall, "sheet", "send-back"), {"word": "第一局反了"}))
    assert (back["sheet"], back["sent_back_word"]) == ("open", "第一局反了")


@pytest.mark.django_db
def test_entries_are_added_confirmed_and_checked_in() -> None:
    made = make(2)
    Competition.objects.filter(pk=made.competition.pk).update(capacity=3)
    caller = Caller(token_of(made.owner, made.competition, ApiScope.ENTRANTS, ApiScope.CHECKIN))
    path = f"/competitions/{made.competition.code}/entries"
    first = caller.post(path, {"name": "莫 家骏", "unit": "灵川县"})
    entry = said(first)
    assert (first.status_code, entry["name"], entry["status"]) == (201, "莫家骏", "confirmed")
    assert [one["status"] for one in entry["entrants"]] == [EntrantStatus.IN]
    twin = caller.post(path, {"name": "莫家骏", "unit": "灵川县"})
    assert (twin.status_code, said(twin)["code"]) == (409, "same-name")
    more = caller.post(path, {"name": "莫家骏", "unit": "灵川县", "is_another": True})
    assert (more.status_code, said(more)["status"]) == (201, "waitlisted")
    blank = caller.post(path, {"name": "　"})
    assert (blank.status_code, said(blank)["detail"]) == (422, "请写姓名。")
    here = caller.post(f"{path}/{entry['id']}/check-in", {"here": True})
    assert said(here)["is_checked_in"] is True
    gone = caller.post(f"{path}/{entry['id']}/check-in", {"here": False})
    assert said(gone)["is_checked_in"] is False
    pending = Entry.objects.create(
        competition=made.competition,
        person=Person.objects.create(name="阳秀英"),
        status=EntryStatus.PENDING,
    )
    confirmed = caller.post(f"{path}/{pending.pk}/confirm")
    assert (confirmed.status_code, said(confirmed)["status"]) == (200, "waitlisted")
    (listed,) = said(caller.get(f"{path}?number=1"))["items"]
    assert (listed["number"], listed["name"]) == (1, "选手1")


@pytest.mark.django_db
def test_what_belongs_to_another_competition_is_not_there() -> None:
    made, other = make(3), make(3)
    caller = Caller(token_of(made.owner, made.competition))
    entry = other.competition.entries.first()
    assert entry is not None
    path = f"/competitions/{made.competition.code}/entries"
    assert caller.post(f"{path}/{entry.pk}/check-in", {"here": True}).status_code == 404
    assert caller.post(f"{path}/{entry.pk}/confirm").status_code == 404
    assert caller.post(path, {"name": "新人", "event": other.event.pk}).status_code == 404
    entry.refresh_from_db()
    assert not entry.is_checked_in


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "bad-json"),
        (b"[" * 5000, "application/json", 400, "bad-json"),
        (b'{"name": NaN}', "application/json", 400, "bad-json"),
        (b'{"name": "a\\u0000"}', "application/json", 400, "bad-json"),
        (b'{"name": "\\ud800"}', "application/json", 400, "bad-json"),
        (b"\xff", "application/json", 400, "bad-json"),
        (b"name=a", "application/x-www-form-urlencoded", 415, "not-json"),
        (b'{"name": "a"}', "text/plain", 415, "not-json"),
        (b'{"name": "' + b"a" * 600_000 + b'"}', "application/json", 413, "too-large"),
        (b" " * 3_000_000, "application/json", 413, "too-large"),
        (b'{"name": "a", "phone": "1"}', "application/json", 422, "invalid"),
        (b'{"name": 1}', "application/json", 422, "invalid"),
        (b'["name"]', "application/json", 422, "invalid"),
        (b"", "application/json", 422, "invalid"),
    ],
)
def test_body_that_cannot_be_read_is_a_problem(
    body: bytes, kind: str, status: int, code: str
) -> None:
    made = make(2)
    token = token_of(made.owner, made.competition)
    answer = Client().generic(
        "POST",
        f"/api/v1/competitions/{made.competition.code}/entries",
        data=body,
        content_type=kind,
        headers={"Authorization": f"Bearer {token}"},
    )
    assert (answer.status_code, said(answer)["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"
    assert made.competition.entries.count() == 2


@pytest.mark.django_db(transaction=True)
def test_one_hand_sent_twenty_times_at_once_is_one_hand() -> None:
    """Stack fact 6, on whichever database: same answer, or 409 while the first is at work."""
    hall = make_hall()
    caller = referee_of(hall)
    answers = at_once(20, lambda _i: enter(caller, hall, WIN, "same", number=1))
    statuses = [getattr(answer, "status_code", answer) for answer in answers]
    assert set(statuses) <= {201, 409}, statuses
    assert 201 in statuses
    codes = {said(answer)["code"] for answer in answers if answer.status_code == 409}
    assert codes <= {"in-flight"}
    assert HandVersion.objects.count() == 1
    assert said(enter(caller, hall, WIN, "same", number=1))["version"] == 1


@pytest.mark.django_db(transaction=True)
def test_two_programs_and_the_same_hand_give_one_hand_each_time() -> None:
    """C6.2: the slower one is told that it is taken."""
    hall = make_hall(hands=20)
    callers = [referee_of(hall), chief_of(hall)]
    for number in range(1, 21):
        answers = at_once(
            2,
            lambda i, number=number: enter(callers[i], hall, (WIN, FLIP)[i], number=number),  # type: ignore[misc]
        )
        found = sorted((answer.status_code, said(answer).get("code")) for answer in answers)
        assert found == [(201, None), (409, "hand-taken")]
    assert Hand.objects.count() == HandVersion.objects.count() == 20


@pytest.mark.django_db(transaction=True)
def test_two_corrections_of_the_same_version_give_one() -> None:
    hall = make_hall()
    callers = [referee_of(hall), chief_of(hall)]
    enter(callers[0], hall, WIN)
    for version in range(1, 11):
        answers = at_once(
            2,
            lambda i, version=version: callers[i].put(  # type: ignore[misc]
                at(hall, "hands", 1), given((WIN, FLIP)[i]), If_Match=f'"{version}"'
            ),
        )
        found = sorted((answer.status_code, said(answer).get("code")) for answer in answers)
        assert found == [(200, None), (409, "version-passed")]
    assert HandVersion.objects.filter(is_current=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_entry_sent_twenty_times_at_once_is_one_entry() -> None:
    made = make(2)
    caller = Caller(token_of(made.owner, made.competition))
    path = f"/competitions/{made.competition.code}/entries"
    answers = at_once(20, lambda _i: caller.post(path, {"name": "新人"}, Idempotency_Key="one"))
    statuses = {getattr(answer, "status_code", answer) for answer in answers}
    assert 201 in statuses
    assert statuses <= {201, 409}
    assert made.competition.entries.count() == 3


@pytest.mark.django_db(transaction=True)
def test_many_entries_at_once_get_numbers_of_their_own() -> None:
    made = make(2)
    caller = Caller(token_of(made.owner, made.competition))
    path = f"/competitions/{made.competition.code}/entries"
    answers = at_once(10, lambda i: caller.post(path, {"name": f"新人{i}"}))
    assert {answer.status_code for answer in answers} == {201}
    numbers = list(made.competition.entries.values_list("number", flat=True))
    assert sorted(numbers) == list(range(1, 13))
