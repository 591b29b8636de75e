"""Pages of who looks after the site: what runs in the background, and whether all is well."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.functional import Promise
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.models import User
from core.permissions import is_operator


class Page(NamedTuple):
    """A page of the operator, as the first one lists it: its address's name, and what it is for."""

    url_name: str
    title: Promise
    text: Promise


PAGES: list[Page] = []
"""In the order of the first page."""


def operator_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A page for operators alone, given the account as `user`: others log in, or find nothing."""

    @never_cache
    @login_required
    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if not isinstance(user, User) or not is_operator(user):
            raise Http404
        return view(request, user, *args, **kwargs)

    return inner


@operator_page
@require_safe
def index(request: HttpRequest, user: User) -> HttpResponse:
    """What an operator can look after."""
    return render(request, "operator/index.html", {"pages": PAGES})
