"""Addresses that machines ask: does it live, may it get requests, what has it counted."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from core.health import database_answers, look
from core.metrics import Gauges, exposition
from core.queries import jobs_by_state, oldest_waiting_s


def _uncached(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """`ok` while the process serves and its database answers, else 503."""
    well = database_answers()
    return _uncached(
        HttpResponse(
            "ok" if well else "database away",
            content_type="text/plain",
            status=200 if well else 503,
        )
    )


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Every check by name (`core.health`); 503 while no requests should be sent here."""
    health = look()
    told = {
        "status": health.status,
        "checks": dict(health.checks),
        "oldest_waiting_job_s": health.oldest_waiting_s,
        "draining": health.is_draining,
    }
    return _uncached(JsonResponse(told, status=200 if health.is_ready else 503))


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """What the processes of the server have counted, and the job table now, for whoever has
    METRICS_TOKEN; 404 to everybody else, and where none is set."""
    if not _may_read(request):
        raise Http404
    return _uncached(HttpResponse(exposition(*_looked_up()), content_type=CONTENT_TYPE_LATEST))


def _may_read(request: HttpRequest) -> bool:
    """The token alone tells: a proxy on this machine asks from this machine for anybody."""
    given = request.META.get("HTTP_AUTHORIZATION", "")
    token = settings.METRICS_TOKEN
    return bool(token) and constant_time_compare(given, f"Bearer {token}")


def _looked_up() -> list[Gauges]:
    up = "duozhu_database_up", "Whether the database answers: 1 or 0", list[str]()
    try:
        jobs, age = jobs_by_state(), oldest_waiting_s()
    except (DatabaseError, InterfaceError):
        return [Gauges(*up, {(): 0})]
    return [
        Gauges(*up, {(): 1}),
        Gauges("duozhu_jobs", "Jobs in the table", ["kind", "state"], jobs),
        Gauges("duozhu_oldest_waiting_job_seconds", "How long it has waited", [], {(): age}),
    ]


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}
"""Answered by `core.requests` before any other middleware."""
