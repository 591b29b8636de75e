"""No public page, fragment or file says what is not public (C1.1, C7.4).

A competition is filled with things that must not get out; every address that the list of rights
opens to everybody is asked, in both languages, by a stranger and by somebody whose cookies give
him roles. A new public address that is not asked here fails a test.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import F
from django.test import Client
from django.urls import reverse

from core.domain.versions import bump
from scoring.domain.protests import protest
from scoring.domain.sheets import open_sheet
from tests.factories import make_acting, make_user
from tests.rights import LIST
from tests.scoring.public_pages import drafted, forget, play_sheet, published, win
from tests.tournament.competitions import Made, draw, make
from tournament.domain.announcements import announce, withdraw_announcement
from tournament.domain.draws import document_of, publish_draw
from tournament.domain.links import issue_link
from tournament.domain.schedule import set_round_times
from tournament.enums import EntrantStatus, EntryStatus, Role, ScreenPart
from tournament.models import (
    Competition,
    Draw,
    Entrant,
    Entry,
    Membership,
    Person,
    Room,
    ScreenSettings,
    Table,
)

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 5, 4, tzinfo=UTC)

PRIVATE = {
    "phone": "13877712345",
    "birth_year": 1947,
    "note": "住八里街，行动不便",
}
OTHERS = ("password", "csrfmiddlewaretoken", "/manage/entrants", "/sheet/", "/desk/")
"""What only pages behind a role have."""

DIGEST = re.compile(r"[0-9a-f]{32,}")
"""Digests are public; four figures of one may happen to be somebody's year of birth."""


FORMS = ("register", "verify_draw", "record_check", "calculator")
"""Public pages with a form of their own: each has the token of its viewer."""
NO_PAGES = ("healthz", "readyz", "metrics", "sheets_worker", "language", "link", "invitation",
            "planner", "api", "openapi", "api_root", "api_not_found")  # fmt: skip
"""Open addresses that show nothing of a competition; what the API shows is in tests/api."""
NEED_A_RECORD = {"hand_record", "hands_zpr", "hands_jsonl", "public_archive", "library_file",
                 "library_record", "library_record_file"}  # fmt: skip
NEED_AN_EDITION = {"book", "book_pdf"}
NEED_A_PRELIMINARY = {"preliminary", "preliminary_live"}
"""Asked where there is one: tests/scoring/test_views_preliminary.py."""
NEED_A_REDRAW = {"field"}
"""Likewise: tests/scoring/test_views_redraw.py."""


def public_names() -> set[str]:
    """The names of all addresses that everybody may ask."""
    doors = ("open", "public", "public table", "public draw")
    return {name for name, row in LIST.items() if row.door in doors} - set(NO_PAGES)


def asked(made: Made) -> list[tuple[str, str]]:
    """Name and path of every public address of the competition, with each entrant, table, draw
    and hand; searches and steps among them."""
    code = made.competition.code
    tables = [table.pk for round_ in made.stage.rounds.all() for table in round_.tables.all()]
    entrants = list(Entrant.objects.filter(event=made.event).values_list("pk", flat=True))
    draws = list(Draw.objects.filter(stage=made.stage).values_list("pk", flat=True))
    args: dict[str, list[list[Any]]] = {
        "home": [[]],
        "robots": [[]],
        "sitemap": [[]],
        "verify_draw": [[]],
        "record_check": [[]],
        "calculator": [[]],
        "register": [[code]],
        "privacy": [[]],
        "library": [[]],
        "library_statistics": [[]],
        "library_file": [[]],
        "library_record": [[1]],
        "library_record_file": [[1]],
        "books": [[code]],
        "book": [[code, 1]],
        "book_pdf": [[code, 1]],
        "draws": [[code, made.event.pk]],
        "draw_json": [[code, pk] for pk in draws],
        "screen": [[code]],
        "screen_part": [[code, part] for part in ("rota", *ScreenPart.values)],
        "competition": [[code]],
        "competition_live": [[code]],
        "entrants": [[code]],
        "schedule": [[code]],
        "schedule_live": [[code]],
        "calendar": [[code]],
        "entrant_calendar": [[code, pk] for pk in entrants],
        "bracket": [[code, made.event.pk]],
        "bracket_live": [[code, made.event.pk]],
        "preliminary": [[code, made.event.pk]],
        "preliminary_live": [[code, made.event.pk]],
        "field": [[code, made.event.pk, 2]],
        "unit_ranking": [[code]],
        "unit_ranking_live": [[code]],
        "standings": [[code, made.event.pk]],
        "standings_live": [[code, made.event.pk]],
        "event_records": [[code, made.event.pk]],
        "event_records_live": [[code, made.event.pk]],
        "entrant": [[code, pk] for pk in entrants],
        "entrant_live": [[code, pk] for pk in entrants],
        "table": [[code, pk] for pk in tables],
        "table_live": [[code, pk] for pk in tables],
        "hand_record": [[code, pk, 1] for pk in tables],
        "bracket_svg": [[code, made.event.pk]],
        "hands_zpr": [[code]],
        "hands_jsonl": [[code]],
        "public_archive": [[code]],
        "hand_questions": [[code, pk, 1] for pk in tables],
        "replay": [[code, pk, 1] for pk in tables],
        "replay_steps": [[code, pk, 1] for pk in tables],
    }
    assert set(args) == public_names()
    found = [(name, reverse(name, args=list(one))) for name, many in args.items() for one in many]
    queries = {
        "library": ("player=选手", "player=离", f"where={code}", f"entrant={entrants[0]}"),
        "library_statistics": ("player=选手", f"where={code}"),
        "library_file": (f"where={code}",),
        "entrants": ("q=选手", "sort=name", "q=1", "q=单位", "q=xuanshou", "q=离", "page=2"),
        "standings": ("unit=单位1",),
        "schedule": (f"event={made.event.pk}", f"entrant={entrants[0]}"),
        "screen": ("only=standings,tables",),
        "hand_questions": ("step=2",),
        "replay": ("step=2&seat=乙",),
        "replay_steps": ("seat=乙",),
    }
    return found + [
        (name, f"{path}?{query}") for name, path in found for query in queries.get(name, ())
    ]


