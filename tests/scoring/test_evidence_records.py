"""Records as evidence (C6.1): exactly one hand, valid, of this event's rules and table."""

from __future__ import annotations

import re

import pytest

from engine.rules import preset
from scoring.evidence import RECORD_LIMIT, Claimed, EntryError, RecordError, Terms, count
from tests.scoring.records import result_of, texts, won

TERMS = Terms(preset("competition"), dealer=0)


def refuse(text: str, terms: Terms = TERMS) -> EntryError:
    with pytest.raises(EntryError) as caught:
        count("record", {"text": text}, terms)
    return caught.value


def test_record_is_replayed_and_kept_as_it_is() -> None:
    text = won()
    result = result_of(text)
    counted = count("record", {"text": text}, TERMS)
    assert counted.payload == {"text": text}
    assert counted.deltas == result.deltas
    assert counted.computed == result.as_json()
    assert (counted.dealer, counted.winners) == (0, result.winners)
    assert counted.claimed is None


def test_record_of_four_seats_at_a_table_of_four() -> None:
    text = won(seats=4)
    four = Terms(preset("competition").with_options({"seats": 4}), dealer=0)
    assert count("record", {"text": text}, four).deltas == result_of(text).deltas
    wrong = refuse(text)
    assert (wrong.field, wrong.zh) == ("text", "牌谱是 4 人，这一桌是 3 人")


def test_claim_line_that_differs_is_kept_beside_the_computed_value() -> None:
    """C6.3: the `=` line is what the table claimed."""
    text = won()
    result = result_of(text)
    wrong = re.sub(r"胡(\d+)", lambda m: f"胡{int(m[1]) + 1}", text)
    counted = count("record", {"text": wrong}, TERMS)
    assert counted.claimed is not None
    assert counted.claimed.hu == result.hu + 1
    assert counted.claimed.total == result.total
    assert isinstance(counted.claimed, Claimed)
    assert counted.hu == result.hu
    assert counted.payload["claim"] == {"hu": result.hu + 1, "total": result.total}


def test_fault_is_named_with_line_column_and_the_legal_events() -> None:
    lines = won().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("甲 打"))
    lines[first] = lines[first].replace("甲 打", "甲 摸")
    wrong = refuse("\n".join(lines))
    assert isinstance(wrong, RecordError)
    fault = wrong.faults[0]
    assert (fault.line, fault.column) == (first + 1, 1)
    assert fault.legal
    assert wrong.field == "text"


def test_record_must_be_exactly_one_hand() -> None:
    two = "\n".join(texts(2))
    assert refuse(two).zh == "这里要正好一副牌，现在有 2 副"
    assert refuse("").zh == "这里要正好一副牌，现在有 0 副"
    assert refuse("x" * (RECORD_LIMIT + 1)).zh.startswith("这里只收一副牌的牌谱")


def test_unfinished_record_is_not_a_hand() -> None:
    lines = won().splitlines()
    cut = "\n".join(line for line in lines if not line.startswith(("=", "醒")) and "胡" not in line)
    assert refuse(cut).zh == "这副牌还没有打完，没有胡也没有荒"


def test_record_of_other_rules_names_the_options_that_differ() -> None:
    wrong = refuse(won("local"))
    assert wrong.code == "bad-option"
    assert "peng_points" in wrong.zh
    assert "seats" not in wrong.zh


def test_text_that_is_no_record_says_so_without_raising() -> None:
    for text in ("你好", "字牌谱 1", "字牌谱 1\n规则: 无\n", "{", "\x00"):
        assert refuse(text).field == "text"


def test_drawn_hand_is_the_same_as_a_record_and_as_a_result_line() -> None:
    """R4.6, cli.md: nobody pays, and the numbers are 0 whichever way it was written."""
    found = (texts(1, seed=seed)[0] for seed in range(200))
    text = next(one for one in found if not result_of(one).winners)
    as_record = count("record", {"text": text}, TERMS)
    as_line = count("result", {"source": "draw"}, TERMS)
    assert as_record.computed == as_line.computed
    assert as_line.computed is not None
    assert as_line.computed["times"] == 0
