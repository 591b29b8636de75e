"""Phones are masked everywhere and revealed on record; readings can be corrected; names masked
in public are not found by guessing."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from core import bodies
from core.domain import versions
from core.errors import DomainError
from core.models import AuditRow, Job, User
from tests.factories import make_acting, make_user
from tests.tournament.competitions import Made, draw, make, play_out
from tests.tournament.spreadsheets import text
from tournament.domain.draws import publish_draw
from tournament.domain.entries import change_entry, withdraw_before_draw
from tournament.domain.import_preview import preview_of
from tournament.domain.imports import confirm_import, start_import
from tournament.domain.masks import masked_phone
from tournament.domain.names import set_reading, spoken
from tournament.domain.phones import reveal_phone
from tournament.domain.readings import SURNAMES, reading_of
from tournament.enums import Role
from tournament.models import Entry, ImportBatch, Membership
from tournament.permissions import NotAllowed
from tournament.queries.organizer import entries_of
from tournament.sheets.reading import read_file

pytestmark = pytest.mark.django_db

PEOPLE = [
    ["编号", "姓名", "单位", "手机"],
    *(
        [n, f"{surname}小明", f"队{n}", f"1380013800{n - 1}"]
        for n, surname in enumerate("覃曾单仇区解查莫蒋唐", 1)
    ),
]  # fmt: skip
PHONE = "1380013800"
"""What every number begins with; nothing longer of it than `138` may show."""


def imported(rows: list[list[object]] = PEOPLE, capacity: int | None = 9) -> Made:
    made = make()
    made.competition.capacity = capacity
    made.competition.published_at = made.competition.created_at
    made.competition.save()
    add(made, rows)
    return made


def add(made: Made, rows: list[list[object]]) -> ImportBatch:
    batch = start_import(acting=made.owner, event=made.event, sheets=read_file(text(*rows)))
    digest = preview_of(batch).digest
    return confirm_import(acting=made.owner, batch=batch, digest=digest)


def member(made: Made, role: Role) -> Client:
    user = make_user()
    Membership.objects.create(user=user, competition=made.competition, role=role)
    client = Client()
    client.force_login(user)
    return client


def owner(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def everything(made: Made, open_batch: ImportBatch) -> list[str]:
    """Every address of the competition that answers to GET and may name a person."""
    code, event = made.competition.code, made.event.pk
    entrant = made.event.entrants.get(entry__number=1)
    named: list[tuple[str, list[int]]] = [
        (
            "competition competition_live entrants desk manage manage_settings manage_entrants"
            " manage_entrants_paste manage_entrant_new manage_import manage_list_xlsx"
            " manage_list_csv manage_import_xlsx manage_draw manage_draw_changes manage_apart"
            " manage_links manage_members",
            [],
        ),
        ("bracket bracket_live standings standings_live draws", [event]),
        ("entrant entrant_live manage_entrant manage_entrant_leave", [entrant.pk]),
        ("manage_reading", [entrant.entry_id]),
        *(("manage_import_row", [open_batch.pk, line]) for line in (2, 3, 4)),
        *(("table sheet", [table.pk]) for table in made.tables(1)[:1]),
        *(("draw_json", [one.pk]) for one in made.stage.draws.filter(number__isnull=False)),
    ]
    found = ["/", "/manage/"]
    for names, keys in named:
        found += [reverse(name, args=[code, *keys]) for name in names.split()]
    for batch in ImportBatch.objects.all():
        preview = reverse("manage_import_preview", args=[code, batch.pk])
        found += [preview, f"{preview}?only=all"]
    return found + [f"{one}?q={PHONE}0" for one in found if one.endswith("/entrants/")]


def shown(content: bytes) -> str:
    """The text of an answer, of a workbook's parts too."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "".join(archive.read(name).decode() for name in archive.namelist())
    return content.decode()


