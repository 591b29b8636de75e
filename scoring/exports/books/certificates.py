"""Who gets a certificate (奖状), and for which prize."""

from __future__ import annotations

import copy
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.finishes import spoken
from scoring.places import places_of
from tournament.enums import State
from tournament.models import Competition, Event


@dataclass(frozen=True)
class Certificates:
    """`rows` are (name, unit, prize, place in words), best first; `is_final` once nothing can
    change any more. No rows before all is played."""

    rows: tuple[tuple[str, str, str, str], ...] = ()
    is_final: bool = False


def certificates_of(competition: Competition, event: Event) -> Certificates:
    """Everybody with a prize, with whole names. Some ten queries."""
    shown = copy.copy(competition)
    shown.mask_names = False
    places = places_of(shown, event)
    if not places.is_done or places.last is None:
        return Certificates()
    rows = [
        (
            row.seat.name,
            row.seat.unit,
            spoken(row.standing.prize),
            _("第 %(n)d 名") % {"n": row.standing.place},
        )
        for row in places.rows
        if row.standing.prize and row.standing.place
    ]
    return Certificates(tuple(rows), places.last.state == State.FINAL)
