"""When rounds begin: set by who leads, seen by entrants and in calendars."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from core.errors import Conflict
from core.models import AuditRow, User
from tests.factories import make_acting
from tests.scoring.public_pages import page, published, stranger
from tests.tournament.competitions import Made, draw, make
from tournament.domain.publications import publish_schedule, unpublish_schedule
from tournament.domain.schedule import RoundsOutOfOrder, set_round_times, unpublished_times
from tournament.domain.starting import start_table
from tournament.enums import Role
from tournament.models import Round
from tournament.permissions import NotAllowed
from tournament.queries.mine import next_place

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 12, 5, 1, tzinfo=UTC)
"""Nine in the morning at Guilin."""


def rounds_of(made: Made) -> list[Round]:
    return list(made.stage.rounds.order_by("number"))


def put(made: Made, *moments: datetime | None, acting: object = None) -> list[Round]:
    times = dict(zip([one.pk for one in rounds_of(made)], moments, strict=False))
    return set_round_times(
        acting=acting or made.owner,  # type: ignore[arg-type]
        competition=made.competition,
        times=times,
    )


def changed_by(verb: Callable[[], object], made: Made) -> list[Round]:
    """The rounds whose public time another one is after it."""
    before = [one.public_starts_at for one in rounds_of(made)]
    verb()
    return [
        one for one, was in zip(rounds_of(made), before, strict=True) if one.public_starts_at != was
    ]


def publish(made: Made) -> list[Round]:
    return changed_by(
        lambda: publish_schedule(
            acting=made.owner, competition=made.competition, clashes_seen=True
        ),
        made,
    )


def unpublish(made: Made) -> list[Round]:
    return changed_by(
        lambda: unpublish_schedule(acting=made.owner, competition=made.competition), made
    )


def test_times_of_drafts_are_set_in_order_by_who_leads_and_written_down() -> None:
    made = make(9)
    draw(made)
    assert [one.number for one in put(made, NINE, NINE + timedelta(hours=2))] == [1, 2]
    assert AuditRow.objects.get(action="round.times").data == {
        str(one.pk): one.starts_at.isoformat() for one in rounds_of(made)
    }
    assert put(made, NINE) == []
    with pytest.raises(RoundsOutOfOrder, match="“决赛”不能早于“第 1 轮”") as refused:
        put(made, NINE + timedelta(hours=3))
    assert refused.value.round_id == rounds_of(made)[1].pk
    assert [one.number for one in put(made, None, NINE)] == [1, 2]
    for role in (Role.CHIEF, Role.ORGANIZER):
        put(made, NINE, acting=make_acting(made.competition, role))
        put(made, None)
    with pytest.raises(NotAllowed):
        put(made, NINE, acting=make_acting(made.competition, Role.REFEREE))


def test_nobody_sees_a_time_before_it_is_published_nor_after_it_is_taken_back() -> None:
    """A change is a draft again: everybody keeps seeing what was published last."""
    made = published(9)
    code = made.competition.code
    entrant = made.event.entrants.first()
    assert entrant is not None
    addresses = [
        reverse("competition", args=[code]),
        reverse("competition_live", args=[code]),
        reverse("entrant", args=[code, entrant.pk]),
        reverse("entrant_live", args=[code, entrant.pk]),
        reverse("calendar", args=[code]),
        reverse("entrant_calendar", args=[code, entrant.pk]),
    ]

    def seen(*words: str) -> list[bool]:
        texts = [stranger(address).content.decode() for address in addresses]
        return [any(word in text for word in words) for text in texts]

    nine, ten = ("09:00", "20261205T010000Z"), ("10:00", "20261205T020000Z")
    put(made, NINE)
    assert not any(seen(*nine))
    assert unpublished_times(made.competition)
    assert [one.number for one in publish(made)] == [1]
    assert not unpublished_times(made.competition)
    assert all(seen(*nine))
    put(made, NINE + timedelta(hours=1))
    assert all(seen(*nine))
    assert not any(seen(*ten))
    publish(made)
    assert all(seen(*ten))
    assert publish(made) == []
    assert [one.number for one in unpublish(made)] == [1]
    assert not any(seen(*ten))
    assert rounds_of(made)[0].starts_at == NINE + timedelta(hours=1)
    actions = AuditRow.objects.filter(action__startswith="schedule.").order_by("pk")
    assert [row.action.removeprefix("schedule.") for row in actions] == [
        "publish", "publish", "unpublish",
    ]  # fmt: skip
    for verb in (publish_schedule, unpublish_schedule):
        with pytest.raises(NotAllowed):
            verb(acting=make_acting(made.competition, Role.REFEREE), competition=made.competition)


def test_the_time_of_a_round_that_has_begun_is_not_taken_back() -> None:
    made = published(9)
    put(made, NINE, NINE + timedelta(hours=2))
    publish(made)
    for table in made.tables(1):
        start_table(acting=made.owner, table=table)
    assert [one.number for one in unpublish(made)] == [2]
    assert [one.public_starts_at for one in rounds_of(made)] == [NINE, None]


def test_entrant_and_calendar_see_the_published_time_until_the_table_begins() -> None:
    """The table's own start wins once it runs; then the round's time stands."""
    made = published(9)
    put(made, NINE)
    publish(made)
    entry = made.event.entrants.get(entry__number=1).entry
    place = next_place(entry, mask=False)
    assert place is not None
    assert place.starts_at == NINE
    entrant = reverse("entrant", args=[made.competition.code, entry.entrants.get().pk])
    assert "12-05 09:00" in page(entrant)
    calendar = reverse("calendar", args=[made.competition.code])
    assert "DTSTART:20261205T010000Z" in stranger(calendar).content.decode()
    with time_machine.travel(NINE + timedelta(minutes=7), tick=False):
        for table in made.tables(1):
            start_table(acting=made.owner, table=table)
    place = next_place(entry, mask=False)
    assert place is not None
    assert place.starts_at == NINE + timedelta(minutes=7)
    text = stranger(calendar).content.decode()
    assert "DTSTART:20261205T010700Z" in text
    assert "DTSTART:20261205T010000Z" not in text
    with pytest.raises(Conflict, match="已经开打"):
        put(made, NINE + timedelta(hours=1))


def test_page_takes_local_times_and_keeps_what_was_typed() -> None:
    made = make(9)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    address = reverse("manage_times", args=[made.competition.code])
    assert "还没有轮次" in client.get(address).content.decode()
    draw(made)
    first, last = (f"round_{one.pk}" for one in rounds_of(made))
    typed = {first: "2026-12-05T11:00", last: "2026-12-05T09:00"}
    refused = client.post(address, typed)
    assert refused.status_code == 400
    html = refused.content.decode()
    assert "“决赛”不能早于“第 1 轮”" in html
    assert 'value="2026-12-05T11:00"' in html
    assert [one.starts_at for one in rounds_of(made)] == [None, None]
    assert client.post(address, {first: "2026-12-05T09:00", last: ""}).status_code == 302
    assert [one.starts_at for one in rounds_of(made)] == [NINE, None]
    assert "有的时间还没有公布" in client.get(address).content.decode()
    draft = client.get(reverse("manage", args=[made.competition.code])).content.decode()
    assert "未公布" in draft
    assert client.post(address, {first: "2026-12-05T09:00", "publish": "1"}).status_code == 302
    assert [one.public_starts_at for one in rounds_of(made)] == [NINE, None]
    assert "收回公布的时间" in client.get(address).content.decode()
    taken_back = reverse("manage_times_unpublish", args=[made.competition.code])
    assert client.post(taken_back).status_code == 302
    assert [one.public_starts_at for one in rounds_of(made)] == [None, None]
    home = client.get(reverse("manage", args=[made.competition.code])).content.decode()
    assert address in home
    assert "12-05 09:00" in home
