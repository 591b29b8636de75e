"""The pages of an import: upload, preview, mend, confirm, undo; files handed out; who may."""

from __future__ import annotations

import io
import time
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook, load_workbook

from core.models import User
from tests.factories import make_user
from tests.tournament.competitions import Made, make
from tests.tournament.spreadsheets import table, text
from tournament.domain.entries import add_pasted
from tournament.domain.import_preview import preview_of
from tournament.enums import ImportState, Role
from tournament.models import Entry, ImportBatch, Membership
from tournament.sheets.reading import MOST_BYTES, read_file
from tournament.sheets.writing import template

pytestmark = pytest.mark.django_db

ROWS = (
    ["编号", "姓名", "单位", "手机"],
    [11, "覃小明", "象山队", "13800138000"],
    [12, "莫家骏", "灵川队", "1380013800"],
    [13, "覃小明", "临桂队", None],
)
MOST_QUERIES = 15


@pytest.fixture
def made(client: Client) -> Made:
    made = make()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return made


def url(made: Made, name: str, *args: object) -> str:
    return reverse(name, args=[made.competition.code, *args])


def send(client: Client, made: Made, data: bytes, name: str = "名单.xlsx") -> HttpResponse:
    file = SimpleUploadedFile(name, data)
    response = client.post(url(made, "manage_import"), {"file": file})
    assert isinstance(response, HttpResponse)
    return response


def upload(client: Client, made: Made, data: bytes) -> ImportBatch:
    response = send(client, made, data)
    assert response.status_code == 302, response.content.decode()
    return ImportBatch.objects.latest("pk")


def page(client: Client, made: Made, batch: ImportBatch, query: str = "") -> str:
    response = client.get(url(made, "manage_import_preview", batch.pk) + query)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_list_is_previewed_mended_confirmed_and_undone_by_plain_forms(
    client: Client, made: Made
) -> None:
    batch = upload(client, made, table(*ROWS))
    shown = page(client, made, batch)
    assert "手机号要 11 位数字，这里是 10 位" in shown
    assert "和第 2 行同名，单位不同" in shown
    assert "1 行有错，不会导入" in shown
    assert "确认导入 1 名" in shown
    assert Entry.objects.count() == 0

    edit = url(made, "manage_import_row", batch.pk, 3)
    assert "现在是 13****00；不改就空着。" in client.get(edit).content.decode()
    values = {"name": "莫家骏", "unit": "灵川队", "number": "12", "phone": "13800138001"}
    assert client.post(edit, values).status_code == 302
    shown = page(client, made, batch)
    assert "确认导入 2 名" in shown

    address = url(made, "manage_import_preview", batch.pk)
    data = {"digest": preview_of(ImportBatch.objects.get()).digest, "row-4": "new"}
    assert client.post(address, data)["Location"] == address
    assert list(Entry.objects.order_by("number").values_list("number", "person__phone")) == [
        (11, "13800138000"),
        (12, "13800138001"),
        (13, ""),
    ]
    assert "撤销整批导入" in page(client, made, batch)
    client.post(address, data)  # twice is once
    assert Entry.objects.count() == 3

    client.post(url(made, "manage_import_undo", batch.pk))
    assert Entry.objects.count() == 0
    assert "已撤销" in page(client, made, batch)
    assert "已撤销" in client.get(url(made, "manage_import")).content.decode()


def test_rows_are_filtered_by_what_they_are_and_paged(client: Client, made: Made) -> None:
    rows = [[n, f"选手{n}", f"队{n}"] for n in range(1, 251)]
    batch = upload(client, made, table(["编号", "姓名", "单位"], *rows, [251, None, "队"]))
    assert "没有姓名" in page(client, made, batch)
    assert "选手1<" not in page(client, made, batch)
    shown = page(client, made, batch, "?only=all")
    assert shown.count(">新增</span>") == 200
    assert "1 / 2" in shown
    shown = page(client, made, batch, "?only=new&page=2")
    assert shown.count(">新增</span>") == 50
    assert "没有这样的行" in page(client, made, batch, "?only=changed")


