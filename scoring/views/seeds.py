"""Seeds by the standings of an earlier competition: shown, then saved as the list of seeds."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.earlier import finished_events, matched
from scoring.forms.seeds import StandingForm
from tournament.acting import Acting
from tournament.models import Competition
from tournament.permissions import organizes
from tournament.queries.organizer import main_stage
from tournament.views.organizer.common import page_of, tabs


@page_of(organizes)
@require_safe
def by_standing(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Which competition and how many; then who that is now. Saving is `manage_seeds`'s."""
    events = finished_events(acting, competition)
    form = StandingForm(request.GET if "earlier" in request.GET else None, events=events)
    context: dict[str, object] = {
        "competition": competition,
        "form": form,
        "events": events,
        "tabs": tabs(competition, acting, "manage_draw"),
    }
    if form.is_bound and form.is_valid():
        earlier = next((one for one in events if str(one.pk) == form.cleaned_data["earlier"]), None)
        if earlier is None:
            raise Http404(form.cleaned_data["earlier"])
        found = matched(main_stage(competition).event, earlier)
        seeded = [one for one in found if one.entrant is not None][: form.cleaned_data["top"]]
        last = found.index(seeded[-1]) if seeded else min(len(found), form.cleaned_data["top"]) - 1
        seed_of = {id(one): seed for seed, one in enumerate(seeded, 1)}
        context |= {
            "earlier": earlier,
            "lines": [(seed_of.get(id(one)), one) for one in found[: last + 1]],
            "seeds": [one.entrant.number for one in seeded if one.entrant is not None],
        }
    return render(
        request, "organizer/seeds_standing.html", context, status=400 if form.errors else 200
    )
