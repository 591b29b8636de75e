"""Pages for everyone: the home page, a competition, its entrants. Nothing of the viewer in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from core import bodies
from engine.options import CONFIRM
from engine.rules import PRESET_TITLES
from tournament.enums import Discipline, EntryStatus, StageKind
from tournament.forms.rules import SHOWN, points_to_confirm, spoken
from tournament.models import Competition, Event, Registration, Stage
from tournament.queries import public as queries
from tournament.queries.announcements import announced
from tournament.views.access import get_watched

A_PAGE = 100


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The published competitions: running, coming, past."""
    known = queries.newest_published()
    ids = [pk for pk, _scope in known]
    today = timezone.localdate()

    def body(version: str) -> str:
        shown = queries.programme(ids, today)
        return render_to_string("public/home.html", {"programme": shown}, request=request)

    name = f"home:{today}:{'.'.join(map(str, ids))}"
    return bodies.respond(request, name, [scope for _pk, scope in known], body)


@require_safe
def competition(request: HttpRequest, code: str, part: str = "") -> HttpResponse:
    """When, where, by which rules, how far: the programme of one competition.

    `part` is the polled region's name, else the whole page.
    """
    shown = get_watched(request, code)
    events = list(shown.events.all())

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = {
                "version": version,
                "live_url": "" if part else reverse("competition_live", args=[code]),
                **_standing(shown, events),
            }
            if not part:
                context |= _programme(shown, events)
            return render_to_string(f"public/competition.html{part}", context, request=request)

    scopes = queries.page_scopes(shown, events)
    return bodies.respond(
        request, f"competition:{shown.pk}{part}", scopes, body, over=shown.is_over
    )


def _standing(shown: Competition, events: Sequence[Event]) -> dict[str, Any]:
    """What changes while one looks on."""
    return {
        "competition": shown,
        "announcements": announced(shown, "public"),
        "parts": [
            {
                "event": event,
                "url": reverse("bracket", args=[shown.code, event.pk]),
                "standings_url": reverse("standings", args=[shown.code, event.pk]),
                "rounds": rounds,
                "is_over": bool(rounds) and rounds[-1].is_over,
                "champion": queries.champion_of(event, mask=shown.mask_names),
                "draws": draws,
                "is_staged": any(one.stage.kind == StageKind.PRELIM for one in draws),
            }
            for event in events
            for rounds in [queries.rounds_of(event)]
            for draws in [list(queries.draws_shown(event))]
        ],
    }


def _programme(shown: Competition, events: Sequence[Event]) -> dict[str, Any]:
    registration = Registration.objects.filter(competition=shown, is_on=True).first()
    now = timezone.now()
    return {
        "tabs": tabs(shown, events, "competition"),
        "tabs_label": shown.name,
        "today": timezone.localdate(),
        "has_begun": any(event.frozen_at for event in events),
        "entrants": shown.entries.filter(status=EntryStatus.CONFIRMED).count(),
        "registration": registration,
        "may_register": registration is not None and registration.is_open_at(now),
        "is_early": registration is not None
        and registration.opens_at is not None
        and now < registration.opens_at,
        "regulation": shown.regulations.order_by("-version").first(),
        "rules": [
            {"event": event, "stages": list(event.stages.all()), **_rules(event)}
            for event in _with_stages(events)
        ],
    }


def _with_stages(events: Sequence[Event]) -> Sequence[Event]:
    from django.db.models import prefetch_related_objects

    prefetch_related_objects(
        list(events), Prefetch("stages", Stage.objects.order_by("-kind", "pk"))
    )
    return events


def _rules(event: Event) -> dict[str, Any]:
    """The rules of an event, every option explained and the doubtful ones marked."""
    if event.discipline != Discipline.ZIPAI:
        return {"title": "", "options": [], "points": []}
    doubtful = CONFIRM.get(event.preset, ())
    return {
        "title": spoken(PRESET_TITLES[event.preset]),
        "options": [
            {
                "rule": option.rule,
                "label": spoken((option.zh, option.en)),
                "value": spoken(option.describe(_plain(event.options.get(option.name)))),
                "confirm": option.name in doubtful,
            }
            for option in SHOWN
            if option.name in event.options
        ],
        "points": points_to_confirm(event.preset),
    }


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


@require_safe
def entrants(request: HttpRequest, code: str) -> HttpResponse:
    """The entrants by number, found by number, name, pinyin or unit. Searches are not kept."""
    shown = get_watched(request, code)
    asked = {
        key: request.GET[key].strip()[:60] for key in ("q", "event", "sort") if request.GET.get(key)
    }
    page = request.GET.get("page", "1")
    page = page if page.isdecimal() and len(page) < 6 else "1"

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            return render_to_string(
                "public/entrants.html", _listing(shown, asked, int(page)), request=request
            )

    if asked or int(page) > 50:
        return HttpResponse(body(""))
    scopes = queries.page_scopes(shown, shown.events.all())
    return bodies.respond(request, f"entrants:{shown.pk}:{int(page)}", scopes, body)


def _listing(shown: Competition, asked: dict[str, str], number: int) -> dict[str, Any]:
    events = list(shown.events.all())
    chosen = asked.get("event", "")
    event = next((one for one in events if str(one.pk) == chosen), events[0] if events else None)
    if event is None or (chosen and str(event.pk) != chosen):
        raise Http404(chosen)
    text, by_name = asked.get("q", ""), asked.get("sort") == "name"
    found = queries.search_entrants(event, text, mask=shown.mask_names, by_name=by_name)
    page = Paginator(found, A_PAGE).get_page(number)
    query = urlencode(asked)
    return {
        "competition": shown,
        "tabs": tabs(shown, events, "entrants"),
        "tabs_label": shown.name,
        "events": events,
        "event": event,
        "q": text,
        "by_name": by_name,
        "page_obj": page,
        "query": f"&{query}" if query else "",
        "rows": [
            {
                "row": queries.as_row(values, mask=shown.mask_names),
                "url": reverse("entrant", args=[shown.code, values[0]]),
            }
            for values in page.object_list
        ],
    }


def tabs(shown: Competition, events: Sequence[Event], current: str) -> list[dict[str, Any]]:
    """The public pages of a competition; `current` is a name as in `competition` or
    `bracket:7`. Several events have their names before bracket and standings."""
    found = [
        ("competition", _("秩序册"), reverse("competition", args=[shown.code])),
        ("schedule", _("日程"), reverse("schedule", args=[shown.code])),
    ]
    for event in events:
        prefix = f"{event.name} " if len(events) > 1 else ""
        for name, word in (("bracket", _("对阵图")), ("standings", pgettext("page", "名次"))):
            url = reverse(name, args=[shown.code, event.pk])
            found.append((f"{name}:{event.pk}", f"{prefix}{word}", url))
    if len(events) > 1:
        found.append(("units", _("团体名次"), reverse("unit_ranking", args=[shown.code])))
    found.append(("entrants", pgettext("page", "选手"), reverse("entrants", args=[shown.code])))
    return [{"label": label, "url": url, "current": key == current} for key, label, url in found]
