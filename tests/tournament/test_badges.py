"""Badges and seat cards: new links for a batch, the older ones stop, who is printed is known."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core.models import AuditRow, User
from tests.tournament.competitions import Made, make
from tournament.domain.badges import MOST, issue_badges
from tournament.domain.links import LinkGone, find_link, issue_link
from tournament.domain.numbers import Order, digest_of, give_numbers, number_changes
from tournament.enums import EntryStatus, Role
from tournament.models import DeviceLink, Entry
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def url(made: Made, name: str, *args: object) -> str:
    return reverse(name, args=[made.competition.code, *args])


def log_in(client: Client, made: Made) -> Client:
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def ids(made: Made, *numbers: int) -> list[int]:
    found = made.competition.entries.filter(number__in=numbers)
    return list(found.values_list("pk", flat=True))


def test_batch_gets_new_links_and_the_older_ones_stop() -> None:
    made = make(3)
    entrant = made.event.entrants.get(entry__number=1)
    old = issue_link(
        acting=made.owner, competition=made.competition, role=Role.ENTRANT, entrant=entrant
    )
    kept = issue_link(
        acting=made.owner,
        competition=made.competition,
        role=Role.ENTRANT,
        entrant=made.event.entrants.get(entry__number=3),
    )
    badges = issue_badges(
        acting=made.owner, competition=made.competition, event=made.event, ids=ids(made, 2, 1)
    )
    assert [badge.entry.number for badge in badges] == [1, 2]
    link = find_link(badges[0].token)
    assert (link.entry_id, link.entrant_id, link.role) == (
        badges[0].entry.pk,
        entrant.pk,
        Role.ENTRANT,
    )
    with pytest.raises(LinkGone):
        find_link(old.token)
    assert find_link(kept.token).pk == kept.link.pk
    again = issue_badges(
        acting=made.owner, competition=made.competition, event=made.event, ids=ids(made, 1)
    )
    with pytest.raises(LinkGone):
        find_link(badges[0].token)
    assert find_link(again[0].token)
    audits = AuditRow.objects.filter(action="link.issue-badges").order_by("pk")
    assert [row.data for row in audits] == [
        {"entries": ids(made, 1, 2)},
        {"entries": ids(made, 1)},
    ]


def test_waiting_people_get_a_badge_that_holds_when_they_have_a_place() -> None:
    """The link is the entry's: he has no entrant yet."""
    made = make(3)
    entry = Entry.objects.get(pk=ids(made, 3)[0])
    made.event.entrants.filter(entry=entry).delete()
    Entry.objects.filter(pk=entry.pk).update(status=EntryStatus.WAITLISTED)
    (badge,) = issue_badges(
        acting=made.owner, competition=made.competition, event=made.event, ids=[entry.pk]
    )
    link = find_link(badge.token)
    assert (link.entry_id, link.entrant_id) == (entry.pk, None)


def test_the_withdrawn_and_strangers_are_left_out(client: Client) -> None:
    made, other = make(3), make(1)
    Entry.objects.filter(pk__in=ids(made, 3)).update(status=EntryStatus.WITHDRAWN)
    wanted = [*ids(made, 1, 3), *ids(other, 1)]
    badges = issue_badges(
        acting=made.owner, competition=made.competition, event=made.event, ids=wanted
    )
    assert [badge.entry.pk for badge in badges] == ids(made, 1)


def test_entrant_gives_out_no_badges() -> None:
    made = make(1)
    with pytest.raises(NotAllowed):
        issue_badges(
            acting=type(made.owner)(competition_id=made.competition.pk),
            competition=made.competition,
            event=made.event,
            ids=ids(made, 1),
        )
    assert not DeviceLink.objects.exists()


def test_page_says_before_that_older_links_stop_and_prints_the_unprinted(client: Client) -> None:
    made = make(9)
    log_in(client, made)
    page = client.get(url(made, "manage_badges"))
    assert "以前的链接和印过的二维码随即失效" in page.content.decode()
    assert page.context["count"] == 9
    printed = client.post(
        url(made, "manage_badges"), {"kind": "badge", "pick": ids(made, 1, 2), "who": "ticked"}
    ).content.decode()
    assert printed.count("badge-card") == 2
    assert printed.count('class="qr"') == 2
    assert "选手1" in printed
    assert "单位1" in printed
    assert client.get(url(made, "manage_badges")).context["count"] == 7
    both = client.post(
        url(made, "manage_badges"),
        {"kind": "both", "who": "shown", "only": "unprinted", "unit": "单位2"},
    ).content.decode()
    assert (both.count("badge-card"), both.count("seat-card")) == (4, 4)
    assert DeviceLink.objects.filter(revoked_at=None).count() == 6
    assert client.get(url(made, "manage_badges"), {"only": "all"}).context["count"] == 9


def test_qr_on_the_page_opens_the_persons_page(client: Client) -> None:
    made = make(1)
    badge = issue_badges(
        acting=made.owner, competition=made.competition, event=made.event, ids=ids(made, 1)
    )[0]
    response = client.get(reverse("link", args=[badge.token]))
    assert response["Location"] == url(made, "my_entry", badge.entry.pk)


def test_nothing_ticked_or_too_many_is_refused_and_nothing_is_lost(client: Client) -> None:
    made = make(3)
    log_in(client, made)
    response = client.post(url(made, "manage_badges"), {"kind": "seat", "who": "ticked"})
    assert response.status_code == 400
    text = response.content.decode()
    assert "请先勾选要印的人" in text
    assert re.search(r'value="seat"[^>]* checked', text)
    many = {"kind": "badge", "who": "ticked", "pick": list(range(1, MOST + 2))}
    assert client.post(url(made, "manage_badges"), many).status_code == 400
    assert not DeviceLink.objects.exists()


def test_new_number_makes_a_badge_unprinted() -> None:
    made = make(3)
    issue_badges(
        acting=made.owner, competition=made.competition, event=made.event, ids=ids(made, 1, 2, 3)
    )
    made.competition.entries.filter(number=2).update(number=9)
    changes = number_changes(made.competition, Order.GAPS)
    assert [(one.entry.number, one.new, one.was_printed) for one in changes] == [
        (3, 2, True),
        (9, 3, True),
    ]
    give_numbers(acting=made.owner, event=made.event, order=Order.GAPS, digest=digest_of(changes))
    printed = made.competition.entries.filter(badge_printed_at__isnull=False)
    assert list(printed.values_list("number", flat=True)) == [1]


def test_printing_needs_few_queries_however_many(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    counts = []
    for size in (3, 30):
        made = make(size)
        log_in(client, made)
        with django_assert_max_num_queries(25) as seen:
            client.post(url(made, "manage_badges"), {"kind": "both", "who": "shown"})
        counts.append(len(seen.captured_queries))
    assert counts[0] == counts[1]
