"""The freeze before a draw: C4.1, C1.4."""

import hashlib

import pytest

from tests.tournament.pairing.samples import SALT, lines_of
from tournament.pairing.errors import PairingError
from tournament.pairing.freeze import Line, freeze, name_hash, new_secret
from tournament.pairing.kinds import Fixed
from tournament.pairing.plan import Way

SECRET = bytes(range(32))


def test_list_digest_is_over_lines_in_order_of_number():
    """C4.1: `number⇥unit⇥seed⇥SHA-256(salt‖name)`, UTF-8, LF."""
    hashes = [
        hashlib.sha256(SALT + name.encode()).hexdigest() for name in ("韦小宝", "莫二", "唐三")
    ]
    lines = [
        Line(12, "", None, name_hash(SALT, "唐三")),
        Line(3, "桂林一队", 2, name_hash(SALT, "韦小宝")),
        Line(7, "阳朔", None, name_hash(SALT, "莫二")),
    ]
    text = f"3\t桂林一队\t2\t{hashes[0]}\n7\t阳朔\t\t{hashes[1]}\n12\t\t\t{hashes[2]}\n"
    frozen = freeze(lines, Fixed(), secret=SECRET)
    assert "".join(line.text() + "\n" for line in frozen.lines) == text
    assert frozen.list_digest == hashlib.sha256(text.encode()).digest()
    assert frozen.secret_digest == hashlib.sha256(SECRET).digest()
    assert [Line.parse(line) for line in text.splitlines()] == list(frozen.lines)


def test_terms_digest_covers_plan_and_further_groups():
    """C1.4: what an organizer adds is fixed at the freeze too, the default way spelt out."""
    frozen = freeze(lines_of([""] * 4), Fixed(), secret=SECRET, apart=[[4, 2, 2]])
    terms = '{"apart":[[2,4]],"plan":{"advance":1,"entrants":4,"table_size":3,"way":"compact"}}'
    assert frozen.terms.way is Way.COMPACT
    assert frozen.terms_digest == hashlib.sha256(terms.encode()).digest()
    other = freeze(lines_of([""] * 4), Fixed(way=Way.BYES), secret=SECRET)
    assert other.terms_digest != frozen.terms_digest
    assert other.list_digest == frozen.list_digest


def test_secrets_are_32_fresh_bytes():
    """C4.1."""
    assert len({new_secret() for _ in range(50)}) == 50
    assert len(new_secret()) == 32


HASH = "0" * 64


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (lambda: freeze([Line(1, "a\tb", None, HASH)], Fixed(), secret=SECRET), "list-line"),
        (lambda: freeze([Line(1, "a\nb", None, HASH)], Fixed(), secret=SECRET), "list-line"),
        (lambda: freeze([Line(0, "", None, HASH)], Fixed(), secret=SECRET), "list-line"),
        (lambda: freeze([Line(1, "", 0, HASH)], Fixed(), secret=SECRET), "list-line"),
        (lambda: Line.parse("1\t\t\tabc"), "list-line"),
        (lambda: Line.parse(f"1\t\t{HASH}"), "list-line"),
        (
            lambda: freeze(
                [Line(1, "", None, HASH), Line(1, "", None, HASH)], Fixed(), secret=SECRET
            ),
            "list-number",
        ),
        (
            lambda: freeze([Line(1, "", 1, HASH), Line(2, "", 1, HASH)], Fixed(), secret=SECRET),
            "list-seed",
        ),
        (
            lambda: freeze(lines_of(["", ""]), Fixed(), secret=SECRET, apart=[[1, 3]]),
            "apart-number",
        ),
        (lambda: freeze(lines_of([""]), Fixed(), secret=SECRET), "plan-entrants"),
        (lambda: freeze(lines_of(["", ""]), Fixed(table_size=5), secret=SECRET), "plan-size"),
    ],
)
def test_a_list_that_cannot_be_frozen_says_why(request_, code):
    with pytest.raises(PairingError) as caught:
        request_()
    assert caught.value.code == code
