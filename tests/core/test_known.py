"""Facts are read once a version (fact 1)."""

from __future__ import annotations

import pytest
from django.db import transaction

from core import known
from core.domain import versions

pytestmark = pytest.mark.django_db


class Facts:
    """A fact that changes, and how often it was asked for."""

    def __init__(self) -> None:
        self.asked = 0
        self.value: str | None = "甲"

    def find(self) -> known.Found[str] | None:
        self.asked += 1
        return None if self.value is None else known.Found(self.value, ["event:3"])


def test_a_fact_is_asked_for_until_its_scopes_are_known_and_then_once_a_version() -> None:
    facts = Facts()
    assert [known.recall("a", facts.find) for _call in range(5)] == ["甲"] * 5
    assert facts.asked == 2
    facts.value = "乙"
    assert known.recall("a", facts.find) == "甲"
    with transaction.atomic():
        versions.bump("event:3")
    assert [known.recall("a", facts.find) for _call in range(3)] == ["乙"] * 3
    assert facts.asked == 3


def test_what_is_not_there_is_asked_for_again() -> None:
    facts = Facts()
    facts.value = None
    assert known.recall("a", facts.find) is None
    facts.value = "甲"
    assert known.recall("a", facts.find) == "甲"


def test_a_fact_read_while_its_version_moves_is_not_kept_under_the_new_one() -> None:
    facts = Facts()
    known.recall("a", facts.find)

    def find_and_move() -> known.Found[str] | None:
        found = facts.find()
        versions.bump("event:3")
        facts.value = "乙"
        return found

    assert known.recall("a", find_and_move) == "甲"
    assert known.recall("a", facts.find) == "乙"


def test_no_more_facts_are_kept_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MOST", 2)
    facts = Facts()
    for key in ("a", "b", "c"):
        known.recall(key, facts.find)
    known.recall("c", facts.find)
    assert facts.asked == 4
    known.recall("c", facts.find)
    assert facts.asked == 4
    known.recall("a", facts.find)
    known.recall("a", facts.find)
    assert facts.asked == 6