def test_name_column_that_is_not_found_is_asked_for_and_chosen(client: Client, made: Made) -> None:
    data = table(["甲栏", "单位", "手机"], ["唐明", "七星队", "13800138005"])
    batch = upload(client, made, data)
    shown = page(client, made, batch)
    assert "没有认出哪一列是姓名" in shown
    assert "第 1 列：甲栏" in shown
    values = {"start": 2, "column-0": "name", "column-1": "unit", "column-2": "unit"}
    response = client.post(url(made, "manage_import_columns", batch.pk), values)
    assert response.status_code == 400
    assert "“代表单位”选了两列，请只留一列。" in response.content.decode()
    client.post(url(made, "manage_import_columns", batch.pk), values | {"column-2": ""})
    assert "确认导入 1 名" in page(client, made, batch)


def test_another_sheet_of_the_workbook_is_chosen_on_the_page(client: Client, made: Made) -> None:
    book = Workbook()
    assert book.active is not None
    book.active.append(["姓名", "单位"])
    book.active.append(["唐明", "七星队"])
    second = book.create_sheet("女子组")
    second.append(["姓名"])
    second.append(["蒋芳"])
    file = io.BytesIO()
    book.save(file)
    batch = upload(client, made, file.getvalue())
    assert "唐明" in page(client, made, batch)
    values = {"sheet": 1, "start": 2, "column-0": "name", "column-1": "unit"}
    client.post(url(made, "manage_import_columns", batch.pk), values)
    shown = page(client, made, batch)
    assert "蒋芳" in shown
    assert "唐明" not in shown


def test_list_that_moved_since_the_preview_is_shown_again_with_the_choices(
    client: Client, made: Made
) -> None:
    batch = upload(client, made, table(*ROWS))
    digest = preview_of(batch).digest
    add_pasted(acting=made.owner, event=made.event, text="覃小明 象山队")
    response = client.post(
        url(made, "manage_import_preview", batch.pk), {"digest": digest, "row-4": "new"}
    )
    shown = response.content.decode()
    assert response.status_code == 400
    assert "名单在这期间有了变化" in shown
    assert '<option value="new" selected>作为新选手</option>' in shown
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xd0\xcf\x11\xe0old", "这是旧的 .xls 文件"),
        (b"PK\x03\x04broken", "文件打不开"),
        (b"<html><table>", "这不是表格文件"),
        (b"a\x00b,c", "这不是表格文件"),
        (b"\xff\xff\xff,\xfe", "看不懂文件的编码"),
        (b"\n \n", "文件里没有内容"),
        (b"x" * (MOST_BYTES + 1), "文件超过 5 MB"),
        (b'a,b\n"' + b"x" * 140_000, "有一格过长"),
        (text(["姓名"], *[[f"选手{n}"] for n in range(5200)]), "一次最多导入 5000 名"),
    ],
)
def test_file_that_cannot_be_read_is_refused_with_what_to_do(
    client: Client, made: Made, data: bytes, says: str
) -> None:
    response = send(client, made, data, "a.csv")
    assert response.status_code == 400
    assert says in response.content.decode()
    assert not ImportBatch.objects.exists()


def test_neither_file_nor_text_is_told_and_typed_text_stays(client: Client, made: Made) -> None:
    response = client.post(url(made, "manage_import"), {"text": "  "})
    assert "请选择文件，或者粘贴表格。" in response.content.decode()
    response = client.post(url(made, "manage_import"), {"text": "<html>唐明"})
    assert response.status_code == 400
    assert "&lt;html&gt;唐明</textarea>" in response.content.decode()


