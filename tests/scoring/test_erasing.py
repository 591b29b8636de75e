"""Somebody is erased: his name is nowhere, his number and results stay, draws and seals hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command

from core.domain import jobs
from core.domain.audit import audit
from core.models import AuditRow, IdempotencyKey
from engine.files import parse
from scoring.domain.erasing import erase_person
from scoring.enums import Evidence
from scoring.exports.archive import archive
from scoring.models import BookEdition, HandVersion
from tests.scoring.archives import elsewhere, full, opened, run
from tests.scoring.personal import HALF, NAMES, entry_of, filled, words_of
from tests.scoring.stored import stored_texts
from tests.tournament.competitions import Made, make
from tests.tournament.registrations import own_acting, registered, taking
from tournament.acting import Acting
from tournament.domain.draws import document_of
from tournament.domain.entries import change_entry, reinstate
from tournament.domain.links import find_link, issue_link
from tournament.domain.private import PersonErased
from tournament.domain.replacing import replace_person, take_back_replacement
from tournament.domain.seals import make_seal
from tournament.enums import EntryStatus, Role
from tournament.models import ApartGroup, Consent, Draw, Entry, ImportBatch, Person
from tournament.pairing.document import dump, verify
from tournament.permissions import NotAllowed
from tournament.queries.seals import first_fault

pytestmark = pytest.mark.django_db
DRAW_SCRIPT = Path(__file__).parents[2] / "static" / "verify_draw.py"


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> None:
    """Files are kept in a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path / "media"


def erase(made: Made, *numbers: int) -> None:
    for number in numbers:
        erase_person(acting=made.owner, entry=entry_of(made.competition, number))


def results(made: Made) -> Any:
    """The archive's results: standings under the numbers."""
    return opened(full(made.competition))[0]["results"]


def test_names_phones_and_addresses_are_in_no_column_of_the_database() -> None:
    made = filled()
    assert len(stored_texts(*words_of(*HALF))) > 20
    erase(made, *HALF)
    assert stored_texts(*words_of(*HALF), but=NAMES[0]) == set()


def test_those_who_stay_lose_nothing() -> None:
    made = filled()
    stay = [number for number in range(1, 10) if number not in HALF]
    erase(made, *HALF)
    for number in stay:
        person = entry_of(made.competition, number).person
        assert (person.name, person.erased_at) == (NAMES[number - 1], None)
        assert person.phone
        assert person.birth_year == 1900 + number
    penalty = stored_texts(NAMES[0])
    assert {"scoring_penalty.reason", "scoring_bookedition.body"} <= penalty


def test_a_longer_name_that_begins_alike_stays_in_texts() -> None:
    """秦漓 (2) goes, 秦漓一 (1) stays; in a text stands the number."""
    made = filled()
    erase(made, 2)
    text = made.competition.announcements.get().text
    assert text == f"{NAMES[7]}、2 号、{NAMES[0]}"


def test_standings_are_the_same_under_the_numbers() -> None:
    made = filled()
    before = results(made)
    erase(made, *HALF)
    assert results(made) == before


def test_draw_and_seals_still_hold(tmp_path: Path) -> None:
    made = filled()
    make_seal(competition=made.competition)
    (drawn,) = Draw.objects.filter(stage=made.stage)
    before = document_of(drawn)
    erase(made, *HALF)
    make_seal(competition=made.competition)
    (drawn,) = Draw.objects.filter(stage=made.stage)
    after = dump(document_of(drawn))
    assert verify(after) == []
    assert json.loads(after)["list"] == before["list"]
    assert drawn.salt == ""
    file = tmp_path / "draw.json"
    file.write_text(after, encoding="utf-8")
    done = subprocess.run([sys.executable, DRAW_SCRIPT, file], capture_output=True, check=False)
    assert done.returncode == 0
    assert first_fault(made.competition) is None
    call_command("verify_seals", made.competition.code)


def test_a_reason_that_names_somebody_is_gone_and_a_changed_one_is_found() -> None:
    made = filled()
    make_seal(competition=made.competition)
    erase(made, 6)
    row = AuditRow.objects.get(action="entrant.withdrawn", scope=made.competition.scope)
    assert (row.word("reason"), row.word("word")) == ("", "没有名字")
    assert first_fault(made.competition) is None
    row.said = {"word": [row.said["word"][0], "别的话"]}
    row.save(update_fields=["said"])
    fault = first_fault(made.competition)
    assert fault is not None
    assert fault.sentence == "第 1 个封记对不上：有一条记录的原因被改过。"


