"""Check-in by the QR on somebody's badge, and of many at once."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournament.acting import Acting
from tournament.domain.arrivals import check_in_many
from tournament.domain.entries import check_in
from tournament.domain.links import good_links
from tournament.enums import EntryStatus
from tournament.models import Competition, DeviceLink, Entry
from tournament.permissions import checks_in
from tournament.queries.organizer import main_stage
from tournament.queries.picking import arrivals
from tournament.views.access import remember_link
from tournament.views.organizer.common import page_of, tabs
from tournament.views.organizer.picking import picked, picking

OWN_SALT = "tournament.own-link"
OWN_SECONDS = 600
ONLY = ("absent", "here", "")


def scanned_page(link: DeviceLink) -> str:
    """Where somebody who checks in lands when he scans this entrant's link.

    For some minutes the address also lets him say that the link is his own.
    """
    entry_id = link.entry_id or (link.entrant.entry_id if link.entrant else 0)
    own = signing.dumps(link.pk, salt=OWN_SALT)
    return f"{reverse('check_in', args=[link.competition.code, entry_id])}?own={own}"


@page_of(checks_in)
@require_http_methods(["GET", "HEAD", "POST"])
def scanned(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Who stands here, and one large button. Looking at it changes nothing."""
    entry = _entry(competition, pk)
    if request.method == "POST":
        if "here" in request.POST and entry.status == EntryStatus.WITHDRAWN:
            messages.error(request, _("这份报名已经退出，不能签到；请先恢复参赛。"))
        else:
            check_in(acting=acting, entry=entry, here="here" in request.POST)
        return redirect("check_in", competition.code, pk)
    here, expected = arrivals(competition)
    context = {
        "competition": competition,
        "entry": entry,
        "can_arrive": entry.status != EntryStatus.WITHDRAWN,
        "has_place": entry.status == EntryStatus.CONFIRMED,
        "here": here,
        "expected": expected,
        "own": request.GET.get("own", ""),
        "who": "" if acting.user_id else _("裁判链接"),
    }
    return render(request, "referee/check_in.html", context)


@page_of(checks_in)
@require_POST
def own(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """A referee or organizer who plays too: the link just scanned is his own."""
    try:
        link_id = signing.loads(request.POST.get("own", ""), salt=OWN_SALT, max_age=OWN_SECONDS)
    except signing.BadSignature:
        messages.error(request, _("过了十分钟，请再扫一次。"))
        return redirect("check_in", competition.code, pk)
    link = DeviceLink.objects.filter(good_links(), pk=link_id, competition=competition).first()
    if link is None:
        raise Http404(pk)
    response = HttpResponseRedirect(reverse("my_entry", args=[competition.code, pk]))
    remember_link(request, response, link)
    return response


@page_of(checks_in)
@require_http_methods(["GET", "HEAD", "POST"])
def many(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Many are ticked, or a unit, or all: they are here, or are not after all."""
    if request.method == "POST":
        ids = picked(request, competition, ONLY)
        is_here = request.POST.get("do") != "undo"
        changed = check_in_many(acting=acting, competition=competition, ids=ids, here=is_here)
        messages.success(request, _said(changed, is_here=is_here))
        kept = {key: request.POST[key] for key in ("unit", "only") if request.POST.get(key)}
        address = reverse("manage_arrivals", args=[competition.code])
        return redirect(f"{address}?{urlencode(kept)}")
    here, expected = arrivals(competition)
    context = {
        "competition": competition,
        "event": main_stage(competition).event,
        "here": here,
        "expected": expected,
        "tabs": tabs(competition, acting, "manage_entrants"),
    } | picking(request, competition, ONLY)
    return render(request, "organizer/arrivals.html", context)


def _said(changed: int, *, is_here: bool) -> str:
    if not changed:
        return _("没有人的签到有变动；请先勾选。")
    if is_here:
        return ngettext("%(n)d 人已签到。", "%(n)d 人已签到。", changed) % {"n": changed}
    return ngettext("撤销了 %(n)d 人的签到。", "撤销了 %(n)d 人的签到。", changed) % {"n": changed}


def _entry(competition: Competition, pk: int) -> Entry:
    entry = competition.entries.select_related("person").filter(pk=pk).first()
    if entry is None:
        raise Http404(pk)
    return entry