def bomb(part: str, content: bytes) -> bytes:
    """A workbook one part of which is replaced."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(table(*ROWS))) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return file.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
SPACE = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (bomb(SHEET, b" " * 60_000_000), "表格里的内容太多"),
        (bomb(SHEET, b'<!DOCTYPE x [<!ENTITY a "b">]>' + SPACE + b"</worksheet>"), "不允许的内容"),
    ],
)
def test_spreadsheet_bomb_is_not_unpacked(
    client: Client, made: Made, data: bytes, says: str
) -> None:
    assert len(data) < MOST_BYTES
    start = time.process_time()
    response = send(client, made, data)
    assert time.process_time() - start < 5
    assert says in response.content.decode()


def test_sheet_that_claims_a_million_rows_and_columns_is_read_for_what_it_holds() -> None:
    rows = (
        b'<dimension ref="A1:XFD1048576"/><sheetData>'
        b'<row r="1"><c r="A1" t="inlineStr"><is><t>\xe5\xa7\x93\xe5\x90\x8d</t></is></c></row>'
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c>'
        b'<c r="A1048576" t="inlineStr"><is><t>\xe5\x94\x90</t></is></c></row></sheetData>'
    )
    start = time.process_time()
    (sheet,) = read_file(bomb(SHEET, SPACE + rows + b"</worksheet>"))
    assert time.process_time() - start < 10
    assert sheet.lines == ((1, ("姓名",)), (1048576, ("唐",)))


def test_five_thousand_rows_are_previewed_in_ten_seconds(client: Client, made: Made) -> None:
    surnames, names = "赵钱孙李周吴郑王冯陈覃曾单仇区解查莫蒋唐", "明华强芳丽军秀英国栋家俊"
    add_pasted(
        acting=made.owner,
        event=made.event,
        text="\n".join(f"{surnames[n % 20]}{names[n % 12]}某\t旧队{n % 90}" for n in range(1000)),
    )
    rows = [
        [n + 2000, f"{surnames[n % 20]}{names[n // 20 % 12]}{names[n // 240 % 12]}",
         f"队{n % 300}", 13_800_000_000 + n, 1950 + n % 50]
        for n in range(5000)
    ]  # fmt: skip
    data = table(["编号", "姓名", "单位", "手机", "出生年"], *rows)
    start = time.process_time()
    batch = upload(client, made, data)
    shown = page(client, made, batch, "?only=all")
    taken = time.process_time() - start
    assert "全部 5000" in shown
    assert taken < 10, f"{taken:.1f} s"


@pytest.mark.parametrize("rows", [3, 300])
def test_pages_stay_within_the_query_budget(
    client: Client, made: Made, rows: int, django_assert_max_num_queries: object
) -> None:
    add_pasted(acting=made.owner, event=made.event, text="覃小明 象山队")
    lines = [[n, f"选手{n}", f"队{n}"] for n in range(20, 20 + rows)]
    batch = upload(client, made, table(*ROWS, *lines))
    for name, args in (
        ("manage_import", ()),
        ("manage_import_preview", (batch.pk,)),
        ("manage_import_row", (batch.pk, 2)),
    ):
        with django_assert_max_num_queries(MOST_QUERIES):  # type: ignore[operator]
            assert client.get(url(made, name, *args)).status_code == 200


@pytest.mark.parametrize("role", ["", *Role.values[2:4]])
def test_import_pages_are_for_organizers_only(client: Client, made: Made, role: str) -> None:
    batch = upload(client, made, table(*ROWS))
    user = make_user()
    if role:
        Membership.objects.create(user=user, competition=made.competition, role=role)
    client.force_login(user)
    status = 403 if role else 404
    for name, args in (
        ("manage_import", ()),
        ("manage_import_xlsx", ()),
        ("manage_import_csv", ()),
        ("manage_list_xlsx", ()),
        ("manage_list_csv", ()),
        ("manage_import_preview", (batch.pk,)),
        ("manage_import_row", (batch.pk, 2)),
        ("manage_import_columns", (batch.pk,)),
        ("manage_import_discard", (batch.pk,)),
        ("manage_import_undo", (batch.pk,)),
    ):
        assert client.get(url(made, name, *args)).status_code == status
        assert client.post(url(made, name, *args)).status_code == status
    batch.refresh_from_db()
    assert (batch.state, Entry.objects.count()) == (ImportState.PREVIEW, 0)


def test_batch_of_another_competition_is_not_found(client: Client, made: Made) -> None:
    other = make()
    client.force_login(User.objects.get(pk=other.owner.user_id))
    batch = upload(client, other, table(*ROWS))
    client.force_login(User.objects.get(pk=made.owner.user_id))
    for name in ("manage_import_undo", "manage_import_discard", "manage_import_preview"):
        assert client.post(url(made, name, batch.pk)).status_code == 404
    assert client.get(url(made, "manage_import_row", batch.pk, 2)).status_code == 404


def test_discarded_upload_leaves_nothing(client: Client, made: Made) -> None:
    batch = upload(client, made, table(*ROWS))
    client.post(url(made, "manage_import_discard", batch.pk))
    assert not ImportBatch.objects.exists()
    assert client.get(url(made, "manage_import_preview", batch.pk)).status_code == 404


def test_frozen_list_is_told_at_the_upload(client: Client) -> None:
    made = make(9)
    client.force_login(User.objects.get(pk=made.owner.user_id))
    client.post(url(made, "manage_draw_freeze"))
    response = send(client, made, table(*ROWS))
    assert response.status_code == 400
    assert "名单已经冻结" in response.content.decode()


def test_template_has_every_heading_and_comes_back_empty(client: Client, made: Made) -> None:
    headings = ["编号", "姓名", "代表单位", "手机号", "出生年份", "种子", "备注"]
    response = client.get(url(made, "manage_import_xlsx"))
    book = load_workbook(io.BytesIO(response.content))
    assert [[cell.value for cell in row] for row in book.worksheets[0]] == [headings]
    assert book.worksheets[0].column_dimensions["D"].number_format == "@"
    response = client.get(url(made, "manage_import_csv"))
    assert response.content == ("\ufeff" + ",".join(headings) + "\r\n").encode()
    assert response["Content-Disposition"].startswith("attachment; filename*=utf-8''")
    for kind in ("xlsx", "csv"):
        batch = upload(client, made, template(kind))
        assert batch.columns == [
            "number", "name", "unit", "phone", "birth_year", "seed", "events", "partner", "note"
        ]  # fmt: skip
        assert preview_of(batch).rows == ()


@pytest.mark.parametrize("kind", ["xlsx", "csv"])
def test_exported_list_escapes_formulas_holds_no_phone_and_comes_back_the_same(
    client: Client, made: Made, kind: str
) -> None:
    rows = [["编号", "姓名", "单位", "手机"], [1, "'=HYPERLINK唐", "+七星队", "13800138000"],
            [2, "@蒋芳", "-队", None], [3, "莫家骏", "=1+1队", None]]  # fmt: skip
    batch = upload(client, made, text(*rows))
    digest = preview_of(batch).digest
    client.post(url(made, "manage_import_preview", batch.pk), {"digest": digest})
    content = client.get(url(made, f"manage_list_{kind}")).content
    if kind == "csv":
        assert "1,'=HYPERLINK唐,'+七星队,\r\n2,'@蒋芳,'-队,\r\n" in content.decode()
    else:
        cells = load_workbook(io.BytesIO(content)).worksheets[0]
        assert [cell.data_type for cell in cells["C"]] == ["s"] * 4
        assert cells["B2"].value == "'=HYPERLINK唐"
    assert b"13800138000" not in content
    again = preview_of(upload(client, made, content))
    assert [str(one.verdict) for one in again.rows] == ["same"] * 3


def test_english_pages_read_english_headings(client: Client, made: Made) -> None:
    batch = upload(client, made, text(["No.", "Name", "Team"], [1, "Ann", "A"]))
    assert "Ann" in page(client, made, batch)
