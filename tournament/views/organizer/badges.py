"""Badges and seat cards to print, each with the person's own QR."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from core.qr import qr_svg
from tournament.acting import Acting
from tournament.domain.badges import MOST, issue_badges
from tournament.forms.checkin import BadgeForm
from tournament.models import Competition
from tournament.permissions import leads
from tournament.queries.organizer import main_stage
from tournament.views.organizer.common import attempt, page_of, tabs
from tournament.views.organizer.picking import picked, picking

ONLY = ("unprinted", "")


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def badges(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Whom to print; printing gives each of them a new link, said before."""
    form = BadgeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        ids = picked(request, competition, ONLY)
        issued = attempt(
            form,
            lambda: issue_badges(
                acting=acting,
                competition=competition,
                event=main_stage(competition).event,
                ids=ids,
            ),
        )
        if issued is not None:
            cards = [
                {
                    "entry": one.entry,
                    "qr": qr_svg(
                        request.build_absolute_uri(reverse("link", args=[one.token])), is_fluid=True
                    ),
                }
                for one in issued
            ]
            context = {
                "competition": competition,
                "kinds": form.kinds(),
                "cards": cards,
                "edition": competition.name,
                "printed_at": timezone.now(),
            }
            return render(request, "print/badges.html", context)
    context = {
        "competition": competition,
        "form": form,
        "most": MOST,
        "tabs": tabs(competition, acting, "manage_entrants"),
    } | picking(request, competition, ONLY)
    return render(request, "organizer/badges.html", context, status=400 if form.errors else 200)
