"""Links for devices and members by account."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.qr import qr_svg
from tournament.acting import Acting
from tournament.domain.invitations import open_invitations
from tournament.domain.links import issue_link, revoke_link
from tournament.domain.members import add_member, remove_member
from tournament.domain.table_links import issue_table_links
from tournament.enums import Role
from tournament.forms.access import InvitationForm, LinkForm, MemberForm, TablesForm
from tournament.models import Competition, DeviceLink
from tournament.permissions import leads, organizes, visible_states
from tournament.queries.fixed_tables import fixed_notes
from tournament.queries.organizer import stage_now, tables_of
from tournament.views.organizer.common import attempt, page_of, tabs

MOST_LINKS = 200


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Links of people's devices; a new one is shown once, as address and QR."""
    form = LinkForm(request.POST or None, is_owner=organizes(acting))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        issued = issue_link(
            acting=acting,
            competition=competition,
            role=Role(data["role"]),
            label=data["label"],
        )
        url = request.build_absolute_uri(reverse("link", args=[issued.token]))
        context = {
            "competition": competition,
            "title": f"{Role(data['role']).label} · {data['label']}",
            "url": url,
            "qr": qr_svg(url, scale=6),
            "back": reverse("manage_links", args=[competition.code]),
            "tabs": tabs(competition, acting, "manage_links"),
        }
        return render(request, "organizer/link_issued.html", context)
    given = (
        DeviceLink.objects.filter(competition=competition, revoked_at=None)
        .exclude(role=Role.TABLE)
        .select_related("entrant__entry__person", "entrant__partner__person", "created_by")
        .order_by("role", "-id")[:MOST_LINKS]
    )
    stage = stage_now(competition)
    context = {
        "competition": competition,
        "form": form,
        "links": given,
        "rounds": stage.rounds.filter(state__in=visible_states(acting)).order_by("number"),
        "tables_form": TablesForm(),
        "tabs": tabs(competition, acting, "manage_links"),
    }
    return render(request, "organizer/links.html", context, status=400 if form.errors else 200)


@page_of(leads)
@require_POST
def revoke(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """A link stops working."""
    link = DeviceLink.objects.filter(competition=competition, pk=pk).first()
    if link is None:
        raise Http404(pk)
    revoke_link(acting=acting, link=link)
    messages.success(request, _("链接已收回，打开过它的设备也不能再用。"))
    return redirect("manage_links", competition.code)


@page_of(leads)
@require_POST
def table_cards(
    request: HttpRequest, competition: Competition, acting: Acting, number: int
) -> HttpResponse:
    """New links for tables of a round, as cards to print and lay on the tables."""
    stage = stage_now(competition)
    round_ = stage.rounds.filter(number=number).first()
    if round_ is None:
        raise Http404(number)
    form = TablesForm(request.POST)
    if not form.is_valid():
        context = {"competition": competition, "form": form, "round": round_}
        context["tabs"] = tabs(competition, acting, "manage_links")
        return render(request, "organizer/table_cards_form.html", context, status=400)
    tables = list(
        tables_of(round_).filter(
            number__gte=form.cleaned_data["first"], number__lte=form.cleaned_data["last"]
        )
    )
    issued = issue_table_links(acting=acting, competition=competition, round_=round_, tables=tables)
    cards = []
    for table, one in zip(tables, issued, strict=True):
        url = request.build_absolute_uri(reverse("link", args=[one.token]))
        cards.append({"table": table, "url": url, "qr": qr_svg(url, scale=4)})
    context = {
        "competition": competition,
        "round": round_,
        "cards": cards,
        "fixed_notes": fixed_notes(tables),
        "edition": competition.name,
        "printed_at": timezone.now(),
    }
    return render(request, "organizer/table_cards.html", context)


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Who has which role by account."""
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        added = attempt(
            form,
            lambda: add_member(
                acting=acting,
                competition=competition,
                username=data["username"],
                role=Role(data["role"]),
            ),
            "username",
        )
        if added is not None:
            messages.success(request, _("已添加。"))
            return redirect("manage_members", competition.code)
    return members_page(request, competition, acting, form=form, invitation=InvitationForm())


def members_page(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    *,
    form: MemberForm,
    invitation: InvitationForm,
) -> HttpResponse:
    """The members, the open invitations, and a form for a new one of each; 400 with errors."""
    context = {
        "competition": competition,
        "form": form,
        "invitation": invitation,
        "invitations": open_invitations(competition).order_by("-id"),
        "members": competition.memberships.select_related("user").order_by("role", "id"),
        "tabs": tabs(competition, acting, "manage_members"),
    }
    status = 400 if form.errors or invitation.errors else 200
    return render(request, "organizer/members.html", context, status=status)


@page_of(organizes)
@require_POST
def remove(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """Takes a role away."""
    membership = competition.memberships.filter(pk=pk).first()
    if membership is None:
        raise Http404(pk)
    remove_member(acting=acting, membership=membership)
    messages.success(request, _("已移除。"))
    return redirect("manage_members", competition.code)
