"""What everybody is shown on the way: pages answer, and the standings are those of the rows."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from tests.simulator import invariants
from tests.simulator.places import levels_of, standings_of
from tests.simulator.play import Broken, Walk
from tests.simulator.rows import DRAFTS
from tournament.models import Entrant, Table


def look(w: Walk, *, at_end: bool = False) -> None:
    """Opens pages as a spectator, who is shown no draft; at the end checks the whole result."""
    w.forget()
    found = [*invariants.of_drafts(w.event), *(invariants.of_end(w.rows) if at_end else ())]
    if found:
        raise Broken("\n".join(found))
    competition = w.competition
    if competition.published_at is None:
        return
    code = competition.code
    bracket, standings = (reverse(n, args=[code, w.event_id]) for n in ("bracket", "standings"))
    paths = [standings] if at_end else []
    table = entrant = None
    match w.rng.randrange(4 if not at_end else 3):
        case 0:
            paths.append(bracket)
        case 1:
            table = w.one(Table.objects.all())
        case 2:
            entrant = w.one(Entrant.objects.filter(entry__status="confirmed"))
        case _:
            paths.append(standings)
    client = Client()
    if table is not None:
        path = reverse("table", args=[code, table.pk])
        status = client.get(path).status_code
        if status != (404 if table.state in DRAFTS else 200):
            raise Broken(f"{path} ({table.state}): {status}")
    if entrant is not None:
        paths.append(reverse("entrant", args=[code, entrant.pk]))
    for path in paths:
        answer = client.get(path)
        if answer.status_code != 200:
            raise Broken(f"{path}: {answer.status_code}")
        if at_end and "standings" in path:
            lines = answer.context["standings"]["rows"]
            (_games if w.is_manual else _standings)(w, lines)


def _standings(w: Walk, lines: list[dict[str, object]]) -> None:
    """C8.5: the page's places are those counted from the rows; the prizes are there."""
    places = standings_of(w.rows)
    shown = [(str(line["place"]), bool(line["tied"])) for line in lines]
    expected = [(str(place), shared) for place, shared in sorted(places.values())]
    if shown != expected:
        raise Broken(f"standings {shown}, the rows give {expected}")
    prizes = w.event.prizes
    won = [line for line in lines if line["prize"]]
    due = [place for place, _shared in places.values() if place <= prizes]
    if len(won) != len(due):
        raise Broken(f"{len(won)} prizes, due are {len(due)}")


def _games(w: Walk, lines: list[dict[str, object]]) -> None:
    """C8.5, C10: who has come further, or had the better place at his last table, is not behind.
    Only third place is decided by lot below that."""
    levels = [len(level) for level in levels_of(w.rows)]
    shown = [int(str(line["place"])) for line in lines]
    first = 1
    for size in levels:
        part, shown = shown[:size], shown[size:]
        if len(part) < size or part[0] != first or part[-1] >= first + size:
            raise Broken(f"{part} of {size} from place {first}")
        first += size
    if shown:
        raise Broken(f"standings have {len(shown)} more")
