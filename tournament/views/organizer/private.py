"""What is private about an entrant: his phone, looked at on record; how his name is read."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.acting import Acting
from tournament.domain.names import set_reading
from tournament.domain.phones import reveal_phone
from tournament.forms.imports import ReadingForm
from tournament.models import Competition, Entry
from tournament.permissions import organizes
from tournament.views.organizer.common import attempt, page_of, tabs


@page_of(organizes)
@require_POST
def phone(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """The whole number; that it was looked at is kept."""
    entry = _entry(competition, pk)
    context = _shared(competition, acting, entry)
    context |= {"phone": reveal_phone(acting=acting, entry=entry)}
    return render(request, "organizer/phone.html", context)


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def reading(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Corrects the pinyin by which he is found."""
    entry = _entry(competition, pk)
    form = ReadingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["reading"]
        done = attempt(
            form, lambda: set_reading(acting=acting, entry=entry, reading=text), "reading"
        )
        if done is not None:
            messages.success(
                request,
                _("已保存，用 %(reading)s 也能找到。")
                % {"reading": done.person.reading.split(" ")[0]},
            )
            return redirect("manage_entrants", competition.code)
    context = _shared(competition, acting, entry) | {"form": form}
    return render(request, "organizer/reading.html", context, status=400 if form.errors else 200)


def _entry(competition: Competition, pk: int) -> Entry:
    found = competition.entries.select_related("person").filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    found.competition = competition
    return found


def _shared(competition: Competition, acting: Acting, entry: Entry) -> dict[str, object]:
    return {
        "competition": competition,
        "entry": entry,
        "entrant": entry.entrants.first(),
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
