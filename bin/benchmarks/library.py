"""牌谱库 with 100,000 hands: the first page and the statistics of several questions.

On SQLite and, where DATABASE_URL says so, PostgreSQL. On SQLite the time is CPU time of the whole
answer, database included; on PostgreSQL, whose work is another process's, it is time that passes.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from benchmarks.measure import ROOT, Figure
from benchmarks.web import _empty_database, _environment

COMPETITIONS, TABLES, HANDS = 20, 250, 20
PEOPLE = 3 * TABLES
RUNS = 7
QUESTIONS = {
    "anything": {},
    "开舵 and 二七十, from 20 胡": {"melds": ["开舵", "二七十"], "hu_from": "20"},
    "五坎 (a few in all)": {"special": "五坎"},
    "nothing fits": {"special": "天胡", "how": "flip"},
    "a player": {"player": "选手17"},
    "a player's wins by own flip": {"player": "选手17", "won": "on", "how": "own-flip"},
    "one competition's drawn hands": {"how": "draw", "rules": "laok"},
}


def run() -> Iterator[Figure]:
    """All figures, database by database."""
    asked = os.environ.get("DATABASE_URL", "")
    databases = {"SQLite": ""}
    if asked.startswith("postgres"):
        databases["PostgreSQL"] = asked.rsplit("/", 1)[0] + "/duozhu_bench"
    for name, url in databases.items():
        with tempfile.TemporaryDirectory() as folder:
            env = _environment(Path(folder), url)
            if url:
                _empty_database(asked, "duozhu_bench")
            for verb in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
                manage = [sys.executable, str(ROOT / "manage.py"), *verb]
                subprocess.run(manage, env=env, check=True)
            command = [sys.executable, "-m", "benchmarks.library"]
            told = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True)
            for what, value, unit in json.loads(told.stdout.splitlines()[-1]):
                yield f"{name}: {what}", value, unit


def _make() -> None:
    from django.utils import timezone

    from engine.rules import preset
    from scoring.domain.library import index_all
    from scoring.models import Hand, HandVersion, Sheet
    from tournament.enums import State
    from tournament.models import (
        Competition,
        Entrant,
        Entry,
        Event,
        Person,
        Round,
        Seat,
        Stage,
        Table,
    )

    random, now = Random(7), timezone.now()
    for number in range(COMPETITIONS):
        held = Competition.objects.create(
            name=f"第 {number} 届", starts_on=now.date(), published_at=now
        )
        rules_id = ("competition", "laok")[number % 2]
        rules = preset(rules_id)
        event = Event.objects.create(
            competition=held,
            name="字牌",
            preset=rules_id,
            options=rules.as_json(),
            rules_digest=rules.digest,
        )
        stage = Stage.objects.create(event=event)
        round_ = Round.objects.create(stage=stage, number=1, advance=1, hands=HANDS)
        people = Person.objects.bulk_create(
            [Person(name=f"选手{n}", reading=f"xuanshou{n}") for n in range(PEOPLE)]
        )
        entries = Entry.objects.bulk_create(
            [Entry(competition=held, person=one, number=n) for n, one in enumerate(people, 1)]
        )
        entrants = Entrant.objects.bulk_create([Entrant(event=event, entry=e) for e in entries])
        tables = Table.objects.bulk_create(
            [
                Table(round=round_, number=n, seat_count=3, state=State.CONFIRMED, confirmed_at=now)
                for n in range(1, TABLES + 1)
            ]
        )
        seated = [(table, position) for table in tables for position in range(3)]
        Seat.objects.bulk_create(
            [
                Seat(table=table, round=round_, position=position, entrant=one)
                for (table, position), one in zip(seated, entrants, strict=True)
            ]
        )
        sheets = Sheet.objects.bulk_create(
            [
                Sheet(table=t, hands_planned=HANDS, state="confirmed", confirmed_at=now)
                for t in tables
            ]
        )
        hands = Hand.objects.bulk_create(
            [Hand(sheet=s, number=n) for s in sheets for n in range(1, HANDS + 1)]
        )
        HandVersion.objects.bulk_create([_version(random, hand) for hand in hands], batch_size=500)
    index_all()


def _version(random: Random, hand: object) -> object:
    from scoring.models import HandVersion

    source = random.choices(("own-flip", "discard", "flip", "draw"), (30, 40, 15, 15))[0]
    won = source != "draw"
    seat = random.randrange(3)
    kinds = (
        ("坎", "捌捌捌"),
        ("碰", "八八八"),
        ("开舵", "九九九九"),
        ("顺", "一二三"),
        ("吃", "二七十"),
    )
    melds = [
        {"kind": kind, "cards": cards, "hu": 3}
        for kind, cards in random.sample(kinds, random.randrange(2, 5))
    ]
    return HandVersion(
        hand=hand,
        version=1,
        evidence="slip",
        payload={},
        computed={"melds": melds if won else None, "card": "八"},
        dealer=random.randrange(3),
        winners=[seat] if won else [],
        source=source,
        special="五坎" if won and random.random() < 0.0003 else "",
        payer=(seat + 1) % 3 if source == "discard" else None,
        hu=random.randrange(10, 45) if won else 0,
        xing=random.randrange(4) if won else 0,
        total=random.randrange(1, 9) if won else 0,
    )


def _measure() -> list[tuple[str, float, str]]:
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from core import known, pace
    from scoring.models import LibraryHand

    pace.OF_ADDRESS = pace.OF_BROWSER = 10**9
    clock = time.process_time if connection.vendor == "sqlite" else time.perf_counter
    figures: list[tuple[str, float, str]] = [("hands", LibraryHand.objects.count(), "")]
    for page in ("library", "library_statistics"):
        for what, asked in QUESTIONS.items():
            client, url = Client(SERVER_NAME="localhost"), reverse(page)

            def ask(client: Client = client, url: str = url, asked: object = asked) -> None:
                known.forget()
                assert client.get(url, asked).status_code == 200

            ask()
            figures.append((f"{page}: {what}", 1000 * _median(ask, clock), "ms"))
    return figures


def _median(ask: Callable[[], None], clock: Callable[[], float]) -> float:
    times = []
    for _run in range(RUNS):
        began = clock()
        ask()
        times.append(clock() - began)
    return statistics.median(times)


if __name__ == "__main__":
    import django

    django.setup()
    _make()
    print(json.dumps(_measure()))
