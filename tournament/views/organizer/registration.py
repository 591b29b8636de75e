"""Registration for organizers: the form's settings, entries to confirm, who has paid."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.qr import qr_svg
from tournament.acting import Acting
from tournament.domain.masks import masked_phone
from tournament.domain.registration import (
    confirm_entry,
    decline_entry,
    note_payment,
    set_registration,
)
from tournament.domain.waiting import place_in_line
from tournament.enums import EntryStatus
from tournament.forms.registration import RegistrationForm
from tournament.models import Competition, Entry, Registration
from tournament.permissions import organizes
from tournament.views.organizer.common import attempt, page_of, settings_tabs, tabs


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def form_settings(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """When the public form is open, what it asks, who confirms; its address as QR."""
    known = Registration.objects.filter(competition=competition).first()
    form = RegistrationForm(
        request.POST if request.method == "POST" else None,
        instance=known or Registration(competition=competition),
    )
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        attempt(
            form, lambda: set_registration(acting=acting, competition=competition, values=values)
        )
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_registration", competition.code)
    url = request.build_absolute_uri(reverse("register", args=[competition.code]))
    context = {
        "competition": competition,
        "form": form,
        "is_on": known is not None and known.is_on,
        "url": url,
        "qr": qr_svg(url, scale=5),
        "tabs": tabs(competition, acting, "manage_settings"),
        "subtabs": settings_tabs(competition, "manage_registration"),
    }
    return render(
        request, "organizer/registration.html", context, status=400 if form.errors else 200
    )


@page_of(organizes)
@require_safe
def entry(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """What somebody wrote who has no place yet, and what can be done with it."""
    found = _entry(competition, pk)
    context = {
        "competition": competition,
        "entry": found,
        "can_restore": found.status == EntryStatus.WITHDRAWN and not found.entrants.exists(),
        "phone": masked_phone(found.person.phone),
        "place_in_line": place_in_line(found) if found.status == EntryStatus.WAITLISTED else 0,
        "has_events": competition.events.count() > 1,
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
    return render(request, "organizer/entry.html", context)


@page_of(organizes)
@require_POST
def confirm(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """He gets a place, or stands on the waiting list."""
    confirmed = confirm_entry(acting=acting, entry=_entry(competition, pk))
    if confirmed.status == EntryStatus.WAITLISTED:
        messages.warning(request, _("名额已满，%(name)s 进了候补。") % {"name": confirmed.name})
    else:
        messages.success(request, _("已确认 %(name)s。") % {"name": confirmed.name})
    return redirect(_back(competition))


@page_of(organizes)
@require_POST
def decline(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """He leaves the list."""
    found = _entry(competition, pk)
    decline_entry(acting=acting, entry=found)
    messages.success(request, _("%(name)s 不再在名单上。") % {"name": found.name})
    return redirect(_back(competition))


@page_of(organizes)
@require_POST
def paid(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """One tap: paid, or not after all. htmx gets the row's button, others the list."""
    noted = note_payment(acting=acting, entry=_entry(competition, pk), paid="paid" in request.POST)
    if getattr(request, "htmx", None):
        context = {"entry": noted, "competition": competition}
        return render(request, "organizer/entry_paid.html", context)
    return redirect(_back(competition))


def _entry(competition: Competition, pk: int) -> Entry:
    found = competition.entries.select_related("person", "competition").filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    return found


def _back(competition: Competition) -> str:
    return reverse("manage_entrants", args=[competition.code])
