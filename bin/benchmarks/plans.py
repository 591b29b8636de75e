"""How long a plan takes, from the number of entrants to the day's last round."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from benchmarks.measure import REPEATS, Figure
from tournament.pairing.planner import Style, Terms, plan_event
from tournament.pairing.presets import single, standard
from tournament.pairing.rotation import rotation
from tournament.pairing.timetable import Hall, arrange

FIRST = 729
HALL = Hall(tables=100)


def run() -> Iterator[Figure]:
    """Every format for 729 entrants and the few after them, then the seating of a preliminary."""
    for what, format_of in (
        ("桂林字牌·标准", standard),
        ("single knock-out", single),
        ("redraw", lambda n: Terms(n, style=Style.REDRAW)),
    ):
        figures = []
        for n in range(FIRST, FIRST + REPEATS):
            start = time.process_time()
            arrange([plan_event(format_of(n))], HALL)
            figures.append((time.process_time() - start) * 1000)
        yield f"plan of {FIRST}, {what}", statistics.median(figures), "ms"
    figures = []
    for n in range(FIRST, FIRST + REPEATS):
        start = time.process_time()
        rotation(n, 3)
        figures.append((time.process_time() - start) * 1000)
    yield f"seating of three preliminary rounds of {FIRST}", statistics.median(figures), "ms"
