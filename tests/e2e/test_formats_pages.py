"""The pages of preliminaries, redraws, third-place tables and units fit a phone, faults or none."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from core.models import User
from tests.e2e.stations import PHONE, log_in_as, someone, sound
from tests.e2e.test_standard_preset import play
from tests.scoring.public_pages import publish
from tests.scoring.unit_competition import make_units
from tests.tournament.competitions import Made, make
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.domain.formats import Format, set_format
from tournament.enums import StageKind
from tournament.models import Stage, Table
from tournament.pairing.planner import Style

pytestmark = pytest.mark.django_db(transaction=True)

SEED = 7
Address = tuple[str, list[object]]


def formatted(entrants: int, wanted: Format) -> Made:
    made = make(entrants)
    set_format(acting=made.owner, stage=made.stage, wanted=wanted, entrants=entrants)
    publish(made.competition)
    return made


def draw(made: Made, kind: StageKind = StageKind.KNOCKOUT) -> None:
    stage = Stage.objects.get(event=made.event, kind=kind)
    frozen = freeze_draw(acting=made.owner, stage=stage)
    enter_words(acting=made.owner, draw=frozen, words="红黑红")
    publish_draw(acting=made.owner, stage=Stage.objects.get(pk=stage.pk))


def play_round(made: Made, number: int) -> None:
    """Every table but the one for third place, by chance (seed 7)."""
    chance = random.Random(SEED + number)
    tables = Table.objects.filter(round__stage=made.stage, round__number=number, is_third=False)
    for table in tables.order_by("number"):
        nets = chance.sample(range(-40, 41), table.seats.count() - 1)
        play(table, made.owner, [*nets, -sum(nets)])


def preliminary() -> tuple[Made, list[Address]]:
    made = formatted(11, Format(preliminary=3))
    draw(made, StageKind.PRELIM)
    code, event = made.competition.code, made.event.pk
    return made, [
        ("manage_seating", [code]),
        ("manage_preliminary", [code]),
        ("preliminary", [code, event]),
        ("bracket", [code, event]),
        ("manage_draw", [code]),
    ]


def redraw() -> tuple[Made, list[Address]]:
    made = formatted(28, Format(style=Style.REDRAW))
    draw(made)
    play_round(made, 1)
    code, event = made.competition.code, made.event.pk
    return made, [
        ("manage_draw", [code]),
        ("bracket", [code, event]),
        ("standings", [code, event]),
        ("field", [code, event, 2]),
    ]


def third_place() -> tuple[Made, list[Address]]:
    made = formatted(8, Format(table_size=2, third_table=True))
    draw(made)
    play_round(made, 1)
    play_round(made, 2)
    code, event = made.competition.code, made.event.pk
    return made, [("bracket", [code, event]), ("standings", [code, event]), ("desk", [code])]


def units() -> tuple[Made, list[Address]]:
    world = make_units()
    for event in (world.zipai, world.chess, world.sheng):
        world.publish(event)
        world.play(event)
    code = world.made.competition.code
    return world.made, [
        ("competition", [code]),
        ("unit_ranking", [code]),
        ("bracket", [code, world.chess.pk]),
        ("standings", [code, world.sheng.pk]),
        ("manage_event", [code, world.chess.pk]),
    ]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with someone(browser, PHONE, color_scheme="dark") as page:
        yield page


@pytest.mark.parametrize("build", [preliminary, redraw, third_place, units])
def test_pages_of_a_format_fit_a_phone_without_grave_faults(
    phone: Page, live_server: LiveServer, build: Callable[[], tuple[Made, list[Address]]]
) -> None:
    made, addresses = build()
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    log_in_as(phone.context, live_server.url, client.cookies["sessionid"].value)
    for name, args in addresses:
        answer = phone.goto(live_server.url + reverse(name, args=args))
        assert answer is not None
        assert answer.status == 200, (name, answer.status)
        sound(phone)
