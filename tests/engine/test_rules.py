"""The options of rules.md and its four presets."""

import dataclasses
import itertools

import pytest

from engine.errors import ZipaiError
from engine.options import CONFIRM, CONFIRM_NOTES, OPTIONS
from engine.rules import PRESET_TITLES, PRESETS, Rules, preset

TABLE = """
seats          | 3            | 3               | 3                 | 3
min_hu         | 10           | 10              | 10                | 10
duo_step       | 5            | 5               | 5                 | 5
unit           | duo          | hu              | duo               | duo
peng_points    | colour       | colour          | colour            | plain
peng_opens_on  | own-flip     | any-flip        | any-flip          | any-flip
sao_opens_on   | flip         | flip-or-discard | flip              | flip-or-discard
two_long       | skip-discard | extra-card      | skip-discard      | extra-card
must_win       | discard      | never           | always            | never
passed         | shared       | separate        | separate          | separate
own_flip_bonus | +1           | none            | none              | +1
special_bonus  | +1           | none            | x2                | x2
xing           | shang, xia   | shang, xia      | shang, zhong, xia | shang, xia
xing_repeat    | off          | off             | on                | on
xing_wrap      | true         | true            | true              | true
last_card      | none         | none            | flat-2            | none
deal_ties      | nearest      | largest-hu      | nearest           | nearest
draw_dealer    | same         | same            | next              | same
"""
ROWS = {
    cells[0]: cells[1:]
    for line in TABLE.strip().splitlines()
    if (cells := [cell.strip() for cell in line.split("|")])
}


def test_presets_are_those_of_the_table_in_its_order():
    assert list(PRESETS) == ["competition", "laok", "guangxi-app", "local"]
    for i, rules in enumerate(PRESETS.values()):
        written = {name: OPTIONS[name].write(value) for name, value in rules.options().items()}
        assert written == {name: cells[i] for name, cells in ROWS.items()}
        assert list(written) == list(ROWS)


def test_every_option_has_a_field_and_every_field_an_option():
    assert [field.name for field in dataclasses.fields(Rules)] == list(OPTIONS)


def test_every_value_of_every_option_is_described_in_both_languages():
    for option in OPTIONS.values():
        assert option.zh
        assert option.en
        for value in option.values:
            zh, en = option.describe((value,) if option.many else value)
            assert zh
            assert en
    assert OPTIONS["xing"].describe(()) == ("都不算", "none of them")
    assert OPTIONS["xing"].describe(("shang", "xia"))[0] == "上醒：翻出的上一张；下醒：翻出的下一张"


def test_doubtful_values_are_those_that_rules_md_lists():
    assert {
        "competition": (
            *("peng_points", "xing_repeat", "xing_wrap"),
            *("last_card", "deal_ties", "draw_dealer"),
        ),
        "laok": ("must_win", "xing_wrap", "last_card", "draw_dealer"),
        "guangxi-app": ("peng_points", "own_flip_bonus", "xing_wrap", "xing"),
        "local": (),
    } == CONFIRM
    assert [note[0] for note in CONFIRM_NOTES["competition"]] == ["R7.3"]
    assert CONFIRM.keys() == CONFIRM_NOTES.keys() == PRESETS.keys() == PRESET_TITLES.keys()


def test_unknown_preset_names_those_there_are():
    with pytest.raises(ZipaiError) as caught:
        preset("majiang")
    assert caught.value.code == "unknown-rules"
    assert "competition, laok, guangxi-app, local" in caught.value.zh
    assert "competition, laok, guangxi-app, local" in caught.value.en


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_hu", 11),
        ("min_hu", "十"),
        ("min_hu", True),
        ("min_hu", 10.0),
        ("seats", 5),
        ("seats", None),
        ("duo_step", 4),
        ("unit", "HU"),
        ("xing_wrap", 1),
        ("xing_wrap", "yes"),
        ("xing", "shang, up"),
        ("xing", ["shang", "shang"]),
        ("xing", [1]),
        ("xing", 3),
        ("xing", {"shang": 1}),
        ("must_win", []),
    ],
)
def test_value_outside_an_option_is_refused_naming_option_and_values(name, value):
    with pytest.raises(ZipaiError) as caught:
        preset("competition").with_options({name: value})
    assert caught.value.code == "bad-option"
    assert caught.value.rule == OPTIONS[name].rule
    for allowed in OPTIONS[name].values:
        assert OPTIONS[name].write(allowed) in caught.value.zh
    assert name in caught.value.zh
    assert name in caught.value.en


def test_refused_value_is_quoted_as_it_would_be_written():
    with pytest.raises(ZipaiError) as caught:
        preset("competition").with_options({"xing": "shang, up"})
    assert caught.value.zh == "选项 xing 不能是“shang, up”；任选若干 shang, zhong, xia"


def test_unknown_option_is_refused_naming_the_options():
    with pytest.raises(ZipaiError) as caught:
        preset("local").with_options({"joker": 1})
    assert caught.value.code == "bad-option"
    assert "joker" in caught.value.zh
    assert ", ".join(OPTIONS) in caught.value.en


@pytest.mark.parametrize(("name", "value"), [("xing", ["shang"]), ("xing", ("xia", "shang"))])
def test_rules_object_refuses_what_is_not_in_canonical_form(name, value):
    with pytest.raises(ZipaiError, match="bad-option"):
        Rules(**{name: value})


@pytest.mark.parametrize(
    ("name", "written", "read"),
    [
        ("min_hu", " 15 ", 15),
        ("seats", 4, 4),
        ("xing_wrap", "false", False),
        ("xing_wrap", True, True),
        ("xing", "xia，shang", ("shang", "xia")),
        ("xing", "shang、zhong", ("shang", "zhong")),
        ("xing", "", ()),
        ("xing", [], ()),
        ("xing", ["zhong", "shang"], ("shang", "zhong")),
        ("last_card", "win-card", "win-card"),
    ],
)
def test_option_is_read_from_text_and_json(name, written, read):
    assert getattr(preset("competition").with_options({name: written}), name) == read


def test_every_value_survives_being_written_and_read():
    for option in OPTIONS.values():
        for value in option.values:
            given = (value,) if option.many else value
            assert option.read(option.write(given)) == given


def test_digest_tells_rules_apart_and_leaves_seats_out():
    digests = {rules.digest for rules in PRESETS.values()}
    assert len(digests) == 4
    assert all(len(digest) == 64 for digest in digests)
    local = preset("local")
    assert local.with_options({"seats": 4}).digest == local.digest
    for option, value in itertools.product(["min_hu"], [15, 20]):
        assert local.with_options({option: value}).digest != local.digest


def test_digest_is_the_sha256_of_canonical_json():
    import hashlib

    text = (
        '{"deal_ties":"nearest","draw_dealer":"same","duo_step":5,"last_card":"none","min_hu":10,'
        '"must_win":"discard","own_flip_bonus":"+1","passed":"shared","peng_opens_on":"own-flip",'
        '"peng_points":"colour","sao_opens_on":"flip","special_bonus":"+1",'
        '"two_long":"skip-discard","unit":"duo","xing":["shang","xia"],"xing_repeat":"off",'
        '"xing_wrap":true}'
    )
    assert preset("competition").digest == hashlib.sha256(text.encode()).hexdigest()


def test_differences_are_only_what_differs():
    rules = preset("local").with_options({"min_hu": 15, "xing": "zhong"})
    assert rules.differences(preset("local")) == {"min_hu": 15, "xing": ("zhong",)}
    assert preset("local").differences(preset("local")) == {}
