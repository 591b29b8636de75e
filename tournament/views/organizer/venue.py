"""The hall, the sessions and the referees of a schedule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.acting import Acting
from tournament.domain.sittings import referees_of
from tournament.domain.venue import (
    add_away,
    remove_away,
    remove_room,
    remove_session,
    save_room,
    save_session,
    set_tables_each,
    set_units,
)
from tournament.forms.schedule import AwayForm, EachForm, RoomForm, SessionForm, UnitsForm
from tournament.models import Competition, RefereeAway, Room, Session
from tournament.permissions import leads
from tournament.views.organizer.common import attempt, page_of, tabs


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def venue(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Rooms and sessions: `?room=` and `?session=` open one of them to be changed."""
    wrong: dict[str, forms.Form] = {}
    if request.method == "POST":
        form = _change(request, competition, acting)
        if form is None or not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_venue", competition.code)
        wrong[request.POST.get("do", "")] = form
    room = _of(competition.rooms, request.GET.get("room"))
    session = _of(competition.sessions, request.GET.get("session"))
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_schedule"),
        "rooms": list(competition.rooms.order_by("position", "pk")),
        "sessions": list(competition.sessions.order_by("begins_at", "pk")),
        "room": room,
        "session": session,
        "room_form": wrong.get("room") or RoomForm(initial=_values(room, RoomForm), prefix="room"),
        "session_form": wrong.get("session")
        or SessionForm(initial=_values(session, SessionForm), prefix="session"),
        "each_form": wrong.get("each") or EachForm(initial={"tables": competition.tables_each}),
    }
    return render(request, "organizer/venue.html", context, status=400 if wrong else 200)


def _change(request: HttpRequest, competition: Competition, acting: Acting) -> forms.Form | None:
    """Does what was asked; the form where one was sent, with what is wrong. Raises `Http404`."""
    do, pk = request.POST.get("do"), request.POST.get("pk")
    who: dict[str, Any] = {"acting": acting, "competition": competition}
    if do == "room":
        room = _asked(competition.rooms, pk) if pk else None
        form: forms.Form = RoomForm(request.POST, prefix="room")
        return _done(form, lambda data: save_room(**who, room=room, **data))
    if do == "session":
        session = _asked(competition.sessions, pk) if pk else None
        form = SessionForm(request.POST, prefix="session")
        return _done(form, lambda data: save_session(**who, session=session, **data))
    if do == "remove-room":
        remove_room(acting=acting, room=_asked(competition.rooms, pk))
        return None
    if do == "remove-session":
        remove_session(acting=acting, session=_asked(competition.sessions, pk))
        return None
    return _done(EachForm(request.POST), lambda data: set_tables_each(**who, **data))


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def referees(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Each referee's units and when he is away."""
    found = referees_of(competition)
    wrong: dict[int, forms.Form] = {}
    if request.method == "POST":
        do, pk = request.POST.get("do"), request.POST.get("pk", "")
        if do == "away-back":
            all_away = RefereeAway.objects.filter(referee__competition=competition)
            remove_away(acting=acting, away=_asked(all_away.select_related("referee"), pk))
            messages.success(request, _("已保存。"))
            return redirect("manage_referees", competition.code)
        referee = next((one for one in found if str(one.pk) == pk), None)
        if referee is None:
            raise Http404(pk)
        if do == "away":
            form: forms.Form = AwayForm(request.POST, auto_id=f"id_{pk}_%s")
            _done(form, lambda data: add_away(acting=acting, referee=referee, **data))
        else:
            form = UnitsForm(request.POST, auto_id=f"id_{pk}_%s")
            _done(
                form,
                lambda data: set_units(
                    acting=acting, referee=referee, units=data["units"].splitlines()
                ),
            )
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_referees", competition.code)
        wrong[referee.pk] = form
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_schedule"),
        "rows": [
            {
                "referee": one,
                "away": one.away.all(),
                "units_form": _bound(wrong, one.pk, UnitsForm)
                or UnitsForm(initial={"units": one.units}, auto_id=f"id_{one.pk}_%s"),
                "away_form": _bound(wrong, one.pk, AwayForm) or AwayForm(auto_id=f"id_{one.pk}_%s"),
                "is_open": one.pk in wrong,
            }
            for one in found
        ],
    }
    return render(request, "organizer/referees.html", context, status=400 if wrong else 200)


def _bound(wrong: dict[int, forms.Form], pk: int, kind: type[forms.Form]) -> forms.Form | None:
    form = wrong.get(pk)
    return form if isinstance(form, kind) else None


def _done(form: forms.Form, act: Callable[[dict[str, Any]], object]) -> forms.Form:
    if form.is_valid():
        attempt(form, lambda: act(form.cleaned_data))
    return form


def _values(row: Room | Session | None, kind: type[forms.Form]) -> dict[str, Any]:
    if row is None:
        return {}
    return {name: getattr(row, name) for name in kind.base_fields}


def _of(rows: Any, pk: str | None) -> Any:
    return rows.filter(pk=int(pk)).first() if pk and pk.isdecimal() else None


def _asked(rows: Any, pk: str | None) -> Any:
    found = _of(rows, pk)
    if found is None:
        raise Http404(pk)
    return found
