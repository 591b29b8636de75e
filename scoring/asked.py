"""What the tools and the pages about a played hand show, as plain values for templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS, Event, Verb
from engine.melds import Meld
from engine.result import DRAW_KIND, meld_json
from engine.rules import PRESET_TITLES, Rules
from scoring.domain.errors import in_language
from scoring.explained import arithmetic, unit_of
from scoring.otherwise import Named, Otherwise, entry_under
from scoring.replayed import Replayed, Step, Waiting
from tournament.forms.rules import spoken

BI = "比"
"""Stands before each further group that a 吃 lays (R5.2)."""


def title_of(named: Named | Otherwise) -> str:
    """What people call the rules; options that were changed make them one's own."""
    if not named.preset:
        return _("这里的规则")
    return spoken(PRESET_TITLES[named.preset])


def ruled_sum(computed: Mapping[str, Any], rules: Rules) -> dict[str, Any] | None:
    """The arithmetic in one line with the number of the rule behind each part (R7–R9)."""
    found = arithmetic(computed, rules)
    if found is None:
        return None
    found["hu_rule"] = "R7.6" if computed["special"] in ("三笼", "五坎") else "R7.4"
    found["base_rule"] = "R9.1"
    for term in found["terms"]:
        is_bonus = computed["bonus"] and term is found["terms"][0]
        term["rule"] = "R9.2" if is_bonus else "R8.2" if computed["xing_cards"] else "R8.4"
    found["times_rule"] = "R9.2"
    return found


def faces(melds: Iterable[Meld], left: Sequence[int] = ()) -> dict[str, Any] | None:
    """The nearest grouping for `partials/nearest.html`; None where there is nothing to show."""
    shown = [meld_json(meld) for meld in melds]
    return {"melds": shown, "left": cards.text(left)} if shown or left else None


def grouped_cards(waits: Sequence[Waiting]) -> list[dict[str, Any]]:
    """Each card waited for, with its 胡 by the way it comes and how many are left."""
    return [
        {
            "card": cards.NAMES[one.card],
            "ways": [
                {"way": way, "hu": hu}
                for way, hu in (
                    (_("自摸"), one.own_flip),
                    (_("别人翻"), one.flip),
                    (_("点炮"), one.discard),
                )
            ],
            "is_same": one.own_flip == one.flip == one.discard,
            "hu": one.own_flip,
            "left": one.left,
        }
        for one in waits
    ]


