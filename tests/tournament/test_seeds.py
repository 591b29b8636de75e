"""Seeds by hand and by an earlier competition's standings (C4.4); what the draw keeps apart."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import Conflict, DomainError
from core.models import AuditRow, User
from scoring.earlier import Ranked, finished_events, matched, matches, ranked_of
from tests.factories import make_acting, make_user
from tests.tournament.competitions import Made, make, make_published, play_out
from tournament.domain.apart import keep_apart
from tournament.domain.draws import freeze_draw
from tournament.domain.entries import add_entry, withdraw_before_draw
from tournament.domain.seeds import set_seeds
from tournament.enums import Role
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def url(made: Made, name: str, *args: object) -> str:
    return reverse(name, args=[made.competition.code, *args])


def log_in(client: Client, made: Made) -> Client:
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def seeds(made: Made) -> list[int]:
    """Numbers of the seeds, the best first."""
    found = made.event.entrants.filter(seed__isnull=False).order_by("seed")
    numbers = list(found.values_list("seed", "entry__number"))
    assert [seed for seed, _number in numbers] == list(range(1, len(numbers) + 1))
    return [number for _seed, number in numbers]


def over(made: Made) -> Made:
    """Played out, and the last round final."""
    play_out(made)
    made.competition.ended_at = timezone.now()
    made.competition.save()
    return made


def test_seeds_are_written_as_a_whole() -> None:
    made = make(5)
    set_seeds(acting=made.owner, event=made.event, numbers=[3, 1])
    assert seeds(made) == [3, 1]
    set_seeds(acting=made.owner, event=made.event, numbers=[1, 3, 5])
    assert seeds(made) == [1, 3, 5]
    set_seeds(acting=made.owner, event=made.event, numbers=[])
    assert seeds(made) == []
    rows = AuditRow.objects.filter(action="seeds.set").order_by("pk")
    assert [row.data["numbers"] for row in rows] == [[3, 1], [1, 3, 5], []]


@pytest.mark.parametrize(
    ("numbers", "code"), [([1, 1], "seed-twice"), ([1, 77], "seed-number"), ([5], "seed-number")]
)
def test_seeds_twice_or_of_nobody_are_refused(numbers: list[int], code: str) -> None:
    """Number 5 has withdrawn."""
    made = make(5)
    withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.get(entry__number=5))
    with pytest.raises(DomainError) as caught:
        set_seeds(acting=made.owner, event=made.event, numbers=numbers)
    assert caught.value.code == code
    assert seeds(made) == []


def test_seeds_stand_once_the_list_is_frozen(client: Client) -> None:
    made = make(5)
    set_seeds(acting=made.owner, event=made.event, numbers=[2])
    freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(Conflict):
        set_seeds(acting=made.owner, event=made.event, numbers=[])
    page = log_in(client, made).get(url(made, "manage_seeds")).content.decode()
    assert "已经冻结" in page
    assert 'name="number"' not in page


def test_chief_referee_sets_no_seeds() -> None:
    made = make(3)
    chief = make_acting(made.competition, Role.CHIEF)
    with pytest.raises(NotAllowed):
        set_seeds(acting=chief, event=made.event, numbers=[1])


def test_list_of_seeds_is_typed_saved_and_cleared(client: Client) -> None:
    """A suggestion of the field, `3 选手3 单位1`, counts by its number."""
    made = make(9)
    log_in(client, made)
    typed = ["3 选手3 单位1", " 7 ", "", ""]
    assert client.post(url(made, "manage_seeds"), {"number": typed}).status_code == 302
    assert seeds(made) == [3, 7]
    page = client.get(url(made, "manage_seeds")).content.decode()
    assert page.count('name="number"') == 10  # two, and eight empty
    assert 'value="3"' in page
    assert "选手3" in page
    client.post(url(made, "manage_seeds"), {"number": typed, "clear": "1"})
    assert seeds(made) == []


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["3", "", "5"], "2 号种子空着"),
        (["3", "5", "3"], "编号 3 既是 1 号种子又是 3 号种子"),
        (["三号"], "“三号”不是编号"),
        (["3", "99"], "没有编号 99 的在赛选手"),
    ],
)
def test_wrong_lists_are_refused_and_nothing_typed_is_lost(
    client: Client, typed: list[str], said: str
) -> None:
    made = make(9)
    log_in(client, made)
    response = client.post(url(made, "manage_seeds"), {"number": typed})
    text = response.content.decode()
    assert response.status_code == 400
    assert said in text
    assert all(f'value="{one}"' in text for one in typed if one)
    assert seeds(made) == []


def test_earlier_standing_is_found_again_and_saved(client: Client) -> None:
    """Champion of the earlier competition is seed 1; who is not entered is skipped."""
    earlier, made = over(make_published(9)), make()
    earlier.competition.name = "去年的漓江杯"
    earlier.competition.published_at = timezone.now()
    earlier.competition.save()
    ranked = ranked_of(earlier.event)
    assert [one.place for one in ranked[:3]] == [1, 2, 3]
    for one in ranked[::-1]:
        if one is not ranked[1]:
            add_entry(acting=made.owner, event=made.event, name=one.name, unit=one.unit)
    log_in(client, made)
    asked = {"earlier": earlier.event.pk, "top": 3}
    page = client.get(url(made, "manage_seeds_standing"), asked)
    text = page.content.decode()
    assert "去年的漓江杯" in text
    assert "没有报名" in text
    assert len(page.context["lines"]) == 4
    assert page.context["seeds"] == [8, 7, 6]
    assert seeds(made) == []  # a look changes nothing
    client.post(url(made, "manage_seeds"), {"number": page.context["seeds"]})
    assert seeds(made) == [8, 7, 6]


def test_competitions_to_seed_by_are_over_and_may_be_seen() -> None:
    made = make(3)
    drafts, running, hidden, mine = (make_published(3) for _one in range(4))
    for one in (drafts, running, hidden, mine):
        one.competition.published_at = None
        one.competition.save()
    for one in (hidden, mine):
        over(one)
    owner = mine.owner
    assert finished_events(owner, made.competition) == [mine.event]
    hidden.competition.published_at = timezone.now()
    hidden.competition.save()
    assert set(finished_events(owner, made.competition)) == {mine.event, hidden.event}
    assert finished_events(owner, mine.competition) == [hidden.event]


def test_standing_of_a_competition_he_may_not_see_is_not_shown(client: Client) -> None:
    made, hidden = make(3), over(make_published(3))
    hidden.competition.published_at = None
    hidden.competition.save()
    log_in(client, made)
    asked = {"earlier": hidden.event.pk, "top": 3}
    response = client.get(url(made, "manage_seeds_standing"), asked)
    assert response.status_code == 400
    assert "lines" not in response.context


def test_people_are_matched_by_person_then_name_and_unit_then_a_single_name() -> None:
    made = make()
    for name, unit in (("甲一", "A"), ("甲一", "B"), ("乙二", "新"), ("丙三", "X"), ("丙三", "Y")):
        add_entry(acting=made.owner, event=made.event, name=name, unit=unit)
    entrants = list(made.event.entrants.select_related("entry__person").order_by("pk"))
    ranked = [
        Ranked(1, 0, "甲一", "B"),
        Ranked(2, 0, "乙二", "旧"),
        Ranked(3, 0, "丙三", "Z"),
        Ranked(4, 0, "没来", "A"),
        Ranked(5, entrants[0].entry.person_id, "改了名", ""),
        Ranked(6, 0, "", ""),
    ]
    found = matches(ranked, entrants)
    assert [one.entrant.number if one.entrant else None for one in found] == [
        2, 3, None, None, 1, None,
    ]  # fmt: skip
    assert [one.has_moved for one in found] == [False, True, False, False, False, False]
    assert [one.is_doubtful for one in found] == [False, False, True, False, False, False]


def test_nobody_is_seeded_twice_by_one_name() -> None:
    """Two of the same name then, one now: it cannot be known which."""
    made = make()
    add_entry(acting=made.owner, event=made.event, name="甲一", unit="新")
    entrants = list(made.event.entrants.select_related("entry__person"))
    found = matches([Ranked(1, 0, "甲一", "A"), Ranked(2, 0, "甲一", "B")], entrants)
    assert [one.entrant for one in found] == [None, None]
    assert [one.is_doubtful for one in found] == [True, True]


def test_standings_of_now_match_nobody_who_would_not_be_drawn() -> None:
    earlier, made = over(make_published(3)), make(3)
    withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.get(entry__number=1))
    found = matched(made.event, earlier.event)
    assert {one.entrant.number for one in found if one.entrant} == {2, 3}


def test_draw_page_says_what_will_be_kept_apart(client: Client) -> None:
    """C1.4: units of four at nine tables, and a family that is only promised an effort."""
    made = make(27)
    keep_apart(acting=made.owner, event=made.event, name="莫家", numbers=[25, 26])
    page = log_in(client, made).get(url(made, "manage_draw")).content.decode()
    assert "抽签能分开谁" in page
    assert "莫家" in page
    assert "第一轮尽量分开，但不能保证" in page
    assert "试抽 20 次，20 次没有相遇。" in page
    made.competition.apart_groups.all().delete()
    page = client.get(url(made, "manage_draw")).content.decode()
    assert "9 桌：第一轮不会相遇；第 2 轮一桌最多 2 人。" in page


def test_organizer_of_another_competition_sees_nothing(client: Client) -> None:
    made = make(3)
    client.force_login(make_user())
    for name in ("manage_seeds", "manage_seeds_standing", "manage_numbers", "manage_badges"):
        assert client.get(url(made, name)).status_code in (403, 404)