@pytest.mark.parametrize("wrong", ["salt", "short", "gone", "pair", "hex"])
def test_a_reason_changed_behind_the_site_is_found_however_it_is_hidden(wrong: str) -> None:
    """No words go into the salt of the rest, and none goes but with somebody who is erased."""
    made = make()
    row = audit(
        actor=made.owner, action="sheet.reopen", scope=made.competition.scope, subject="x:1",
        said={"reason": "没有犯规"},
    )  # fmt: skip
    make_seal(competition=made.competition)
    assert first_fault(made.competition) is None
    salt, text = row.said["reason"]
    hidden: dict[str, Any] = {
        "salt": [salt + text[:2].encode().hex(), text[2:]],
        "short": [salt[:-2], chr(1) + text],
        "pair": [salt, text, ""],
        "hex": ["z" * 32, text],
    }
    row.said = {"reason": hidden[wrong]} if wrong in hidden else {}
    row.save(update_fields=["said"])
    fault = first_fault(made.competition)
    assert fault is not None
    assert fault.sentence == "第 1 个封记对不上：有一条记录的原因被改过。"


def test_archives_go_out_and_come_back_without_the_names(tmp_path: Path) -> None:
    made = filled()
    erase(made, *HALF)
    for is_full in (True, False):
        data = archive(made.competition, is_full=is_full)
        path = tmp_path / f"{is_full}.zip"
        path.write_bytes(data)
        done = run(path)
        assert done.returncode == 0, done.stdout + done.stderr
    data = full(made.competition)
    again = elsewhere(data)
    assert full(again) == data
    assert stored_texts(*words_of(*HALF), but=NAMES[0]) == set()


def test_the_record_keeps_its_play_and_no_word() -> None:
    made = filled()
    version = HandVersion.objects.get(evidence=Evidence.RECORD)
    before = parse(version.payload["text"])
    table = version.hand.sheet.table
    number = table.seats.get(position=1).entrant.number
    erase(made, number)
    version.refresh_from_db()
    after = parse(version.payload["text"])
    assert (after.deal, after.events, after.claim) == (before.deal, before.events, before.claim)
    assert any(before.players)
    assert not any(after.players)


def test_a_book_loses_the_name_its_digest_stays_and_its_files_go(
    django_capture_on_commit_callbacks: Any,
) -> None:
    made = filled()
    book = BookEdition.objects.get()
    default_storage.save(f"books/{book.pk}-full-abc.pdf", ContentFile(b"%PDF"))
    default_storage.save(f"books/{book.pk}-masked-abc.pdf", ContentFile(b"%PDF"))
    default_storage.save(f"books/{book.pk}7-full-abc.pdf", ContentFile(b"%PDF"))
    digest = book.digest
    with django_capture_on_commit_callbacks(execute=True):
        erase(made, 2)
    book.refresh_from_db()
    assert book.digest == digest
    assert book.erased_at is not None
    assert "2 号" in book.body
    assert NAMES[0] in book.body
    assert default_storage.listdir("books")[1] == [f"{book.pk}7-full-abc.pdf"]


def test_namesakes_get_no_number_in_texts() -> None:
    """Nobody can tell whom of two a text means."""
    made = filled()
    Person.objects.filter(entries__number=8).update(name=NAMES[1])
    erase(made, 2)
    assert entry_of(made.competition, 8).person.name == NAMES[1]
    assert "（已删除）" in made.competition.announcements.get().text
    assert "2 号" not in made.competition.announcements.get().text


def test_before_the_draw_he_leaves_the_list_and_the_next_has_his_place() -> None:
    made = taking(capacity=1, consent="同意公布成绩。", ask_phone="may")
    first = registered(made, "秦漓", unit="漓江队", phone="13877712341")
    second = registered(made, "莫象山", unit="象山队")
    assert second.status == EntryStatus.WAITLISTED
    erased = erase_person(acting=own_acting(first), entry=first)
    assert (erased.has_left, erased.moved_up) == (True, (second.pk,))
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, first.unit, first.number) == (EntryStatus.WITHDRAWN, "", 1)
    assert second.status == EntryStatus.CONFIRMED
    assert Consent.objects.filter(entry=first).count() == 0
    assert stored_texts("秦漓", "13877712341", "漓江队") == set()
    row = AuditRow.objects.get(action="entry.erase")
    assert row.data == {"left": True, "moved_up": [second.pk], "former": False}


def test_after_the_draw_he_stays_under_his_number() -> None:
    made = filled()
    before = entry_of(made.competition, 4)
    erased = erase_person(acting=made.owner, entry=before)
    entry = entry_of(made.competition, 4)
    assert (erased.has_left, erased.moved_up) == (False, ())
    assert (entry.status, entry.unit) == (before.status, before.unit)
    assert not entry.needs_fixed_table
    assert entry.name == "4 号"


