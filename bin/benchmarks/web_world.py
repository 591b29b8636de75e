"""The competition that the web benchmark looks at: 243 entrants at 81 tables.

`python -m benchmarks.web_world make` prints its addresses as JSON; then with its code `publish`
releases the draw, `begin` enters the first hand of every table, `play` plays round one and
confirms it, `cold` measures pages made anew.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import date

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.web_settings")
django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from core import bodies, known  # noqa: E402
from core.domain import versions  # noqa: E402
from core.models import User  # noqa: E402
from scoring.demo_names import as_pasted, roster  # noqa: E402
from scoring.domain.board import Board  # noqa: E402
from scoring.domain.hands import Entered, enter_hand  # noqa: E402
from scoring.domain.sheets import confirm_sheet, open_sheets, submit_sheet  # noqa: E402
from scoring.enums import Evidence  # noqa: E402
from scoring.models import Sheet  # noqa: E402
from tournament.acting import Acting  # noqa: E402
from tournament.domain.competitions import (  # noqa: E402
    create_competition,
    publish_competition,
)
from tournament.domain.draws import enter_words, freeze_draw, publish_draw  # noqa: E402
from tournament.domain.entries import add_pasted  # noqa: E402
from tournament.domain.settings import set_play  # noqa: E402
from tournament.domain.table_links import issue_table_links  # noqa: E402
from tournament.enums import Role  # noqa: E402
from tournament.models import Competition, Table  # noqa: E402

ENTRANTS, SEED, HANDS = 243, 20261130, 60
PLAYED = 6
REPEATS = 7


def owner(competition: Competition) -> Acting:
    """Its owner, who is chief referee too."""
    user = User.objects.get(username="bench")
    return Acting(
        user_id=user.pk,
        competition_id=competition.pk,
        roles=frozenset({Role.OWNER, Role.CHIEF}),
    )


def make() -> dict[str, object]:
    """The competition, drawn and not released."""
    user = User.objects.create_user(username="bench", password="only-here-0123")
    competition = create_competition(
        user=user, name="漓江杯", starts_on=date(2026, 12, 5), also_chief=True
    )
    acting = owner(competition)
    event = competition.events.get()
    stage = event.stages.get()
    rows = as_pasted(roster(ENTRANTS, random.Random(SEED)))
    add_pasted(acting=acting, event=event, text=rows)
    set_play(acting=acting, stage=stage, values={"hands": HANDS})
    publish_competition(acting=acting, competition=competition)
    frozen = freeze_draw(acting=acting, stage=stage)
    enter_words(acting=acting, draw=frozen, words="红红黑")
    return {
        "code": competition.code,
        "bracket": reverse("bracket", args=[competition.code, event.pk]),
    }


def tables_of(competition: Competition) -> list[Table]:
    """Round one."""
    found = Table.objects.filter(round__stage__event__competition=competition, round__number=1)
    return list(found.select_related("round__stage__event__competition").order_by("number"))


def publish(competition: Competition) -> dict[str, object]:
    """The draw is released; its tables get their links."""
    acting = owner(competition)
    stage = competition.events.get().stages.get()
    publish_draw(acting=acting, stage=stage)
    tables = tables_of(competition)
    open_sheets(tables)
    issued = issue_table_links(
        acting=acting, competition=competition, round_=tables[0].round, tables=tables
    )
    return {
        "tables": [
            {
                "link": reverse("link", args=[one.token]),
                "sheet": reverse("sheet", args=[competition.code, one.link.table_id]),
                "page": reverse("table", args=[competition.code, one.link.table_id]),
            }
            for one in issued
        ]
    }


LINE = {"source": "own-flip", "winner": "甲", "hu": 20, "xing_count": 3}


def begin(competition: Competition) -> dict[str, object]:
    """Round one is under way: every table has its first hand."""
    tables = tables_of(competition)
    for sheet in open_sheets(tables):
        entered = Entered(Evidence.RESULT, LINE)
        enter_hand(acting=owner(competition), sheet=sheet, entered=entered)
    return {"running": len(tables)}


def play(competition: Competition) -> dict[str, object]:
    """Round one to its end: some hands a table, and the chief referee confirms."""
    acting = owner(competition)
    tables = tables_of(competition)
    for table, sheet in zip(tables, open_sheets(tables), strict=True):
        done = Board(sheet).sums.played
        planned = max(PLAYED, done + 1)
        Sheet.objects.filter(pk=sheet.pk).update(hands_planned=planned)
        sheet.refresh_from_db()
        line = {**LINE, "winner": "甲乙丙"[table.number % 3]}
        for _hand in range(planned - done):
            enter_hand(acting=acting, sheet=sheet, entered=Entered(Evidence.RESULT, line))
        sheet.refresh_from_db()
        submit_sheet(acting=acting, sheet=sheet)
        confirm_sheet(acting=acting, sheet=sheet, digest=Board(sheet).digest)
    return {"confirmed": len(tables)}


def cold(competition: Competition) -> dict[str, object]:
    """Queries and milliseconds of CPU for pages that nobody has asked for before."""
    event = competition.events.get()
    tables = tables_of(competition)
    found: dict[str, object] = {}
    pages: dict[str, Callable[[int], str]] = {
        "bracket": lambda _run: reverse("bracket", args=[competition.code, event.pk]),
        "standings": lambda _run: reverse("standings", args=[competition.code, event.pk]),
        "table": lambda run: reverse("table", args=[competition.code, tables[run].pk]),
    }
    # Made once: it loads the middleware, which a server does when it starts.
    client = Client(headers={"host": "localhost", "accept-encoding": "br"})
    client.get(reverse("home"))
    for name, address in pages.items():
        client.get(address(REPEATS + 1))
        taken, queries = [], 0
        for run in range(REPEATS + 1):
            bodies.forget()
            versions.forget()
            known.forget()
            start = time.process_time()
            if run == REPEATS:
                with CaptureQueriesContext(connection) as seen:
                    client.get(address(run))
                queries = len(seen)
            else:
                answer = client.get(address(run))
                taken.append(1000 * (time.process_time() - start))
                if answer.status_code != 200:
                    raise AssertionError(f"{address(run)}: {answer.status_code}")
        found[name] = {"queries": queries, "ms": statistics.median(taken)}
    return found


if __name__ == "__main__":
    verb, *rest = sys.argv[1:]
    if verb == "make":
        answer = make()
    else:
        known_verbs = {"publish": publish, "begin": begin, "play": play, "cold": cold}
        answer = known_verbs[verb](Competition.objects.get(code=rest[0]))
    print(json.dumps(answer))
