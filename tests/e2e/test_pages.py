"""Every main page on a phone and a desk: axe-core, English, nothing wider than the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from core.models import User
from scoring.domain.protests import protest
from scoring.domain.recording import begin_recording
from scoring.domain.sheets import open_sheet, submit_sheet
from tests.e2e.stations import (
    DESK,
    PHONE,
    Album,
    follow,
    grave_faults,
    log_in_as,
    overflows,
    someone,
)
from tests.factories import make_acting
from tests.scoring.public_pages import play_sheet, publish, win
from tests.tournament.competitions import Made, make, make_published
from tournament.domain.competitions import change_competition, write_regulation
from tournament.domain.entries import add_pasted
from tournament.enums import ConfirmationMode, Role
from tournament.models import Person

pytestmark = pytest.mark.django_db(transaction=True)

PUBLIC = (
    "home",
    "login",
    "verify_draw",
    "competition",
    "entrants",
    "schedule",
    "bracket",
    "standings",
    "draws",
    "register",
    "unit_ranking",
)
OF_ORGANIZER = (
    "manage_home", "competition_new", "manage", "manage_entrants", "manage_entrants_paste",
    "manage_entrant_new", "manage_draw", "manage_draw_changes", "manage_apart", "manage_links",
    "manage_members", "manage_settings", "manage_registration", "manage_announcements",
    "manage_import", "manage_times", "manage_rules", "manage_play", "manage_regulation",
    "manage_penalties", "manage_screen", "manage_schedule", "manage_venue", "manage_referees",
    "manage_schedule_versions", "manage_format", "manage_events",
)  # fmt: skip
OF_REFEREE = ("desk", "records", "protests", "rejudges")
OF_TABLE = (
    "table", "sheet", "penalty", "protest", "table_ruling", "sheet_late", "sheet_seats",
    "sheet_history", "recorder",
)  # fmt: skip
OF_ROUND = ("round_clock", "call_list")
WITHOUT_CODE = (
    "home", "login", "verify_draw", "manage_home", "competition_new", "calculator", "record_check",
    "planner",
)  # fmt: skip
OF_EVENT = ("bracket", "standings", "draws")
TABS = ("slip", "record", "totals")
CJK = re.compile(r"[\u3400-\u9fff]+")
GAME = set("一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾甲乙丙丁胡舵醒上中下天地笼坎吃碰扫过穿开重")
GAME |= set("龙将顺庄荒听臭牌")
"""Characters that stand beside the English words for the game's cards, seats and terms."""
DATA = {"单位", "选手"}
"""What tests.tournament.competitions calls its people, as it was frozen for the draw."""
TEXT_JS = """() => {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll('[lang^="zh"], svg, script, [hidden], [aria-hidden="true"]')
    .forEach(node => node.remove());
  return copy.textContent;
}"""


@dataclass
class Hall:
    """A running competition whose names are Latin, so that Chinese on an English page is ours."""

    made: Made
    site: str
    addresses: dict[str, str]
    session: str


@pytest.fixture
def hall(live_server: LiveServer) -> Hall:
    made = _running()
    code = made.competition.code
    first, second, third = made.tables(1)
    recorded = begin_recording(acting=made.owner, sheet=open_sheet(second))
    args: dict[str, list[object]] = {
        **{name: [code] for name in (*PUBLIC, *OF_ORGANIZER, *OF_REFEREE)},
        **{name: [code, made.event.pk] for name in OF_EVENT},
        **{name: [] for name in WITHOUT_CODE},
    }
    found = {name: reverse(name, args=wanted) for name, wanted in args.items()}
    found |= {name: reverse(name, args=[code, second.pk]) for name in OF_TABLE}
    found |= {f"sheet-{tab}": f"{found['sheet']}?tab={tab}" for tab in TABS}
    found["hand"] = reverse("hand", args=[code, second.pk, 1])
    found["hand_questions"] = reverse("hand_questions", args=[code, second.pk, 1])
    hand = "hand=一二三二七十四五捌捌捌&table=碰九,扫壹,吃贰柒拾"
    found["calculator-waits"] = f"{found['calculator']}?{hand}"
    found["calculator-won"] = f"{found['calculator']}?{hand}&card=三"
    found["hand_correct"] = reverse("hand_correct", args=[code, second.pk, 1])
    found["hand_ruling"] = reverse("hand_ruling", args=[code, second.pk, 1])
    found["penalty-given"] = f"{found['penalty']}?position=1&code=phone"
    found |= {name: reverse(name, args=[code, second.round_id]) for name in OF_ROUND}
    found["rejudge_propose"] = reverse("rejudge_propose", args=[code, made.event.pk])
    found["sheet_reopen"] = reverse("sheet_reopen", args=[code, first.pk])
    found["sheet-done"] = reverse("sheet", args=[code, first.pk])
    found["recording"] = reverse("recording", args=[code, second.pk, recorded.pk])
    found["sheet_confirm"] = reverse("sheet_confirm", args=[code, third.pk])
    found["table-done"] = reverse("table", args=[code, first.pk])
    entrant = made.event.entrants.order_by("pk")[0]
    found["entrant"] = reverse("entrant", args=[code, entrant.pk])
    found["manage_entrant"] = reverse("manage_entrant", args=[code, entrant.pk])
    found["manage_entrant_replace"] = reverse("manage_entrant_replace", args=[code, entrant.pk])
    found["manage_entrant_back"] = reverse("manage_entrant_back", args=[code, entrant.pk])
    found["manage_entrant_fixed"] = reverse("manage_entrant_fixed", args=[code, entrant.pk])
    found["manage_entry_events"] = reverse("manage_entry_events", args=[code, entrant.entry_id])
    found["manage_event"] = reverse("manage_event", args=[code, made.event.pk])
    found["manage_entrant_leave"] = reverse("manage_entrant_leave", args=[code, entrant.pk])
    found["ways"] = reverse("manage_draw", args=[_undrawn(made).competition.code])
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return Hall(made, live_server.url, found, client.cookies["sessionid"].value)


