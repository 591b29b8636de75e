"""People arrive: by their link's QR, many at once; who did not is absent at the freeze (C1.2)."""

from __future__ import annotations

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from core.errors import Conflict
from core.models import AuditRow, User
from tests.factories import make_user
from tests.tournament.competitions import Made, make
from tournament.acting import Acting
from tournament.domain.arrivals import check_in_many
from tournament.domain.draws import cancel_freeze, document_of, enter_words, freeze_draw
from tournament.domain.links import issue_link
from tournament.domain.numbers import Order, digest_of, give_numbers, number_changes
from tournament.enums import EntrantStatus, EntryStatus, Role
from tournament.models import DeviceLink, Entry, Membership
from tournament.pairing.document import dump, verify
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def url(made: Made, name: str, *args: object) -> str:
    return reverse(name, args=[made.competition.code, *args])


def member(client: Client, made: Made, role: Role) -> Client:
    user = make_user()
    Membership.objects.create(user=user, competition=made.competition, role=role)
    client.force_login(user)
    return client


def log_in(client: Client, made: Made) -> Client:
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def link_of(made: Made, number: int) -> str:
    entrant = made.event.entrants.get(entry__number=number)
    issued = issue_link(
        acting=made.owner, competition=made.competition, role=Role.ENTRANT, entrant=entrant
    )
    return reverse("link", args=[issued.token])


def entry(made: Made, number: int) -> Entry:
    return made.competition.entries.get(number=number)


def here(made: Made) -> list[int]:
    found = made.competition.entries.filter(checked_in_at__isnull=False)
    return list(found.values_list("number", flat=True))


def test_scanned_link_shows_a_referee_one_button_and_changes_nothing_by_itself(
    client: Client,
) -> None:
    made = make(3)
    member(client, made, Role.REFEREE)
    response = client.get(link_of(made, 2), follow=True)
    assert response.redirect_chain[0][0].startswith(url(made, "check_in", entry(made, 2).pk))
    assert '<button class="primary big" type="submit" name="here"' in response.content.decode()
    assert here(made) == []
    client.post(url(made, "check_in", entry(made, 2).pk), {"here": "1"})
    assert here(made) == [2]
    client.post(url(made, "check_in", entry(made, 2).pk))
    assert here(made) == []
    assert list(
        AuditRow.objects.filter(action__startswith="entry.check").values_list("action", flat=True)
    ) in (["entry.check-in", "entry.check-out"], ["entry.check-out", "entry.check-in"])


def test_scanned_link_is_not_remembered_by_the_desk(client: Client) -> None:
    """A referee by link who reads many badges keeps his own link."""
    made = make(3)
    desk = issue_link(acting=made.owner, competition=made.competition, role=Role.REFEREE)
    client.get(reverse("link", args=[desk.token]))
    before = client.cookies["links"].value
    response = client.get(link_of(made, 1))
    assert response["Location"].startswith(url(made, "check_in", entry(made, 1).pk))
    assert client.cookies["links"].value == before
    assert client.get(response["Location"]).status_code == 200


def test_referee_who_plays_may_keep_his_own_link(client: Client) -> None:
    made = make(3)
    member(client, made, Role.REFEREE)
    address = link_of(made, 3)
    own = client.get(address)["Location"].partition("own=")[2]
    mine = url(made, "my_entry", entry(made, 3).pk)
    to_own = url(made, "check_in_own", entry(made, 3).pk)
    assert client.post(to_own, {"own": "made-up"})["Location"] == url(
        made, "check_in", entry(made, 3).pk
    )
    assert client.post(to_own, {"own": own})["Location"] == mine
    assert client.get(mine).status_code == 200
    assert client.get(address)["Location"] == mine  # from now on it is his


def test_own_link_of_somebody_else_is_not_taken(client: Client) -> None:
    """The signed value holds for links of this competition that work."""
    made, other = make(3), make(3)
    member(client, made, Role.REFEREE)
    link_of(other, 1)
    own = signing.dumps(DeviceLink.objects.latest("pk").pk, salt="tournament.own-link")
    assert (
        client.post(url(made, "check_in_own", entry(made, 1).pk), {"own": own}).status_code == 404
    )


def test_entrant_who_opens_his_own_link_sees_his_own_page(client: Client) -> None:
    made = make(3)
    assert client.get(link_of(made, 1))["Location"] == url(made, "my_entry", entry(made, 1).pk)


def test_who_has_withdrawn_is_not_checked_in_by_his_badge(client: Client) -> None:
    made = make(3)
    member(client, made, Role.REFEREE)
    Entry.objects.filter(pk=entry(made, 1).pk).update(status=EntryStatus.WITHDRAWN)
    page = client.get(url(made, "check_in", entry(made, 1).pk)).content.decode()
    assert 'name="here"' not in page
    client.post(url(made, "check_in", entry(made, 1).pk), {"here": "1"})
    assert here(made) == []


