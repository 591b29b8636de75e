"""Names taken out of texts, however people write them."""

from __future__ import annotations

import pytest

from tournament.erased import names_of

NAMES = names_of(
    {"张三": "1 号", "Li Wei": "3 号", "An": "4 号", "秦漓·A": "9 号", "王": "5 号",
     "13800138000": "", "li@lijiang.example": ""},
    ["张三丰", "Li Weiming"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("张三丰打张三", "张三丰打1 号"),
        ("张　三、张 三，张　三丰", "1 号、1 号，张　三丰"),
        ("LI WEI, li  wei, Li-Wei", "3 号, 3 号, 3 号"),
        ("Li  Weiming", "Li  Weiming"),
        ("An说Anna、Johan、an", "4 号说Anna、Johan、4 号"),
        ("秦漓·a迟到", "9 号迟到"),
        ("王牌", "王牌"),
        (" 王 ", "5 号"),
        ("电话138-0013-8000、138 0013 8000", "电话、"),
        ("写给Li@Lijiang.example。", "写给。"),
        ("第三张，三局", "第三张，三局"),
        ("", ""),
    ],
)
def test_names_are_found_as_people_write_them(text: str, left: str) -> None:
    assert NAMES.out_of(text) == left
    assert NAMES.are_in(text) == (text != left)


def test_words_of_a_json_value_go_and_its_keys_stay() -> None:
    value = {"张三": ["张　三", 1, None, {"name": "LI WEI"}]}
    assert NAMES.out_of_json(value) == {"张三": ["1 号", 1, None, {"name": "3 号"}]}


def test_a_text_is_cut_only_where_it_grew() -> None:
    assert NAMES.out_of("张三" * 3, 8) == "1 号1 号1 "
    assert NAMES.out_of("没有名字的话", 3) == "没有名字的话"
