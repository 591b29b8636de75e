"""The published draw and its check: C4.5, C4.1, C4.2."""

import copy
import hashlib
import json

import pytest

from core.canonical import canonical
from tests.tournament.pairing.samples import lines_of, random_draw
from tournament.pairing.document import MAX_BYTES, MAX_ENTRANTS, draw, dump, verify
from tournament.pairing.freeze import freeze
from tournament.pairing.kinds import Fixed
from tournament.pairing.plan import Way

UNITS = ["甲队", "甲队", "乙队", "乙队", "", "甲队", "", "乙队", "甲队", "丙队"]


def sample():
    """Ten entrants with byes, a filler, seeds, a further group, and units that meet themselves."""
    frozen = freeze(
        lines_of(UNITS, {5: 1, 9: 2}),
        Fixed(way=Way.BYES),
        secret=bytes(range(32)),
        apart=[[1, 7]],
    )
    return draw(frozen, "三 六 九", {"competition": "测试赛", "draw": 1}).document


def resealed(document):
    """The document with a digest that fits, as a forger would make it."""
    rest = {field: value for field, value in document.items() if field != "digest"}
    return rest | {"digest": hashlib.sha256(canonical(rest).encode()).hexdigest()}


def changes(value):
    """(path, changed copy) for every way to change one thing inside a JSON value."""
    if isinstance(value, dict):
        yield (), value | {"more": 1}
        for key, inner in value.items():
            yield (key,), {k: v for k, v in value.items() if k != key}
            for path, changed in changes(inner):
                yield (key, *path), value | {key: changed}
    elif isinstance(value, list):
        yield (), [*value, *value[-1:]] if value else [0]
        for index, inner in enumerate(value):
            yield (index,), value[:index] + value[index + 1 :]
            for path, changed in changes(inner):
                yield (index, *path), [*value[:index], changed, *value[index + 1 :]]
    elif isinstance(value, str):
        yield (), ("0" if value[:1] != "0" else "1") + value[1:]
        yield (), value + " "
        yield (), None
    elif value is None:
        yield (), 0
        yield (), ""
    else:
        yield (), 2 if value is True else value + 1
        yield (), float(value)
        yield (), str(value)


def test_a_draw_redraws_from_its_text():
    """C4.5."""
    document = sample()
    assert verify(dump(document)) == []
    assert verify(dump(document).encode()) == []
    assert verify(b"\xef\xbb\xbf" + json.dumps(document, indent=4).encode()) == []


@pytest.mark.parametrize("n", [2, 3, 4, 5, 28, 50, 81, 128, 300])
def test_draws_of_any_size_redraw(n):
    for table_size, advance in ((2, 1), (3, 1), (4, 1), (4, 2)):
        document = random_draw(n, table_size, advance, None, seed=f"document {n}")
        assert verify(dump(document)) == []


def test_the_document_holds_what_was_published_at_the_freeze():
    """C4.1, C4.2: both digests, and the seed made of list digest, secret and words."""
    document = sample()
    text = "".join(line + "\n" for line in document["list"])
    list_digest = hashlib.sha256(text.encode()).digest()
    secret = bytes.fromhex(document["secret"])
    assert document["list_digest"] == list_digest.hex()
    assert document["secret_digest"] == hashlib.sha256(secret).hexdigest()
    seed = hashlib.sha256(list_digest + secret + document["words"].encode()).hexdigest()
    assert document["seed"] == seed
    assert document["about"] == {"competition": "测试赛", "draw": 1}


def test_every_single_change_is_found():
    """C4.5: one value changed, dropped or added anywhere, or a number turned into text."""
    document = sample()
    tried = 0
    for path, changed in changes(document):
        tried += 1
        assert verify(json.dumps(changed)), path
    assert tried > 300


def test_every_single_change_is_found_although_the_digest_was_made_to_fit():
    """C4.5: all but `about`, which is shown and not computed."""
    document = sample()
    for path, changed in changes(document):
        if path and path[0] not in ("about", "digest"):
            assert verify(dump(resealed(changed))), path


@pytest.mark.parametrize(
    ("field", "value", "codes"),
    [
        ("words", "三六九", ["seed", "log", "result"]),
        ("secret", "00" * 32, ["secret_digest", "seed", "log", "result"]),
        ("secret_digest", "00" * 32, ["secret_digest"]),
        ("list_digest", "00" * 32, ["list_digest"]),
        ("terms_digest", "00" * 32, ["terms_digest"]),
        ("seed", "00" * 32, ["seed"]),
        ("apart", [[7, 1]], ["apart"]),
        ("apart", [[2, 7]], ["terms_digest", "log"]),
        ("words", None, ["words"]),
        ("secret", "XY" * 32, ["secret"]),
        ("list", ["1\t\t\tabc"] * 2, ["list-line"]),
        ("apart", [[99]], ["apart-number"]),
        ("apart", 5, ["apart"]),
        ("about", {"draw": 1.5}, ["about"]),
        ("about", [], ["about"]),
        ("version", 2, ["format"]),
        ("version", True, ["format"]),
        ("format", "draw", ["format"]),
        ("more", 1, ["unknown"]),
        ("list", ["x"] * (MAX_ENTRANTS + 1), ["list"]),
        ("apart", [[1] * MAX_ENTRANTS, [1]], ["apart"]),
    ],
)
def test_a_change_is_named(field, value, codes):
    document = resealed(sample() | {field: value})
    faults = verify(json.dumps(document))
    assert [fault.code for fault in faults] == codes
    assert all(fault.zh and fault.en and fault.zh != fault.en for fault in faults)


@pytest.mark.parametrize(
    ("plan", "codes"),
    [
        ({"way": "other"}, ["plan"]),
        ({"table_size": "3"}, ["plan"]),
        ({"table_size": 7}, ["plan-size"]),
        ({"entrants": 11}, ["plan"]),
        ({"way": "compact"}, ["terms_digest", "log", "result"]),
    ],
)
def test_a_changed_plan_is_named(plan, codes):
    document = sample()
    changed = resealed(document | {"plan": document["plan"] | plan})
    faults = [fault.code for fault in verify(dump(changed))]
    assert set(codes) <= set(faults)


def test_lines_out_of_order_are_found():
    document = sample()
    swapped = copy.deepcopy(document)
    swapped["list"][0], swapped["list"][1] = swapped["list"][1], swapped["list"][0]
    assert "list" in [fault.code for fault in verify(dump(resealed(swapped)))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "舵主",
        "[]",
        "3",
        "null",
        '{"a": 1, "a": 1}',
        '{"a": "\\ud800"}',
        '{"a": ' + "9" * 5000 + "}",
        "[" * 100_000,
        b"\xff\xfe",
        b" " * (MAX_BYTES + 1),
    ],
    ids=range(11),
)
def test_what_is_no_draw_is_told_kindly(text):
    (fault,) = verify(text)
    assert fault.code == "json"


def test_text_that_is_not_utf8_is_told_kindly():
    assert [fault.code for fault in verify("\ud800")] == ["json"]
