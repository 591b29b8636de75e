"""Pages with one form about a sheet, and buttons that take something back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.db.models import Model
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from core.errors import DomainError
from scoring.domain.errors import ShowEffects
from scoring.views.referee.pages import Page, Problem, effects_page
from scoring.views.referee.sheet import show as show_sheet
from tournament.domain.tables import Depends
from tournament.permissions import NotAllowed

M = TypeVar("M", bound=Model)


def form_page(
    page: Page,
    form: forms.Form,
    *,
    act: Callable[[], object],
    done: str,
    back: str,
    template: str = "referee/form.html",
    onward: Callable[[], str] | None = None,
    **shown: Any,
) -> HttpResponse:
    """A page with one form: shows it, does `act` with what was sent, or says what is wrong.

    `back` is where it leads, `onward` where that depends on what was sent. `shown` is what the
    template wants besides (`title`, `verb`, `lead`).
    """
    status = 200
    if form.is_bound:
        if form.is_valid():
            try:
                act()
            except NotAllowed:
                raise
            except (ShowEffects, Depends) as error:
                return effects_page(page, error, page.request.POST)
            except DomainError as error:
                form.add_error(None, str(error))
                status = error.status
            else:
                messages.success(page.request, done)
                return redirect(onward() if onward else back)
        else:
            status = 422
    shown.setdefault("lead", "")
    return page.render(
        template, status=status, form=form, form_title=shown.pop("title"), back=back, **shown
    )


def sent(page: Page) -> QueryDict | None:
    """What was sent, None where the page is only asked for."""
    return page.request.POST if page.request.method == "POST" else None


def of_sheet(page: Page, model: type[M], pk: int) -> M:
    """A row of this table's sheet. Raises `Http404`."""
    found = model._default_manager.filter(sheet__table=page.board.table, pk=pk).first()
    if found is None:
        raise Http404(pk)
    return found


def undo(page: Page, act: Callable[[], object], back: str, done: str = "") -> HttpResponse:
    """Takes something back; an error is shown on the sheet. `done` says what counts then."""
    try:
        act()
    except NotAllowed:
        raise
    except (ShowEffects, Depends) as error:
        return effects_page(page, error, page.request.POST)
    except DomainError as error:
        problem = Problem("verdict", error, page.request.POST.get("reason", ""))
        return show_sheet(page.fresh(), status=error.status, problem=problem)
    messages.success(page.request, done or _("已撤销。"))
    return redirect(back)