def test_what_would_bring_him_back_is_gone() -> None:
    made = filled()
    erase(made, 2)
    assert [batch.undo for batch in ImportBatch.objects.all()] == [[]]
    assert not ApartGroup.objects.filter(name__contains=NAMES[1]).exists()
    answer = {"entry": entry_of(made.competition, 2).pk}
    assert IdempotencyKey.objects.get(key="key-2").answer == answer
    assert IdempotencyKey.objects.get(key="key-2").request_hash == ""
    assert IdempotencyKey.objects.get(key="key-1").request_hash != ""


def test_his_links_open_nothing_any_more() -> None:
    made = filled()
    entry = entry_of(made.competition, 4)
    issued = issue_link(
        acting=made.owner, competition=made.competition, role=Role.ENTRANT,
        entrant=entry.entrants.get(), label="旧手机",
    )  # fmt: skip
    assert find_link(issued.token)
    erase(made, 4)
    with pytest.raises(Exception, match="失效"):
        find_link(issued.token)
    issued.link.refresh_from_db()
    assert issued.link.label == ""


def test_nothing_is_put_in_the_place_of_what_was_erased() -> None:
    made = make(3)
    entrant = made.event.entrants.select_related("entry__person", "event__competition")[0]
    erase_person(acting=made.owner, entry=entrant.entry)
    with pytest.raises(PersonErased):
        change_entry(acting=made.owner, entrant=entrant, name="新名", unit="", number=1)
    entrant = made.event.entrants.select_related("entry__person", "event__competition")[0]
    with pytest.raises(PersonErased):
        reinstate(acting=made.owner, entrant=entrant)
    with pytest.raises(PersonErased):
        erase_person(acting=made.owner, entry=entrant.entry)


def test_who_is_in_another_competition_too_stays_there() -> None:
    made, other = make(2), make(0)
    entry = entry_of(made.competition, 1)
    there = Entry.objects.create(competition=other.competition, person=entry.person, number=1)
    erase_person(acting=made.owner, entry=entry)
    entry.refresh_from_db()
    there.refresh_from_db()
    assert entry.person.erased_at is not None
    assert entry.person_id != there.person_id
    assert there.person.name == "选手1"


def test_of_a_place_handed_on_each_is_erased_for_himself() -> None:
    made = make(3)
    entrant = made.event.entrants.get(entry__number=1)
    replace_person(acting=made.owner, entrant=entrant, name="接替人")
    entry = entry_of(made.competition, 1)
    erased = erase_person(acting=made.owner, entry=entry, is_former=True)
    assert erased.has_left is False
    entry = Entry.objects.select_related("person", "person_before").get(pk=entry.pk)
    assert entry.person.name == "接替人"
    assert entry.person_before is not None
    assert entry.person_before.name == ""
    assert stored_texts("选手1") == set()


@pytest.mark.parametrize("role", [Role.CHIEF, Role.REFEREE, Role.TABLE])
def test_nobody_else_erases(role: Role) -> None:
    made = make(3)
    acting = Acting(competition_id=made.competition.pk, roles=frozenset({role}))
    with pytest.raises(NotAllowed):
        erase_person(acting=acting, entry=entry_of(made.competition, 1))


def test_another_entrants_link_does_not_erase() -> None:
    made = taking()
    first, second = registered(made, "秦漓"), registered(made, "莫象山")
    with pytest.raises(NotAllowed):
        erase_person(acting=own_acting(second), entry=first)
    with pytest.raises(NotAllowed):
        erase_person(acting=own_acting(first), entry=first, is_former=True)


def test_jobs_that_ran_before_name_nobody() -> None:
    made = filled()
    jobs.sweep()
    erase(made, *HALF)
    job = made.competition.scope
    rows = {(one.kind, str(one.payload)) for one in jobs.Job.objects.filter(scope=job)}
    assert not any(word in payload for _kind, payload in rows for word in words_of(*HALF))


def test_a_place_does_not_go_back_to_somebody_who_is_erased() -> None:
    made = make(3)
    entrant = entry_of(made.competition, 1).entrants.get()
    entrant = replace_person(acting=made.owner, entrant=entrant, name="接替人")
    erase_person(acting=made.owner, entry=entry_of(made.competition, 1), is_former=True)
    with pytest.raises(PersonErased):
        take_back_replacement(acting=made.owner, entrant=entrant)
    assert entry_of(made.competition, 1).person.name == "接替人"


def test_who_had_no_number_is_not_called_by_one_that_is_somebodys() -> None:
    made = taking(auto_confirm=False)
    entry = registered(made, "秦漓一")
    Entry.objects.filter(pk=entry.pk).update(number=None)
    erase_person(acting=made.owner, entry=entry)
    assert Entry.objects.select_related("person").get(pk=entry.pk).name == "（已删除）"
