"""The organizer's page of penalties: usual amounts, and who decides appeals."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.domain.verdict_settings import set_verdicts
from scoring.forms.verdicts import VerdictSettingsForm
from scoring.penalties import offences
from scoring.queries_verdicts import settings_of
from tournament.acting import Acting
from tournament.models import Competition
from tournament.permissions import organizes
from tournament.views.organizer.common import attempt, page_of, settings_tabs, tabs


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def penalties(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The catalogue with its amounts, which can be changed at any time."""
    stands = settings_of(competition)
    form = VerdictSettingsForm(
        request.POST if request.method == "POST" else None,
        offences=offences(stands.amounts),
        initial={"committee": stands.committee},
    )
    if form.is_bound and form.is_valid():
        attempt(
            form,
            lambda: set_verdicts(
                acting=acting,
                competition=competition,
                amounts=form.amounts(),
                committee=form.cleaned_data["committee"],
            ),
        )
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_penalties", competition.code)
    context = {
        "competition": competition,
        "form": form,
        "tabs": tabs(competition, acting, "manage_settings"),
        "subtabs": settings_tabs(competition, "manage_penalties"),
    }
    status = 400 if form.errors else 200
    return render(request, "organizer/penalties.html", context, status=status)
