"""The ceremony of a published draw: who goes where, in the order of the deal (C4.4, C4.5)."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scoring.bracket import ZONES
from tournament.domain.screen import steps_of
from tournament.models import Competition, Entrant, ScreenSettings, Table
from tournament.models.play import SEAT_NAMES
from tournament.queries.public import name_of, shown_name


class Step(NamedTuple):
    """One entrant of the deal; `table` is the same text for all who meet there."""

    number: int
    name: str
    to: str
    seat: str
    table: str


class Ceremony(NamedTuple):
    """A ceremony as the screens get it: they count on from `settings` by the server's time."""

    title: str
    words: str
    steps: tuple[Step, ...]
    settings: ScreenSettings


def ceremony(shown: Competition, settings: ScreenSettings) -> Ceremony | None:
    """The ceremony that is on; None without one, and for a draw that is not published. Three
    queries."""
    draw = settings.draw
    if draw is None or draw.published_at is None or not isinstance(draw.result, dict):
        return None
    event = draw.stage.event
    names = {
        number: shown_name(name or "", number, mask=shown.mask_names)
        for number, name in Entrant.objects.filter(event=event).values_list(
            "entry__number", name_of()
        )
    }
    zones = {
        (of_round, number): zone
        for of_round, number, zone in Table.objects.filter(round__stage=draw.stage_id)
        .order_by()
        .values_list("round__number", "number", "zone")
    }
    places = _places(draw.result["rounds"])
    order = draw.log["order"] if steps_of(draw) else []
    steps = [_step(number, names, places[number], zones) for number in order if number in places]
    return Ceremony(draw.title, draw.words, tuple(steps), settings)


def _places(rounds: list[list[dict[str, Any]]]) -> dict[int, tuple[int, int, int]]:
    """Number → (round, table, seat), rounds and tables from 1, seats from 0."""
    return {
        seat["entrant"]: (of_round, table, position)
        for of_round, tables in enumerate(rounds, 1)
        for table, one in enumerate(tables, 1)
        for position, seat in enumerate(one["seats"])
        if "entrant" in seat
    }


def _step(
    number: int,
    names: dict[int | None, str],
    place: tuple[int, int, int],
    zones: dict[tuple[int, int], str],
) -> Step:
    of_round, table, position = place
    path = zones.get((of_round, table), "").split(".")
    parts = []
    if len(path) > 1 and int(path[1]) < len(ZONES):
        parts.append(_("%(zone)s区") % {"zone": ZONES[int(path[1])]})
    if of_round > 1:
        parts += [_("轮空"), _("第 %(n)d 轮") % {"n": of_round}]
    parts.append(_("%(n)d 桌") % {"n": table})
    name = names.get(number) or shown_name("", number, mask=False)
    return Step(number, name, " ".join(parts), SEAT_NAMES[position], f"{of_round}-{table}")