def test_many_check_in_at_once_and_only_those_who_are_meant() -> None:
    made, other = make(5), make(2)
    Entry.objects.filter(pk=entry(made, 5).pk).update(status=EntryStatus.WITHDRAWN)
    ids = [entry(made, n).pk for n in (1, 2, 5)] + [entry(other, 1).pk]
    version = made.competition.scope
    assert check_in_many(acting=made.owner, competition=made.competition, ids=ids) == 2
    assert (here(made), here(other)) == ([1, 2], [])
    assert check_in_many(acting=made.owner, competition=made.competition, ids=ids) == 0
    assert (
        check_in_many(acting=made.owner, competition=made.competition, ids=ids[:1], here=False) == 1
    )
    assert here(made) == [2]
    audit = AuditRow.objects.get(action="entry.check-in-many")
    assert audit.data == {"entries": ids[:2]}
    assert version == audit.scope


def test_check_in_of_many_wants_a_role() -> None:
    made = make(3)
    with pytest.raises(NotAllowed):
        check_in_many(
            acting=Acting(competition_id=made.competition.pk), competition=made.competition, ids=[]
        )


def test_list_is_ticked_by_unit_without_scripts(client: Client) -> None:
    made = make(9)
    member(client, made, Role.REFEREE)
    page = client.get(url(made, "manage_arrivals"), {"unit": "单位2", "tick": "1"})
    text = page.content.decode()
    assert (text.count('name="pick"'), text.count(" checked>")) == (4, 4)
    ticked = {"pick": [entry(made, 1).pk, entry(made, 2).pk], "do": "here"}
    response = client.post(url(made, "manage_arrivals"), ticked, follow=True)
    assert "2 人已签到" in response.content.decode()
    client.post(url(made, "manage_arrivals"), {"who": "shown", "unit": "单位2", "only": "absent"})
    assert here(made) == [1, 2, 5, 6, 7, 8]
    client.post(url(made, "manage_arrivals"), {"pick": [entry(made, 5).pk], "do": "undo"})
    assert here(made) == [1, 2, 6, 7, 8]
    response = client.post(url(made, "manage_arrivals"), {"do": "here"}, follow=True)
    assert "请先勾选" in response.content.decode()


def test_who_has_not_checked_in_is_absent_when_the_organizer_says_so() -> None:
    """C1.2: absent, not drawn; in again when the freeze is let go (C9.5)."""
    made = make(9)
    ids = list(made.competition.entries.filter(number__lte=7).values_list("pk", flat=True))
    check_in_many(acting=made.owner, competition=made.competition, ids=ids)
    frozen = freeze_draw(acting=made.owner, stage=made.stage, marks_absent=True)
    assert len(frozen.lines.splitlines()) == 7
    gone = made.event.entrants.filter(status=EntrantStatus.ABSENT)
    assert [one.number for one in gone] == [8, 9]
    cancel_freeze(acting=made.owner, draw=frozen)
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 9
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    assert (frozen.absent, len(frozen.lines.splitlines())) == ([], 9)


def test_draw_without_the_absent_verifies() -> None:
    """C4.5: the published document is as before."""
    made = make(9)
    ids = list(made.competition.entries.filter(number__lte=7).values_list("pk", flat=True))
    check_in_many(acting=made.owner, competition=made.competition, ids=ids)
    frozen = freeze_draw(acting=made.owner, stage=made.stage, marks_absent=True)
    drawn = enter_words(acting=made.owner, draw=frozen, words="红")
    assert verify(dump(document_of(drawn))) == []
    with pytest.raises(Conflict):
        cancel_freeze(acting=made.owner, draw=drawn)
    assert made.event.entrants.filter(status=EntrantStatus.ABSENT).count() == 2


def test_draw_page_lists_who_is_not_here_and_freezes_without_them(client: Client) -> None:
    made = make(9)
    log_in(client, made)
    check_in_many(
        acting=made.owner,
        competition=made.competition,
        ids=list(made.competition.entries.exclude(number=4).values_list("pk", flat=True)),
    )
    page = client.get(url(made, "manage_draw")).content.decode()
    assert "有 1 人没有签到" in page
    assert "<li>4 选手4" in page
    client.post(url(made, "manage_draw_freeze"), {"absent": "1"})
    assert made.event.entrants.get(status=EntrantStatus.ABSENT).number == 4
    assert "记缺席 1 人" in client.get(url(made, "manage_draw")).content.decode()


def test_nobody_here_leaves_nothing_frozen(client: Client) -> None:
    """The whole freeze is refused, and nobody is absent."""
    made = make(9)
    log_in(client, made)
    response = client.post(url(made, "manage_draw_freeze"), {"absent": "1"})
    assert response.status_code == 400
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 9
    assert not made.stage.draws.exists()


def numbered(made: Made) -> dict[str, int | None]:
    return dict(made.competition.entries.values_list("person__name", "number").order_by("pk"))


def give(made: Made, order: Order) -> int:
    digest = digest_of(number_changes(made.competition, order))
    return give_numbers(acting=made.owner, event=made.event, order=order, digest=digest)


