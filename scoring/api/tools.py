"""The engine for programs: hands scored, waits found, records replayed. Nothing is kept."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from core.api.answers import plain
from core.api.document import TOOL, answers
from core.api.problems import TooMuch
from core.pace import spend
from engine.errors import ZipaiError
from engine.files import read
from engine.melds import Source
from engine.replay import Replay, replay
from engine.slip import score
from engine.slip_cards import check_cards
from engine.slip_json import read_slip, read_waiting
from engine.waits import waits, waits_json
from scoring.api import schemas
from scoring.api.given import MOST_FAULTS, Faulty, RecordGiven, SlipGiven, fault_shown

router = Router(tags=["tools"])
MOST_HANDS = 40
CHARACTERS_A_UNIT = 4096


def _spend(request: HttpRequest, cost: int = 1) -> None:
    if wait := spend(request, cost):
        raise TooMuch(wait)


def _object(given: SlipGiven) -> dict[str, Any]:
    return given.model_dump(exclude_none=True)


@router.post("/score", response=answers(schemas.ScoreAnswer, TOOL))
def score_hand(request: HttpRequest, given: SlipGiven) -> HttpResponse:
    """Checks a hand and settles it: melds, 胡, 舵, and what each pays where `seats` says who sits
    there. Without cards, `hu` and `xing_count` are settled."""
    _spend(request)
    try:
        scored = score(read_slip(_object(given)))
    except ZipaiError as error:
        raise Faulty(error) from error
    return plain(schemas.ScoreAnswer.model_validate(scored.as_json()))


@router.post("/waits", response=answers(schemas.WaitsAnswer, TOOL))
def find_waits(request: HttpRequest, given: SlipGiven) -> HttpResponse:
    """Which cards complete a hand, each with its 胡 by source."""
    _spend(request)
    try:
        slip = read_waiting(_object(given))
        check_cards(slip.hand, slip.table, None, Source.DISCARD, (), slip.rules, waiting=True)
        found = waits(slip.hand, slip.table, slip.rules)
    except ZipaiError as error:
        raise Faulty(error) from error
    return plain(schemas.WaitsAnswer.model_validate(waits_json(found, slip.rules.min_hu)))


@router.post("/replay", response=answers(schemas.ReplayAnswer, TOOL))
def replay_record(request: HttpRequest, given: RecordGiven) -> HttpResponse:
    """Replays every hand of a text strictly: its result, or what is wrong in which line."""
    _spend(request, 1 + len(given.text) // CHARACTERS_A_UNIT)
    hands: list[schemas.ReplayedHand] = []
    is_cut = False
    for reading in read(given.text):
        if len(hands) == MOST_HANDS:
            is_cut = True
            break
        hands.append(_replayed(replay(reading)))
    return plain(schemas.ReplayAnswer(hands=hands, is_cut=is_cut))


def _replayed(found: Replay) -> schemas.ReplayedHand:
    faults = [] if found.error is None else [found.error, *found.more]
    return schemas.ReplayedHand(
        hand=found.hand,
        status=found.status,
        events=found.events,
        rules=found.rules,
        result=None if found.result is None else found.result.as_json(),
        faults=[fault_shown(fault) for fault in faults[:MOST_FAULTS]],
        more_faults=max(0, len(faults) - MOST_FAULTS),
    )
