"""The page 操作记录: what it tells, how it is narrowed, its queries; no row has personal data."""

from __future__ import annotations

import ast
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from core.domain import jobs
from core.domain.audit import audit
from core.models import AuditRow, User
from scoring.audit_words import KINDS, WORDS
from scoring.domain.hands import correct_hand, enter_hand
from scoring.domain.sheets import open_sheet
from scoring.exports.books.results import results_parts
from scoring.history import GAMES, HANDS, TITLES
from scoring.models import Hand
from scoring.queries_audit import PAGE
from tests.rights import LIST
from tests.scoring.sheets import totals
from tests.simulator.mishaps import wander
from tests.simulator.play import Walk
from tests.test_rights import check
from tests.tournament.competitions import Made, make, make_published, play_out
from tests.worlds import build
from tournament.domain.entries import add_entry, change_entry
from tournament.domain.links import issue_link
from tournament.domain.seals import make_seal
from tournament.enums import EntrantStatus, Role
from tournament.models import Competition, DeviceLink, Person, Seal
from tournament.queries.seals import first_fault

pytestmark = pytest.mark.django_db
MOST = 30
ROOT = Path(__file__).parents[2]
ACTION = re.compile(r"[a-z]+(-[a-z]+)*\.([a-z]+(-[a-z]+)*)?")
FILES = (".json", ".toml")
"""How names of files end, which look like actions."""


def owner_of(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id or 0))
    return client


def url_of(made: Made) -> str:
    return reverse("manage_audit", args=[made.competition.code])


def said(response: Any) -> list[str]:
    """What each row says, without who and when."""
    return [
        " ".join(filter(None, [line.where, line.title, *line.lines]))
        for line in response.context["lines"]
    ]


def test_rights_are_as_listed() -> None:
    for state in ("planned", "drawn", "final"):
        check(build(state), {"manage_audit": LIST["manage_audit"]})


def test_rows_are_told_in_words_where_the_history_of_a_sheet_has_them() -> None:
    made = make_published(9)
    sheet = open_sheet(made.tables(1)[0])
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(4, -1, -3))
    correct_hand(acting=made.owner, hand=Hand.objects.get(), entered=totals(-3, 4, -1))
    response = owner_of(made).get(url_of(made))
    rows = said(response)
    assert rows[0].startswith("第 1 轮 · 1 桌 更正第 1 局")
    assert rows[1].startswith("第 1 轮 · 1 桌 记第 1 局 只记了分数")
    assert rows[2] == "第 1 轮 · 1 桌 开打"
    assert "公布签表" in rows[3]
    assert {line.who for line in response.context["lines"]} == {
        User.objects.get(pk=made.owner.user_id or 0).name
    }


def written_actions() -> set[str]:
    """Every action that a module of `domain` writes literally, `entrant.{status}` by its states."""
    found: set[str] = set()
    for path in (path for app in ("core", "tournament", "scoring") for path in
                 (ROOT / app / "domain").glob("*.py")):  # fmt: skip
        tree = ast.parse(path.read_text(encoding="utf-8"))
        others = {
            node.args[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and (ast.unparse(node.func) == "salted_hmac" or ast.unparse(node.func)[:7] == "logger.")
        }
        found |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in others
            and ACTION.fullmatch(node.value)
            and not node.value.endswith(FILES)
        }
    assert {one for one in found if one.endswith(".")} == {"entrant."}
    gone = (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED)
    return found - {"entrant."} | {f"entrant.{status}" for status in gone}


def test_every_action_has_words() -> None:
    actions = written_actions()
    assert len(actions) > 120
    told = {*WORDS, *HANDS, *(action for action, title in TITLES.items() if title)}
    assert sorted(actions - told) == []
    assert sorted(told - actions) == []
    assert set(HANDS) == set(GAMES)
    assert sorted({action.partition(".")[0] for action in actions} - set(KINDS)) == []


def test_rows_are_narrowed_by_kind_actor_round_table_and_time() -> None:
    made = make_published(9)
    link = issue_link(
        acting=made.owner, competition=made.competition, role=Role.REFEREE, label="记分台"
    ).link
    for table in made.tables(1)[:2]:
        enter_hand(acting=made.owner, sheet=open_sheet(table), entered=totals(4, -1, -3))
    row = AuditRow.objects.latest("pk")
    AuditRow.objects.filter(pk=row.pk).update(
        user_id=None, link_id=link.pk, at=timezone.now() - timedelta(days=2)
    )
    client, url = owner_of(made), url_of(made)
    round_ = made.stage.rounds.get(number=1)
    count = len(said(client.get(url)))
    day = (timezone.localtime() - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    assert len(said(client.get(url, {"kind": "hand"}))) == 2
    assert len(said(client.get(url, {"kind": "hand", "until": day}))) == 1
    assert len(said(client.get(url, {"since": day}))) == count - 1
    response = client.get(url, {"who": f"link:{link.pk}"})
    assert [line.who for line in response.context["lines"]] == ["记分台"]
    assert len(said(client.get(url, {"round": round_.pk}))) == 4
    found = said(client.get(url, {"round": round_.pk, "table": 2}))
    assert len(found) == 2
    assert all("2 桌" in one for one in found)
    assert said(client.get(url, {"round": round_.pk, "table": 3})) == []


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"table": "1"}, "请选这一桌是哪一轮的"),
        ({"since": "2026-12-05T10:00", "until": "2026-12-05T09:00"}, "要在“从”之后"),
        ({"who": "user:999999"}, "user:999999"),
        ({"kind": "x"}, "x"),
    ],
)
def test_what_cannot_be_asked_for_is_told(asked: dict[str, str], word: str) -> None:
    made = make()
    response = owner_of(made).get(url_of(made), asked)
    assert response.status_code == 400
    assert word in response.content.decode()


