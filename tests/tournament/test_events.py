"""Several events in one competition: made, ordered, removed; who plays in which (C1.1, C10)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from core.errors import Conflict, DomainError
from core.models import User
from tests.factories import make_acting
from tests.tournament.competitions import Made, draw, make
from tournament.domain.draws import freeze_draw
from tournament.domain.entries import add_pasted, reinstate, withdraw_before_draw
from tournament.domain.event_limit import EventsLimit
from tournament.domain.events import (
    EventDrawn,
    EventTerms,
    add_event,
    change_event,
    make_unit_competition,
    move_event,
    remove_event,
    set_events_limit,
)
from tournament.domain.formats import format_of, set_format
from tournament.domain.links import issue_link
from tournament.domain.playing import (
    events_of,
    pair_by_unit,
    pair_up,
    part_pair,
    set_events,
)
from tournament.domain.settings import set_plan, set_play
from tournament.enums import CountedBy, Discipline, EntryStatus, Role, StageKind
from tournament.models import Entrant, Entry, Event
from tournament.permissions import NotAllowed
from tournament.views.access import get_acting

pytestmark = pytest.mark.django_db

CHESS = EventTerms("象棋", Discipline.MANUAL, games=3, table_size=2, prizes=3)
SHENG = EventTerms("双升", Discipline.MANUAL, is_pairs=True, table_size=2, prizes=3)


def entry(made: Made, number: int) -> Entry:
    return made.competition.entries.select_related("person", "competition").get(number=number)


def add(made: Made, terms: EventTerms) -> Event:
    return add_event(acting=made.owner, competition=made.competition, terms=terms)


def enter(made: Made, event: Event, *numbers: int) -> list[Entrant]:
    """These numbers play in `event` besides the first."""
    for number in numbers:
        one = entry(made, number)
        kept = Event.objects.filter(pk__in=events_of(one))
        set_events(acting=made.owner, entry=one, events={*kept, event})
    return [
        Entrant.objects.select_related("event__competition", "entry__person").get(
            event=event, entry__number=number
        )
        for number in numbers
    ]


def test_event_comes_with_its_knockout() -> None:
    made = make()
    chess = add(made, CHESS)
    stage = chess.stages.get()
    assert (chess.position, chess.preset, chess.games, chess.prizes) == (2, "", 3, 3)
    assert (stage.kind, stage.table_size, stage.hands, stage.final_hands) == (
        StageKind.KNOCKOUT, 2, 3, 3,
    )  # fmt: skip


def test_best_of_an_even_number_is_refused_for_two() -> None:
    made = make()
    with pytest.raises(DomainError, match="单数"):
        add(made, EventTerms("象棋", Discipline.MANUAL, games=2, table_size=2))
    add(made, EventTerms("麻将", Discipline.MANUAL, games=4, table_size=4))
    points = EventTerms(
        "跑胡子", Discipline.MANUAL, games=4, table_size=2, counted_by=CountedBy.POINTS
    )
    assert add(made, points).games == 4
    with pytest.raises(DomainError, match="已经有了"):
        add(made, points)


def test_events_are_ordered_and_removed_while_nothing_is_drawn() -> None:
    made = make(6)
    chess, sheng = add(made, CHESS), add(made, SHENG)
    move_event(acting=made.owner, event=sheng, earlier=True)
    names = list(made.competition.events.values_list("name", flat=True))
    assert names == ["个人赛", "双升", "象棋"]
    enter(made, chess, 1, 2)
    remove_event(acting=made.owner, event=sheng)
    freeze_draw(acting=made.owner, stage=chess.stages.get())
    with pytest.raises(EventDrawn):
        remove_event(acting=made.owner, event=chess)
    with pytest.raises(EventDrawn):
        change_event(acting=made.owner, event=chess, terms=EventTerms("中国象棋", games=5))
    renamed = EventTerms("中国象棋", Discipline.MANUAL, games=3, table_size=2, prizes=3)
    assert change_event(acting=made.owner, event=chess, terms=renamed).name == "中国象棋"


def test_only_event_stays() -> None:
    made = make()
    with pytest.raises(Conflict, match="至少"):
        remove_event(acting=made.owner, event=made.event)


def test_limit_of_events_holds_for_entrants_and_partners() -> None:
    made = make(4)
    chess, sheng = add(made, CHESS), add(made, SHENG)
    enter(made, sheng, 1, 2)
    first, second = Entrant.objects.filter(event=sheng).select_related("event__competition")
    pair_up(acting=made.owner, entrant=first, partner=second)
    set_events_limit(acting=made.owner, competition=made.competition, limit=2)
    with pytest.raises(EventsLimit, match="每人最多报 2 项"):
        set_events(acting=made.owner, entry=entry(made, 2), events=[made.event, chess, sheng])
    set_events(acting=made.owner, entry=entry(made, 3), events=[made.event, chess])
    with pytest.raises(EventsLimit, match="已经报了 2 项"):
        set_events_limit(acting=made.owner, competition=made.competition, limit=1)


def test_who_leaves_one_event_stays_in_the_other() -> None:
    made = make(4)
    chess = add(made, CHESS)
    (one,) = enter(made, chess, 1)
    withdraw_before_draw(acting=made.owner, entrant=one)
    assert entry(made, 1).status == EntryStatus.CONFIRMED
    last = Entrant.objects.get(event=made.event, entry__number=1)
    withdraw_before_draw(acting=made.owner, entrant=last)
    assert entry(made, 1).status == EntryStatus.WITHDRAWN
    reinstate(acting=made.owner, entrant=last)
    assert events_of(entry(made, 1)) == [made.event.pk]


def test_drawn_event_is_neither_entered_nor_left() -> None:
    made = make(6)
    chess = add(made, CHESS)
    enter(made, chess, 1, 2)
    draw(made)
    with pytest.raises(Conflict, match="已经抽签"):
        set_events(acting=made.owner, entry=entry(made, 1), events=[chess])
    set_events(acting=made.owner, entry=entry(made, 1), events=[made.event])
    assert events_of(entry(made, 1)) == [made.event.pk]


def test_pair_is_one_entrant_with_both_names_until_it_is_parted() -> None:
    made = make(4)
    sheng = add(made, SHENG)
    first, second = enter(made, sheng, 1, 2)
    pair = pair_up(acting=made.owner, entrant=first, partner=second)
    assert (pair.name, pair.unit) == ("选手1/选手2", "单位1")
    assert sheng.entrants.count() == 1
    assert events_of(entry(made, 2)) == [made.event.pk, sheng.pk]
    with pytest.raises(Conflict, match="拆开"):
        set_events(acting=made.owner, entry=entry(made, 2), events=[made.event])
    part_pair(acting=made.owner, entrant=pair)
    assert sheng.entrants.filter(partner=None).count() == 2


def test_link_of_a_partner_speaks_for_the_pair() -> None:
    made = make(4)
    sheng = add(made, SHENG)
    first, second = enter(made, sheng, 1, 2)
    issued = issue_link(
        acting=made.owner, competition=made.competition, role=Role.ENTRANT, entrant=second
    )
    pair = pair_up(acting=made.owner, entrant=first, partner=second)
    client = Client()
    client.get(reverse("link", args=[issued.token]))
    request = RequestFactory().get("/")
    request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
    acting = get_acting(request, made.competition)
    own = Entrant.objects.get(event=made.event, entry__number=2)
    assert acting.entrant_ids == {pair.pk, own.pk}


def test_nobody_is_entrant_and_partner_at_once() -> None:
    made = make(4)
    sheng = add(made, SHENG)
    first, second = enter(made, sheng, 1, 2)
    pair = pair_up(acting=made.owner, entrant=first, partner=second)
    set_events(acting=made.owner, entry=entry(made, 2), events=[made.event, sheng])
    assert sheng.entrants.count() == 1
    (third,) = enter(made, sheng, 3)
    with pytest.raises(Conflict, match="已经有搭档"):
        pair_up(acting=made.owner, entrant=pair, partner=third)
    with pytest.raises(IntegrityError), transaction.atomic():
        Entrant.objects.filter(pk=third.pk).update(partner=entry(made, 2))


def test_lone_players_keep_the_list_open() -> None:
    made = make(6)
    sheng = add(made, SHENG)
    enter(made, sheng, 1, 2, 3, 5, 6)
    assert pair_by_unit(acting=made.owner, event=sheng) == 2
    with pytest.raises(Conflict, match="还有 1 人没有搭档：选手3"):
        freeze_draw(acting=made.owner, stage=sheng.stages.get())


def test_pasted_people_come_into_one_event_more() -> None:
    made = make(3)
    chess = add(made, CHESS)
    added = add_pasted(acting=made.owner, event=chess, text="选手2\t单位1\n新人\t单位9")
    assert [entry.number for entry in added.entries] == [2, 4]
    assert events_of(entry(made, 2)) == [made.event.pk, chess.pk]
    assert events_of(entry(made, 4)) == [chess.pk]
    again = add_pasted(acting=made.owner, event=chess, text="选手2\t单位1")
    assert [line.fault for line in again.reading.rejected] == ["double"]
    set_events_limit(acting=made.owner, competition=made.competition, limit=2)
    sheng = add(made, SHENG)
    with pytest.raises(EventsLimit):
        add_pasted(acting=made.owner, event=sheng, text="选手2\t单位1")


def test_unit_competition_has_its_three_events() -> None:
    made = make()
    events = make_unit_competition(acting=made.owner, competition=made.competition)
    assert [(e.name, e.discipline, e.is_pairs, e.prizes, e.games) for e in events] == [
        ("字牌", "zipai", False, 3, 1),
        ("象棋", "manual", False, 3, 3),
        ("双升", "manual", True, 3, 1),
    ]
    sizes = [e.stages.get(kind=StageKind.KNOCKOUT).table_size for e in events]
    assert sizes == [3, 2, 2]
    assert events[0].stages.get(kind=StageKind.PRELIM).round_count == 3
    entered = make(3)
    with pytest.raises(Conflict, match="已经有选手"):
        make_unit_competition(acting=entered.owner, competition=entered.competition)


def test_events_are_the_organizers() -> None:
    made = make(3)
    chess = add(made, CHESS)
    for acting in (make_acting(made.competition), make_acting(made.competition, Role.REFEREE)):
        with pytest.raises(NotAllowed):
            add_event(acting=acting, competition=made.competition, terms=SHENG)
        with pytest.raises(NotAllowed):
            remove_event(acting=acting, event=chess)
        with pytest.raises(NotAllowed):
            set_events(acting=acting, entry=entry(made, 1), events=[chess])


def of_owner(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def test_pages_stay_with_the_event_that_was_chosen() -> None:
    made = make(6)
    chess = add(made, CHESS)
    enter(made, chess, 1, 2, 3, 4)
    client = of_owner(made)
    page = client.get(reverse("manage_draw", args=[made.competition.code]) + f"?event={chess.pk}")
    assert f"?event={chess.pk}" in page.content.decode()
    freeze = reverse("manage_draw_freeze", args=[made.competition.code])
    answer = client.post(f"{freeze}?event={chess.pk}")
    assert answer.headers["Location"].endswith(f"/draw/?event={chess.pk}")
    assert chess.stages.get().draws.count() == 1
    assert made.stage.draws.count() == 0


def test_event_of_another_competition_is_not_found() -> None:
    made, other = make(3), make(3)
    address = reverse("manage_draw", args=[made.competition.code])
    client = of_owner(made)
    for asked in (str(other.event.pk), "x", "9" * 30):
        assert client.get(f"{address}?event={asked}").status_code == 404


def test_events_page_adds_one_and_keeps_what_was_typed() -> None:
    made = make()
    client = of_owner(made)
    url = reverse("manage_events", args=[made.competition.code])
    data = {
        "name": "象棋", "discipline": "manual", "table_size": 2, "games": 2,
        "counted_by": "games", "prizes": 3,
    }  # fmt: skip
    refused = client.post(url, data)
    assert refused.status_code == 400
    assert "盘数要是单数" in refused.content.decode()
    assert 'value="象棋"' in refused.content.decode()
    assert client.post(url, {**data, "games": 3}).status_code == 302
    assert made.competition.events.filter(name="象棋", games=3).exists()


@pytest.mark.parametrize("many", [2, 8])
def test_events_page_needs_few_queries(many: int, django_assert_max_num_queries) -> None:
    made = make(3)
    for index in range(many):
        add(made, EventTerms(f"项目{index}", Discipline.MANUAL, table_size=2))
    client = of_owner(made)
    with django_assert_max_num_queries(8):
        client.get(reverse("manage_events", args=[made.competition.code]))


@pytest.mark.parametrize("pairs", [2, 6])
def test_pairs_page_needs_few_queries(pairs: int, django_assert_max_num_queries) -> None:
    made = make(2 * pairs + 2)
    sheng = add(made, SHENG)
    enter(made, sheng, *range(1, 2 * pairs + 1))
    pair_by_unit(acting=made.owner, event=sheng)
    client = of_owner(made)
    url = f"{reverse('manage_pairs', args=[made.competition.code])}?event={sheng.pk}"
    with django_assert_max_num_queries(10):
        assert client.get(url).status_code == 200


def test_even_number_of_games_is_refused_wherever_it_is_set() -> None:
    """Best of k wants an odd k for two; three or points may play any number."""
    made = make(4)
    chess = add(made, CHESS)
    stage = chess.stages.get()
    even = replace(format_of(stage), hands=4, final_hands=5)
    with pytest.raises(DomainError, match="单数"):
        set_format(acting=made.owner, stage=stage, wanted=even, entrants=4)
    with pytest.raises(DomainError, match="单数"):
        set_play(acting=made.owner, stage=stage, values={"final_hands": 2})
    odd = replace(even, hands=5)
    set_format(acting=made.owner, stage=stage, wanted=odd, entrants=4)
    assert Event.objects.get(pk=chess.pk).games == 5
    three = replace(even, table_size=3)
    set_format(acting=made.owner, stage=stage, wanted=three, entrants=4)
    with pytest.raises(DomainError, match="单数"):
        set_plan(acting=made.owner, stage=stage, table_size=2, advance=1, way=None, entrants=4)
