"""The schedule's published versions, what differs between two of them, and the way back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.acting import Acting
from tournament.domain.publications import (
    NOTHING,
    publish_again,
    restore_schedule,
    snapshot,
)
from tournament.domain.sittings import read_schedule
from tournament.models import Competition, SchedulePublication
from tournament.permissions import leads
from tournament.queries.schedule import differences, publications
from tournament.views.organizer.common import page_of, tabs


@page_of(leads)
@require_safe
def versions(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """All versions, and what differs between `?from=` and `?to=` (numbers; the plan without)."""
    found = publications(competition)
    numbers = [one.number for one in found]
    older = _number(request.GET.get("from"), numbers)
    newer = _number(request.GET.get("to"), numbers)
    if older is None and newer is None and numbers:
        older = numbers[0]
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_schedule"),
        "versions": found,
        "older": older,
        "newer": newer,
        "moved": differences(
            competition, _snapshot(competition, older), _snapshot(competition, newer)
        )
        if numbers
        else [],
    }
    return render(request, "organizer/schedule_versions.html", context)


@page_of(leads)
@require_POST
def version(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Restores the plan from a version; publishes it at once where `again` is sent."""
    found = competition.schedule_publications.filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    found.competition = competition
    if "again" in request.POST:
        made = publish_again(acting=acting, publication=found)
        if made is None:
            text = _("第 %(n)d 版放回来了，但现在有冲突，看过以后再公布。") % {"n": found.number}
            messages.warning(request, text)
        else:
            text = _("第 %(old)d 版重新公布，现在是第 %(n)d 版。")
            messages.success(request, text % {"old": found.number, "n": made.number})
    else:
        count = restore_schedule(acting=acting, publication=found)
        text = ngettext(
            "草稿回到第 %(v)d 版，改动 %(n)d 桌。", "草稿回到第 %(v)d 版，改动 %(n)d 桌。", count
        )
        messages.success(request, text % {"v": found.number, "n": count})
    return redirect("manage_schedule", competition.code)


def _number(asked: str | None, known: list[int]) -> int | None:
    return int(asked) if asked and asked.isdecimal() and int(asked) in known else None


def _snapshot(competition: Competition, number: int | None) -> dict[str, Any]:
    """That of a version, of the plan as it is where there is no number."""
    if number is None:
        return snapshot(read_schedule(competition))
    found = SchedulePublication.objects.filter(competition=competition, number=number).first()
    return dict(found.snapshot) if found else NOTHING