def _running() -> Made:
    """Nine at three tables: one confirmed, one under way, one waiting for its players."""
    made = make_published(9)
    for index, person in enumerate(Person.objects.order_by("pk")):
        person.name = f"{'ABCDEFGHI'[index]}nna Mo"
        person.save()
    made.competition.entries.update(unit="Lingui")
    publish(made.competition)
    change_competition(
        acting=made.owner, competition=made.competition, details={"name": "Lijiang Cup"}
    )
    made.event.name = "Singles"
    made.event.save()
    write_regulation(acting=made.owner, competition=made.competition, text="Three hands a table.")
    made.stage.rounds.update(hands=2)
    made.stage.draws.update(words="dice 3 5 6")
    first, second, third = made.tables(1)
    made.stage.confirmation = ConfirmationMode.NONE
    made.stage.save()
    play_sheet(made, first)
    made.stage.confirmation = ConfirmationMode.PLAYERS
    made.stage.save()
    win(made, open_sheet(second), "甲", "乙", hu=17, xing=2)
    user = User.objects.get(pk=made.owner.user_id)
    referee = make_acting(made.competition, Role.REFEREE, user=user)
    protest(acting=referee, sheet=open_sheet(second), text="Look at hand 1")
    sheet = open_sheet(third)
    for _hand in range(2):
        win(made, sheet, "丙")
    submit_sheet(acting=made.owner, sheet=sheet)
    return made


def _undrawn(made: Made) -> Made:
    """Another competition of the same organizer with 28 entrants and no draw."""
    other = make()
    add_pasted(
        acting=other.owner,
        event=other.event,
        text="\n".join(f"Person {'ABCDEFGH'[i % 8]}{'xyzw'[i // 8]}\tLingui" for i in range(28)),
    )
    change_competition(
        acting=other.owner, competition=other.competition, details={"name": "Autumn Cup"}
    )
    other.competition.memberships.update(user=made.owner.user_id)
    return other


def visit(page: Page, hall: Hall) -> Iterator[str]:
    """Opens page after page as somebody who is owner and referee; yields its name."""
    log_in_as(page.context, hall.site, hall.session)
    for name, url in hall.addresses.items():
        answer = page.goto(hall.site + url)
        assert answer is not None
        assert answer.status == 200, (name, answer.status)
        yield name


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_no_page_has_a_grave_fault_or_scrolls_sideways(
    browser: Browser, hall: Hall, width: int, scheme: str, tmp_path: Path
) -> None:
    """axe-core finds nothing serious or critical; at 360 px nothing is wider than the screen."""
    album, found = Album(tmp_path), {}
    with someone(browser, width, color_scheme=scheme) as page:
        for name in visit(page, hall):
            faults = grave_faults(page) + (["scrolls sideways"] if overflows(page) else [])
            if faults:
                found[name] = faults
            album.take(page, f"page-{name}-{width}-{scheme}")
    assert not found, "\n".join(f"{name}: {what}" for name, what in found.items())


def test_english_pages_have_no_chinese_of_ours(browser: Browser, hall: Hall) -> None:
    """The switch in the masthead; characters of the game itself are marked `lang=zh`."""
    found = {}
    with someone(browser) as page:
        page.goto(hall.site)
        follow(page.get_by_role("link", name="English"))
        expect(page.locator("html")).to_have_attribute("lang", "en")
        for name in visit(page, hall):
            chinese = set(CJK.findall(str(page.evaluate(TEXT_JS))))
            ours = sorted(word for word in chinese - DATA if not set(word) <= GAME)
            if ours:
                found[name] = ours
    assert not found, "\n".join(f"{name}: {what}" for name, what in found.items())
