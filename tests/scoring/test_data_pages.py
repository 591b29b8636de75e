"""The page 数据 and the files behind it: what is in them, for whom, and nothing that runs."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from core import known
from core.domain.versions import bump
from core.models import AuditRow, User
from engine.files import parse_all
from scoring.domain.hands import Entered, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import Evidence
from scoring.exports.lists import sheets_list, standings_lists
from tests.factories import make_user
from tests.rights import LIST
from tests.scoring.archives import elsewhere, opened, run, with_preliminary
from tests.scoring.public_pages import RECORD, drafted, forget, play_sheet, published, stranger
from tests.scoring.records import texts
from tests.scoring.unit_competition import make_units
from tests.test_rights import check
from tests.tournament.competitions import Made, draw, make
from tests.worlds import build
from tournament.domain.draws import publish_draw
from tournament.domain.finality import finalize_round
from tournament.enums import ConfirmationMode, Way
from tournament.exports.lists import Listing, as_csv, as_xlsx, entrants_list, schedule_list
from tournament.models import Competition, Entry, Membership, Person, Stage
from tournament.sheets.writing import ACTIVE

pytestmark = pytest.mark.django_db

OWN = (
    "competition_import", "manage_data", "manage_data_list", "manage_archive",
    "manage_archive_public", "bracket_svg", "hands_zpr", "hands_jsonl", "public_archive",
)  # fmt: skip


def owner_of(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def table_of(response: Any) -> list[list[str]]:
    """The rows of a CSV file."""
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


def mask(made: Made) -> None:
    """Names are masked from now on."""
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    bump(made.competition.scope)


def ended(made: Made) -> Competition:
    """All played and final."""
    for round_ in made.stage.rounds.order_by("number"):
        for table in made.tables(round_.number):
            play_sheet(made, table)
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(is_last=True))
    made.competition.refresh_from_db()
    assert made.competition.is_over
    return made.competition


@pytest.mark.parametrize("state", ["hidden", "planned", "final"])
def test_everybody_gets_what_is_his(state: str) -> None:
    """C7.4: lists for organizers, personal data for the owner, drafts for nobody."""
    check(build(state), {name: LIST[name] for name in OWN})


# Cells.


@given(st.lists(st.text(alphabet="=+-@\t\r'\"1A,;\n甲|!\x00\x1b", max_size=6), max_size=40))
@settings(max_examples=60, deadline=None)
@example([f"{start}cmd|' /C calc'!A0" for start in ACTIVE])
def test_no_cell_is_ever_a_formula(words: list[str]) -> None:
    """Property: whatever begins as a formula would, CSV and xlsx give it back as mere text."""
    listing = Listing("表", ["一", "二"], [(word, -5) for word in words])
    text = b"".join(as_csv(listing)).decode("utf-8-sig")
    read = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [row[1] for row in read] == ["-5"] * len(words)
    assert [row[0].removeprefix("'") for row in read] == [word.removeprefix("'") for word in words]
    assert not [row[0] for row in read if row[0].startswith(ACTIVE)]
    sheet = load_workbook(io.BytesIO(as_xlsx([listing])))["表"]
    cells = list(sheet.iter_rows(min_row=2))
    assert not [row[0].value for row in cells if row[0].data_type == "f"]
    assert [row[1].value for row in cells] == [-5] * len(words)


def test_csv_has_a_bom_and_a_name_that_is_a_formula_does_not_run() -> None:
    made = make(2)
    Person.objects.filter(entries__number=1).update(name="=HYPERLINK(1)")
    response = owner_of(made).get(
        reverse("manage_data_list", args=[made.competition.code, "entrants", "csv"])
    )
    assert response.content.startswith(b"\xef\xbb\xbf")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert table_of(response)[1][:3] == ["1", "'=HYPERLINK(1)", "单位1"]


# Lists.


def test_lists_hold_entrants_tables_hands_and_places() -> None:
    made = published(9)
    ended(made)
    client, code = owner_of(made), made.competition.code

    def read(name: str) -> list[list[str]]:
        return table_of(client.get(reverse("manage_data_list", args=[code, name, "csv"])))

    entrants = read("entrants")
    assert entrants[0] == ["编号", "姓名", "代表单位", "种子", "状态", "签到", "预赛名次"]
    assert [row[0] for row in entrants[1:]] == [str(n) for n in range(1, 10)]
    assert len(read("schedule")) == 5
    sheets = read("sheets")
    first = [row for row in sheets if row[:2] == ["第 1 轮", "1"]]
    assert [row[2] for row in first] == ["1", "2", ""]
    assert first[-1][3] == "净舵"
    assert [int(value) for value in first[-1][13:16]] == [
        sum(int(row[13 + seat]) for row in first[:-1]) for seat in range(3)
    ]
    standings = read("standings")
    assert [row[0] for row in standings[1:4]] == ["1", "2", "3"]
    assert standings[1][9] == "一等奖"
    book = client.get(reverse("manage_data_list", args=[code, "standings", "xlsx"]))
    assert load_workbook(io.BytesIO(book.content)).sheetnames == ["名次"]
    for name, kind in (("people", "csv"), ("sheets", "pdf")):
        assert client.get(reverse("manage_data_list", args=[code, name, kind])).status_code == 404


def test_preliminary_has_a_list_of_its_own() -> None:
    competition = with_preliminary()
    event = competition.events.get()
    lists = standings_lists(event)
    assert [one.title for one in lists] == ["名次", "预赛名次"]
    assert [row[0] for row in lists[1].rows] == list(range(1, 10))
    assert len(list(sheets_list(event).rows)) == 2 * (9 + 1)
    owner = Client()
    owner.force_login(competition.memberships.get(role="owner").user)
    url = reverse("manage_data_list", args=[competition.code, "preliminary", "csv"])
    rows = table_of(owner.get(url))
    assert rows[0][:5] == ["名次", "编号", "姓名", "代表单位", "积分"]
    assert [row[0] for row in rows[1:]] == [str(n) for n in range(1, 10)]
    assert url in owner.get(reverse("manage_data", args=[competition.code])).content.decode()


def test_units_have_a_list_with_names_masked_where_they_are() -> None:
    world = make_units()
    world.publish(world.sheng)
    world.play(world.sheng)
    made = world.made
    client, code = owner_of(made), made.competition.code
    page = client.get(reverse("manage_data", args=[code])).content.decode()
    urls = {
        kind: reverse("manage_data_list", args=[code, "units", kind]) for kind in ("csv", "xlsx")
    }
    assert all(url in page for url in urls.values())
    rows = table_of(client.get(urls["csv"]))
    assert rows[0] == ["名次", "并列", "代表单位", "一等奖", "二等奖", "三等奖", "合计"]
    assert rows[1] == ["1", "", "丁队", "1", "0", "0", "1"]
    assert len(rows) == 4

    def winners() -> list[tuple[object, ...]]:
        book = load_workbook(io.BytesIO(client.get(urls["xlsx"]).content))
        assert book.sheetnames == ["团体名次", "得奖名单"]
        return list(book["得奖名单"].iter_rows(min_row=2, values_only=True))

    assert winners()[0] == ("双升", "一等奖", 1, "丁1/丁3", "丁队")
    mask(made)
    assert "丁1" not in str(winners())
    assert len(winners()) == 3


def test_competition_of_one_event_offers_no_list_of_units_and_none_of_a_preliminary() -> None:
    made = make(3)
    client, code = owner_of(made), made.competition.code
    page = client.get(reverse("manage_data", args=[code])).content.decode()
    url = reverse("manage_data_list", args=[code, "preliminary", "csv"])
    assert url not in page
    assert reverse("manage_data_list", args=[code, "units", "csv"]) not in page
    assert client.get(url).status_code == 404


def test_lists_take_as_many_queries_for_81_entrants_as_for_9() -> None:
    counts = []
    for entrants in (9, 81):
        made = published(entrants)
        for table in made.tables(1):
            play_sheet(made, table)
        with CaptureQueriesContext(connection) as seen:
            as_xlsx([entrants_list(made.event), schedule_list(made.competition)])
            as_xlsx([sheets_list(made.event), *standings_lists(made.event)])
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 40


def test_page_takes_as_many_queries_for_81_entrants_as_for_9() -> None:
    counts = []
    for entrants in (9, 81):
        made = published(entrants)
        client = owner_of(made)
        url = reverse("manage_data", args=[made.competition.code])
        client.get(url)
        forget()
        with CaptureQueriesContext(connection) as seen:
            assert client.get(url).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 12


# For everybody.


def test_bracket_is_one_sound_svg_with_names_masked_where_they_are() -> None:
    made = published(28, way=Way.BYES)
    Person.objects.filter(entries__number=1).update(name="甲<b>&明")
    play_sheet(made, made.tables(1)[0])
    url = reverse("bracket_svg", args=[made.competition.code, made.event.pk])
    response = stranger(url)
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    svg = response.content.decode()
    minidom.parseString(svg)
    assert "甲&lt;b&gt;&amp;明" in svg
    assert "<style" not in svg
    assert "<script" not in svg
    assert svg.count("轮空") == 26
    mask(made)
    masked = stranger(url).content.decode()
    assert "选手5" not in masked
    assert "选*" in masked


def recorded(made: Made, text: str = "") -> None:
    """A record as the first hand of table 1, the rest won by 甲; the table is confirmed."""
    text = text or texts(1)[0]
    sheet = open_sheet(made.tables(1)[0])
    enter_hand(acting=made.owner, sheet=sheet, entered=Entered(Evidence.RECORD, {"text": text}))
    play_rest(made, sheet)


def play_rest(made: Made, sheet: Any) -> None:
    for _hand in range(sheet.hands_planned - sheet.hands.count()):
        enter_hand(
            acting=made.owner,
            sheet=sheet,
            entered=Entered(
                Evidence.RESULT,
                {"source": "own-flip", "winner": "甲", "hu": 30, "xing_count": 0},
            ),
        )
    submit_sheet(acting=made.owner, sheet=sheet)


def test_public_files_are_named_to_the_organizer_once_they_are_there() -> None:
    """A link to what is not there yet would lead nowhere."""
    made = drafted(3)
    Stage.objects.update(confirmation=ConfirmationMode.NONE)
    code, client = made.competition.code, owner_of(made)
    bracket = reverse("bracket_svg", args=[code, made.event.pk])
    links = [bracket, *(reverse(name, args=[code]) for name in ("hands_zpr", "hands_jsonl"))]

    def named() -> list[str]:
        page = client.get(reverse("manage_data", args=[code])).content.decode()
        there = [link for link in links if f'href="{link}"' in page]
        assert [stranger(link).status_code for link in there] == [200] * len(there)
        return there

    draw(made)
    assert named() == []
    made.stage.refresh_from_db()
    publish_draw(acting=made.owner, stage=made.stage)
    assert named() == [bracket]
    recorded(made)
    assert named() == links


def test_records_of_confirmed_tables_are_one_file_nameless_where_names_are_masked() -> None:
    made = published(3)
    code = made.competition.code
    zpr, jsonl = reverse("hands_zpr", args=[code]), reverse("hands_jsonl", args=[code])
    assert stranger(zpr).status_code == 404
    head, _blank, rest = texts(1)[0].partition("\n\n")
    assert head
    recorded(made, RECORD.rstrip("\n") + "\n\n" + rest if "庄: 甲" in head else "")
    found = parse_all(stranger(zpr).content)
    assert len(found) == 1
    twins = [json.loads(line) for line in stranger(jsonl).content.decode().splitlines()]
    assert [twin["zpr"] for twin in twins] == [1]
    mask(made)
    assert set(parse_all(stranger(zpr).content)[0].players) <= {None}
    assert "张一" not in stranger(jsonl).content.decode()
    assert "13900000000" not in stranger(zpr).content.decode()


def test_public_archive_is_there_when_all_is_over_and_holds_nothing_private(tmp_path: Any) -> None:
    made = published(9)
    url = reverse("public_archive", args=[made.competition.code])
    assert stranger(url).status_code == 404
    people = Person.objects.filter(entries__competition=made.competition)
    people.update(phone="13877712345", mail="a@b.example", birth_year=1947, note="住八里街")
    gone = Entry.objects.create(
        competition=made.competition, person=Person.objects.create(name="离开的人"), number=99,
        status="withdrawn",
    )  # fmt: skip
    before = Person.objects.create(name="前一位")
    Entry.objects.create(competition=make(0).competition, person=before, number=1)
    Entry.objects.filter(competition=made.competition, number=3).update(person_before=before)
    assert gone.pk
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    ended(made)
    standings = reverse("standings", args=[made.competition.code, made.event.pk])
    assert url in stranger(standings).content.decode()
    response = stranger(url)
    assert response.status_code == 200
    document, _records = opened(response.content)
    text = json.dumps(document, ensure_ascii=False)
    hidden = ["13877712345", "a@b.example", "1947", "八里街", "离开的人", "前一位", "选手1"]
    for secret in (*hidden, "salt", made.stage.draws.get().salt):
        assert secret not in text
    assert document["contents"] == "public"
    assert {"audit", "links", "members", "protests"} & set(document["parts"]) == set()
    assert document["parts"]["people"][0] == {"id": 1, "name": "选*1", "erased_at": None}
    path = tmp_path / "archive.zip"
    path.write_bytes(response.content)
    done = run(path)
    assert done.returncode == 0, done.stdout
    other = elsewhere(response.content)
    assert other.entries.count() == 9
    known.forget()
    assert opened(stranger(reverse("public_archive", args=[other.code])).content)[0] == document


# Archives by pages and commands.


def test_full_archive_is_the_owners_and_its_taking_is_noted() -> None:
    made = make(3)
    url = reverse("manage_archive", args=[made.competition.code])
    response = owner_of(made).post(url)
    document, _records = opened(response.content)
    assert document["parts"]["people"][0]["name"] == "选手1"
    row = AuditRow.objects.get(action="competition.export")
    assert (row.user_id, row.scope) == (made.owner.user_id, "site")
    assert owner_of(made).post(url).content == response.content
    organizer = make_user()
    Membership.objects.create(user=organizer, competition=made.competition, role="organizer")
    client = Client()
    client.force_login(organizer)
    assert client.post(url).status_code == 403
    page = client.get(reverse("manage_data", args=[made.competition.code])).content.decode()
    assert url not in page


def test_import_by_page_makes_the_importer_owner_and_says_what_is_wrong() -> None:
    made = make(3)
    data = owner_of(made).post(reverse("manage_archive", args=[made.competition.code])).content
    client, user = Client(), make_user()
    client.force_login(user)
    url = reverse("competition_import")

    def send(content: bytes, **more: str) -> Any:
        return client.post(url, {"file": SimpleUploadedFile("a.zip", content), **more})

    wrong = send(b"nonsense")
    assert wrong.status_code == 400
    assert "这不是比赛档案" in wrong.content.decode()
    taken = send(data)
    assert taken.status_code == 400
    assert made.competition.code in taken.content.decode()
    done = send(data, new_address="on")
    other = Competition.objects.exclude(pk=made.competition.pk).get()
    assert done["Location"] == reverse("manage", args=[other.code])
    assert Membership.objects.get(competition=other, user=user).role == "owner"
    assert client.get(done["Location"]).status_code == 200


def test_command_lists_shows_exports_and_imports(tmp_path: Any) -> None:
    made = make(3)
    code, path = made.competition.code, tmp_path / "a.zip"
    out = io.StringIO()
    call_command("competition", "list", stdout=out)
    call_command("competition", "show", code, stdout=out)
    assert out.getvalue().count(f"{code}  2026-12-05  漓江杯") == 2
    assert "报名 3，桌 0，未结束" in out.getvalue()
    call_command("competition", "export", code, path, stdout=out)
    with pytest.raises(CommandError, match=code):
        call_command("competition", "import", path)
    Competition.objects.update(code="elsewh")
    with pytest.raises(CommandError, match="nobody2"):
        call_command("competition", "import", path, "--owner", "nobody2")
    call_command("competition", "import", path, stdout=out)
    again = tmp_path / "b.zip"
    call_command("competition", "export", code, again, stdout=out)
    assert again.read_bytes() == path.read_bytes()
    for arguments in (
        ["show", "zzz"],
        ["import", tmp_path / "none.zip"],
        ["export", code, tmp_path],
    ):
        with pytest.raises(CommandError):
            call_command("competition", *arguments)
    with pytest.raises(CommandError, match="定局"):
        call_command("competition", "export", code, path, "--public")
    assert zipfile.is_zipfile(path)


@pytest.mark.parametrize("is_masked", [False, True])
def test_public_archive_by_command_has_no_name_in_its_records(
    tmp_path: Path, is_masked: bool
) -> None:
    """Nor referee, note or what a program wrote into a record; names stand where pages show
    them, so one that is erased is in no file any more."""
    made = published(3)
    _head, _blank, rest = texts(1)[0].partition("\n\n")
    recorded(made, RECORD.rstrip("\n") + "\n\n" + rest)
    if is_masked:
        mask(made)
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(is_last=True))
    Person.objects.filter(entries__number=2).update(name="", reading="", erased_at=timezone.now())
    full, path = tmp_path / "full.zip", tmp_path / "public.zip"
    call_command("competition", "export", made.competition.code, full, stdout=io.StringIO())
    call_command(
        "competition", "export", made.competition.code, path, "--public", stdout=io.StringIO()
    )
    document, records = opened(path.read_bytes())
    assert "张一" in str(opened(full.read_bytes())[1])
    assert len(records) == 1
    text = json.dumps(document, ensure_ascii=False) + "".join(records.values())
    for word in ("张一", "王二", "秘裁判", "13900000000", "选手2"):
        assert word not in text
    (record,) = records.values()
    assert set(parse_all(record.encode())[0].players) <= {None}


def test_draft_is_in_no_public_file() -> None:
    made = make(9)
    Competition.objects.filter(pk=made.competition.pk).update(published_at=timezone.now())
    draw(made)
    for name in ("hands_zpr", "hands_jsonl", "public_archive"):
        assert stranger(reverse(name, args=[made.competition.code])).status_code == 404
    url = reverse("bracket_svg", args=[made.competition.code, made.event.pk])
    assert stranger(url).status_code == 404
