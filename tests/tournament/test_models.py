"""What the database holds about competitions, people, events, draws and links."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.constraints import refused_by_the_database
from tests.factories import (
    make_competition,
    make_entrant,
    make_event,
    make_stage,
    make_table,
    make_user,
)
from tournament.enums import EntryStatus, Role, StageKind
from tournament.models import (
    ApartGroup,
    DeviceLink,
    Draw,
    Entrant,
    Entry,
    Event,
    Membership,
    Person,
    Regulation,
)

pytestmark = pytest.mark.django_db


def test_a_name_and_a_date_are_enough_for_a_competition() -> None:
    competition = make_competition()
    assert len(competition.code) == 6
    assert (competition.timezone, competition.tz) == ("Asia/Shanghai", ZoneInfo("Asia/Shanghai"))
    assert (competition.is_published, competition.is_over) == (False, False)
    assert competition.scope == f"competition:{competition.pk}"


def test_a_competition_does_not_end_before_it_starts() -> None:
    make_competition(ends_on=date(2026, 12, 5))
    with refused_by_the_database():
        make_competition(ends_on=date(2026, 12, 4))


def test_an_unknown_time_zone_says_what_one_looks_like() -> None:
    competition = make_competition(timezone="Guilin")
    with pytest.raises(ValidationError, match="没有叫“Guilin”的时区，例如 Asia/Shanghai。"):
        competition.full_clean()


def test_a_version_of_the_regulations_exists_once() -> None:
    competition = make_competition()
    Regulation.objects.create(competition=competition, version=1, text="第一版")
    Regulation.objects.create(competition=competition, version=2, text="第二版")
    with refused_by_the_database():
        Regulation.objects.create(competition=competition, version=2, text="另一个")
    with refused_by_the_database():
        Regulation.objects.create(competition=competition, version=0, text="")
    assert [r.version for r in competition.regulations.all()] == [2, 1]


def test_a_number_is_given_once_a_competition_and_many_may_have_none() -> None:
    """C1.1."""
    event = make_event()
    first = make_entrant(event).entry
    second = make_entrant(event).entry
    other = make_entrant(make_event()).entry
    assert (first.number, second.number, other.number) == (1, 2, 1)
    with refused_by_the_database():
        Entry.objects.filter(pk=second.pk).update(number=1)
    with refused_by_the_database():
        Entry.objects.filter(pk=second.pk).update(number=0)
    Entry.objects.filter(competition=event.competition).update(number=None)


def test_a_person_enters_a_competition_once_and_an_event_once() -> None:
    event = make_event()
    entrant = make_entrant(event, "覃小明")
    with refused_by_the_database():
        Entry.objects.create(competition=event.competition, person=entrant.entry.person)
    with refused_by_the_database():
        Entrant.objects.create(event=event, entry=entrant.entry)
    other_event = make_event(event.competition, name="团体赛")
    Entrant.objects.create(event=other_event, entry=entrant.entry)


def test_statuses_are_those_of_c1_2() -> None:
    entrant = make_entrant(make_event())
    for status in ("pending", "confirmed", "waitlisted", "withdrawn"):
        Entry.objects.filter(pk=entrant.entry.pk).update(status=status)
    for status in ("in", "out", "withdrawn", "disqualified", "absent"):
        Entrant.objects.filter(pk=entrant.pk).update(status=status)
    with refused_by_the_database():
        Entry.objects.filter(pk=entrant.entry.pk).update(status="maybe")
    with refused_by_the_database():
        Entrant.objects.filter(pk=entrant.pk).update(status="maybe")


def test_seeds_are_unique_in_an_event_from_1() -> None:
    event = make_event()
    make_entrant(event, seed=1)
    make_entrant(event)
    make_entrant(event)
    with refused_by_the_database():
        make_entrant(event, seed=1)
    with refused_by_the_database():
        make_entrant(event, seed=0)


def test_erasing_empties_the_person_and_leaves_number_unit_and_results() -> None:
    """C1.1."""
    entrant = make_entrant(make_event(), "覃小明", unit="象山队")
    person = entrant.entry.person
    with refused_by_the_database():
        Person.objects.filter(pk=person.pk).update(erased_at=timezone.now())
    Person.objects.filter(pk=person.pk).update(erased_at=timezone.now(), name="")
    entrant = Entrant.objects.select_related("entry__person").get()
    assert (entrant.name, entrant.unit, entrant.number) == ("1 号", "象山队", 1)


def test_an_erased_person_stays_as_long_as_an_entry_names_it() -> None:
    entrant = make_entrant(make_event())
    with refused_by_the_database():
        entrant.entry.person.delete()


def test_entrants_are_listed_by_number_those_without_one_last() -> None:
    event = make_event()
    three = [make_entrant(event) for _n in range(3)]
    for entrant, number in zip(three, (None, 8, 3), strict=True):
        Entry.objects.filter(pk=entrant.entry_id).update(number=number)
    assert list(event.entrants.all()) == [three[2], three[1], three[0]]


def test_groups_to_keep_apart_have_names_of_their_own() -> None:
    """C1.4."""
    competition = make_competition()
    ApartGroup.objects.create(competition=competition, name="覃家")
    with refused_by_the_database():
        ApartGroup.objects.create(competition=competition, name="覃家")


def test_a_zipai_event_has_rules_and_another_need_not() -> None:
    """C10."""
    event = make_event()
    assert event.options["min_hu"] == 10
    with refused_by_the_database():
        Event.objects.filter(pk=event.pk).update(rules_digest="")
    make_event(event.competition, name="象棋", discipline="manual", rules_digest="", options={})


@pytest.mark.parametrize(
    ("kind", "size", "advance", "good"),
    [
        (StageKind.KNOCKOUT, 2, 1, True),
        (StageKind.KNOCKOUT, 3, 1, True),
        (StageKind.KNOCKOUT, 4, 1, True),
        (StageKind.KNOCKOUT, 4, 2, True),
        (StageKind.KNOCKOUT, 3, 2, False),
        (StageKind.KNOCKOUT, 2, 2, False),
        (StageKind.KNOCKOUT, 4, 3, False),
        (StageKind.KNOCKOUT, 3, 0, False),
        (StageKind.KNOCKOUT, 5, 1, False),
        (StageKind.PRELIM, 3, 0, True),
        (StageKind.PRELIM, 3, 1, False),
    ],
)
def test_table_size_and_advance_are_those_of_c3(
    kind: StageKind, size: int, advance: int, good: bool
) -> None:
    if good:
        make_stage(kind=kind, table_size=size, advance=advance)
        return
    event = make_event()
    with refused_by_the_database():
        make_stage(event, kind=kind, table_size=size, advance=advance)


def test_an_event_has_at_most_one_preliminary_then_one_knock_out() -> None:
    event = make_event()
    knockout = make_stage(event)
    prelim = make_stage(event, kind=StageKind.PRELIM, advance=0)
    assert list(event.stages.all()) == [prelim, knockout]
    with refused_by_the_database():
        make_stage(event)


def make_draw(**fields: object) -> Draw:
    """A frozen list."""
    frozen = {"lines": "1\t象山队\t1\tab", "salt": "aa", "list_digest": "b", "secret": "c"}
    stage = fields.pop("stage", None) or make_stage()
    return Draw.objects.create(stage=stage, secret_hash="d", **{**frozen, **fields})


def test_words_and_number_come_together_and_make_the_draw() -> None:
    """C4.2."""
    draw = make_draw()
    assert not draw.is_drawn
    now = timezone.now()
    for half in (
        {"number": 1, "drawn_at": now},
        {"words": "三五六"},
        {"words": "三", "drawn_at": now},
        {"number": 1, "words": "三"},
    ):
        with refused_by_the_database():
            Draw.objects.filter(pk=draw.pk).update(**half)
    Draw.objects.filter(pk=draw.pk).update(number=1, words="三五六", drawn_at=now)
    draw.refresh_from_db()
    assert draw.is_drawn


def test_another_draw_needs_a_reason_and_the_next_number() -> None:
    """C4.2."""
    stage = make_stage()
    drawn = {"stage": stage, "words": "三", "drawn_at": timezone.now()}
    make_draw(number=1, **drawn)
    with refused_by_the_database():
        make_draw(number=2, **drawn)
    with refused_by_the_database():
        make_draw(number=1, reason="有人迟到", **drawn)
    make_draw(number=2, reason="有人迟到", **drawn)


def test_one_list_is_frozen_at_a_time() -> None:
    draw = make_draw()
    with refused_by_the_database():
        make_draw(stage=draw.stage)


def test_a_member_has_a_role_once_and_no_link_roles() -> None:
    competition, user = make_competition(), make_user()
    for role in (Role.OWNER, Role.CHIEF, Role.ORGANIZER, Role.REFEREE):
        Membership.objects.create(user=user, competition=competition, role=role)
    with refused_by_the_database():
        Membership.objects.create(user=user, competition=competition, role=Role.OWNER)
    for role in (Role.TABLE, Role.ENTRANT):
        with refused_by_the_database():
            Membership.objects.create(user=user, competition=competition, role=role)


def test_a_link_names_a_table_or_an_entrant_as_its_role_asks() -> None:
    table = make_table()
    event = table.round.stage.event
    entrant = make_entrant(event)
    about = {"table": {"table": table}, "entrant": {"entrant": entrant}, "both": None, "none": {}}
    about["both"] = {"table": table, "entrant": entrant}
    fits = {(Role.TABLE, "table"), (Role.ENTRANT, "entrant")}
    fits |= {(role, "none") for role in (Role.OWNER, Role.CHIEF, Role.REFEREE)}
    for role in Role:
        for name, fields in about.items():
            link = DeviceLink(
                competition=event.competition, role=role, token_hash=f"{role}{name}", **fields
            )
            if (role, name) in fits:
                link.save()
            else:
                with refused_by_the_database():
                    link.save()


def test_an_entry_is_checked_in_at_a_time() -> None:
    """C1.2."""
    entry = make_entrant(make_event()).entry
    assert (entry.status, entry.is_checked_in) == (EntryStatus.CONFIRMED, False)
    entry.checked_in_at = timezone.now()
    assert entry.is_checked_in