@pytest.mark.parametrize("stage", ["open", "drawn", "published", "over"])
def test_no_page_and_no_file_shows_a_phone(stage: str) -> None:
    """Drafts, somebody withdrawn and somebody waiting are there."""
    made = imported()
    withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.get(entry__number=2))
    rows = [
        PEOPLE[0],
        [1, "覃小明", "队1", "13800138077"],
        [30, "韦一", "队", f"{PHONE}4"],
        [31, "韦二", "队", f"{PHONE}"],
    ]
    open_batch = start_import(acting=made.owner, event=made.event, sheets=read_file(text(*rows)))
    if stage != "open":
        draw(made)
    if stage in ("published", "over"):
        publish_draw(acting=made.owner, stage=made.stage)
    if stage == "over":
        play_out(made)
    versions.forget()
    bodies.forget()
    seen = 0
    for client in (Client(), *(member(made, role) for role in list(Role)[1:4]), owner(made)):
        for address in everything(made, open_batch):
            response = client.get(address)
            assert response.status_code in (200, 204, 302, 403, 404), address
            body = shown(response.content)
            if "?q=" in address:  # what was typed comes back in the field
                body = body.replace(f"{PHONE}0", "")
            assert PHONE not in body, address
            assert "13800138077" not in body, address
            seen += response.status_code == 200
    assert seen > 80
    kept = json.dumps([*AuditRow.objects.values_list("data"), *Job.objects.values_list("payload")])
    assert "1380013" not in kept


def test_uploads_keep_phones_only_until_they_are_confirmed_or_undone() -> None:
    made = imported()
    batch = ImportBatch.objects.get()
    assert (batch.sheets, "13800" in json.dumps(batch.undo)) == ([], False)
    add(made, [PEOPLE[0], [1, "覃小明", "队1", None], [40, "韦一", "队1", None]])
    changed = add(made, [[*PEOPLE[0], "备注"], [1, "覃小明", "队1", None, "左手"]])
    assert "13800138000" in json.dumps(changed.undo)


def test_phone_is_revealed_by_a_post_that_is_kept() -> None:
    made = imported()
    entry = Entry.objects.get(number=1)
    address = reverse("manage_phone", args=[made.competition.code, entry.pk])
    client = owner(made)
    entrant = entry.entrants.get()
    edit = client.get(reverse("manage_entrant", args=[made.competition.code, entrant.pk]))
    assert "138****8000" in edit.content.decode()
    assert not AuditRow.objects.filter(action="phone.reveal").exists()
    assert client.get(address).status_code == 405
    assert "13800138000" in client.post(address).content.decode()
    row = AuditRow.objects.get(action="phone.reveal")
    assert (row.subject, row.user_id, row.data) == (
        f"entry:{entry.pk}", made.owner.user_id, {},
    )  # fmt: skip
    for role in (Role.CHIEF, Role.REFEREE):
        assert member(made, role).post(address).status_code == 403
        with pytest.raises(NotAllowed):
            reveal_phone(acting=make_acting(made.competition, role), entry=entry)
    assert Client().post(address).status_code == 403


def test_phone_stays_is_replaced_or_goes_with_the_correction() -> None:
    made = imported()
    entrant = made.event.entrants.get(entry__number=1)
    address = reverse("manage_entrant", args=[made.competition.code, entrant.pk])
    values = {"name": "覃小明", "unit": "队1", "number": 1}
    client = owner(made)

    def phone_after(**more: str) -> str:
        assert client.post(address, values | more).status_code == 302
        return Entry.objects.get(number=1).person.phone

    assert phone_after() == "13800138000"
    assert phone_after(phone="13900139000") == "13900139000"
    assert phone_after(drop_phone="on") == ""
    assert phone_after(phone="13900139000") == "13900139000"


@pytest.mark.parametrize(
    ("phone", "masked"),
    [
        ("13800138000", "138****8000"),
        ("07732821234", "077****1234"),
        ("+15550100199", "+1****99"),
        ("0773-2821234", "07****34"),
        ("123456", "****"),
        ("", ""),
    ],
)
def test_masked_phone(phone: str, masked: str) -> None:
    assert masked_phone(phone) == masked


