"""Hands in play for tests, written as short position lines, and events as their lines."""

from engine.errors import ZipaiError
from engine.notation import read_line
from engine.play import Hand

SEATS = "甲乙丙丁"
FIELDS = 7


def at(phase="open", *, rules="competition", turn="甲", event=9, dealer="甲", **given):
    """The hand of a position: `at(open="八甲打@8", 甲="一二三", 乙="八八九|碰三三三")`.

    A seat's missing fields are empty, a seat not given holds nothing.
    """
    words = {"rules": rules, "dealer": dealer, "shown": "一", "event": event, "phase": phase}
    words["turn"] = given["open"][1] if "open" in given else turn
    for seat in SEATS:
        fields = given.pop(seat, "").split("|")
        words[seat] = "|".join(fields + [""] * (FIELDS - len(fields)))
    words |= given
    return Hand.from_position("zp1 " + " ".join(f"{key}={value}" for key, value in words.items()))


def event(hand, line):
    """The event of a line."""
    return read_line(line, hand.seats, hand.number).what


def play(hand, *lines):
    """Lets the events happen, each of which `check` allows; returns the hand."""
    for line in lines:
        hand.check(event(hand, line))
        hand.do(event(hand, line))
    return hand


def can(hand, line):
    """Whether the event is legal."""
    return hand.can(event(hand, line))


def legal(hand, *verbs):
    """The legal lines but 摸; with verbs, only theirs."""
    found = [e for e in hand.legal() if e.verb in verbs or (not verbs and e.verb != "摸")]
    return [str(e) for e in found]


def refusal(hand, line):
    """Code and rule of what `check` raises, and that `legal` and `can` say the same."""
    wrong = event(hand, line)
    assert not hand.can(wrong)
    assert line not in [str(e) for e in hand.legal()]
    before = hand.position()
    try:
        hand.do(wrong)
    except ZipaiError as error:
        assert hand.position() == before
        return f"{error.code} {error.rule}"
    raise AssertionError(line)


def sentence(hand, line):
    """The Chinese and the English sentence of a refusal."""
    try:
        hand.check(event(hand, line))
    except ZipaiError as error:
        return error.zh, error.en
    raise AssertionError(line)