def compared(found: Sequence[Otherwise], names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """A line for each of the rules: the sum, or why the hand cannot be (“换规则看”)."""
    return [_compared(one, names) for one in found]


def _compared(one: Otherwise, names: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "title": title_of(one),
        "turn_more": one.turn_more,
        "spare": cards.text(one.spare),
    }
    error = one.sentence
    if error is not None:
        number = one.stop.number if one.stop is not None else 0
        return row | {"problem": in_language(error), "rule": error.rule, "number": number}
    computed = one.computed or {}
    deltas = zip(names, computed["deltas"], strict=False) if names else ()
    return row | {
        "is_drawn": computed["kind"] == DRAW_KIND,
        "hu": computed["hu"],
        "sum": arithmetic(computed, one.rules),
        "total": computed["total"],
        "unit": unit_of(one.rules),
        "deltas": [{"name": name, "delta": delta} for name, delta in deltas],
    }


def entry_compared(
    evidence: str, payload: Mapping[str, object], dealer: int, rules: Sequence[Named]
) -> list[Otherwise]:
    """A slip or result line under each of the rules."""
    return [entry_under(evidence, payload, dealer, named) for named in rules]


def problem_of(error: ZipaiError) -> dict[str, str]:
    """The sentence of an error, and the rule that decides where one does."""
    sentence, rule = in_language(error), error.rule
    is_rule = rule.startswith("R") and f"({rule})" not in sentence
    return {"text": sentence, "rule": rule if is_rule else ""}


def seat_name(seat: int, names: Sequence[str]) -> str:
    """甲, with who sits there where that is known."""
    return f"{SEATS[seat]} {names[seat]}" if seat < len(names) and names[seat] else SEATS[seat]


def names_by_seat(payload: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Who sat where the evidence says 甲, 乙 …: the names of a table's columns, moved where the
    wrong people sat there (C9.4)."""
    return [names[column] for column in payload.get("seats") or range(len(names))]


def choices(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Events as choices: who does what (`甲 吃 十`), and all its ways side by side."""
    found: dict[str, list[str]] = {}
    for event in events:
        head = [*([] if event.seat is None else [SEATS[event.seat]]), str(event.verb)]
        if event.verb is Verb.CHI and event.card is not None:
            head.append(cards.NAMES[event.card])
            way = cards.text(event.pair)
            way += "".join(f" {BI} {cards.text(group)}" for group in event.bi)
        else:
            way = "" if event.card is None else cards.NAMES[event.card]
        found.setdefault(" ".join(head), []).append(way)
    return [{"act": act, "ways": [way for way in ways if way]} for act, ways in found.items()]


def step_shown(replayed: Replayed, number: int, names: Sequence[str] = ()) -> dict[str, Any]:
    """One step: the event, what else was allowed, what was compulsory, and the table after it."""
    step = replayed.step(number)
    must = must_shown(step)
    return {
        "number": number,
        "event": "" if step.event is None else str(step.event),
        "actor": "" if step.actor is None else seat_name(step.actor, names),
        "could": choices(step.could),
        "others": choices(step.others),
        "may_leave": step.may_leave,
        "must": must,
        "is_done": must is not None and must["is_done"],
        "seats": [_lying(replayed, step, seat, names) for seat in range(len(step.seats))],
        "open": "" if step.open is None else cards.NAMES[step.open.card],
        "wall_left": step.wall_left,
        "turned": cards.text(step.turned),
    }


def must_shown(step: Step) -> dict[str, Any] | None:
    """The compulsory act that was due before a step: sentence, rule, and whether it was done."""
    must, event = step.must, step.event
    if must is None:
        return None
    return {
        "text": spoken((must.zh, must.en)),
        "rule": must.rule,
        "is_done": event is not None and (event.verb, event.seat) == (must.verb, must.seat),
    }


def _lying(replayed: Replayed, step: Step, seat: int, names: Sequence[str]) -> dict[str, Any]:
    lying = step.seats[seat]
    waits = replayed.waits(step.number, seat) if lying.hand else ()
    return {
        "name": seat_name(seat, names),
        "is_dealer": seat == replayed.record.dealer,
        "hand": cards.text(lying.hand),
        "melds": [meld_json(meld) for meld in lying.table],
        "pile": cards.text(lying.pile),
        "waits": [{"card": cards.NAMES[one.card], "hu": one.most} for one in waits],
        "is_out": not (lying.hand or lying.table),
    }


def steps_listed(replayed: Replayed) -> list[dict[str, Any]]:
    """Every step in order, the compulsory ones with their rule."""
    rows: list[dict[str, Any]] = []
    for number, event in replayed.events():
        must = replayed.must(number - 1)
        is_done = must is not None and (event.verb, event.seat) == (must.verb, must.seat)
        rows.append(
            {"number": number, "event": str(event), "rule": must.rule if must and is_done else ""}
        )
    return rows


def walk(replayed: Replayed, asked: int, names: Sequence[str] = ()) -> dict[str, Any] | None:
    """The steps of a record with the one asked for opened; the nearest where there is none.

    None where not even the deal is allowed.
    """
    if not replayed.is_dealt:
        return None
    last = len(replayed)
    at = min(max(asked, 0), last)
    return {
        "list": steps_listed(replayed),
        "step": step_shown(replayed, at, names),
        "previous": at - 1 if at > 0 else None,
        "next": at + 1 if at < last else None,
        "last": last,
    }
