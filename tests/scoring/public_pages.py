"""A published competition with sheets, and public pages asked for as a stranger does."""

from __future__ import annotations

import re
from html import unescape

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from core import bodies
from core.domain import versions
from scoring.domain.hands import Difference, Entered, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import Evidence
from scoring.models import HandVersion, Sheet
from tests.tournament.competitions import Made, make, make_published
from tournament.enums import ConfirmationMode, Way
from tournament.models import Competition, Seat, Table
from tournament.models.play import SEAT_NAMES

RECORD = """\
字牌谱 1
规则: competition
赛事: 漓江杯
裁判: 秘裁判
甲: 张一
乙: 王二
庄: 甲
X-Phone: 13900000000

"""
"""The head of a record with everything in it that must not get out where names are masked."""


def stranger(url: str, language: str = "zh-hans", **query: str) -> HttpResponse:
    """The answer to somebody without cookies, from nothing cached."""
    forget()
    response = Client().get(url, query, headers={"Accept-Language": language})
    assert isinstance(response, HttpResponse)
    return response


def page(url: str, language: str = "zh-hans", **query: str) -> str:
    """A page as one reads it: its text without tags, white space single."""
    response = stranger(url, language, **query)
    assert response.status_code == 200, response.status_code
    return text_of(response.content.decode())


def text_of(html: str) -> str:
    """The words of some HTML, tags and heads of the document left out."""
    body = re.sub(r"<head>.*?</head>|<header class=.masthead.*?</header>", "", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def forget() -> None:
    """No body and no version is known to this process."""
    bodies.forget()
    versions.forget()


def publish(competition: Competition) -> None:
    """Shows the competition to everyone."""
    Competition.objects.filter(pk=competition.pk).update(published_at=timezone.now())
    competition.refresh_from_db()


def published(
    entrants: int, *, hands: int = 2, table_size: int = 3, advance: int = 1, way: Way | None = None
) -> Made:
    """A competition everyone may see, its draw published, `hands` a table, no confirmation."""
    made = make_published(entrants, table_size, advance, way)
    publish(made.competition)
    made.stage.confirmation = ConfirmationMode.NONE
    made.stage.save()
    made.stage.rounds.update(hands=hands)
    return made


def drafted(entrants: int) -> Made:
    """A competition everyone may see, with entrants and no draw."""
    made = make(entrants)
    publish(made.competition)
    return made


def win(
    made: Made, sheet: Sheet, winner: str, payer: str = "", *, hu: int = 15, xing: int = 0
) -> HandVersion:
    """The next hand: 自摸, or with `payer` on his discard."""
    payload = {
        "source": "discard" if payer else "own-flip",
        "winner": winner,
        "payer": payer or None,
        "hu": hu,
        "xing_count": xing,
    }
    entered = Entered(Evidence.RESULT, payload, Difference.ASK)
    return enter_hand(acting=made.owner, sheet=sheet, entered=entered)


def play_sheet(made: Made, table: Table, winner: str = "甲") -> Sheet:
    """Every hand still missing won by `winner`, by 自摸 and the last one from the seat after him
    (two hands: +10, that seat −7, the other −3), then the sheet is closed."""
    sheet = open_sheet(table)
    for _hand in range(sheet.hands_planned - sheet.hands.count() - 1):
        win(made, sheet, winner)
    seats = SEAT_NAMES[: table.seat_count]
    win(made, sheet, winner, seats[(seats.index(winner) + 1) % len(seats)])
    submit_sheet(acting=made.owner, sheet=sheet)
    sheet.refresh_from_db()
    return sheet


def seat_of(table: Table, position: int) -> Seat:
    """A seat with its entrant and name."""
    return table.seats.select_related("entrant__entry__person").get(position=position)


def name_at(table: Table, position: int) -> str:
    """Who sits there."""
    entrant = seat_of(table, position).entrant
    assert entrant is not None
    return entrant.name
