"""Registering, waiting, moving up, confirming, withdrawing (C1.2), by the domain's verbs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from core.domain import jobs
from core.errors import Conflict, DomainError
from core.models import AuditRow
from tests.concurrency import at_once
from tests.factories import make_acting
from tests.tournament.competitions import Made, make
from tests.tournament.registrations import own_acting, registered, taking
from tournament.domain.competitions import change_competition
from tournament.domain.draws import freeze_draw
from tournament.domain.entries import ListFrozen, SameName, withdraw_before_draw
from tournament.domain.links import find_link, issue_link
from tournament.domain.registration import (
    Applicant,
    RegistrationClosed,
    change_own,
    confirm_entry,
    decline_entry,
    note_payment,
    register,
    set_registration,
    token_of,
    withdraw_own,
)
from tournament.domain.waiting import place_in_line
from tournament.enums import Ask, EntrantStatus, Role
from tournament.models import Consent, DeviceLink, Entrant, Entry, Person
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 12, 1, 1, tzinfo=UTC)
"""Nine in the morning at Guilin."""


def statuses(made: Made) -> list[tuple[str, str]]:
    """(name, status) in the order of arrival."""
    found = Entry.objects.filter(competition=made.competition).order_by("pk")
    return list(found.values_list("person__name", "status"))


def sign_up(made: Made, name: str = "覃小明", **about: object) -> Entry:
    """One tries, with everything left out that is not said."""
    said = {key: about.pop(key) for key in ("unit", "phone") if key in about}
    return register(
        competition=made.competition,
        applicant=Applicant(name, **said),  # type: ignore[arg-type]
        token=token_of(f"{name} {said} {about}"),
        **about,  # type: ignore[arg-type]
    )


def test_registering_gives_a_place_a_number_and_a_link() -> None:
    made = taking(2)
    entry = registered(made, "覃 小明", unit="象山队", phone="138 0013-8000")
    assert (entry.status, entry.number, entry.unit) == ("confirmed", 3, "象山队")
    assert (entry.person.name, entry.person.phone) == ("覃小明", "13800138000")
    assert "qinxiaoming" in entry.person.reading
    entrant = Entrant.objects.get(entry=entry, event=made.event)
    link = DeviceLink.objects.get(entry=entry)
    assert (link.role, link.entrant) == (Role.ENTRANT, entrant)
    row = AuditRow.objects.get(action="entry.register")
    assert row.data == {"status": "confirmed", "number": 3, "is_another": True}
    assert (row.user_id, row.link_id) == (None, link.pk)


def test_full_competition_puts_who_comes_next_on_the_waiting_list() -> None:
    made = taking(2, capacity=3)
    for name in ("甲一", "乙二", "丙三"):
        registered(made, name)
    assert statuses(made)[2:] == [
        ("甲一", "confirmed"),
        ("乙二", "waitlisted"),
        ("丙三", "waitlisted"),
    ]
    waiting = Entry.objects.filter(status="waitlisted").order_by("pk")
    assert [place_in_line(entry) for entry in waiting] == [1, 2]
    assert not Entrant.objects.filter(entry__in=waiting).exists()
    assert [link.entrant for link in DeviceLink.objects.filter(entry__in=waiting)] == [None, None]


def test_place_freed_before_the_draw_goes_to_the_first_of_the_waiting_list() -> None:
    """C1.2; his link holds for the entrant from then on."""
    made = taking(capacity=1)
    first, second, third = (registered(made, name) for name in ("甲一", "乙二", "丙三"))
    with time_machine.travel(NINE, tick=False):
        moved = withdraw_own(acting=own_acting(first), entry=first)
    assert [entry.pk for entry in moved] == [second.pk]
    assert statuses(made) == [
        ("甲一", "withdrawn"),
        ("乙二", "confirmed"),
        ("丙三", "waitlisted"),
    ]
    second.refresh_from_db()
    third.refresh_from_db()
    assert (second.moved_up_at, third.moved_up_at) == (NINE, None)
    assert DeviceLink.objects.get(entry=second).entrant == Entrant.objects.get(entry=second)
    assert place_in_line(third) == 1
    assert Entrant.objects.get(entry=first).status == EntrantStatus.WITHDRAWN


def test_organizer_who_takes_somebody_off_moves_the_list_up_too() -> None:
    made = taking(1, capacity=1)
    waiting = registered(made, "乙二")
    moved = withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.get())
    assert moved == waiting


@pytest.mark.parametrize(("capacity", "confirmed"), [(3, 3), (None, 5), (1, 1)])
def test_more_capacity_goes_to_the_waiting_list(capacity: int | None, confirmed: int) -> None:
    made = taking(capacity=1)
    for number in range(5):
        registered(made, f"选手{number}")
    details = {"capacity": capacity}
    change_competition(acting=made.owner, competition=made.competition, details=details)
    assert Entry.objects.filter(status="confirmed").count() == confirmed
    assert made.event.entrants.count() == confirmed
    moved = Entry.objects.filter(moved_up_at__isnull=False).order_by("pk")
    row = AuditRow.objects.filter(action="competition.change").last()
    assert row is not None
    assert row.data.get("moved_up", []) == list(moved.values_list("pk", flat=True))


def test_more_capacity_after_the_freeze_moves_nobody() -> None:
    made = taking(3, capacity=3)
    registered(made, "丁四")
    freeze_draw(acting=made.owner, stage=made.stage)
    change_competition(acting=made.owner, competition=made.competition, details={"capacity": 9})
    assert statuses(made)[3] == ("丁四", "waitlisted")


def test_mail_tells_who_moved_up_where_mail_is_set_and_he_gave_an_address(
    settings: Settings,
) -> None:
    settings.MAIL_IS_SET = True
    made = taking(capacity=1, ask_mail=Ask.MAY)
    first = registered(made, "甲一")
    registered(made, "乙二", mail="yi@example.org")
    withdraw_own(acting=own_acting(first), entry=first)
    assert mail.outbox == []
    jobs.sweep()
    (sent,) = mail.outbox
    assert sent.to == ["yi@example.org"]
    assert sent.subject.startswith("候补转正：漓江杯 / ")
    assert sent.body.startswith("乙二，您好：\n\n漓江杯 有人退出，您已从候补转为正式选手，编号 2。")
    assert "/l/" not in sent.body


@pytest.mark.parametrize(("is_set", "address"), [(False, "yi@example.org"), (True, "")])
def test_no_mail_without_setting_or_address(is_set: bool, address: str, settings: Settings) -> None:
    settings.MAIL_IS_SET = is_set
    made = taking(capacity=1)
    first = registered(made, "甲一")
    second = registered(made, "乙二", mail=address)
    withdraw_own(acting=own_acting(first), entry=first)
    assert jobs.sweep() == 0
    second.refresh_from_db()
    assert second.status == "confirmed"


def test_no_mail_to_who_has_left_meanwhile(settings: Settings) -> None:
    settings.MAIL_IS_SET = True
    made = taking(capacity=1)
    first = registered(made, "甲一")
    second = registered(made, "乙二", mail="yi@example.org")
    withdraw_own(acting=own_acting(first), entry=first)
    withdraw_own(acting=own_acting(second), entry=second)
    jobs.sweep()
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("said", "warned"),
    [
        ({"unit": "象山队"}, True),
        ({"unit": "七星队", "phone": "138 0013 8000"}, True),
        ({"unit": "七星队", "phone": "13900139000"}, False),
        ({"unit": "七星队"}, False),
        ({"unit": "象山队", "name": "覃大明"}, False),
    ],
)
def test_equal_name_with_equal_unit_or_phone_is_asked_about(
    said: dict[str, str], warned: bool
) -> None:
    made = taking()
    sign_up(made, unit="象山队", phone="13800138000")
    if not warned:
        assert sign_up(made, **said).number == 2
        return
    with pytest.raises(SameName, match="确是另一个人，请勾选“是另一个人”"):
        sign_up(made, **said)
    assert Entry.objects.count() == 1
    assert sign_up(made, is_another=True, **said).number == 2


def test_who_has_withdrawn_is_no_twin() -> None:
    made = taking()
    first = sign_up(made)
    withdraw_own(acting=own_acting(first), entry=first)
    assert sign_up(made, agrees=True).number == 2


def test_consent_is_asked_and_its_text_kept() -> None:
    made = taking(consent="同意公布姓名和成绩。")
    with pytest.raises(DomainError, match="要同意上面的文字才能报名。") as caught:
        sign_up(made)
    assert caught.value.code == "consent-missing"
    entry = sign_up(made, agrees=True)
    set_registration(
        acting=made.owner, competition=made.competition, values={"consent": "改过的文字"}
    )
    assert Consent.objects.get(entry=entry).text == "同意公布姓名和成绩。"


@pytest.mark.parametrize(
    ("seconds", "why"),
    [
        (-1, "报名还没有开始"),
        (0, None),
        (3599, None),
        (3600, "报名已经截止"),
    ],
)
def test_window_opens_and_closes_on_the_second(seconds: int, why: str | None) -> None:
    made = taking(opens_at=NINE, closes_at=NINE + timedelta(hours=1))
    with time_machine.travel(NINE + timedelta(seconds=seconds), tick=False):
        if why is None:
            assert sign_up(made).status == "confirmed"
        else:
            with pytest.raises(RegistrationClosed, match=why):
                sign_up(made)


def test_nobody_registers_where_it_is_off_over_or_frozen() -> None:
    with pytest.raises(RegistrationClosed, match="请联系主办人"):
        sign_up(make(1))
    made = taking(3)
    set_registration(acting=made.owner, competition=made.competition, values={"is_on": False})
    with pytest.raises(RegistrationClosed):
        sign_up(made)
    set_registration(acting=made.owner, competition=made.competition, values={"is_on": True})
    freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(ListFrozen):
        sign_up(made)
    ended = taking()
    ended.competition.ended_at = timezone.now()
    ended.competition.save()
    with pytest.raises(RegistrationClosed):
        sign_up(ended)


def test_entrant_changes_what_the_form_asks_and_nothing_else() -> None:
    made = taking(ask_note=Ask.NO)
    entry = registered(made, "覃小明", unit="象山队", phone="13800138000")
    entry.person.note = "组织者写的"
    entry.person.save()
    changed = change_own(
        acting=own_acting(entry),
        entry=entry,
        applicant=Applicant("秦小明", unit="七星队", phone="13900139000", note="自己写的"),
    )
    person = changed.person
    assert (person.name, person.phone, person.note) == ("秦小明", "13900139000", "组织者写的")
    assert (changed.unit, changed.number) == ("七星队", 1)
    row = AuditRow.objects.get(action="entry.change-own")
    assert row.data == {}


def test_reading_corrected_by_hand_stays_while_the_name_does() -> None:
    made = taking()
    entry = registered(made, "覃小明")
    Person.objects.filter(pk=entry.person_id).update(reading="tanxiaoming txm")
    own = own_acting(entry)
    changed = change_own(acting=own, entry=entry, applicant=Applicant("覃小明"))
    assert changed.person.reading == "tanxiaoming txm"
    changed = change_own(acting=own, entry=entry, applicant=Applicant("秦明"))
    assert "qinming" in changed.person.reading


def test_only_ones_own_link_changes_or_withdraws() -> None:
    made = taking()
    one, other = registered(made, "甲一"), registered(made, "乙二")
    for acting in (own_acting(other), made.owner, make_acting(made.competition)):
        with pytest.raises(NotAllowed, match="请用报名时得到的链接打开。"):
            withdraw_own(acting=acting, entry=one)
        with pytest.raises(NotAllowed):
            change_own(acting=acting, entry=one, applicant=Applicant("丙三"))


def test_list_stands_for_the_entrant_too_once_it_is_frozen() -> None:
    made = taking(2)
    entry = registered(made, "丙三")
    freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(ListFrozen):
        withdraw_own(acting=own_acting(entry), entry=entry)
    with pytest.raises(ListFrozen):
        change_own(acting=own_acting(entry), entry=entry, applicant=Applicant("丁四"))


def test_nobody_withdraws_twice() -> None:
    made = taking()
    entry = registered(made, "甲一")
    withdraw_own(acting=own_acting(entry), entry=entry)
    with pytest.raises(Conflict, match="这份报名已经退出了"):
        withdraw_own(acting=own_acting(entry), entry=entry)


def test_organizer_confirms_pending_entries_while_there_are_places() -> None:
    made = taking(capacity=1, auto_confirm=False)
    first, second = registered(made, "甲一"), registered(made, "乙二")
    assert statuses(made) == [("甲一", "pending"), ("乙二", "pending")]
    assert not made.event.entrants.exists()
    confirm_entry(acting=made.owner, entry=second)
    confirm_entry(acting=made.owner, entry=first)
    assert statuses(made) == [("甲一", "waitlisted"), ("乙二", "confirmed")]
    assert DeviceLink.objects.get(entry=second).entrant == made.event.entrants.get()
    with pytest.raises(Conflict, match="已经处理过了"):
        confirm_entry(acting=made.owner, entry=second)
    with pytest.raises(Conflict, match="已经处理过了"):
        decline_entry(acting=made.owner, entry=second)
    assert decline_entry(acting=made.owner, entry=first) == ()
    assert statuses(made)[0] == ("甲一", "withdrawn")
    confirm_entry(acting=made.owner, entry=first)
    assert statuses(made)[0] == ("甲一", "waitlisted")


@pytest.mark.parametrize("role", [Role.CHIEF, Role.REFEREE, None])
def test_only_organizers_set_confirm_decline_and_note_payment(role: Role | None) -> None:
    made = taking(auto_confirm=False)
    entry = registered(made, "甲一")
    acting = make_acting(made.competition, *([role] if role else []))
    with pytest.raises(NotAllowed):
        set_registration(acting=acting, competition=made.competition, values={})
    with pytest.raises(NotAllowed):
        confirm_entry(acting=acting, entry=entry)
    with pytest.raises(NotAllowed):
        decline_entry(acting=acting, entry=entry)
    with pytest.raises(NotAllowed):
        note_payment(acting=acting, entry=entry, paid=True)


def test_payment_is_noted_and_taken_back_on_record() -> None:
    made = taking()
    entry = registered(made, "甲一")
    for paid in (True, True, False):
        assert note_payment(acting=made.owner, entry=entry, paid=paid).paid is paid
    actions = AuditRow.objects.filter(action__contains="paid").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == ["entry.paid", "entry.unpaid"]


def test_new_link_from_an_organizer_ends_the_one_from_registering() -> None:
    made = taking()
    entry = registered(made, "甲一", key="k")
    assert find_link(token_of("k")).entry == entry
    issued = issue_link(
        acting=made.owner,
        competition=made.competition,
        role=Role.ENTRANT,
        entrant=entry.entrants.get(),
    )
    assert issued.link.entry == entry
    assert DeviceLink.objects.get(token_hash__isnull=False, revoked_at=None) == issued.link


def test_audit_rows_hold_nothing_personal() -> None:
    made = taking(capacity=1)
    entry = registered(made, "覃小明", unit="象山队", phone="13800138000", note="腿脚不便")
    waiting = registered(made, "秦大海", mail="qin@example.org")
    change_own(acting=own_acting(waiting), entry=waiting, applicant=Applicant("秦海"))
    withdraw_own(acting=own_acting(entry), entry=entry)
    text = str(list(AuditRow.objects.values()))
    for private in ("覃小明", "秦", "13800138000", "腿脚", "qin@", "象山"):
        assert private not in text


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_for_three_places_are_three_confirmed_and_seventeen_waiting() -> None:
    made = taking(capacity=3)
    answers = at_once(20, lambda index: registered(made, f"选手{index}"))
    assert [one for one in answers if isinstance(one, Exception)] == []
    found = Entry.objects.filter(competition=made.competition)
    assert found.filter(status="confirmed").count() == 3
    assert found.filter(status="waitlisted").count() == 17
    assert made.event.entrants.count() == 3
    numbers = sorted(entry.number or 0 for entry in found)
    assert numbers == list(range(1, 21))
    confirmed = set(found.filter(status="confirmed").values_list("number", flat=True))
    assert confirmed == {1, 2, 3}


@pytest.mark.django_db(transaction=True)
def test_places_freed_at_once_go_to_as_many_of_the_waiting_list() -> None:
    made = taking(capacity=5)
    entries = [registered(made, f"选手{index}") for index in range(9)]

    def leave(index: int) -> int:
        return len(withdraw_own(acting=own_acting(entries[index]), entry=entries[index]))

    assert sum(one for one in at_once(3, leave) if isinstance(one, int)) == 3
    assert [entry[1] for entry in statuses(made)] == [
        *["withdrawn"] * 3,
        *["confirmed"] * 5,
        "waitlisted",
    ]
