"""查谱: a record pasted or uploaded, its faults by line, or its result and every step."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.files import read
from engine.reading import Reading
from engine.record import Record
from engine.replay import INVALID, Replay, replay
from scoring.asked import compared, ruled_sum, walk
from scoring.explained import unit_of
from scoring.forms.tools import RecordCheckForm
from scoring.otherwise import beside, record_under
from scoring.replayed import Replayed
from scoring.views.referee.entry import fault_shown, marked_lines
from scoring.views.tools.limit import too_much
from tournament.models.play import SEAT_NAMES

MOST_HANDS = 40
"""Hands of one text that are looked at: more than 64 KB of real ones hold."""
MOST_FAULTS = 40
LINES_NEAR = 12
CHARACTERS_A_UNIT = 4096


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def record_check(request: HttpRequest) -> HttpResponse:
    """The form; after a POST with what was found out about the record. Nothing is kept."""
    if request.method != "POST":
        return render(request, "public/record_check.html", {"form": RecordCheckForm()})
    sent = int(request.META.get("CONTENT_LENGTH") or 0)
    refused = too_much(request, 1 + sent // CHARACTERS_A_UNIT)
    if refused is not None:
        return refused
    form = RecordCheckForm(request.POST, request.FILES)
    context: dict[str, Any] = {"form": form}
    if not form.is_valid():
        return render(request, "public/record_check.html", context, status=422)
    given = form.cleaned_data
    context |= found_in(given["text"], given["hand"] or 0, given["step"])
    return render(request, "public/record_check.html", context)


def found_in(text: str, hand: int, step: int | None) -> dict[str, Any]:
    """What the page shows for a text: its hands, and the one that is looked at, `hand` from 1.

    Without one it is the first that is wrong, else the first; without a `step` the last one before
    the first fault, else the deal.
    """
    readings: list[Reading] = []
    replays: list[Replay] = []
    for reading in read(text):
        if len(readings) == MOST_HANDS:
            break
        readings.append(reading)
        replays.append(replay(reading))
    if not readings:
        return {"empty": _("这里面没有牌谱。第一行应写“字牌谱 1”。")}
    wrong = (number for number, one in enumerate(replays, 1) if one.status == INVALID)
    at = hand if 1 <= hand <= len(replays) else next(wrong, 1)
    record = readings[at - 1].record
    return {
        "hands": [
            {"number": number, "status": one.status} for number, one in enumerate(replays, 1)
        ],
        "at": at,
        "one": _one(text, replays[at - 1], record),
        "walk": _walk(record, replays[at - 1], step),
        "as_buttons": True,
    }


def _walk(record: Record | None, found: Replay, step: int | None) -> dict[str, Any] | None:
    if record is None or not record.deal:
        return None
    if step is None:
        step = found.events if found.status == INVALID else 0
    return walk(Replayed(record, most=found.events), step, _names(record))


def _one(text: str, found: Replay, record: Record | None) -> dict[str, Any]:
    """One hand: its faults by line, or the result; and what it is under other rules."""
    faults = [fault_shown(f) for f in (found.error, *found.more)[:MOST_FAULTS] if f is not None]
    shown: dict[str, Any] = {
        "status": found.status,
        "events": found.events,
        "faults": faults,
        "more": max(0, len(found.more) + 1 - MOST_FAULTS),
        "record_lines": _near(marked_lines(text, faults), faults),
    }
    if record is None:
        return shown
    names = _called(_names(record))
    if found.result is not None:
        computed = found.result.as_json()
        shown |= {
            "is_drawn": found.result.source is None,
            "outcome": _outcome(computed, names),
            "hu": found.result.hu,
            "melds": computed["melds"] or [],
            "sum": ruled_sum(computed, record.rules),
            "unit": unit_of(record.rules),
            "deltas": _points(names, found.result.deltas),
        }
    if found.status != INVALID or found.result is not None:
        shown["compared"] = compared(
            [record_under(record, named) for named in beside(record.rules)], names
        )
    return shown


def _near(lines: list[dict[str, Any]], faults: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines that stand near a fault; nothing where there is none."""
    near = {
        number
        for fault in faults
        for number in range(fault["line"] - LINES_NEAR, fault["line"] + LINES_NEAR + 1)
    }
    return [line for line in lines if line["number"] in near]


def _names(record: Record) -> list[str]:
    """The players as far as the record names them."""
    return [name or "" for name in record.players]


def _called(names: list[str]) -> list[str]:
    """Who has no name is called by his seat."""
    return [name or SEAT_NAMES[seat] for seat, name in enumerate(names)]


def _points(names: list[str], deltas: tuple[int, ...]) -> list[dict[str, Any]]:
    return [{"name": name, "delta": delta} for name, delta in zip(names, deltas, strict=False)]


def _outcome(computed: dict[str, Any], names: list[str]) -> str:
    """Who has won how, in one sentence."""
    if not computed["winner"]:
        return _("荒庄")
    by_seat = {SEAT_NAMES[seat]: name for seat, name in enumerate(names)}
    words = {
        "winner": _("、").join(by_seat[seat] for seat in computed["winner"]),
        "payer": by_seat.get(computed["payer"] or "", ""),
        "card": computed["card"] or "",
    }
    pattern = {
        "own-flip": _("%(winner)s 自摸 %(card)s"),
        "flip": _("%(winner)s 胡翻出的 %(card)s"),
        "discard": _("%(winner)s 胡 %(payer)s 打出的 %(card)s"),
    }.get(computed["kind"], _("%(winner)s 起手胡"))
    sentence = (pattern % words).strip()
    return f"{sentence} · {computed['special']}" if computed["special"] else sentence