def test_pages_follow_each_other_without_gap_and_seals_stand_between() -> None:
    made = make()
    for number in range(PAGE):
        audit(actor=made.owner, action="a.b", scope=made.competition.scope, subject=f"x:{number}")
    make_seal(competition=made.competition)
    audit(actor=made.owner, action="a.b", scope=made.competition.scope, subject="x:new")
    make_seal(competition=made.competition)
    client, url = owner_of(made), url_of(made)
    first = client.get(url)
    second = client.get(url + first.context["older_url"])
    seen = [line.pk for page in (first, second) for line in page.context["lines"]]
    assert seen == list(AuditRow.objects.order_by("-pk").values_list("pk", flat=True))
    marks = [[seal.number for seal in line.seals] for line in first.context["lines"]]
    assert marks[:3] == [[2], [1], []]
    assert not any(marks[2:])
    assert second.context["lines"][0].seals == [Seal.objects.get(number=1)]
    assert Seal.objects.get(number=1).digest in first.content.decode()
    assert "older_url" not in second.context
    assert client.get(url, {"before": "x"}).status_code == 404


def test_page_takes_as_many_queries_for_many_sheets_as_for_one() -> None:
    counts = []
    for tables in (1, 9):
        made = make_published(27)
        for table in made.tables(1)[:tables]:
            sheet = open_sheet(table)
            enter_hand(acting=made.owner, sheet=sheet, entered=totals(4, -1, -3))
            hand = Hand.objects.get(sheet=sheet)
            correct_hand(acting=made.owner, hand=hand, entered=totals(-3, 4, -1))
        client, url = owner_of(made), url_of(made)
        client.get(url)
        with CaptureQueriesContext(connection) as seen:
            assert client.get(url).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= MOST


def test_a_book_prints_the_seals() -> None:
    made = make_published(9)
    play_out(made)
    jobs.sweep()
    (part,) = (one for one in results_parts(made.competition) if one.template == "seals.html")
    assert [seal.title for seal in part.context["seals"]] == ["第 1 轮", "决赛"]


def personal() -> set[str]:
    """Names, phones, addresses, accounts and hashes of links of everybody."""
    found: set[str | None] = set(DeviceLink.objects.values_list("token_hash", flat=True))
    for person in Person.objects.all():
        found |= {person.name, person.phone}
    for user in User.objects.all():
        found |= {user.name, user.username, user.email}
    return {word for word in found if word}


def check_rows(secret: set[str]) -> set[str]:
    """No row has any of these; returns the kinds of action that were looked at."""
    rows = list(AuditRow.objects.all())
    one = re.compile("|".join(rf"{re.escape(word)}(?!\d)" for word in sorted(secret)))
    for row in rows:
        text = json.dumps([row.action, row.subject, row.data], ensure_ascii=False)
        assert not one.search(text), (row.action, row.data, one.search(text))
    return {row.action.partition(".")[0] for row in rows}


def test_no_row_of_a_played_competition_has_personal_data() -> None:
    world = build("final")
    made = world.made
    issued = issue_link(
        acting=made.owner, competition=made.competition, role=Role.REFEREE, label="阳朔裁判"
    )
    kinds = check_rows(personal() | {issued.token, world.token, "阳朔裁判"})
    assert kinds >= {
        "competition", "entry", "draw", "table", "hand", "sheet", "penalty", "ruling", "protest",
        "link", "clock", "apart", "recording",
    }  # fmt: skip


def test_no_row_of_what_goes_amiss_has_personal_data() -> None:
    wander(Walk(20261205, 12))
    competition = Competition.objects.get()
    make_seal(competition=competition)
    assert first_fault(competition) is None
    Person.objects.filter(phone="").update(phone="13800001234")
    assert check_rows(personal()) >= {"hand", "sheet", "table", "draw"}


def test_no_row_of_an_entry_with_a_phone_has_personal_data() -> None:
    made = make()
    entry = add_entry(acting=made.owner, event=made.event, name="莫小舵", unit="漓江队")
    change_entry(
        acting=made.owner,
        entrant=entry.entrants.get(),
        name="莫大舵",
        unit="桂林队",
        number=7,
        phone="13800001234",
    )
    assert check_rows({"莫小舵", "莫大舵", "13800001234"}) == {"competition", "entry"}
