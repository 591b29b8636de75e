"""Public reads: the same for all, from bodies, with ETag and pages; nothing of a draft."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime
from typing import Any

import brotli
import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.api import api
from core.domain.versions import bump
from scoring.domain.protests import protest
from scoring.domain.sheets import open_sheet
from scoring.domain.verdicts import penalize
from scoring.enums import PenaltyKind
from tests.api.callers import ROOT, Caller, said, token_of
from tests.factories import make_acting
from tests.scoring.preliminaries import draw_and_publish, make_preliminary
from tests.scoring.public_pages import drafted, forget, play_sheet, publish, published, win
from tests.scoring.test_views_public_leaks import (
    DIGEST,
    OTHERS,
    draft_secrets,
    plant,
    plant_drafts,
)
from tests.tournament.competitions import Made, draw, make
from tournament.domain.draws import document_of, publish_draw
from tournament.domain.entries import add_pasted
from tournament.enums import Role
from tournament.models import Competition, Draw, Entry, Person

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 5, 4, tzinfo=UTC)
ANYBODY = Caller()


def reads(made: Made) -> dict[str, str]:
    """Operation and path of every public read of a competition, of its first round, table and
    draw; whatever is not there has the number 1."""
    first = made.stage.rounds.order_by("number").first()
    table = first.tables.order_by("number").first() if first else None
    drawn = Draw.objects.filter(stage=made.stage).order_by("-pk").first()
    keys = {
        "code": made.competition.code,
        "event": made.event.pk,
        "round_id": first.pk if first else 1,
        "table": table.pk if table else 1,
        "draw": drawn.pk if drawn else 1,
    }
    document = api.get_openapi_schema(path_prefix="/")
    return {
        methods["get"]["operationId"]: path.format(**keys)
        for path, methods in document["paths"].items()
        if "get" in methods and not methods["get"].get("security")
    }


def everything(made: Made) -> list[str]:
    """The paths of every read, with every table, round and draw."""
    found = list(reads(made).values())
    code, event = made.competition.code, made.event.pk
    for stage in made.event.stages.all():
        for round_ in stage.rounds.all():
            found.append(f"/competitions/{code}/events/{event}/rounds/{round_.pk}/tables")
            found += [f"/competitions/{code}/tables/{one.pk}" for one in round_.tables.all()]
        found += [f"/competitions/{code}/draws/{one.pk}" for one in stage.draws.all()]
    return found


def played() -> Made:
    """Nine entrants, one table of three closed, one running."""
    made = published(9)
    play_sheet(made, made.tables(1)[0])
    win(made, open_sheet(made.tables(1)[1]), "甲")
    return made


def test_every_read_answers_once_something_is_played() -> None:
    made = played()
    for name, path in reads(made).items():
        answer = ANYBODY.get(path)
        assert answer.status_code == 200, name
        assert answer["Content-Type"] == "application/json", name


def test_sheet_says_who_sits_there_and_what_each_hand_gave() -> None:
    made = played()
    table = made.tables(1)[0]
    sheet = said(ANYBODY.get(f"/competitions/{made.competition.code}/tables/{table.pk}"))
    assert (sheet["state"], sheet["sheet"], sheet["played"]) == ("confirmed", "confirmed", 2)
    assert [one["net"] for one in sheet["players"]] == [10, -7, -3]
    assert [one["place"] for one in sheet["players"]] == [1, 3, 2]
    assert [one["deltas"] for one in sheet["hands"]] == [[6, -3, -3], [4, -4, 0]]
    assert [one["version"] for one in sheet["hands"]] == [1, 1]
    assert "digest" not in sheet


def test_sheet_shows_penalties_and_places_once_confirmed() -> None:
    made = published(9)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "甲")
    penalize(
        acting=made.owner,
        sheet=sheet,
        position=1,
        kind=PenaltyKind.DEDUCTION,
        amount=2,
        reason="迟到十分钟",
    )
    answer = ANYBODY.get(f"/competitions/{made.competition.code}/tables/{table.pk}")
    found = said(answer)
    assert found["penalties"] == [
        {"position": 1, "kind": "deduction", "deltas": [0, 0, 0], "deducted": 2}
    ]
    assert [one["place"] for one in found["players"]] == [None] * 3
    assert [one["net"] for one in found["players"]] == [6, -5, -3]


def test_draw_is_the_file_that_the_page_offers() -> None:
    made = played()
    drawn = Draw.objects.get(stage=made.stage)
    path = f"/competitions/{made.competition.code}/draws/{drawn.pk}"
    assert said(ANYBODY.get(path)) == document_of(drawn)


def test_preliminary_has_points_and_reasons() -> None:
    made = make_preliminary(9)
    draw_and_publish(made)
    publish(made.competition)
    for table in made.tables(1):
        play_sheet(made, table)
    path = f"/competitions/{made.competition.code}/events/{made.event.pk}/preliminary"
    found = said(ANYBODY.get(path))
    assert (found["count"], [one["rank"] for one in found["items"]]) == (9, [*range(1, 10)])
    first = found["items"][0]
    assert (first["points"], first["twelfths"], first["net"], first["tables_won"]) == (
        "3",
        36,
        10,
        1,
    )
    assert sum(one["net"] for one in found["items"]) == 0


def test_pages_of_a_list_hold_everybody_once_in_order() -> None:
    made = published(27)
    path = f"/competitions/{made.competition.code}/events/{made.event.pk}/entrants"
    numbers: list[int] = []
    following: str | None = f"{path}?limit=10"
    asked = 0
    while following:
        answer = ANYBODY.get(following)
        numbers += [one["number"] for one in said(answer)["items"]]
        found = re.search(rf'<{ROOT}([^>]+)>; rel="next"', answer["Link"])
        following = found[1] if found else None
        asked += 1
    assert numbers == list(range(1, 28))
    assert asked == 3
    assert said(ANYBODY.get(f"{path}?limit=10"))["pages"] == 3
    beyond = ANYBODY.get(f"{path}?limit=10&page=4")
    assert (beyond.status_code, said(beyond)["code"]) == (404, "not-found")


@pytest.mark.parametrize("query", ["page=0", "limit=0", "limit=201", "page=x", "page=99999999999"])
def test_page_that_no_list_has_is_a_problem(query: str) -> None:
    answer = ANYBODY.get(f"/competitions?{query}")
    assert (answer.status_code, said(answer)["code"]) == (422, "invalid")
    assert said(answer)["fields"][0]["field"] == query.partition("=")[0]


def test_head_answers_as_get_without_the_body() -> None:
    made = played()
    missing = "/competitions/zzz"
    for name, path in {**reads(made), "missing": missing, "document": "/openapi.json"}.items():
        got, head = ANYBODY.get(path), ANYBODY.ask("HEAD", path)
        assert (head.status_code, head.content) == (got.status_code, b""), name
        assert head["Content-Length"] == str(len(got.content)), name
        for header in ("Content-Type", "ETag", "Link", "Cache-Control"):
            assert head.get(header) == got.get(header), (name, header)


def test_other_method_is_a_problem_that_says_which_there_are() -> None:
    made = played()
    for name, path in {**reads(made), "document": "/openapi.json"}.items():
        for method in ("DELETE", "PATCH", "OPTIONS"):
            answer = ANYBODY.ask(method, path)
            assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD"), name
            assert answer["Content-Type"] == "application/problem+json"
            assert said(answer)["code"] == "method-not-allowed"
            assert said(answer)["detail"] == "这个地址只接受 GET, HEAD。"
    answer = ANYBODY.ask("PATCH", f"/competitions/{made.competition.code}/entries")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, POST")
    tool = next(
        path for path, methods in api.get_openapi_schema(path_prefix="/")["paths"].items()
        if set(methods) == {"post"} and "{" not in path
    )  # fmt: skip
    for method in ("GET", "HEAD"):
        answer = ANYBODY.ask(method, tool)
        assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_every_read_is_sent_compressed_to_who_can_read_it() -> None:
    for name, path in reads(played()).items():
        plain = ANYBODY.get(path).content
        small = ANYBODY.get(path, Accept_Encoding="br")
        assert small["Content-Encoding"] == "br", name
        assert brotli.decompress(small.content) == plain, name
        zipped = ANYBODY.get(path, Accept_Encoding="gzip")
        assert zipped["Content-Encoding"] == "gzip", name
        assert gzip.decompress(zipped.content) == plain, name
        for answer in (small, zipped):
            assert "Accept-Encoding" in answer["Vary"]
            assert answer["ETag"] == ANYBODY.get(path)["ETag"]


def test_who_has_it_is_told_304_until_it_changes() -> None:
    made = played()
    for name, path in reads(made).items():
        first = ANYBODY.get(path)
        again = ANYBODY.get(path, If_None_Match=first["ETag"])
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), name
        other = Caller(language="en").get(path, If_None_Match=first["ETag"])
        assert other.status_code == 200, name
    bump(made.competition.scope, made.event.scope)
    for name, path in reads(made).items():
        forget()
        first = ANYBODY.get(path)
        bump(made.competition.scope)
        forget()
        assert ANYBODY.get(path, If_None_Match=first["ETag"]).status_code == 200, name


def test_hand_at_a_table_changes_its_etag_and_not_that_of_another() -> None:
    made = published(9)
    one, other = made.tables(1)[:2]
    win(made, open_sheet(one), "甲")
    win(made, open_sheet(other), "甲")
    paths = [f"/competitions/{made.competition.code}/tables/{table.pk}" for table in (one, other)]
    before = [ANYBODY.get(path)["ETag"] for path in paths]
    win(made, open_sheet(one), "甲")
    forget()
    after = [ANYBODY.get(path)["ETag"] for path in paths]
    assert (before[0] == after[0], before[1] == after[1]) == (False, True)


def count(path: str) -> int:
    """The queries of a read from nothing cached."""
    ANYBODY.get(path)
    forget()
    with CaptureQueriesContext(connection) as seen:
        assert ANYBODY.get(path).status_code == 200
    return len(seen)


def test_reads_take_as_many_queries_for_many_as_for_few() -> None:
    few, many = published(9), published(27)
    for made in (few, many):
        for table in made.tables(1):
            play_sheet(made, table)
    most = {
        "list_competitions": 3, "get_competition": 7, "list_standings": 9, "list_records": 7,
        "get_table": 12,
    }  # fmt: skip
    for name, path in reads(few).items():
        small, large = count(path), count(reads(many)[name])
        assert small == large, name
        assert large <= most.get(name, 6), (name, large)


def test_answers_from_bodies_ask_only_for_what_cannot_be_known() -> None:
    """Stack fact 1: nothing is rendered twice; the versions are read once a second."""
    made = played()
    asks = {"list_competitions": 1, "get_draw": 1, "list_tables": 1}
    for name, path in reads(made).items():
        ANYBODY.get(path)
        ANYBODY.get(path)
        with CaptureQueriesContext(connection) as seen:
            ANYBODY.get(path)
        assert len(seen) <= asks.get(name, 0), (name, [one["sql"] for one in seen])


def silent(made: Made, secrets: list[str], callers: tuple[Caller, ...] = (ANYBODY,)) -> set[str]:
    """Asks every read in both languages as everybody; returns the paths that answered."""
    answered = set()
    for path in everything(made):
        for caller in callers:
            for language in ("zh-hans", "en"):
                forget()
                answer = Caller(caller.token, language).get(path)
                text = answer.content.decode()
                if answer.status_code == 200:
                    answered.add(path)
                words = DIGEST.sub("", text)
                for secret in (*secrets, *OTHERS):
                    assert secret not in (text if DIGEST.fullmatch(secret) else words), path
    return answered


def test_private_data_and_tokens_are_in_no_read() -> None:
    """C1.1."""
    made = played()
    secrets = [*plant(made), token_of(made.owner, made.competition)]
    disputed = open_sheet(made.tables(1)[2])
    win(made, disputed, "甲")
    referee = make_acting(made.competition, Role.REFEREE)
    protest(acting=referee, sheet=disputed, text="上家换牌")
    assert silent(made, [*secrets, "上家换牌"]) == set(everything(made))


@time_machine.travel(NOON, tick=False)
def test_no_draft_is_in_a_read_whoever_asks() -> None:
    """C4.2, C7.4: the owner's own program is told no more than a stranger."""
    made = drafted(9)
    drawn = draw(made)
    owner = Caller(token_of(made.owner, made.competition))
    secrets = [*plant(made), *plant_drafts(made)]
    callers = (ANYBODY, owner)
    answered = silent(made, [*secrets, *draft_secrets(drawn)], callers)
    assert not [path for path in answered if "/tables" in path or "/draws/" in path]
    publish_draw(acting=made.owner, stage=made.stage)
    silent(made, secrets, callers)
    again = draw(made, words="再来一次", reason="名单有误")
    answered = silent(made, [*secrets, *draft_secrets(again)], callers)
    assert f"/competitions/{made.competition.code}/draws/{drawn.pk}" in answered
    assert f"/competitions/{made.competition.code}/draws/{again.pk}" not in answered


