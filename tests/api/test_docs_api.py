"""docs/api.md: its examples are run in order, against a server, and do what the page says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from config.api import api
from scoring.models import HandVersion
from tests.api.callers import token_of
from tests.scoring.public_pages import publish
from tests.tournament.competitions import make
from tournament.api import tokens
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.enums import ConfirmationMode, State
from tournament.models import Entry, Table

PAGE = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```(sh|python)\n(.*?)^```", PAGE, re.M | re.S)
CURL = shutil.which("curl")


class Site:
    """A competition that the examples are about: three people at one table of three hands."""

    def __init__(self, url: str) -> None:
        self.made = make(3)
        stage = self.made.stage
        stage.hands = stage.final_hands = 3
        stage.confirmation = ConfirmationMode.REFEREE
        stage.extra_hands = False  # two are level in the end: the lot decides
        stage.save()
        publish(self.made.competition)
        self.environment = {
            **os.environ,
            "SITE": url,
            "CODE": self.made.competition.code,
            "TOKEN": token_of(self.made.owner, self.made.competition),
            "TABLE": "0",
            "PYTHONIOENCODING": "utf-8",
            "NO_PROXY": "*",
            "no_proxy": "*",
        }

    def draw(self) -> None:
        """From now on there is a table."""
        frozen = freeze_draw(acting=self.made.owner, stage=self.made.stage)
        enter_words(acting=self.made.owner, draw=frozen, words="红红黑")
        publish_draw(acting=self.made.owner, stage=self.made.stage)
        self.environment["TABLE"] = str(Table.objects.get().pk)

    def run(self, kind: str, text: str) -> str:
        """What the example prints. Fails where it fails."""
        command = ["sh", "-e", "-c", text] if kind == "sh" else [sys.executable, "-c", text]
        done = subprocess.run(
            command,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        return done.stdout


def objects(text: str) -> list[Any]:
    """The JSON objects that stand one behind the other."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
    return found


def test_examples_are_of_both_kinds() -> None:
    kinds = [kind for kind, _text in EXAMPLES]
    assert (kinds.count("sh"), kinds.count("python")) == (4, 6)


@pytest.mark.django_db(transaction=True)
def test_python_examples_run_and_do_what_they_say(live_server: Any) -> None:
    site = Site(live_server.url)
    reads, polls, arrives, enters, confirms, replays = [
        text for kind, text in EXAMPLES if kind == "python"
    ]
    assert "莫家骏" not in site.run("python", arrives)
    assert Entry.objects.filter(checked_in_at__isnull=False).count() == 1
    site.draw()
    printed = site.run("python", reads)
    assert [f"{n} 选手{n} 单位1" in printed for n in (1, 2, 3)] == [True] * 3
    assert "决赛 1 " in printed
    assert site.run("python", polls).splitlines()[1:] == ["没变", "没变"]
    number, corrected, refused = site.run("python", enters).splitlines()
    assert number.endswith("[-2, -2, 4]")
    assert corrected == "2 [-2, 4, -2]"
    assert refused.startswith("409 version-passed ")
    for _hand in range(2):
        site.run("python", enters)
    assert HandVersion.objects.filter(is_current=True).count() == 3
    confirmed = site.run("python", confirms).splitlines()[-1]
    assert confirmed in ("confirmed [3, 1, 2]", "confirmed [2, 1, 3]")
    assert Table.objects.get().state == State.CONFIRMED
    assert site.run("python", replays).splitlines()[0] == "1 invalid"


@pytest.mark.skipif(CURL is None, reason="needs curl")
@pytest.mark.django_db(transaction=True)
def test_curl_examples_run_and_do_what_they_say(live_server: Any) -> None:
    site = Site(live_server.url)
    reads, enters, plays, tools = [text for kind, text in EXAMPLES if kind == "sh"]
    (entry,) = objects(site.run("sh", enters))
    assert (entry["name"], entry["number"], entry["status"]) == ("莫家骏", 4, "confirmed")
    Entry.objects.filter(pk=entry["id"]).update(status="withdrawn")
    Entry.objects.get(pk=entry["id"]).entrants.update(status="withdrawn")
    site.draw()
    competitions, competition, table = objects(site.run("sh", reads))
    assert competitions["count"] == 1
    assert competition["code"] == site.made.competition.code
    assert [len(table["players"]), table["state"]] == [3, "published"]
    for _time in range(2):
        (hand,) = objects(site.run("sh", plays))
        assert (hand["number"], hand["version"], hand["deltas"]) == (1, 1, [6, -6, 0])
    scored, waited = objects(site.run("sh", tools))
    assert (scored["total"], scored["deltas"]) == (3, [6, -6, 0])
    assert waited["status"] == "waits"


def test_addresses_and_statuses_of_the_page_are_the_documents() -> None:
    document = api.get_openapi_schema(path_prefix="/api/v1/")
    rows = re.findall(r"`(GET|POST|PUT)(?:`、`POST)? (…/[\w/{}-]+)`", PAGE)
    assert len(rows) > 8
    paths = list(document["paths"])
    for method, ending in rows:
        assert any(
            path.endswith(ending.removeprefix("…")) and method.lower() in document["paths"][path]
            for path in paths
        ), ending
    told = {int(one) for one in re.findall(r"\b(4\d\d)\b", PAGE.split("## 出错时")[1])}
    answered = {
        int(status)
        for methods in document["paths"].values()
        for operation in methods.values()
        for status in operation["responses"]
        if int(status) >= HTTPStatus.BAD_REQUEST
    }
    # A method that the document does not have is answered with 405 everywhere.
    assert told == answered | {HTTPStatus.METHOD_NOT_ALLOWED}
    assert f"每分钟 {tokens.OF_TOKEN} 次" in PAGE
