"""The parts of a 秩序册: what everyone has to know before it begins; no draft is in it (C7.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.templatetags.look import signed
from engine.rules import PRESET_TITLES, preset
from scoring import queries_public as queries
from scoring.enums import PenaltyKind, PenaltyLevel
from scoring.evidence import Terms, count
from scoring.exports.books.brackets import empty_brackets, is_wide
from scoring.exports.books.draws import draw_parts
from scoring.exports.books.parts import Part, events_of, titled
from scoring.exports.books.ranking_words import ranking_words
from scoring.exports.books.sheets import HOW
from scoring.penalties import offences
from scoring.prelim_shown import plan_seats, seating
from scoring.queries_verdicts import settings_of
from tournament.domain.preliminary import preliminary_of
from tournament.enums import Discipline, Role, StageKind, Style
from tournament.forms.rules import SHOWN, points_to_confirm, spoken
from tournament.models import Competition, Event, Membership, Stage
from tournament.models.play import SEAT_NAMES
from tournament.queries.public import OPEN_STATES, EntrantRow, as_row, search_entrants
from tournament.queries.public_schedule import schedule_shown

SAMPLE: tuple[dict[str, Any], ...] = (
    {"source": "own-flip", "winner": "甲", "hu": 16, "xing_count": 1},
    {"source": "discard", "winner": "乙", "payer": "丙", "hu": 18, "xing_count": 0},
    {"source": "draw"},
)
"""The hands of the sample sheet; what they are worth the engine says."""


def programme_parts(competition: Competition) -> list[Part]:
    """All parts in order. What is not known yet has no part."""
    events = events_of(competition)
    parts = [_regulations(competition), _officials(competition), _schedule(competition)]
    found = [part for part in parts if part is not None]
    for event in events:
        found += _of_event(event, events)
    settings = settings_of(competition)
    found.append(_penalties(settings.amounts))
    found.append(Part(_("怎样申诉、上诉"), "protests_how.html", {"committee": settings.committee}))
    zipai = next((event for event in events if event.discipline == Discipline.ZIPAI), None)
    if zipai is not None:
        found.append(Part(_("记分表样张"), "sample.html", {"sheet": _sample(zipai)}))
    return found


def _regulations(competition: Competition) -> Part | None:
    newest = competition.regulations.order_by("-version").first()
    if newest is None:
        return None
    context = {"text": newest.text, "version": newest.version}
    return Part(_("竞赛规程"), "regulations.html", context, is_major=True)


def _officials(competition: Competition) -> Part:
    """Who leads and judges, by role; names of accounts."""
    roles = (Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE)
    names: dict[str, list[str]] = defaultdict(list)
    for member in Membership.objects.filter(competition=competition).select_related("user"):
        names[member.role].append(member.user.name or member.user.username)
    groups = [{"role": str(role.label), "names": names[role]} for role in roles if names[role]]
    committee = settings_of(competition).committee
    if committee:
        groups.append({"role": _("仲裁"), "names": [committee]})
    return Part(_("组织者和裁判"), "officials.html", {"groups": groups})


def _schedule(competition: Competition) -> Part | None:
    """The published schedule by day."""
    shown = schedule_shown(competition)
    if shown is None or not shown.sessions:
        return None
    return Part(_("日程"), "schedule.html", {"schedule": shown})


def _of_event(event: Event, events: Sequence[Event]) -> list[Part]:
    stages = list(event.stages.order_by("pk"))
    parts = [_entrants(event, events)]
    parts += draw_parts(event, events)
    preliminary = preliminary_of(event)
    if preliminary is not None:
        preliminary.event = event
        found = seating(plan_seats(preliminary, OPEN_STATES, mask=False), None)
        if found:
            parts.append(
                Part(titled(_("预赛座位"), event, events), "seating.html", {"seating": found})
            )
    rounds = queries.round_rows(event)
    seats = queries.seat_rows(queries.seats_of(event), mask=False) if rounds else []
    if seats:
        parts.append(_first_round(event, events, rounds[0], seats))
        sheets = empty_brackets(rounds, seats)
        if sheets:
            title = titled(_("空白对阵图"), event, events)
            context = {"sheets": sheets, "is_wide": is_wide(sheets)}
            parts.append(Part(title, "bracket.html", context))
    if event.discipline == Discipline.ZIPAI:
        parts.append(Part(titled(_("打牌的规则"), event, events), "rules.html", _rules(event)))
    words = {"sections": ranking_words(event, stages), "lines": format_lines(stages)}
    parts.append(Part(titled(_("赛制和名次怎么定"), event, events), "ranking.html", words))
    return parts


def _entrants(event: Event, events: Sequence[Event]) -> Part:
    rows = [as_row(values, mask=False) for values in search_entrants(event, "", mask=False)]
    units: dict[str, list[EntrantRow]] = defaultdict(list)
    for row in rows:
        units[row.unit].append(row)
    return Part(
        titled(_("选手名单"), event, events),
        "entrants.html",
        {
            "rows": rows,
            "units": [
                {"unit": unit or _("没有单位"), "rows": found}
                for unit, found in sorted(units.items(), key=lambda one: one[0] == "")
            ],
            "has_units": any(units),
        },
        is_major=True,
    )


def _first_round(
    event: Event,
    events: Sequence[Event],
    first: queries.RoundRow,
    seats: Sequence[queries.SeatRow],
) -> Part:
    """Who sits where in the first round, and who has a bye."""
    tables: dict[int, list[queries.SeatRow]] = defaultdict(list)
    for seat in seats:
        if seat.round == first.number:
            tables[seat.number].append(seat)
    byes = [
        seat
        for seat in seats
        if seat.round == first.number + 1 and seat.source is None and seat.entrant
        and not first.is_redrawn
    ]  # fmt: skip
    context = {
        "tables": [{"number": number, "seats": here} for number, here in tables.items()],
        "names": list(SEAT_NAMES[: max(len(here) for here in tables.values())]),
        "byes": sorted(byes, key=lambda seat: seat.entry or 0),
        "round": first.title,
    }
    title = titled(_("%(round)s座位") % {"round": first.title}, event, events)
    return Part(title, "first_round.html", context)


def _rules(event: Event) -> dict[str, Any]:
    """The options as the public page explains them."""
    return {
        "preset": spoken(PRESET_TITLES[event.preset]),
        "digest": event.rules_digest,
        "options": [
            {
                "rule": option.rule,
                "label": spoken((option.zh, option.en)),
                "value": spoken(option.describe(_plain(event.options[option.name]))),
            }
            for option in SHOWN
            if option.name in event.options
        ],
        "points": points_to_confirm(event.preset),
    }


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def format_lines(stages: Sequence[Stage]) -> list[str]:
    """How is played, a sentence for each stage."""
    lines = []
    for stage in sorted(stages, key=lambda one: one.kind == StageKind.KNOCKOUT):
        words = {
            "rounds": stage.round_count or 0,
            "hands": stage.hands,
            "final": stage.final_hands,
            "size": stage.table_size,
            "advance": stage.advance,
        }
        if stage.kind == StageKind.PRELIM:
            text = _("预赛 %(rounds)d 轮，轮轮换对手，每桌 %(hands)d 局。")
        elif stage.style == Style.REDRAW:
            text = _("淘汰赛每轮重新抽签，%(size)d 人一桌，每桌 %(hands)d 局，决赛 %(final)d 局。")
        else:
            text = _(
                "淘汰赛一次抽定，%(size)d 人一桌，每桌前 %(advance)d 名晋级，每桌 %(hands)d 局，"
                "决赛 %(final)d 局。"
            )
        lines.append(text % words)
        if stage.minutes:
            lines.append(
                _("每轮 %(n)d 分钟；铃响时正在打的一局打完，不再发牌。") % {"n": stage.minutes}
            )
        if stage.third_table:
            lines.append(_("另打一桌争第三名。"))
    return lines


def _penalties(amounts: dict[str, Any]) -> Part:
    rows = [
        {
            "name": one.name,
            "what": one.what,
            "source": one.source,
            "level": str(PenaltyLevel(one.level).label),
            "amount": one.amount if one.level == PenaltyLevel.POINTS else 0,
            "kind": str(PenaltyKind(one.kind).label),
            "stop": one.stop_hands if one.level == PenaltyLevel.NO_HU else None,
        }
        for one in offences(amounts)
    ]
    ladder = [str(level.label) for level in PenaltyLevel]
    return Part(_("判罚"), "penalties.html", {"rows": rows, "ladder": " → ".join(ladder)})


def _sample(event: Event) -> dict[str, Any]:
    """A sheet of three hands as it is filled in, counted under the event's rules."""
    rules = preset(event.preset).with_options({**event.options, "seats": 3})
    totals = [0, 0, 0]
    rows = []
    for number, payload in enumerate(SAMPLE, 1):
        dealer = (number - 1) % 3
        counted = count("result", {**payload, "dealer": SEAT_NAMES[dealer]}, Terms(rules, dealer))
        totals = [total + delta for total, delta in zip(totals, counted.deltas, strict=False)]
        is_win = payload["source"] != "draw"
        rows.append(
            {
                "label": str(number),
                "dealer": SEAT_NAMES[dealer],
                "winner": payload.get("winner", ""),
                "how": HOW[payload["source"]],
                "payer": payload.get("payer", ""),
                "hu": payload.get("hu", "") if is_win else "",
                "xing": payload.get("xing_count", "") if is_win else "",
                "special": "",
                "cells": [signed(delta) for delta in counted.deltas[:3]],
                "state": "",
            }
        )
    players = [{"seat": SEAT_NAMES[n], "name": "", "unit": ""} for n in range(3)]
    places = [1 + sum(other > total for other in totals) for total in totals]
    nets = [
        {"net": signed(total), "place": place, "advances": place == 1, "deducted": 0}
        for total, place in zip(totals, places, strict=True)
    ]
    return {
        "players": players, "rows": rows, "nets": nets, "blank": [], "is_game": False,
        "counted": _("净舵"),
    }  # fmt: skip