def test_unpublished_competition_is_not_there_even_where_it_was_known() -> None:
    made = played()
    paths = everything(made)
    assert {ANYBODY.get(path).status_code for path in paths} == {200}
    Competition.objects.filter(pk=made.competition.pk).update(published_at=None)
    bump(made.competition.scope)
    token = token_of(made.owner, made.competition)
    for caller in (ANYBODY, Caller(token)):
        for path in paths:
            answer = caller.get(path)
            if path == "/competitions":
                assert made.competition.code not in answer.content.decode()
            else:
                assert answer.status_code == 404, path


def test_masked_names_are_whole_in_no_read() -> None:
    made = published(9)
    names = [f"欧阳{letter}明" for letter in "甲乙丙丁戊己庚辛壬"]
    entries = Entry.objects.filter(competition=made.competition).order_by("number")
    for entry, name in zip(entries, names, strict=True):
        Person.objects.filter(pk=entry.person_id).update(name=name, reading="ouyang")
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    play_sheet(made, made.tables(1)[0])
    silent(made, names)
    forget()
    path = f"/competitions/{made.competition.code}/events/{made.event.pk}/entrants"
    assert [one["name"] for one in said(ANYBODY.get(path))["items"]] == ["欧**明"] * 9


def test_nothing_of_one_competition_is_reached_through_another() -> None:
    """C7.4: a number belongs to its competition."""
    made, other = played(), played()
    code = other.competition.code
    for name, path in reads(made).items():
        if "{" not in path and path.count("/") > 2:
            moved = path.replace(made.competition.code, code)
            assert ANYBODY.get(moved).status_code == (200 if name == "list_events" else 404), name


def test_waiting_entries_are_not_among_the_entrants() -> None:
    made = make()
    publish(made.competition)
    made.competition.capacity = 3
    made.competition.save()
    add_pasted(acting=made.owner, event=made.event, text="甲\n乙\n丙\n丁")
    path = f"/competitions/{made.competition.code}/events/{made.event.pk}/entrants"
    assert [one["name"] for one in said(ANYBODY.get(path))["items"]] == ["甲", "乙", "丙"]


def test_address_that_is_not_there_is_a_problem_too() -> None:
    for path in ("/", "/nothing", "/competitions/ABC", "/competitions/a/events/x"):
        answer = ANYBODY.get(path)
        assert (answer.status_code, said(answer)["code"]) == (404, "not-found"), path
        assert answer["Content-Type"] == "application/problem+json"


def test_page_of_the_api_names_every_operation() -> None:
    page = Client().get("/api/").content.decode()
    rows: set[tuple[Any, ...]] = set(re.findall(r"<br><code>(\w+) ([^<]+)</code>", page))
    document = api.get_openapi_schema(path_prefix="/")
    assert rows == {
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    }
    assert f'href="{ROOT}/openapi.json"' in page
