"""The competition of the day: so many tables of three in the first round, published, with a phone
for each referee, one at each table and one of the chief referee.

`python -m tests.load.world TABLES HANDS` makes it in the database of the environment and
prints its addresses as JSON; `build` does the same in this process.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date

import django

SEED = 20261130
PASSWORD = "only-here-0123"


@dataclass(frozen=True)
class At:
    """A table: its row, its addresses and the path of its own phone's link."""

    pk: int
    sheet: str
    page: str
    link: str


@dataclass(frozen=True)
class World:
    """Where everybody finds everything. A referee's tables are in the order of play: those of
    the first round, then the table that their winners go to."""

    code: str
    competition: int
    bracket: str
    records: str
    tables: Sequence[At]
    later: Sequence[At]
    referees: Sequence[tuple[str, Sequence[At]]]
    chief: str

    def as_json(self) -> str:
        """To be read by `from_json`."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> World:
        """What another process has made."""
        found = json.loads(text)
        for name in ("tables", "later"):
            found[name] = [At(**table) for table in found[name]]
        found["referees"] = [(link, [At(**t) for t in ts]) for link, ts in found["referees"]]
        return cls(**found)


def build(tables: int, hands: int) -> World:
    """The world with `tables` tables (a power of three, 9 at least), each played over `hands`
    hands, and a referee for every three of them."""
    from django.urls import reverse

    from core.models import User
    from scoring.demo_names import as_pasted, roster
    from tournament.acting import Acting
    from tournament.domain.competitions import create_competition, publish_competition
    from tournament.domain.draws import enter_words, freeze_draw, publish_draw
    from tournament.domain.entries import add_pasted
    from tournament.domain.links import issue_link
    from tournament.domain.settings import set_play
    from tournament.domain.table_links import issue_table_links
    from tournament.enums import Role
    from tournament.models import Table

    user = User.objects.create_user(username="load", password=PASSWORD)
    competition = create_competition(
        user=user, name="漓江杯", starts_on=date(2026, 12, 5), also_chief=True
    )
    roles = frozenset({Role.OWNER, Role.CHIEF})
    owner = Acting(user_id=user.pk, competition_id=competition.pk, roles=roles)
    event = competition.events.get()
    stage = event.stages.get()
    people = as_pasted(roster(3 * tables, random.Random(SEED)))
    add_pasted(acting=owner, event=event, text=people)
    set_play(acting=owner, stage=stage, values={"hands": hands, "final_hands": hands})
    publish_competition(acting=owner, competition=competition)
    frozen = freeze_draw(acting=owner, stage=stage)
    enter_words(acting=owner, draw=frozen, words="红红黑")
    publish_draw(acting=owner, stage=stage)

    def link(role: Role) -> str:
        issued = issue_link(acting=owner, competition=competition, role=role)
        return reverse("link", args=[issued.token])

    places: dict[int, At] = {}
    rounds = list(stage.rounds.order_by("number")[:2])
    for round_ in rounds:
        found = list(Table.objects.filter(round=round_).order_by("number"))
        issued = issue_table_links(
            acting=owner, competition=competition, round_=round_, tables=found
        )
        for table, one in zip(found, issued, strict=True):
            places[table.pk] = At(
                pk=table.pk,
                sheet=reverse("sheet", args=[competition.code, table.pk]),
                page=reverse("table", args=[competition.code, table.pk]),
                link=reverse("link", args=[one.token]),
            )
    first, second = (
        list(Table.objects.filter(round=round_).order_by("number")) for round_ in rounds
    )
    turns: list[list[At]] = []
    for table in second:
        feeders = sorted(set(table.seats.values_list("source", flat=True)))
        turns.append([places[pk] for pk in [*feeders, table.pk]])
    return World(
        code=competition.code,
        competition=competition.pk,
        bracket=reverse("bracket", args=[competition.code, event.pk]),
        records=reverse("records", args=[competition.code]),
        tables=[places[table.pk] for table in first],
        later=[places[table.pk] for table in second],
        referees=[(link(Role.REFEREE), tables) for tables in turns],
        chief=link(Role.CHIEF),
    )


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(build(*(int(word) for word in sys.argv[1:])).as_json())
