"""Lists as people send them, each with its preview, exactly.

Every list is written here by openpyxl or csv and read back as an upload is. A row of an expected
preview is (line, name, unit, what else it holds, what it is, why).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.tournament.spreadsheets import book, saved, table, text
from tournament.sheets.columns import choose_sheet, layout_of, read_rows
from tournament.sheets.fields import Field
from tournament.sheets.judged import Judged, Known
from tournament.sheets.judging import judge
from tournament.sheets.reading import read_file, read_text

Shown = tuple[int, str, str, dict[str, object], str, list[str]]

BORN = datetime(1970, 5, 1)  # noqa: DTZ001 - as spreadsheets keep it
KNOWN = [
    Known(1, "覃小明", "象山队", 1, "13800138000", 1968, seed=1),
    Known(2, "莫家骏", "灵川队", 2, "13800138001"),
    Known(3, "阳秀英", "", 3),
    Known(4, "秦国栋", "象山队", 4, has_left=True),
]


def previewed(data: bytes | str, known: Sequence[Known] = KNOWN) -> tuple[list[Shown], list[int]]:
    sheets = (read_text(data),) if isinstance(data, str) else read_file(data)
    sheet = sheets[choose_sheet(sheets)]
    rows, passed = read_rows(sheet, layout_of(sheet), 2026)
    return [shown(one) for one in judge(rows, known)], passed


def shown(one: Judged) -> Shown:
    rest = {
        str(field): one.row.value(field)
        for field in Field
        if field not in (Field.NAME, Field.UNIT) and one.row.value(field) not in (None, "")
    }
    reasons = [str(reason.code) for reason in one.reasons]
    return one.row.line, one.row.name, one.row.unit, rest, str(one.verdict), reasons


def test_plain_workbook_in_the_order_of_the_template() -> None:
    data = table(
        ["编号", "姓名", "代表单位", "手机号", "出生年份", "种子", "备注"],
        [5, "唐明", "七星队", "13800138005", 1970, 2, "左手"],
        [6, "蒋芳", "七星队", None, None, None, None],
    )
    assert previewed(data) == (
        [
            (2, "唐明", "七星队",
             {"number": 5, "phone": "13800138005", "birth_year": 1970, "seed": 2, "note": "左手"},
             "new", []),
            (3, "蒋芳", "七星队", {"number": 6}, "new", []),
        ],
        [1],
    )  # fmt: skip


def test_phones_that_became_numbers_and_numbers_that_became_text() -> None:
    data = table(
        ["编号", "姓名", "单位", "电话", "出生年"],
        ["5", "唐明", "七星队", 13800138005.0, "1970"],
        ["06", "蒋芳", "七星队", "13800138006.0", 1970.0],
        ["７", "韦强", "七星队", "138-0013-8007", "1970年"],
        ["8号", "韦丽", "七星队", " 138 0013 8008 ", date(1970, 5, 1)],
        ["No.9", "韦军", "七星队", "+86 13800138009", BORN],
        [10.0, "黄英", "七星队", "（0773）2821234", "1970-05"],
    )
    rows, _passed = previewed(data)
    assert [row[3] for row in rows] == [
        {"number": 5, "phone": "13800138005", "birth_year": 1970},
        {"number": 6, "phone": "13800138006", "birth_year": 1970},
        {"number": 7, "phone": "13800138007", "birth_year": 1970},
        {"number": 8, "phone": "13800138008", "birth_year": 1970},
        {"number": 9, "phone": "13800138009", "birth_year": 1970},
        {"number": 10, "phone": "07732821234", "birth_year": 1970},
    ]
    assert {row[4] for row in rows} == {"new"}


def test_title_rows_merged_over_the_whole_width_stand_above_the_heading() -> None:
    def build(sheet: Worksheet) -> None:
        sheet.append(["2026 年漓江杯桂林字牌赛报名表"])
        sheet.merge_cells("A1:D1")
        sheet.append(["单位：七星区文化馆（盖章）", None, None, "日期：2026.11.20"])
        sheet.append([])
        sheet.append(["序号", "姓    名", "代 表 队", "联系电话*（必填）"])
        sheet.append([1, "唐明", "七星队", "13800138005"])

    assert previewed(book(build)) == (
        [(5, "唐明", "七星队", {"phone": "13800138005"}, "new", [])],
        [1, 2, 4],
    )


def test_heading_of_two_merged_lines() -> None:
    def build(sheet: Worksheet) -> None:
        sheet.append(["报名表"])
        sheet.append(["编号", "姓名", "联系方式", None, "备注"])
        sheet.append([None, None, "手机", "微信", None])
        for cells in ("C2:D2", "A2:A3", "B2:B3", "E2:E3"):
            sheet.merge_cells(cells)
        sheet.append([5, "唐明", "13800138005", "tang", "素食"])

    assert previewed(book(build)) == (
        [(4, "唐明", "", {"number": 5, "phone": "13800138005", "note": "素食"}, "new", [])],
        [1, 2, 3],
    )


def test_unit_merged_beside_its_members_is_each_members() -> None:
    def build(sheet: Worksheet) -> None:
        sheet.append(["单位", "队员"])
        for row in (["七星队", "唐明"], [None, "蒋芳"], [None, "韦强"], ["叠彩队", "韦丽"]):
            sheet.append(row)
        sheet.merge_cells("A2:A4")

    rows, _passed = previewed(book(build))
    assert [row[:3] for row in rows] == [
        (2, "唐明", "七星队"),
        (3, "蒋芳", "七星队"),
        (4, "韦强", "七星队"),
        (5, "韦丽", "叠彩队"),
    ]


def test_empty_lines_notes_sums_and_a_repeated_heading_are_passed_over() -> None:
    data = table(
        ["姓名", "单位", "电话"],
        ["唐明", "七星队", None],
        [None, None, None],
        ["姓名", "单位", "电话"],
        ["蒋芳", "七星队", None],
        ["合计", 2, None],
        ["领队：周建国", None, "13800138099"],
        ["注：请于 12 月 1 日前交到文化馆。", None, None],
        ["本表一式两份，各队自留一份。", None, None],
    )
    assert previewed(data) == (
        [
            (2, "唐明", "七星队", {}, "new", []),
            (5, "蒋芳", "七星队", {}, "new", []),
        ],
        [1, 4, 6, 7, 8, 9],
    )


def test_numbers_printed_in_advance_without_a_name_are_nobody() -> None:
    data = table(["编号", "姓名", "单位"], [5, "唐明", "七星队"], [6, None, None], [7, None, ""])
    assert previewed(data) == (
        [(2, "唐明", "七星队", {"number": 5}, "new", [])],
        [1, 3, 4],
    )


def test_csv_in_utf_8_with_and_without_bom_and_gb18030_and_utf_16_are_the_same() -> None:
    rows = [["编号", "姓名", "单位"], [5, "𠮷野", "七星队"], [6, "㐂子", "叠彩队"]]
    expected = [
        (2, "𠮷野", "七星队", {"number": 5}, "new", []),
        (3, "㐂子", "叠彩队", {"number": 6}, "new", []),
    ]
    for encoding in ("utf-8", "utf-8-sig", "gb18030", "utf-16"):
        assert previewed(text(*rows, encoding=encoding)) == (expected, [1])


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_csv_dialects_by_their_separators(mark: str) -> None:
    data = text(
        ["姓名", "单位", "备注"],
        ["唐明", "七星队", "到得晚, 请等; 谢谢"],
        ["蒋芳", 'a "队"', "两\n行"],
        mark=mark,
        encoding="utf-8-sig",
    )
    assert previewed(data)[0] == [
        (2, "唐明", "七星队", {"note": "到得晚, 请等; 谢谢"}, "new", []),
        (3, "蒋芳", 'a "队"', {"note": "两 行"}, "new", []),
    ]


def test_separator_stated_in_the_first_line_is_believed() -> None:
    data = "sep=;\r\n姓名;单位\r\n唐明;七星队,一组\r\n".encode("utf-8-sig")
    assert previewed(data) == ([(3, "唐明", "七星队,一组", {}, "new", [])], [2])


def test_english_list_from_abroad() -> None:
    data = text(
        ["No.", "Full Name", "Team / Club", "Mobile number", "Year of birth", "Seed", "Remarks"],
        ["5", "John  Smith", "Guilin", "+1 555 010 0199", "1980", "-", ""],
        ["6", "O'Neil, Ann", "Guilin", "", "", "", "vegetarian"],
    )
    assert previewed(data)[0] == [
        (2, "John Smith", "Guilin",
         {"number": 5, "phone": "+15550100199", "birth_year": 1980}, "new", []),
        (3, "O'Neil, Ann", "Guilin", {"number": 6, "note": "vegetarian"}, "new", []),
    ]  # fmt: skip


def test_names_with_blanks_full_width_letters_and_invisible_characters() -> None:
    data = table(
        ["姓名", "单位"],
        ["张 三", "七星　队"],
        ["李　　四", "Ａ队"],
        ["\u200b王五\ufeff", "七星\u00a0队"],
        ["阿迪力·买买提", "七星 队"],
        ["欧阳 修 文", "A队"],
    )
    assert [row[1:3] for row in previewed(data)[0]] == [
        ("张三", "七星 队"),
        ("李四", "A队"),
        ("王五", "七星 队"),
        ("阿迪力·买买提", "七星 队"),
        ("欧阳修文", "A队"),
    ]


def test_list_sent_again_is_the_same_where_nothing_is_new() -> None:
    data = table(
        ["编号", "姓名", "单位", "电话", "出生年", "种子"],
        [1, "覃 小明", "象山队", 13800138000.0, 1968, 1],
        [None, "莫家骏", "灵川队", None, None, None],
        [3, "阳秀英", None, None, None, None],
    )
    assert [row[4:] for row in previewed(data)[0]] == [("same", [])] * 3


def test_changes_of_known_people_are_shown_one_by_one() -> None:
    data = table(
        ["编号", "姓名", "单位", "电话", "出生年"],
        [1, "覃小明", "七星队", None, None],
        [22, "莫家骏", "灵川队", None, 1975],
        [None, "阳秀英", None, "13800138003", None],
    )
    sheet = read_file(data)[0]
    judged = judge(read_rows(sheet, layout_of(sheet), 2026)[0], KNOWN)
    assert [(str(one.verdict), [change.text for change in one.changes]) for one in judged] == [
        ("changed", ["代表单位：象山队 → 七星队"]),
        ("changed", ["编号：2 → 22", "出生年份：无 → 1975"]),
        ("changed", ["手机号：无 → 138****8003"]),
    ]


def test_who_might_be_somebody_known_is_doubtful() -> None:
    data = table(
        ["姓名", "单位", "电话"],
        ["覃小明", "七星队", None],
        ["莫家骏", "灵川队", "13900139000"],
        ["周建国", "七星队", "13800138001"],
        ["莫佳俊", "灵川队", None],
        ["英秀阳", "叠彩队", None],
    )
    known = [*KNOWN, Known(5, "张晓明", "叠彩队", 5), Known(6, "John Smith", "A", 6)]
    assert [row[4:] for row in previewed(data, known)[0]] == [
        ("doubtful", ["same-name"]),
        ("doubtful", ["other-phone"]),
        ("doubtful", ["same-phone"]),
        ("doubtful", ["alike"]),
        ("doubtful", ["alike"]),
    ]
    more = table(["姓名", "单位"], ["张小明", "叠彩队"], ["张小明", "别的队"], ["SMITH John", "A"])
    assert [row[4:] for row in previewed(more, known)[0]] == [
        ("doubtful", ["alike"]),
        ("doubtful", ["same-name-row"]),
        ("doubtful", ["alike"]),
    ]


def test_choices_of_a_doubtful_row_leave_out_what_cannot_be() -> None:
    """Who has the number of somebody known cannot be somebody new."""
    data = table(["编号", "姓名", "单位"], [2, "莫佳俊", "灵川队"], [9, "莫加俊", "灵川队"])
    sheet = read_file(data)[0]
    judged = judge(read_rows(sheet, layout_of(sheet), 2026)[0], KNOWN)
    assert [[str(choice) for choice in one.choices] for one in judged] == [
        ["skip", "update"],
        ["skip", "new", "update"],
    ]
    assert [change.text for change in judged[0].changes] == ["姓名：莫家骏 → 莫佳俊"]


def test_doubles_inside_one_list() -> None:
    data = table(
        ["编号", "姓名", "单位", "电话"],
        [5, "唐明", "七星队", "13800138005"],
        [None, "唐明", "七星队", None],
        [None, "唐 明", "七星队", "13800138005"],
        [None, "唐明", "七星队", "13800138006"],
        [None, "唐明", "叠彩队", None],
        [None, "蒋芳", "七星队", "13800138005"],
        [5, "韦强", "七星队", None],
    )
    assert [(row[0], *row[4:]) for row in previewed(data)[0]] == [
        (2, "new", []),
        (3, "same", ["double"]),
        (4, "same", ["double"]),
        (5, "doubtful", ["other-row"]),
        (6, "doubtful", ["same-name-row"]),
        (7, "doubtful", ["same-phone-row"]),
        (8, "wrong", ["double-number"]),
    ]


def test_every_mistake_of_a_row_is_named() -> None:
    data = table(
        ["编号", "姓名", "单位", "电话", "出生年", "种子", "备注"],
        [0, "唐明", "七星队", "1380013800", "68", "一号", None],
        ["甲", None, "七星队", "没有电话", "2035", 0, None],
        [1.5, "1234", "七星队", "1.38E+10", None, None, None],
        [1, "蒋芳", "七星队", "13800138005/13800138006", None, 1, None],
        [None, "长" * 61, "队" * 61, None, None, None, "注" * 201],
        [None, "秦国栋", "象山队", None, None, None, None],
        [None, "#REF!", "七星队", None, None, None, None],
        [4, "韦强", None, None, None, None, None],
    )
    assert [row[4:] for row in previewed(data)[0]] == [
        ("wrong", ["bad-number", "short-phone", "bad-year", "bad-seed"]),
        ("wrong", ["no-name", "bad-number", "bad-phone", "bad-year", "bad-seed"]),
        ("wrong", ["bad-name", "bad-number", "rounded-phone"]),
        ("wrong", ["two-phones"]),
        ("wrong", ["too-long", "too-long", "too-long"]),
        ("wrong", ["has-left"]),
        ("wrong", ["formula"]),
        ("wrong", ["number-taken"]),
    ]


def test_numbers_and_seeds_of_others_are_refused_by_name() -> None:
    data = table(["编号", "姓名", "种子"], [2, "唐明", 9], [9, "蒋芳", 1], [10, "韦强", 9])
    sheet = read_file(data)[0]
    judged = judge(read_rows(sheet, layout_of(sheet), 2026)[0], KNOWN)
    assert [[reason.text for reason in one.reasons] for one in judged] == [
        ["编号 2 已经是莫家骏的"],
        ["1 号种子已经是覃小明"],
        [],
    ]


def test_several_sheets_the_one_with_the_list_is_taken_and_hidden_ones_are_not() -> None:
    made = Workbook()
    assert made.active is not None
    made.active.append(["填写说明"])
    made.active.append(["每行一人"])
    hidden = made.create_sheet("旧名单")
    hidden.append(["编号", "姓名", "单位", "电话", "种子"])
    hidden.append([1, "旧人", "旧队", None, None])
    hidden.sheet_state = "hidden"
    made.create_sheet("空表")
    wanted = made.create_sheet("正式名单")
    wanted.append(["姓名", "单位"])
    wanted.append(["唐明", "七星队"])
    data = saved(made)
    assert [sheet.name for sheet in read_file(data)] == ["Sheet", "正式名单"]
    assert previewed(data) == ([(2, "唐明", "七星队", {}, "new", [])], [1])


def test_columns_without_a_heading_are_known_by_their_looks() -> None:
    data = table(
        [1, "唐明", "七星队", "13800138005"],
        [2, "蒋芳", "叠彩队", 13800138006.0],
    )
    assert previewed(data, []) == (
        [
            (1, "唐明", "七星队", {"number": 1, "phone": "13800138005"}, "new", []),
            (2, "蒋芳", "叠彩队", {"number": 2, "phone": "13800138006"}, "new", []),
        ],
        [],
    )


def test_list_of_nothing_but_names() -> None:
    assert previewed("姓名\n唐明\n蒋 芳\n") == (
        [(2, "唐明", "", {}, "new", []), (3, "蒋芳", "", {}, "new", [])],
        [1],
    )
    assert [row[1] for row in previewed("唐明\n蒋芳")[0]] == ["唐明", "蒋芳"]


def test_table_pasted_from_a_spreadsheet_and_typed_with_blanks() -> None:
    expected = [
        (2, "唐明", "七星队", {"number": 5, "phone": "13800138005"}, "new", []),
        (3, "蒋芳", "叠彩队", {"number": 6, "phone": "13800138006"}, "new", []),
    ]
    head = ["编号", "姓名", "单位", "手机"]
    rows = [head, ["5", "唐 明", "七星队", "13800138005"], ["6", "蒋芳", "叠彩队", "13800138006"]]
    for mark in ("\t", " ", "   ", "　　", "，", ","):
        assert previewed("\n".join(mark.join(row) for row in rows))[0] == expected


def test_cells_that_begin_like_formulas_are_text() -> None:
    data = text(
        ["姓名", "单位", "备注"],
        ["'=唐明", "+七星队", "@公司"],
        ["-蒋芳", "'-队", "=1+1"],
    )
    assert previewed(data)[0] == [
        (2, "=唐明", "+七星队", {"note": "@公司"}, "new", []),
        (3, "-蒋芳", "-队", {"note": "=1+1"}, "new", []),
    ]


def test_headings_we_do_not_know_are_left_out_and_the_first_of_two_alike_counts() -> None:
    data = table(
        ["性别", "参赛选手姓名", "紧急联系人电话", "手机号码", "身份证号", "单位", "所属单位"],
        ["男", "唐明", "13800138099", "13800138005", "450300197001010011", "七星队", "别的"],
    )
    assert previewed(data)[0] == [
        (2, "唐明", "七星队", {"phone": "13800138005"}, "new", [])
    ]  # fmt: skip


def test_family_of_several_equal_entries_is_told_apart_by_number_or_phone() -> None:
    known = [
        Known(1, "李伟", "七星队", 1, "13800138001"),
        Known(2, "李伟", "七星队", 2, "13800138002"),
    ]
    head = ["编号", "姓名", "单位", "电话", "备注"]
    first = table(head, [2, "李伟", "七星队", None, "弟"])
    second = table(head, [None, "李伟", "七星队", "13800138001", "兄"])
    third = table(head, [None, "李伟", "七星队", None, "?"])
    assert [row[4:] for one in (first, second, third) for row in previewed(one, known)[0]] == [
        ("changed", []),
        ("changed", []),
        ("doubtful", ["several"]),
    ]


def test_same_person_by_two_rows_is_refused() -> None:
    data = table(["编号", "姓名", "单位"], [None, "覃小明", "象山队"], [1, "覃小明", "七星队"])
    assert [row[4:] for row in previewed(data)[0]] == [
        ("same", []),
        ("wrong", ["same-entry"]),
    ]
