"""The site's few figures for Prometheus.

Where PROMETHEUS_MULTIPROC_DIR is set before this is imported (config/gunicorn.py does), each
process of the web server counts into files there, and `exposition` sums them; else it is this
process alone. Labels are names from the code: never an id, an address or anything typed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

SECONDS = (0.005, 0.025, 0.1, 0.25, 1.0, 5.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

disable_created_metrics()
REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "duozhu_requests",
    "Requests answered, by the name of the address, method and class of status",
    ["route", "method", "status"],
    registry=REGISTRY,
)
REQUEST_SECONDS = Histogram(
    "duozhu_request_seconds",
    "From a request's arrival in the process to its answer",
    ["route", "method"],
    buckets=SECONDS,
    registry=REGISTRY,
)
CONFLICTS = Counter(
    "duozhu_conflicts",
    "Actions refused as somebody was faster, the page was old or the key was used: by error code",
    ["code"],
    registry=REGISTRY,
)
REPLAYS = Counter(
    "duozhu_replayed_requests",
    "Requests sent again with their key and answered with the first answer",
    registry=REGISTRY,
)
ENTRIES = Counter(
    "duozhu_hand_entries",
    "Hands entered, by the level of evidence",
    ["evidence"],
    registry=REGISTRY,
)

_of_answers: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}


def count_answer(*, route: str, method: str, status: int, seconds: float) -> None:
    """One more answered request. `route` is the name of an address (`sheet`), never a path."""
    verb = method if method in METHODS else "other"
    key = (route, verb, status // 100)
    found = _of_answers.get(key)
    if found is None:
        found = _of_answers[key] = (
            REQUESTS.labels(route, verb, f"{status // 100}xx"),
            REQUEST_SECONDS.labels(route, verb),
        )
    found[0].inc()
    found[1].observe(seconds)


class Gauges(Collector):
    """Figures that are looked up when they are asked for: name, meaning, label names, values."""

    def __init__(
        self, name: str, meaning: str, labels: list[str], values: dict[tuple[str, ...], float]
    ) -> None:
        self.family = GaugeMetricFamily(name, meaning, labels=labels)
        for of, value in values.items():
            self.family.add_metric(of, value)

    def collect(self) -> Iterator[Metric]:
        """The one family of figures."""
        yield self.family


def exposition(*gauges: Gauges) -> bytes:
    """All figures as Prometheus reads them, with these looked up now."""
    now = CollectorRegistry()
    for one in gauges:
        now.register(one)
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return generate_latest(REGISTRY) + generate_latest(now)
    counted = CollectorRegistry()
    MultiProcessCollector(counted)
    return generate_latest(counted) + generate_latest(now)