@pytest.mark.parametrize(
    ("surname", "syllable"),
    [("覃", "qin"), ("曾", "zeng"), ("单", "shan"), ("仇", "qiu"), ("区", "ou"), ("解", "xie"),
     ("查", "zha")],
)  # fmt: skip
def test_surnames_are_read_as_surnames(surname: str, syllable: str) -> None:
    assert SURNAMES[surname] == syllable
    full, initials, *_more = reading_of(f"{surname}家骏").split()
    assert (full, initials) == (f"{syllable}jiajun", f"{syllable[0]}jj")


@pytest.mark.parametrize(
    ("search", "numbers"),
    [
        ("qin", [1]), ("zengxiaoming", [2]), ("sxm", [3]), ("qiuxm", []), ("qiu", [4]),
        ("OU", [5]), ("xie xiao ming", [6]), ("zha", [7]), ("cha", []), ("zxm", [2, 7]),
        ("７", [7]), ("队10", [10]), ("覃小", [1]), ("13800138000", []), ("1380013", []),
    ],
)  # fmt: skip
def test_organizers_find_by_name_number_unit_and_pinyin_but_not_by_phone(
    search: str, numbers: list[int]
) -> None:
    made = imported(capacity=None)
    assert [entry.number for entry in entries_of(made.event, search)] == numbers


def test_reading_is_corrected_by_hand_and_outlives_other_corrections() -> None:
    made = imported()
    entry = Entry.objects.get(number=1)
    client = owner(made)
    address = reverse("manage_reading", args=[made.competition.code, entry.pk])
    assert "qinxiaoming" in client.get(address).content.decode()
    response = client.post(address, {"reading": "Tán Xiǎo-míng"})
    assert [str(one) for one in get_messages(response.wsgi_request)] == [
        "已保存，用 tanxiaoming 也能找到。"
    ]
    entrant = entry.entrants.get()
    change_entry(acting=made.owner, entrant=entrant, name="覃小明", unit="新队", number=1)
    entry.person.refresh_from_db()
    assert entry.person.reading == "tanxiaoming txm"
    for search, found in (("txm", [1, 10]), ("tanx", [1]), ("qin", [])):
        assert [one.number for one in entries_of(made.event, search)] == found
    set_reading(acting=made.owner, entry=entry, reading=" ")
    assert entry.person.reading.startswith("qinxiaoming qxm")


def test_what_is_no_pinyin_is_refused_and_stays_in_its_field() -> None:
    made = imported()
    entry = Entry.objects.get(number=1)
    address = reverse("manage_reading", args=[made.competition.code, entry.pk])
    response = owner(made).post(address, {"reading": "覃1"})
    assert response.status_code == 400
    assert 'value="覃1"' in response.content.decode()
    assert "请用拉丁字母写拼音" in response.content.decode()
    assert spoken("LÜ  Xi'ān") == "lv xi an"
    with pytest.raises(DomainError):
        spoken("q1n")
    with pytest.raises(NotAllowed):
        set_reading(acting=make_acting(made.competition, Role.CHIEF), entry=entry, reading="tan")


def test_masked_names_are_masked_in_public_and_not_found_by_their_parts() -> None:
    made = imported()
    made.competition.mask_names = True
    made.competition.save()
    address = reverse("entrants", args=[made.competition.code])
    page = Client().get(address).content.decode()
    assert "覃*明" in page
    assert "覃小明" not in page
    for guess in ("小", "qin", "qxm", "qinxiaoming"):
        assert "覃*明" not in Client().get(f"{address}?q={guess}").content.decode()
    assert (
        "覃小明"
        in owner(made)
        .get(reverse("manage_entrants", args=[made.competition.code]))
        .content.decode()
    )