def test_missing_numbers_fill_the_gaps_first() -> None:
    made = make(4)
    made.competition.entries.filter(number__in=[2, 4]).update(number=None)
    assert give(made, Order.MISSING) == 2
    assert numbered(made) == {"选手1": 1, "选手2": 2, "选手3": 3, "选手4": 4}


def test_gaps_close_in_the_old_order_and_the_withdrawn_come_last() -> None:
    made = make(4)
    made.competition.entries.filter(number=2).update(status=EntryStatus.WITHDRAWN)
    assert give(made, Order.GAPS) == 3
    assert numbered(made) == {"选手1": 1, "选手2": 4, "选手3": 2, "选手4": 3}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (Order.ENTRY, {"周": 1, "覃": 2, "阿": 3, "单": 4}),
        (Order.PINYIN, {"阿": 1, "覃": 2, "单": 3, "周": 4}),
        (Order.UNIT, {"覃": 1, "周": 2, "阿": 3, "单": 4}),
    ],
)
def test_numbers_by_entry_unit_or_pinyin(order: Order, expected: dict[str, int]) -> None:
    """Surnames as they are read: 覃 qín, 单 shàn. People without unit come last."""
    from tournament.domain.entries import add_pasted

    made = make()
    text = "周一\t临桂区\n覃一\t临桂区\n阿一\n单一"
    add_pasted(acting=made.owner, event=made.event, text=text)
    made.competition.entries.filter(number=1).update(number=9)
    give(made, order)
    assert {name[0]: number for name, number in numbered(made).items()} == expected


def test_numbers_are_given_as_they_were_shown_or_not_at_all(client: Client) -> None:
    made = make(4)
    log_in(client, made)
    made.competition.entries.filter(number=1).update(number=7)
    page = client.get(url(made, "manage_numbers"), {"order": "gaps"})
    digest = page.context["digest"]
    assert "4 人的编号会变" in page.content.decode()
    made.competition.entries.filter(number=4).update(number=8)
    asked = {"order": "gaps", "digest": digest}
    response = client.post(url(made, "manage_numbers"), asked)
    assert response.status_code == 400
    assert "名单刚刚有变动" in response.content.decode()
    asked["digest"] = response.context["digest"]
    assert client.post(url(made, "manage_numbers"), asked).status_code == 302
    assert sorted(n for n in numbered(made).values() if n) == [1, 2, 3, 4]
    assert client.post(url(made, "manage_numbers"), asked).status_code == 400  # nothing to change


def test_numbers_of_several_events_are_opened_from_each_of_them(client: Client) -> None:
    """Nothing has been asked yet where only the event is named."""
    made = make(4)
    page = log_in(client, made).get(url(made, "manage_numbers"), {"event": made.event.pk})
    assert (page.status_code, page.context["order"]) == (200, None)
    assert not page.context["form"].errors


def test_numbers_stand_once_the_list_is_frozen(client: Client) -> None:
    made = make(4)
    made.competition.entries.filter(number=1).update(number=7)
    freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(Conflict):
        give(made, Order.GAPS)
    assert "已经冻结" in log_in(client, made).get(url(made, "manage_numbers")).content.decode()


@pytest.mark.parametrize(
    ("page", "role", "status"),
    [
        ("manage_arrivals", Role.REFEREE, 200),
        ("manage_badges", Role.REFEREE, 403),
        ("manage_badges", Role.CHIEF, 200),
        ("manage_numbers", Role.CHIEF, 403),
        ("manage_numbers", Role.ORGANIZER, 200),
        ("manage_seeds", Role.CHIEF, 403),
        ("manage_seeds", Role.ORGANIZER, 200),
        ("manage_seeds_standing", Role.CHIEF, 403),
        ("manage_seeds_standing", Role.ORGANIZER, 200),
    ],
)
def test_page_opens_for_whom_it_should(client: Client, page: str, role: Role, status: int) -> None:
    made = make(3)
    assert member(client, made, role).get(url(made, page)).status_code == status


@pytest.mark.parametrize(
    "page",
    [
        "manage_arrivals",
        "manage_badges",
        "manage_numbers",
        "manage_seeds",
        "manage_seeds_standing",
        "manage_draw",
        "manage_entrants",
    ],
)
def test_queries_are_few_and_constant(
    client: Client, page: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    counts = []
    for size in (3, 30):
        made = make(size)
        log_in(client, made)
        address = url(made, page) + ("?order=pinyin" if page == "manage_numbers" else "")
        client.get(address)
        with django_assert_max_num_queries(15) as seen:
            assert client.get(address).status_code == 200
        counts.append(len(seen.captured_queries))
    assert counts[0] == counts[1]


def test_check_in_page_needs_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, settings: Settings
) -> None:
    made = make(30)
    member(client, made, Role.REFEREE)
    with django_assert_max_num_queries(10):
        client.get(url(made, "check_in", entry(made, 9).pk))
