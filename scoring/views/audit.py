"""The page 操作记录: who did what when, newest first, with the seals between."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.audited import lines_of
from scoring.forms.audit import AuditForm
from scoring.queries_audit import actors_of, kinds_of, rows_of, told
from tournament.acting import Acting
from tournament.models import Competition, Round
from tournament.permissions import leads
from tournament.queries.seals import seals_of
from tournament.views.organizer.common import MOST_DIGITS, page_of, tabs


@page_of(leads)
@require_safe
def audit_rows(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """A page of rows, narrowed by the address; `before` is the id that they are older than."""
    rounds = list(
        Round.objects.filter(stage__event__competition=competition)
        .select_related("stage__event")
        .order_by("stage__event__position", "stage__event", "pk")
    )
    several = len({round_.stage.event_id for round_ in rounds}) > 1
    form = AuditForm(
        request.GET,
        kinds=kinds_of(competition),
        actors=actors_of(competition),
        rounds=rounds,
        several=several,
    )
    before = _before(request)
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage"),
        "form": form,
        "before": before,
    }
    if not form.is_valid():
        return render(request, "organizer/audit.html", context, status=400)
    rows, has_more = rows_of(competition, form.wanted(), before)
    seals = list(seals_of(competition))
    asked = request.GET.copy()
    asked.pop("before", None)
    context |= {
        "lines": lines_of(rows, told(rows), seals, is_first=before is None, several=several),
        "newest_url": f"?{asked.urlencode()}",
        "is_narrowed": any(form.cleaned_data.values()),
    }
    if has_more:
        asked["before"] = str(rows[-1].pk)
        context["older_url"] = f"?{asked.urlencode()}"
    return render(request, "organizer/audit.html", context)


def _before(request: HttpRequest) -> int | None:
    asked = request.GET.get("before", "")
    if not asked:
        return None
    if not asked.isdecimal() or len(asked) > MOST_DIGITS:
        raise Http404(asked)
    return int(asked)
