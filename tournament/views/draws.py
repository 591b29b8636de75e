"""Draws for everyone: what each published, its file, and a check that redraws it (C4.5)."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from core import bodies
from tournament.domain.draws import document_of
from tournament.enums import StageKind
from tournament.forms.draws import CheckForm
from tournament.models import Draw
from tournament.pairing.document import dump, verify
from tournament.permissions import leads
from tournament.queries.organizer import draws_of_event
from tournament.queries.public import is_open, open_ids
from tournament.views.access import get_competition


@require_safe
def draws(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Every freeze and draw of an event, the newest first."""
    competition, _acting = get_competition(request, code)
    event = competition.events.filter(pk=pk).first()
    if event is None:
        raise Http404(pk)

    def body(version: str) -> str:
        shown = list(draws_of_event(event))
        with timezone.override(competition.tz):
            return render_to_string(
                "public/draws.html",
                {
                    "competition": competition,
                    "event": event,
                    "draws": shown[::-1],
                    "is_staged": any(one.stage.kind == StageKind.PRELIM for one in shown),
                    "open_ids": open_ids(shown),
                },
                request=request,
            )

    return bodies.respond(
        request, f"draws:{pk}", [event.scope, competition.scope], body, over=competition.is_over
    )


@require_safe
def document(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """A draw's JSON to download; a draft's only for who may see drafts (C7.4)."""
    competition, acting = get_competition(request, code)
    draw = Draw.objects.filter(
        pk=pk, stage__event__competition=competition, number__isnull=False
    ).first()
    if draw is None or not (leads(acting) or is_open(draw)):
        raise Http404(pk)
    response = HttpResponse(dump(document_of(draw)), content_type="application/json")
    name = f"draw-{competition.code}-{draw.number}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """Redraws a published file on the server, from the file alone."""
    form = CheckForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        faults = verify(form.cleaned_data["document"])
        is_chinese = (get_language() or "zh").startswith("zh")
        context["checked"] = True
        context["faults"] = [fault.zh if is_chinese else fault.en for fault in faults]
    return render(request, "public/verify_draw.html", context, status=400 if form.errors else 200)
