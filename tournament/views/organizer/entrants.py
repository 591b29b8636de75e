"""The list of entrants: pasted, added, found, corrected, checked in, withdrawn."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.qr import qr_svg
from tournament.acting import Acting
from tournament.domain.entries import (
    add_entry,
    add_pasted,
    change_entry,
    check_in,
)
from tournament.domain.leaving import GONE
from tournament.domain.links import issue_link
from tournament.enums import EntrantStatus, Role
from tournament.forms.entries import EntrantForm, EntryForm, PasteForm
from tournament.models import Competition, Entrant, Round
from tournament.permissions import checks_in, leads, organizes
from tournament.queries.organizer import entries_of, has_fee, main_stage
from tournament.views.organizer.common import attempt, page_of, tabs

PAGE = 100
FILTERS = ("", "absent", "pending", "waiting", "unpaid", "left")


@page_of(checks_in)
@require_safe
def listing(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The entries, a hundred a page, searched by number, name, pinyin or unit."""
    event = main_stage(competition).event
    search, only = request.GET.get("q", "").strip(), request.GET.get("only", "")
    only = only if only in FILTERS else ""
    found = Paginator(entries_of(event, search, only), PAGE)
    query = urlencode({key: value for key, value in (("q", search), ("only", only)) if value})
    labels = (_("全部"), _("未签到"), _("待确认"), _("候补"), _("未缴费"), _("已离开"))
    return render(
        request,
        "organizer/entrants.html",
        {
            "competition": competition,
            "event": event,
            "page_obj": found.get_page(request.GET.get("page")),
            "count": found.count,
            "search": search,
            "query": (f"&{query}" if query else "") + competition.event_more,
            "filters": [
                {"label": label, "key": key, "current": key == only}
                for key, label in zip(FILTERS, labels, strict=True)
            ],
            "only": only,
            "can_organize": organizes(acting),
            "notes_fee": organizes(acting) and has_fee(competition),
            "can_print": leads(acting),
            "tabs": tabs(competition, acting, "manage_entrants"),
        },
    )


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Many at once; lines that were not taken stay in the field, each with its reason."""
    event = main_stage(competition).event
    form = PasteForm(request.POST or None)
    context = _shared(competition, acting)
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["lines"]
        added = attempt(form, lambda: add_pasted(acting=acting, event=event, text=text))
        if added is not None:
            reading = added.reading
            if not reading.rejected and not reading.same_names:
                messages.success(request, _("已添加 %(n)d 名选手。") % {"n": len(added.entries)})
                return redirect("manage_entrants", competition.code)
            left = "\n".join(line.text for line in reading.rejected)
            form = PasteForm(initial={"lines": left})
            context |= {"added": len(added.entries), "reading": reading}
    return render(
        request,
        "organizer/entrants_paste.html",
        context | {"form": form},
        status=400 if form.errors else 200,
    )


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """One more; after it the form is empty again for the next."""
    event = main_stage(competition).event
    form = EntryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        entry = attempt(form, lambda: add_entry(acting=acting, event=event, **data))
        if entry is not None:
            messages.success(
                request,
                _("已添加 %(number)s 号 %(name)s。")
                % {"number": entry.number, "name": entry.person.name},
            )
            return redirect("manage_entrant_new", competition.code)
    return render(
        request,
        "organizer/entrant_new.html",
        _shared(competition, acting) | {"form": form},
        status=400 if form.errors else 200,
    )


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """Corrects one, and what else can be done with him."""
    entrant = get_entrant(competition, pk)
    form = EntrantForm(
        request.POST or None,
        initial={
            "name": entrant.entry.person.name,
            "unit": entrant.unit,
            "number": entrant.number,
            "seed": entrant.seed,
        },
        phone=entrant.entry.person.phone,
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        attempt(form, lambda: change_entry(acting=acting, entrant=entrant, **data))
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_entrants", competition.code)
        entrant = get_entrant(competition, pk)
    context = _shared(competition, acting) | {
        "form": form,
        "entrant": entrant,
        "is_drawn": Round.objects.filter(stage__event=entrant.event_id).exists(),
        "is_in": entrant.status == EntrantStatus.IN,
        "is_out": entrant.status == EntrantStatus.OUT,
        "is_gone": entrant.status in GONE,
        "is_replaced": entrant.entry.person_before_id is not None,
        "can_replace": _can_replace(entrant),
        "has_events": competition.events.count() > 1,
    }
    return render(
        request, "organizer/entrant_edit.html", context, status=400 if form.errors else 200
    )


@page_of(checks_in)
@require_POST
def toggle_check_in(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """One tap: he is here, or not after all. htmx gets the row's button, others the list."""
    entry = competition.entries.select_related("person").filter(pk=pk).first()
    if entry is None:
        raise Http404(pk)
    entry = check_in(acting=acting, entry=entry, here="here" in request.POST)
    if getattr(request, "htmx", None):
        context = {"entry": entry, "competition": competition}
        return render(request, "organizer/entrants.html#checkin", context)
    return redirect(_back(request, competition))


@page_of(leads)
@require_POST
def entrant_link(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """A link for the entrant's own phone, shown once."""
    entrant = get_entrant(competition, pk)
    issued = issue_link(acting=acting, competition=competition, role=Role.ENTRANT, entrant=entrant)
    url = request.build_absolute_uri(reverse("link", args=[issued.token]))
    context = _shared(competition, acting) | {
        "title": f"{entrant.number} {entrant.name}",
        "url": url,
        "qr": qr_svg(url, scale=6),
        "back": reverse("manage_entrant", args=[competition.code, pk]),
    }
    return render(request, "organizer/link_issued.html", context)


def get_entrant(competition: Competition, pk: int) -> Entrant:
    """An entrant of the competition. Raises `Http404`."""
    found = (
        Entrant.objects.filter(event__competition=competition, pk=pk)
        .select_related("entry__person", "partner__person", "event__competition")
        .first()
    )
    if found is None:
        raise Http404(pk)
    return found


def _back(request: HttpRequest, competition: Competition) -> str:
    """The list as it was: its search and page come along in a hidden field."""
    address = reverse("manage_entrants", args=[competition.code])
    kept = QueryDict(request.POST.get("query", "").lstrip("&"))
    query = urlencode({key: kept[key] for key in ("q", "only", "page", "event") if kept.get(key)})
    return f"{address}?{query}" if query else address


def _shared(competition: Competition, acting: Acting) -> dict[str, object]:
    return {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_entrants"),
    }


def _can_replace(entrant: Entrant) -> bool:
    """Whether his place, or of a pair one of the two, has not been handed on yet."""
    members = [entrant.entry, *([entrant.partner] if entrant.partner else [])]
    return any(one.person_before_id is None for one in members)
