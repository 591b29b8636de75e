"""The planner: what a format means in rounds, tables and hours. Open to all; keeps nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.pace import spend
from tournament.domain.settings import spoken
from tournament.forms.planner import AGAINST, PRESETS, PlannerForm
from tournament.pairing.errors import PairingError
from tournament.pairing.planner import Terms, plan_event
from tournament.pairing.timetable import Hall, Programme, arrange, compare
from tournament.queries.planner import differences_shown, programme_shown


@dataclass(frozen=True)
class Refused:
    """Why a format cannot be, in the language in use."""

    problem: str


@never_cache
@require_safe
def planner(request: HttpRequest) -> HttpResponse:
    """The form with its plan; to htmx the plan alone. A preset leads to its own address."""
    wait = spend(request)
    if wait:
        response = render(request, "public/too_much.html", {"wait": wait}, status=429)
        response["Retry-After"] = str(wait)
        return response
    form = PlannerForm(request.GET)
    url = reverse("planner")
    preset = request.GET.get("preset", "")
    if preset in PRESETS:
        return redirect(_address(url, form.query_of(preset)))
    address = _address(url, form.query())
    is_part = bool(request.headers.get("HX-Request"))
    context = {
        "form": form,
        "is_part": is_part,
        "link": request.build_absolute_uri(address),
        "carried": form.carried(),
        **answer(form),
    }
    template = "public/planner_answer.html" if is_part else "public/planner.html"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    if is_part:
        response["HX-Replace-Url"] = address
    return response


def answer(form: PlannerForm) -> dict[str, Any]:
    """`plan`, and `other` with `rows` where two are compared; `problem` where there is none."""
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        label = form[field].label if field in form.fields else ""
        return {"problem": f"{label} · {errors[0]}" if label else str(errors[0])}
    hall = form.hall()
    found = _planned(form.terms(), hall)
    if isinstance(found, Refused):
        return {"problem": found.problem}
    shown: dict[str, Any] = {"plan": programme_shown(found), "preset": form.preset}
    other = form.other()
    if other is not None:
        shown["against"] = dict(AGAINST)[form.cleaned_data["against"]]
        beside = _planned((other,), hall)
        if isinstance(beside, Refused):
            shown["other_problem"] = beside.problem
        else:
            shown["rows"] = differences_shown(compare(found, beside))
            shown["other"] = programme_shown(beside)
    return shown


def _planned(terms: tuple[Terms, ...], hall: Hall) -> Programme | Refused:
    try:
        return arrange([plan_event(one) for one in terms], hall)
    except PairingError as error:
        return Refused(spoken(error))


def _address(url: str, query: str) -> str:
    return f"{url}?{query}" if query else url
