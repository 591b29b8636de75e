"""Inviting members, and taking an invitation back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.qr import qr_svg
from tournament.acting import Acting
from tournament.domain.invitations import invite as make_invitation
from tournament.domain.invitations import revoke_invitation
from tournament.enums import Role
from tournament.forms.access import InvitationForm, MemberForm
from tournament.models import Competition
from tournament.permissions import organizes
from tournament.views.organizer.common import page_of, tabs
from tournament.views.organizer.people import members_page


@page_of(organizes)
@require_POST
def invite(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """A new invitation, shown once, as address and QR."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return members_page(request, competition, acting, form=MemberForm(), invitation=form)
    data = form.cleaned_data
    role = Role(data["role"])
    made = make_invitation(
        acting=acting, competition=competition, role=role, label=data["label"], days=data["days"]
    )
    url = request.build_absolute_uri(reverse("invitation", args=[made.token]))
    context = {
        "competition": competition,
        "invitation": made.invitation,
        "title": f"{role.label} · {data['label']}",
        "url": url,
        "qr": qr_svg(url, scale=6),
        "tabs": tabs(competition, acting, "manage_members"),
    }
    return render(request, "organizer/invitation_made.html", context)


@page_of(organizes)
@require_POST
def revoke(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """An invitation can no longer be used."""
    invitation = competition.invitations.filter(pk=pk).first()
    if invitation is None:
        raise Http404(pk)
    revoke_invitation(acting=acting, invitation=invitation)
    messages.success(request, _("邀请已收回。"))
    return redirect("manage_members", competition.code)