def addresses(made: Made) -> list[str]:
    """The paths of what is rendered once for everybody: a draw's file shows leaders drafts too."""
    return [path for name, path in asked(made) if name not in (*FORMS, "draw_json")]


def plant(made: Made) -> list[str]:
    """Puts private things everywhere; returns what must not be seen."""
    Person.objects.filter(entries__competition=made.competition).update(**PRIVATE)
    secrets = [str(value) for value in PRIVATE.values()]
    for name, status in (("等候人", EntryStatus.WAITLISTED), ("待审人", EntryStatus.PENDING)):
        person = Person.objects.create(name=name, reading="denghouren")
        Entry.objects.create(
            competition=made.competition, person=person, unit=f"{name}的队", status=status
        )
        secrets += [name]
    owner = make_user("laozhang", email="laozhang@example.org", password="Mi-Ma-88")
    Membership.objects.create(user=owner, competition=made.competition, role=Role.OWNER)
    secrets += ["laozhang", "Mi-Ma-88"]
    for role in (Role.REFEREE, Role.CHIEF):
        issued = issue_link(acting=made.owner, competition=made.competition, role=role)
        secrets += [issued.token, issued.link.token_hash]
    return secrets


def assert_silent(client: Client, made: Made, secrets: list[str]) -> set[str]:
    """Asks every address in both languages; returns the names that answered with a page."""
    answered = set()
    for name, address in asked(made):
        others = () if name in (*FORMS, "robots") else OTHERS
        for language in ("zh-hans", "en"):
            forget()
            response = client.get(address, headers={"Accept-Language": language})
            text = response.content.decode()
            if response.status_code == 200:
                answered.add(name)
            words = DIGEST.sub("", text)
            for secret in (*secrets, *others):
                assert secret not in (text if DIGEST.fullmatch(secret) else words), address
    return answered


def test_private_data_and_tokens_are_in_no_public_page() -> None:
    """C1.1."""
    made = published(9)
    secrets = plant(made)
    referee = make_acting(made.competition, Role.REFEREE)
    disputed = open_sheet(made.tables(1)[1])
    win(made, disputed, "甲")
    protest(acting=referee, sheet=disputed, text="上家换牌")
    play_sheet(made, made.tables(1)[0])
    secrets += ["上家换牌"]
    assert assert_silent(Client(), made, secrets) == (
        public_names() - NEED_A_RECORD - NEED_A_PRELIMINARY - NEED_A_REDRAW - NEED_AN_EDITION
    )


def draft_secrets(drawn: Draw) -> list[str]:
    """What would tell a draw's result before it is published: the words alone do not."""
    return [drawn.secret, drawn.seed, drawn.salt, str(document_of(drawn)["digest"])]


def test_drawn_and_not_published_tells_nothing_of_its_result() -> None:
    """C4.2, C7.4: number and digests are shown, never who sits where."""
    made = make(9)
    made.competition.published_at = made.competition.created_at
    made.competition.save()
    drawn = draw(made, words="一颗六点和一颗三点")
    secrets = [*plant(made), *draft_secrets(drawn), "第 1 桌"]
    assert_silent(Client(), made, secrets)
    forget()
    shown = Client().get(reverse("competition", args=[made.competition.code])).content.decode()
    assert drawn.list_digest in shown
    assert drawn.secret_hash in shown
    for pk in made.stage.rounds.values_list("tables", flat=True):
        for name in ("table", "table_live"):
            address = reverse(name, args=[made.competition.code, pk])
            assert Client().get(address).status_code == 404


