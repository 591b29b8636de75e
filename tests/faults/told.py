"""What a site tells of a competition that was played, as JSON values: the same before and after."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from core.domain import jobs
from core.domain.backups import manifest_now
from core.models import AuditRow, Job
from scoring.exports.lists import standings_lists
from scoring.models import Hand, HandVersion
from tournament.models import Competition, Draw
from tournament.pairing.document import verify
from tournament.queries.seals import first_fault, seals_of, unsealed


def of(code: str, session: str) -> dict[str, Any]:
    """Of the competition, and whether who was logged in still is."""
    competition = Competition.objects.get(code=code)
    event = competition.events.get()
    draws = Draw.objects.filter(stage__event=event, number__isnull=False).order_by("pk")
    fault = first_fault(competition)
    everybody, owner = Client(), Client()
    owner.cookies["sessionid"] = session
    bracket = everybody.get(reverse("bracket", args=[code, event.pk]))
    files = [everybody.get(reverse("draw_json", args=[code, draw.pk])) for draw in draws]
    return {
        "seals": [[seal.number, seal.rows, seal.digest] for seal in seals_of(competition)],
        "fault": None if fault is None else fault.sentence,
        "unsealed": unsealed(competition),
        "standings": [[list(map(str, row)) for row in one.rows] for one in standings_lists(event)],
        "draws": [[one.status_code, len(verify(one.content))] for one in files],
        "bracket": [bracket.status_code, bracket.content.decode().count("选手")],
        "owner": owner.get(reverse("manage", args=[code])).status_code,
    }


def hands(code: str) -> dict[str, Any]:
    """The hands of a competition: ids, numbers by sheet, versions, and audit rows about them."""
    competition = Competition.objects.get(code=code)
    there = Hand.objects.filter(sheet__table__round__stage__event__competition=competition)
    numbers: dict[int, list[int]] = {}
    for sheet, number in there.order_by("number").values_list("sheet_id", "number"):
        numbers.setdefault(sheet, []).append(number)
    rows = AuditRow.objects.filter(scope=competition.scope, action="hand.enter")
    return {
        "ids": sorted(there.values_list("pk", flat=True)),
        "numbers": sorted(numbers.values()),
        "versions": HandVersion.objects.filter(hand__in=there).count(),
        "audited": rows.count(),
    }


def digest() -> str:
    """Over all rows and files."""
    return str(manifest_now()["digest"])


def run_job(pk: int) -> list[object]:
    """Does a job that waits: its state and what it found."""
    jobs.run(pk)
    job = Job.objects.get(pk=pk)
    return [job.state, job.result]
