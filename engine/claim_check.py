"""The claim made at the table, compared part by part with what the engine computes."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.events import SEATS
from engine.faults import Fault
from engine.notation import Claim, claim_parts
from engine.reading import Reading
from engine.result import Result
from engine.tokens import SEAT_NAMES, dissect


class _Part(NamedTuple):
    """A part that differs: the rule, what the claim says, what is computed."""

    rule: str
    claimed: str
    computed: str


def check_claim(claim: Claim, result: Result, reading: Reading) -> Fault | None:
    """The `claim-mismatch` of a finished hand's `=` line, at the first part that differs.

    None where all parts agree; parts that the claim leaves out are not compared.
    """
    parts = _differences(claim, result)
    if not parts:
        return None
    line = reading.places["="]
    raw = reading.raw(line)
    zh = "；".join(f"写的是{p.claimed}，算得{p.computed}" for p in parts)
    en = "; ".join(f"claimed {p.claimed}, computed {p.computed}" for p in parts)
    text = raw.strip()
    column = _column(raw, claim, result)
    return Fault("claim-mismatch", line, column, None, text, parts[0].rule, zh, en)


def _differences(claim: Claim, result: Result) -> list[_Part]:
    parts = []
    drawn = result.source is None
    winners = "荒" if drawn else " ".join(SEATS[s] for s in result.winners)
    if claim.drawn and not drawn:
        parts.append(_Part("R6", "荒", winners))
    elif claim.winners and set(claim.winners) != set(result.winners):
        parts.append(_Part("R6", " ".join(SEATS[s] for s in claim.winners), winners))
    if claim.hu not in (None, result.hu):
        parts.append(_Part("R7.4", f"胡{claim.hu}", f"胡{result.hu}"))
    if claim.total not in (None, result.total):
        parts.append(_Part("R9.2", f"计{claim.total}", f"计{result.total}"))
    for seat, points in claim.deltas:
        if points != result.deltas[seat]:
            name = SEATS[seat]
            parts.append(_Part("R9.3", f"{name}{points:+d}", f"{name}{result.deltas[seat]:+d}"))
    return parts


def _column(raw: str, claim: Claim, result: Result) -> int:
    """The column of the first part that differs; the line's own for a winner left out."""
    code = dissect(raw).code
    for match, column in claim_parts(code):
        if _differs(match, claim, result):
            return column
    return code.index("=") + 1


def _differs(match: re.Match[str], claim: Claim, result: Result) -> bool:
    if match["draw"]:
        return result.source is not None
    if match["label"]:
        is_total = match["label"] == "计"
        return (claim.total != result.total) if is_total else (claim.hu != result.hu)
    seat = SEAT_NAMES[match["seat"]]
    if match["delta"] is None:
        return seat not in result.winners
    return dict(claim.deltas)[seat] != result.deltas[seat]