def plant_drafts(made: Made) -> list[str]:
    """Draft times, announcements that are not out, who has withdrawn, a hidden competition."""
    late = datetime(2026, 12, 5, 15, 47, tzinfo=UTC)
    set_round_times(
        acting=made.owner,
        competition=made.competition,
        times=dict.fromkeys(made.stage.rounds.values_list("pk", flat=True), late),
    )
    hall = Room.objects.create(competition=made.competition, name="还没说的厅", places=9)
    of_stage = Table.objects.filter(round__stage=made.stage)
    of_stage.update(room=hall, place=F("number") + 770)
    everywhere = {"is_public": True, "for_entrants": True, "on_screen": True}
    for title, moment in (("明天才说", NOON + timedelta(days=1)), ("说错了", NOON)):
        values = {**everywhere, "title": title, "publish_at": moment}
        said = announce(acting=made.owner, competition=made.competition, values=values)
        if moment == NOON:
            withdraw_announcement(acting=made.owner, announcement=said)
    person = Person.objects.create(name="离开的人", reading="likaideren")
    entry = Entry.objects.create(
        competition=made.competition,
        person=person,
        unit="离开的队",
        status=EntryStatus.WITHDRAWN,
        number=99,
    )
    Entrant.objects.create(event=made.event, entry=entry, status=EntrantStatus.WITHDRAWN)
    hidden = make(3).competition
    Competition.objects.filter(pk=hidden.pk).update(name="还没公布的比赛")
    return [
        "23:47", "T154700Z", "明天才说", "说错了", "离开的人", "离开的队",
        "还没公布的比赛", hidden.code, "还没说的厅", "771 台",
    ]  # fmt: skip


@time_machine.travel(NOON, tick=False)
def test_no_draft_of_any_kind_is_on_a_public_page() -> None:
    """Before the draw is out, and after a published draw was drawn again; C4.2, C7.4."""
    made = drafted(9)
    drawn = draw(made)
    secrets = [*plant(made), *plant_drafts(made)]
    ScreenSettings.objects.create(competition=made.competition, draw=drawn, step=9)
    answered = assert_silent(Client(), made, [*secrets, *draft_secrets(drawn), "1 桌", "甲区"])
    assert "draw_json" not in answered
    publish_draw(acting=made.owner, stage=made.stage)
    assert_silent(Client(), made, secrets)
    again = draw(made, words="再来一次", reason="名单有误")
    ScreenSettings.objects.update(draw=again)
    assert_silent(Client(), made, [*secrets, *draft_secrets(again), "1 桌"])


def test_nothing_of_an_unpublished_competition_is_shown() -> None:
    made = published(9)
    play_sheet(made, made.tables(1)[0])
    # Somebody has seen the pages while they were public: bodies are known.
    client = Client()
    known = [address for address in addresses(made) if client.get(address).status_code == 200]
    assert len(known) > 20
    Competition.objects.filter(pk=made.competition.pk).update(published_at=None)
    bump(made.competition.scope)
    for address in known:
        response = client.get(address)
        of_site = ("home", "robots", "sitemap", "library", "library_statistics", "privacy")
        if address.partition("?")[0] in map(reverse, of_site):
            text = response.content.decode()
            assert made.competition.name not in text
            assert made.competition.code not in text or made.competition.code in address
        else:
            assert response.status_code == 404, address


@time_machine.travel(NOON, tick=False)
def test_bodies_hold_nothing_of_the_viewer() -> None:
    """Stack fact 1: what an owner is sent is byte for byte what a stranger is sent.

    A calendar says when it was made, so the clock stands still.
    """
    made = published(9)
    draw_again = draw(made, words="再来一次", reason="名单有误")
    secrets = [*plant(made), *draft_secrets(draw_again)]
    owner = make_user("chief1")
    for role in (Role.OWNER, Role.CHIEF, Role.REFEREE):
        Membership.objects.create(user=owner, competition=made.competition, role=role)
    client = Client()
    client.force_login(owner)
    for address in addresses(made):
        forget()
        mine = client.get(address)
        forget()
        theirs = Client().get(address)
        assert mine.status_code == theirs.status_code
        assert mine.content == theirs.content, address
        assert "Set-Cookie" not in theirs.headers
        text = mine.content.decode()
        words = DIGEST.sub("", text)
        for secret in (*secrets, "chief1"):
            assert secret not in (text if DIGEST.fullmatch(secret) else words), address


def test_masked_names_are_whole_on_no_public_page() -> None:
    made = published(9)
    names = [f"欧阳{letter}明" for letter in "甲乙丙丁戊己庚辛壬"]
    entries = Entry.objects.filter(competition=made.competition).order_by("number")
    for entry, name in zip(entries, names, strict=True):
        Person.objects.filter(pk=entry.person_id).update(name=name, reading="ouyang")
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    play_sheet(made, made.tables(1)[0])
    assert_silent(Client(), made, names)
    forget()
    bracket = reverse("bracket", args=[made.competition.code, made.event.pk])
    assert Client().get(bracket).content.decode().count("欧**明") == 10


def test_erased_person_is_his_number() -> None:
    """C1.1: number, unit and results stay."""
    made = published(3)
    entry = Entry.objects.get(competition=made.competition, number=2)
    Person.objects.filter(pk=entry.person_id).update(
        name="", reading="", phone="", birth_year=None, note=""
    )
    assert_silent(Client(), made, ["选手2"])
    forget()
    bracket = reverse("bracket", args=[made.competition.code, made.event.pk])
    assert "2 号" in Client().get(bracket).content.decode()
