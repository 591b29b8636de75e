"""People register for several events by themselves (C1.2, C10)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.errors import DomainError
from tests.tournament.competitions import Made
from tests.tournament.registrations import own_acting, registered, send, taking
from tournament.domain.draws import freeze_draw
from tournament.domain.entries import ListFrozen
from tournament.domain.event_limit import EventsLimit
from tournament.domain.events import EventTerms, add_event, set_events_limit
from tournament.domain.playing import events_of
from tournament.domain.registration import confirm_entry, may_change_own, withdraw_own
from tournament.enums import Discipline, EntrantStatus, EntryStatus
from tournament.models import Entry, Event

pytestmark = pytest.mark.django_db


def chess_of(made: Made) -> Event:
    terms = EventTerms("象棋", Discipline.MANUAL, games=3, table_size=2)
    return add_event(acting=made.owner, competition=made.competition, terms=terms)


def test_form_asks_for_events_and_enters_in_those_chosen() -> None:
    made = taking(auto_confirm=True)
    chess = chess_of(made)
    answer = send(made, name="覃小明", events=[chess.pk])
    assert answer.status_code == 200
    assert events_of(Entry.objects.get()) == [chess.pk]
    missing = send(made, name="莫小红")
    assert missing.status_code == 400
    assert "请至少选一个项目" in missing.content.decode()


def test_too_many_events_are_refused_with_the_limit() -> None:
    made = taking(auto_confirm=True)
    chess = chess_of(made)
    set_events_limit(acting=made.owner, competition=made.competition, limit=1)
    with pytest.raises(EventsLimit, match="每人最多报 1 项"):
        registered(made, "覃小明", events=(made.event.pk, chess.pk))
    assert not Entry.objects.exists()
    answer = send(made, name="覃小明", events=[made.event.pk, chess.pk])
    assert "每人最多报 1 项" in answer.content.decode()


def test_event_of_another_competition_is_refused() -> None:
    made, other = taking(auto_confirm=True), taking()
    with pytest.raises(DomainError, match="从列出的项目"):
        registered(made, "覃小明", events=(other.event.pk,))


def test_who_waits_gets_the_events_he_wanted() -> None:
    made = taking(capacity=1, auto_confirm=True)
    chess = chess_of(made)
    first = registered(made, "覃小明", events=(made.event.pk, chess.pk))
    second = registered(made, "莫小红", events=(chess.pk,))
    assert Entry.objects.get(pk=second.pk).status == EntryStatus.WAITLISTED
    assert events_of(second) == []
    withdraw_own(acting=own_acting(first), entry=first)
    assert events_of(Entry.objects.get(pk=second.pk)) == [chess.pk]
    left = first.entrants.values_list("status", flat=True)
    assert set(left) == {EntrantStatus.WITHDRAWN}


def test_who_is_confirmed_later_gets_the_events_he_wanted() -> None:
    made = taking(auto_confirm=False)
    chess = chess_of(made)
    entry = registered(made, "覃小明", events=(made.event.pk, chess.pk))
    assert events_of(entry) == []
    confirm_entry(acting=made.owner, entry=entry)
    assert events_of(entry) == [made.event.pk, chess.pk]


def test_form_offers_the_events_whose_lists_are_open() -> None:
    """Each event's own freeze counts, not the first one's."""
    made = taking(auto_confirm=True)
    chess = chess_of(made)
    for name in ("甲", "乙", "丙"):
        registered(made, name, events=(made.event.pk,))
    both = registered(made, "丁", events=(made.event.pk, chess.pk))
    only = registered(made, "戊", events=(chess.pk,))
    freeze_draw(acting=made.owner, stage=made.stage)
    address = reverse("register", args=[made.competition.code])
    shown = Client().get(address).content.decode()
    assert f'value="{chess.pk}"' in shown
    assert f'value="{made.event.pk}"' not in shown
    assert events_of(registered(made, "己")) == [chess.pk]
    with pytest.raises(ListFrozen, match="个人赛"):
        registered(made, "庚", events=(made.event.pk, chess.pk))
    assert not may_change_own(both)
    assert may_change_own(only)
    withdraw_own(acting=own_acting(only), entry=only)
    freeze_draw(acting=made.owner, stage=chess.stages.get())
    assert "报名已经截止" in Client().get(address).content.decode()
    with pytest.raises(ListFrozen):
        registered(made, "辛")


def test_who_waits_is_confirmed_for_the_events_still_open() -> None:
    made = taking(auto_confirm=False)
    chess = chess_of(made)
    entry = registered(made, "覃小明", events=(made.event.pk, chess.pk))
    for name in ("甲", "乙", "丙"):
        confirm_entry(acting=made.owner, entry=registered(made, name, events=(made.event.pk,)))
    freeze_draw(acting=made.owner, stage=made.stage)
    confirm_entry(acting=made.owner, entry=entry)
    assert events_of(entry) == [chess.pk]
