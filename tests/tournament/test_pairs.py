"""Pairs (C10): a member is replaced, a pair leaves and comes back; nobody twice in an event."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from core.errors import Conflict
from core.models import User
from tests.concurrency import at_once
from tests.tournament.competitions import Made, make
from tests.tournament.test_events import CHESS, SHENG, add, enter, entry
from tournament.domain.draws import enter_words, freeze_draw
from tournament.domain.entries import reinstate, withdraw_before_draw
from tournament.domain.event_limit import EventsLimit, counts_of
from tournament.domain.events import set_events_limit
from tournament.domain.leaving import withdraw_entrant
from tournament.domain.playing import events_of, pair_up, part_pair, set_events
from tournament.domain.replacing import replace_person, take_back_replacement
from tournament.enums import EntrantStatus, EntryStatus
from tournament.models import Entrant, Entry, Event


def paired(made: Made, event: Event, *numbers: int) -> list[Entrant]:
    """Pairs of these numbers, two by two."""
    found = []
    for first, second in zip(numbers[::2], numbers[1::2], strict=True):
        one, other = enter(made, event, first, second)
        found.append(pair_up(acting=made.owner, entrant=one, partner=other))
    return found


def fresh(pair: Entrant) -> Entrant:
    return Entrant.objects.select_related(
        "event__competition", "entry__person", "partner__person"
    ).get(pk=pair.pk)


@pytest.mark.django_db
def test_second_member_of_a_pair_is_replaced_and_taken_back() -> None:
    made = make(4)
    sheng = add(made, SHENG)
    (pair,) = paired(made, sheng, 1, 2)
    replace_person(acting=made.owner, entrant=fresh(pair), name="新人", is_partner=True)
    assert fresh(pair).name == "选手1/新人"
    assert Entrant.objects.get(event=made.event, entry__number=2).name == "新人"
    with pytest.raises(Conflict, match="换过一次人"):
        replace_person(acting=made.owner, entrant=fresh(pair), name="又一人", is_partner=True)
    replace_person(acting=made.owner, entrant=fresh(pair), name="头一个")
    assert fresh(pair).name == "头一个/新人"
    take_back_replacement(acting=made.owner, entrant=fresh(pair), is_partner=True)
    assert fresh(pair).name == "头一个/选手2"
    alone = Entrant.objects.get(event=made.event, entry__number=3)
    with pytest.raises(Conflict, match="没有搭档"):
        replace_person(acting=made.owner, entrant=alone, name="新人", is_partner=True)


@pytest.mark.django_db
def test_page_asks_which_of_a_pair_is_replaced_and_says_where_else_he_plays() -> None:
    made = make(4)
    sheng = add(made, SHENG)
    (pair,) = paired(made, sheng, 1, 2)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    url = reverse("manage_entrant_replace", args=[made.competition.code, pair.pk])
    assert "换谁" in client.get(url).content.decode()
    data = {"who": "partner", "name": "新人"}
    shown = client.post(url, data).content.decode()
    assert "选手2 换成 新人" in shown
    assert f"他还参加{made.event.name}" in shown
    assert client.post(url, {**data, "shown": "1"}).status_code == 302
    assert fresh(pair).name == "选手1/新人"
    edit = client.get(reverse("manage_entrant", args=[made.competition.code, pair.pk]))
    assert "换回新人以前的人" in edit.content.decode()
    back = reverse("manage_entrant_replace_back", args=[made.competition.code, pair.pk])
    client.post(back, {"partner": "1"})
    assert fresh(pair).name == "选手1/选手2"


@pytest.mark.django_db
def test_pair_leaves_before_the_draw_each_for_himself_and_comes_back() -> None:
    """Who plays elsewhere stays in the competition; who does not leaves it."""
    made = make(4)
    sheng = add(made, SHENG)
    (pair,) = paired(made, sheng, 1, 2)
    set_events(acting=made.owner, entry=entry(made, 2), events=[sheng])
    withdraw_before_draw(acting=made.owner, entrant=fresh(pair))
    assert entry(made, 1).status == EntryStatus.CONFIRMED
    assert events_of(entry(made, 1)) == [made.event.pk]
    assert entry(made, 2).status == EntryStatus.WITHDRAWN
    assert fresh(pair).partner is None
    reinstate(acting=made.owner, entrant=fresh(pair))
    assert fresh(pair).name == "选手1/选手2"
    assert entry(made, 2).status == EntryStatus.CONFIRMED
    assert events_of(entry(made, 2)) == [sheng.pk]


@pytest.mark.django_db
def test_partner_who_plays_with_another_by_now_is_not_taken_back() -> None:
    made = make(4)
    sheng = add(made, SHENG)
    (pair,) = paired(made, sheng, 1, 2)
    withdraw_before_draw(acting=made.owner, entrant=fresh(pair))
    (other,) = paired(made, sheng, 3, 2)
    reinstate(acting=made.owner, entrant=fresh(pair))
    assert fresh(pair).name == "选手1"
    assert fresh(other).name == "选手3/选手2"


@pytest.mark.django_db
def test_who_comes_back_after_his_pair_left_is_alone() -> None:
    made = make(4)
    sheng = add(made, SHENG)
    (pair,) = paired(made, sheng, 1, 2)
    withdraw_before_draw(acting=made.owner, entrant=fresh(pair))
    (one,) = enter(made, sheng, 1)
    assert (one.pk, one.status, one.partner) == (pair.pk, EntrantStatus.IN, None)


@pytest.mark.django_db
def test_pair_that_leaves_after_the_draw_keeps_its_members_other_events() -> None:
    made = make(8)
    sheng = add(made, SHENG)
    pairs = paired(made, sheng, 1, 2, 3, 4, 5, 6, 7, 8)
    frozen = freeze_draw(acting=made.owner, stage=sheng.stages.get())
    enter_words(acting=made.owner, draw=frozen, words="红")
    withdraw_entrant(acting=made.owner, entrant=fresh(pairs[0]))
    assert fresh(pairs[0]).status == EntrantStatus.WITHDRAWN
    assert events_of(entry(made, 2)) == [made.event.pk]
    assert {one.status for one in made.competition.entries.all()} == {EntryStatus.CONFIRMED}


@pytest.mark.django_db
def test_database_refuses_one_entry_twice_in_an_event() -> None:
    """As entrant twice, as partner twice, as his own partner; whichever way it is written."""
    made = make(6)
    sheng = add(made, SHENG)
    paired(made, sheng, 1, 2)
    (third,) = enter(made, sheng, 3)
    for write in (
        lambda: Entrant.objects.create(event=sheng, entry=entry(made, 1)),
        lambda: Entrant.objects.filter(pk=third.pk).update(partner=entry(made, 2)),
        lambda: Entrant.objects.filter(pk=third.pk).update(partner=entry(made, 3)),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            write()


@pytest.mark.django_db(transaction=True)
def test_two_organizers_pair_one_player_at_once() -> None:
    """One of them is told; nobody is in the event twice, as entrant or as partner."""
    made = make(6)
    sheng = add(made, SHENG)
    enter(made, sheng, 1, 2, 3)

    def pair(first: int, second: int) -> Entrant:
        one, other = (
            Entrant.objects.select_related("event__competition").get(
                event=sheng, entry__number=number
            )
            for number in (first, second)
        )
        return pair_up(acting=made.owner, entrant=one, partner=other)

    for _time in range(5):
        at_once(3, lambda i: pair(*((1, 2), (3, 2), (2, 1))[i]))
        rows = sheng.entrants.values_list("entry__number", "partner__number")
        assert sorted(number for row in rows for number in row if number) == [1, 2, 3]
        (found,) = sheng.entrants.exclude(partner=None)
        part_pair(acting=made.owner, entrant=fresh(found))


@pytest.mark.django_db(transaction=True)
def test_partner_entered_and_paired_at_once_is_in_the_event_once() -> None:
    made = make(6)
    sheng = add(made, SHENG)
    one, two = enter(made, sheng, 1, 2)
    work = (
        lambda: pair_up(acting=made.owner, entrant=fresh(one), partner=fresh(two)),
        lambda: set_events(acting=made.owner, entry=entry(made, 2), events=[made.event, sheng]),
        lambda: set_events(acting=made.owner, entry=entry(made, 1), events=[made.event, sheng]),
    )
    at_once(3, lambda i: work[i]())
    (row,) = sheng.entrants.values_list("entry__number", "partner__number")
    assert row == (1, 2)


@pytest.mark.django_db(transaction=True)
def test_limit_of_events_holds_however_many_enter_at_once() -> None:
    """Each event from another page at the same instant: no entry ends past the limit."""
    made = make(4)
    set_events_limit(acting=made.owner, competition=made.competition, limit=2)
    events = [add(made, CHESS), add(made, SHENG)]
    one = entry(made, 1)
    wishes = [[made.event, events[0]], [made.event, events[1]], [made.event, *events], events]
    answers = at_once(
        4,
        lambda i: set_events(
            acting=made.owner, entry=Entry.objects.get(pk=one.pk), events=wishes[i]
        ),
    )
    assert [type(answer) for answer in answers if isinstance(answer, Exception)] == [EventsLimit]
    assert counts_of(made.competition)[one.pk] == 2


@pytest.mark.django_db(transaction=True)
def test_limit_is_lowered_while_somebody_enters_one_more() -> None:
    """Either the limit is refused or the entry is."""
    made = make(2)
    chess = add(made, CHESS)
    one = entry(made, 1)
    work = (
        lambda: set_events_limit(acting=made.owner, competition=made.competition, limit=1),
        lambda: set_events(
            acting=made.owner, entry=Entry.objects.get(pk=one.pk), events=[made.event, chess]
        ),
    )
    answers = at_once(2, lambda i: work[i]())
    refused = [answer for answer in answers if isinstance(answer, Exception)]
    assert [type(answer) for answer in refused] == [EventsLimit]
    made.competition.refresh_from_db()
    limit = made.competition.events_limit
    assert (limit, counts_of(made.competition)[one.pk]) in ((1, 1), (None, 2))
