"""Records damaged at random: text, indented text, export form and JSON twin are judged alike."""

import random

import pytest

from engine import jsonl
from engine.errors import CODES, ZipaiError
from engine.files import parse_all
from engine.record import export
from engine.replay import record_of, replay_all
from engine.rules import PRESETS, preset
from engine.simulate import play_hands

CHARS = '甲乙丙丁AB一二十壹拾打摸吃碰扫过开舵胡荒醒!=#"“{}：:+-0139. \n\t\u3000\ufeff发墩计、X'


def damaged(text, rng):
    """The text with one to four characters or lines deleted, added, changed, moved or repeated."""
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.7:
            at, size = rng.randrange(len(text)), rng.randint(0, 2)
            text = text[:at] + rng.choice(["", rng.choice(CHARS)]) + text[at + size :]
        else:
            lines = text.split("\n")
            line = lines[rng.randrange(len(lines))]
            if rng.random() < 0.6:
                lines.remove(line)
            if rng.random() < 0.6:
                lines.insert(rng.randint(0, len(lines)), line)
            text = "\n".join(lines) or "x"
    return text


def judged(text):
    """All that replay says of a text, but for columns."""
    return [
        (found.status, found.result, found.events, sorted(map(told, faults(found))))
        for found in replay_all(text)
    ]


def faults(found):
    return [found.error, *found.more] if found.error else []


def told(fault):
    return fault.line, fault.code, fault.event or 0, fault.rule, fault.zh, fault.en


def errors(text):
    """Status, result and first fault of each hand, wherever it stands in the file."""
    return [
        (found.status, found.result, found.error and (*told(found.error)[1:], found.error.legal))
        for found in replay_all(text)
    ]


@pytest.mark.parametrize("rules_id", PRESETS)
def test_damaged_record_is_judged_alike_in_every_form(rules_id):
    seed = 20261130
    rng = random.Random(seed)
    hands = list(play_hands(preset(rules_id), 8, rng))
    texts = [export(record_of(hand, rules_id)) for hand in hands]
    for number in range(150):
        text = damaged(rng.choice(texts), rng)
        where = f"seed {seed}, number {number}: {text}"
        for found in replay_all(text):
            for fault in faults(found):
                assert fault.code in CODES, where
                assert min(fault.line, fault.column) >= 1, where
        indented = "\n".join(f" {line}" if line.strip() else line for line in text.split("\n"))
        assert judged(indented) == judged(text), where
        try:
            records = parse_all(text)
        except ZipaiError:
            continue
        canonical, twin = export(*records), jsonl.export(*records)
        assert parse_all(canonical) == parse_all(twin) == records, where
        assert export(*parse_all(canonical)) == canonical, where
        assert errors(canonical) == errors(twin), where
        assert [e[:2] for e in errors(canonical)] == [e[:2] for e in errors(text)], where
