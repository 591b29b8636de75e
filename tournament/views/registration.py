"""Registering on a phone, and one's own entry behind one's own link (C1.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.api.problems import TooMuch
from core.domain.idempotency import KeyReused, do_once
from core.errors import DomainError
from core.pace import spend
from core.qr import qr_svg
from tournament.acting import Acting
from tournament.domain.entries import SameName
from tournament.domain.links import LinkGone, find_link
from tournament.domain.registration import (
    change_own,
    may_change_own,
    open_events,
    register,
    token_of,
    withdraw_own,
)
from tournament.domain.waiting import place_in_line
from tournament.enums import EntryStatus, Role
from tournament.forms.registration import OwnForm, RegisterForm, new_ticket
from tournament.models import Competition, Entry, Registration
from tournament.models.registration import ASKED
from tournament.permissions import NotAllowed, is_his
from tournament.queries.announcements import announced
from tournament.queries.mine import next_place
from tournament.views.access import get_competition, remember_link

GET_OR_POST = ["GET", "HEAD", "POST"]
COST = 8
"""Units of `core.pace` for a registration: fifteen a minute by one browser, three hundred by all
that share an address."""


@never_cache
@require_http_methods(GET_OR_POST)
def registering(request: HttpRequest, code: str) -> HttpResponse:
    """The public form; what was typed stays whatever is wrong."""
    competition, _acting = get_competition(request, code)
    with timezone.override(competition.tz):
        registration = Registration.objects.filter(competition=competition).first()
        if registration is not None:
            registration.competition = competition
        if registration is None or (request.method != "POST" and _closed(registration)):
            return _closed_page(request, competition, registration)
        if request.method != "POST":
            form = RegisterForm(registration=registration, initial={"ticket": new_ticket()})
            return _form_page(request, competition, form)
        form = RegisterForm(
            request.POST, registration=registration, asks_again="is_another" in request.POST
        )
        if form.is_valid():
            wait = spend(request, COST)
            if wait:
                form.add_error(None, str(TooMuch(wait)))
                return _form_page(request, competition, form, status=429)
            entry_pk = _send(competition, form)
            if isinstance(entry_pk, int):
                return _received(request, competition, entry_pk, token_of(form.key))
            form = entry_pk
        return _form_page(request, competition, form)


def _send(competition: Competition, form: RegisterForm) -> int | RegisterForm:
    """The id of the entry, once however often it is sent; else the form with what is wrong."""
    data = {name: value for name, value in form.cleaned_data.items() if name != "ticket"}

    def act() -> tuple[int, object]:
        entry = register(
            competition=competition,
            applicant=form.applicant(),
            token=token_of(form.key),
            agrees=bool(data.get("agrees")),
            is_another=bool(data.get("is_another")),
        )
        return 200, {"entry": entry.pk}

    try:
        answer = do_once(scope=f"{competition.scope}:register", key=form.key, request=data, act=act)
    except SameName as error:
        form = RegisterForm(form.data, registration=form.registration, asks_again=True)
        form.full_clean()
        form.add_error("is_another", str(error.message))
        return form
    except KeyReused:
        form.renew_ticket()
        form.add_error(
            None,
            _("这份报名已经收到了。要改内容，请用报名后得到的链接；替别人报名，请再按一次“报名”。"),
        )
        return form
    except DomainError as error:
        form.add_error(None, str(error.message))
        return form
    assert isinstance(answer.json, dict)
    return int(answer.json["entry"])


def _received(
    request: HttpRequest, competition: Competition, entry_pk: int, token: str
) -> HttpResponse:
    """His number or place, and his own link: this page alone knows its token."""
    entry = _entry(competition, entry_pk)
    try:
        link = find_link(token)
    except LinkGone:
        return redirect("competition", competition.code)
    url = request.build_absolute_uri(reverse("link", args=[token]))
    context = _standing(competition, entry) | {"url": url, "qr": qr_svg(url, scale=6)}
    response = render(request, "public/registered.html", context)
    response["Referrer-Policy"] = "no-referrer"
    remember_link(request, response, link)
    return response


Own = Callable[..., HttpResponse]


def own(view: Own) -> Own:
    """Wraps a view `(request, competition, acting, entry)` of `/c/<code>/my/<pk>/…`.

    Whoever has no link of this entry gets `NotAllowed`, whether there is such an entry or not.
    """

    @never_cache
    @wraps(view)
    def inner(request: HttpRequest, code: str, pk: int) -> HttpResponse:
        competition, acting = get_competition(request, code)
        if not is_his(acting, pk):
            raise NotAllowed(
                _("请用报名时得到的链接打开；丢了可以找组织者再要一个。"),
                state=None,
                who=frozenset({Role.ENTRANT}),
            )
        with timezone.override(competition.tz):
            return view(request, competition, acting, _entry(competition, pk))

    return inner


@own
@require_safe
def mine(
    request: HttpRequest, competition: Competition, acting: Acting, entry: Entry
) -> HttpResponse:
    """Where his registration stands, where he plays next, what is announced."""
    entrant = entry.entrants.filter(event__competition=competition).order_by("event").first()
    context = _standing(competition, entry) | {
        "entrant": entrant,
        "next": next_place(entry, mask=competition.mask_names),
        "announcements": announced(competition, "entrants"),
        "may_change": may_change_own(entry),
        "is_new": "saved" in request.GET,
    }
    return render(request, "public/mine.html", context)


@own
@require_http_methods(GET_OR_POST)
def change(
    request: HttpRequest, competition: Competition, acting: Acting, entry: Entry
) -> HttpResponse:
    """Corrects what he said of himself."""
    registration = Registration.objects.filter(competition=competition).first()
    registration = registration or Registration(competition=competition)
    person = entry.person
    said: dict[str, Any] = {name: getattr(person, name) for name in ASKED if name != "unit"}
    form = OwnForm(
        request.POST if request.method == "POST" else None,
        registration=registration,
        initial={**said, "name": person.name, "unit": entry.unit},
    )
    if request.method == "POST" and form.is_valid():
        try:
            change_own(acting=acting, entry=entry, applicant=form.applicant())
        except DomainError as error:
            form.add_error(None, str(error.message))
        else:
            return redirect(f"{reverse('my_entry', args=[competition.code, entry.pk])}?saved")
    context = {"competition": competition, "entry": entry, "form": form}
    return render(request, "public/mine_change.html", context, status=_status(form))


@own
@require_http_methods(GET_OR_POST)
def withdraw(
    request: HttpRequest, competition: Competition, acting: Acting, entry: Entry
) -> HttpResponse:
    """Asks once, then he has left and the next has his place."""
    if request.method == "POST":
        withdraw_own(acting=acting, entry=entry)
        return redirect("my_entry", competition.code, entry.pk)
    context = {
        "competition": competition,
        "entry": entry,
        "may_change": may_change_own(entry),
    }
    return render(request, "public/mine_withdraw.html", context)


def _entry(competition: Competition, pk: int) -> Entry:
    entry = (
        Entry.objects.filter(competition=competition, pk=pk)
        .select_related("person", "competition")
        .first()
    )
    if entry is None:
        raise Http404(pk)
    return entry


def _standing(competition: Competition, entry: Entry) -> dict[str, Any]:
    waits = entry.status == EntryStatus.WAITLISTED
    return {
        "competition": competition,
        "entry": entry,
        "place_in_line": place_in_line(entry) if waits else 0,
        "registration": Registration.objects.filter(competition=competition).first(),
    }


def _closed(registration: Registration) -> bool:
    if registration.competition.is_over or not registration.is_open_at(timezone.now()):
        return True
    return not open_events(registration.competition)


def _closed_page(
    request: HttpRequest, competition: Competition, registration: Registration | None
) -> HttpResponse:
    is_on = registration is not None and registration.is_on
    now = timezone.now()
    context = {
        "competition": competition,
        "registration": registration if is_on else None,
        "is_early": registration is not None
        and registration.opens_at is not None
        and now < registration.opens_at,
    }
    status = 409 if request.method == "POST" else 200
    return render(request, "public/register_closed.html", context, status=status)


def _form_page(
    request: HttpRequest, competition: Competition, form: RegisterForm, *, status: int = 0
) -> HttpResponse:
    context = {"competition": competition, "registration": form.registration, "form": form}
    return render(request, "public/register.html", context, status=status or _status(form))


def _status(form: OwnForm) -> int:
    return 400 if form.errors else 200
