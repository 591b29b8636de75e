"""The engine for programs: what the command line says, within limits."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from core import pace
from engine.replay import replay_all
from tests.api.callers import Caller, said
from tests.scoring.records import texts, won

pytestmark = pytest.mark.django_db
ANYBODY = Caller()
SLIP = {
    "rules": "competition",
    "hand": "一一一二二二三三三四四四五五五六六六七",
    "card": "七",
    "source": "own-flip",
}


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """The limits of one test are not another's."""
    cache.clear()


def test_result_line_is_settled_with_what_each_pays() -> None:
    line = {
        "rules": "competition",
        "hu": 16,
        "xing_count": 1,
        "source": "discard",
        "seats": ["甲", "乙", "丙"],
        "winner": "甲",
        "payer": "乙",
    }
    found = said(ANYBODY.post("/score", line))
    assert (found["total"], found["deltas"], found["cards"]) == (3, [6, -6, 0], False)


def test_hand_is_grouped_as_the_engine_does() -> None:
    text = won()
    (replayed,) = replay_all(text)
    result = replayed.result
    assert result is not None
    found = said(ANYBODY.post("/replay", {"text": text}))
    (hand,) = found["hands"]
    assert (hand["status"], hand["result"]) == ("valid", result.as_json())
    assert (hand["faults"], found["is_cut"]) == ([], False)


def test_hand_of_too_few_cards_is_a_problem_with_its_rule() -> None:
    answer = ANYBODY.post("/waits", {"rules": "competition", "hand": "一一"})
    problem = said(answer)
    assert (answer.status_code, problem["code"], problem["rule"]) == (422, "deal-count", "R2.1")
    assert problem["detail"] == "连胡的那张一共 3 张牌，应为 21 张"


def test_waits_are_what_the_command_line_says() -> None:
    hand = "一一一二二二三三三四四四五五五六六六七七"
    found = said(ANYBODY.post("/waits", {"rules": "competition", "hand": hand}))
    assert (found["status"], found["min_hu"]) == ("waits", 10)
    assert found["listening"] is bool(found["waits"])


def test_faults_of_a_record_come_by_line_in_the_language_asked_for() -> None:
    (chinese,) = said(ANYBODY.post("/replay", {"text": "字牌谱 1\n"}))["hands"]
    (english,) = said(Caller(language="en").post("/replay", {"text": "字牌谱 1\n"}))["hands"]
    assert (chinese["status"], chinese["faults"][0]["line"]) == ("invalid", 1)
    assert "表头缺" in chinese["faults"][0]["message"]
    assert chinese["faults"][0]["message"] != english["faults"][0]["message"]


def test_no_more_hands_are_replayed_than_forty() -> None:
    text = "\n".join(["字牌谱 1\n"] * 41)
    found = said(ANYBODY.post("/replay", {"text": text}))
    assert (len(found["hands"]), found["is_cut"]) == (40, True)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/score", {"rules": "nobody's"}),
        ("/score", {**SLIP, "options": {"nothing": 1}}),
        ("/score", {**SLIP, "hand": "王"}),
        ("/score", {**SLIP, "source": "luck"}),
        ("/waits", {**SLIP}),
        ("/waits", {**SLIP, "hand": "一" * 121}),
        ("/replay", {"text": ""}),
        ("/replay", {"text": "字" * 70_000}),
        ("/replay", {}),
    ],
)
def test_what_cannot_be_is_refused_and_never_breaks(path: str, body: object) -> None:
    answer = ANYBODY.post(path, body)
    assert answer.status_code == 422
    assert said(answer)["detail"]


def test_tools_are_limited_by_what_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long record costs more than a hand; the answer says how long to wait."""
    monkeypatch.setattr(pace, "OF_ADDRESS", 3)
    line = {"rules": "competition", "hu": 16, "xing_count": 1, "source": "flip"}
    text = "\n".join(texts(20))
    assert len(text) > 4096
    assert ANYBODY.post("/score", line).status_code == 200
    assert ANYBODY.post("/replay", {"text": text[:4100]}).status_code == 200
    slow = ANYBODY.post("/score", line)
    assert (slow.status_code, said(slow)["code"]) == (429, "too-much")
    assert 1 <= int(slow["Retry-After"]) <= 60
