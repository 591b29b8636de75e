"""Opening an invitation: whoever has it takes the role by an account, new or his own."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from core.entrance import let_in
from core.errors import Conflict
from core.forms import NewAccountForm
from core.models import User
from tournament.domain.invitations import accept, accept_with_new_account, find_invitation
from tournament.enums import Role
from tournament.models.access import Invitation


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What the invitation is for, and a button to take it.

    Looking uses nothing up: messengers open links to show what is behind them.
    """
    invited = find_invitation(token)
    if isinstance(request.user, User):
        if request.method == "POST":
            accept(invitation=invited, user=request.user)
            messages.success(request, _("欢迎，您现在有这个身份了。"))
            return redirect(_page(invited))
        return _show(request, invited, None)
    form = NewAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = accept_with_new_account(invitation=invited, **form.cleaned_data)
        except Conflict as error:
            form.add_error("username", str(error.message))
        else:
            return let_in(request, user, redirect_url=_page(invited))
    return _show(request, invited, form)


def _show(request: HttpRequest, invited: Invitation, form: NewAccountForm | None) -> HttpResponse:
    competition = invited.competition
    context = {"invitation": invited, "competition": competition, "form": form}
    status = 400 if form is not None and form.errors else 200
    with timezone.override(competition.tz):
        response = render(request, "organizer/invitation.html", context, status=status)
    # The token stays in this address. Without any referrer browsers send `Origin: null`, with
    # which no form is taken over https.
    response["Referrer-Policy"] = "strict-origin"
    return response


def _page(invited: Invitation) -> str:
    is_referee = invited.role in (Role.CHIEF, Role.REFEREE)
    return reverse("desk" if is_referee else "manage", args=[invited.competition.code])
