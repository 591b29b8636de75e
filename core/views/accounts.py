"""The pages of one's own account; django-allauth has most of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.views import LoginView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.adapters import TOO_MANY
from core.domain.accounts import change_profile
from core.errors import DomainError
from core.forms import ProfileForm
from core.models import User
from core.permissions import is_operator


class LogIn(LoginView):
    """Logging in; 429 while no further try is taken."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Besides: `mail_is_set`, whether a password can be reset."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, "mail_is_set": settings.MAIL_IS_SET}

    def form_invalid(self, form: Form) -> HttpResponse:
        """The form again, with what was typed."""
        response: HttpResponse = super().form_invalid(form)
        if form.has_error("__all__", TOO_MANY):
            response.status_code = 429
        return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Name, phone and mail of one's own account, and the way to its other pages."""
    user = get_object_or_404(User, pk=request.user.pk)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        change_profile(user=user, **form.cleaned_data)
        messages.success(request, _("已保存。"))
        return redirect("account")
    context = {"form": form, "is_operator": is_operator(user)}
    return render(request, "account/index.html", context, status=400 if form.errors else 200)


def with_mail(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that is there only where the site can send mail."""

    @wraps(view)
    def inner(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not settings.MAIL_IS_SET:
            raise Http404
        return view(request, **kwargs)

    return inner


class NoPassword(DomainError):
    """An account that never chose a password has none to change."""

    code = "no-password"
    status = 409


def with_password(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page for accounts that have a password; raises `NoPassword` for the others."""

    @wraps(view)
    def inner(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and not request.user.has_usable_password():
            raise NoPassword(_("这个账号没有密码，改不了。要设密码，请在登录页点“忘了密码”。"))
        return view(request, **kwargs)

    return inner
