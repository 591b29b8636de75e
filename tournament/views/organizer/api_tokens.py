"""Tokens of programs: made and shown once, listed, taken back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.acting import Acting
from tournament.domain.api_tokens import good_tokens, make_token, revoke_token
from tournament.enums import ApiScope
from tournament.forms.api_tokens import TokenForm
from tournament.models import Competition
from tournament.permissions import checks_in, organizes
from tournament.views.organizer.common import page_of, tabs

MOST_SHOWN = 100


@page_of(checks_in)
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """One's own tokens, for organizers everybody's; a new one is shown once."""
    form = TokenForm(request.POST or None)
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_links"),
    }
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        made = make_token(
            acting=acting,
            competition=competition,
            label=given["label"],
            scopes={ApiScope(scope) for scope in given["scopes"]},
            days=given["days"],
        )
        context |= {"row": made.row, "token": made.token}
        return render(request, "organizer/api_token_made.html", context)
    found = good_tokens().filter(competition=competition).select_related("created_by")
    if not organizes(acting):
        found = found.filter(created_by=acting.user_id)
    context |= {
        "form": form,
        "tokens": found.order_by("-id")[:MOST_SHOWN],
        "can_make": acting.user_id is not None,
        "sees_all": organizes(acting),
    }
    status = 400 if form.errors else 200
    return render(request, "organizer/api_tokens.html", context, status=status)


@page_of(checks_in)
@require_POST
def revoke(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """A token stops working."""
    token = competition.api_tokens.filter(pk=pk).first()
    if token is None:
        raise Http404(pk)
    revoke_token(acting=acting, token=token)
    messages.success(request, _("令牌已收回，用它的程序马上就不能再用。"))
    return redirect("manage_tokens", competition.code)
