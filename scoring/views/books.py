"""The page 秩序册 · 成绩册 · 打印: editions of books, and all paper in one place."""

from __future__ import annotations

from urllib.parse import quote

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.domain.books import (
    ask_for_pdf,
    hide_edition,
    make_edition,
    publish_edition,
    stop_pdf,
    withdraw_edition,
)
from scoring.enums import BookKind
from scoring.exports.books.pdf import has_weasyprint, kept, title_of
from scoring.exports.books.render import render_book
from scoring.exports.books.shown import shown_body
from scoring.forms.books import EditionForm
from scoring.models import BookEdition
from scoring.queries_books import editions_of, published_of, rounds_on_paper
from tournament.acting import Acting
from tournament.models import Competition
from tournament.permissions import leads
from tournament.queries.organizer import main_stage
from tournament.views.access import get_watched
from tournament.views.organizer.common import attempt, page_of, tabs

PDF = "application/pdf"


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def books(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Every edition and every other paper; a new edition is made here."""
    form = EditionForm(request.POST or None, initial={"kind": BookKind.PROGRAMME})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        made = attempt(
            form,
            lambda: make_edition(
                acting=acting,
                competition=competition,
                kind=BookKind(data["kind"]),
                note=data["note"],
                render=render_book,
                makes_pdf=has_weasyprint(),
            ),
        )
        if made is not None:
            words = {"kind": made.get_kind_display(), "n": made.number}
            messages.success(request, _("%(kind)s第 %(n)d 版编好了，还没有公布。") % words)
            return redirect("manage_books", competition.code)
    main_stage(competition)
    editions = list(editions_of(competition))
    newest = {edition.kind: edition.pk for edition in reversed(editions)}
    context = {
        "competition": competition,
        "form": form,
        "editions": editions,
        "newest": set(newest.values()),
        "rounds": rounds_on_paper(competition),
        "events": competition.known_events,
        "makes_pdf": has_weasyprint(),
        "tabs": tabs(competition, acting, "manage_books"),
    }
    return render(request, "organizer/books.html", context, status=400 if form.errors else 200)


@page_of(leads)
@require_POST
def change(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """Publishes, hides or withdraws an edition, asks for its PDF or stops that (`do`)."""
    edition = _edition(competition, pk)
    do = request.POST.get("do", "")
    if do == "publish":
        publish_edition(acting=acting, edition=edition, makes_pdf=has_weasyprint())
        messages.success(request, _("公布了，人人都能看、能下载。"))
    elif do == "hide":
        hide_edition(acting=acting, edition=edition)
        messages.success(request, _("不再公布了。"))
    elif do == "withdraw":
        withdraw_edition(acting=acting, edition=edition)
        messages.success(request, _("这一版撤回了，版号不再用。"))
    elif do == "pdf" and has_weasyprint():
        ask_for_pdf(acting=acting, edition=edition)
        messages.success(request, _("正在做 PDF，请过一会儿刷新。"))
    elif do == "stop":
        stop_pdf(acting=acting, edition=edition)
        messages.success(request, _("不做这份 PDF 了。"))
    else:
        raise Http404(do)
    return redirect("manage_books", competition.code)


@page_of(leads)
@require_safe
def show(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """An edition with whole names, for who leads."""
    edition = _edition(competition, pk)
    back = reverse("manage_books", args=[competition.code])
    return _page(request, edition, mask=False, back=back, pdf="manage_book_pdf")


@page_of(leads)
@require_safe
def show_pdf(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Its PDF; not found until the job has made it."""
    return _pdf(_edition(competition, pk), mask=False)


@require_safe
def public_books(request: HttpRequest, code: str) -> HttpResponse:
    """The editions that are published."""
    shown = get_watched(request, code)
    context = {"competition": shown, "editions": list(published_of(shown))}
    return render(request, "public/books.html", context)


@require_safe
def public_book(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """A published edition, with masked names where the competition masks them."""
    shown = get_watched(request, code)
    edition = _public(shown, pk)
    back = reverse("books", args=[code])
    return _page(request, edition, mask=shown.mask_names, back=back, pdf="book_pdf")


@require_safe
def public_pdf(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Its PDF likewise."""
    shown = get_watched(request, code)
    return _pdf(_public(shown, pk), mask=shown.mask_names)


def _edition(competition: Competition, pk: int) -> BookEdition:
    """An edition of the competition. One query. Raises `Http404`."""
    edition = BookEdition.objects.filter(competition=competition, pk=pk).first()
    if edition is None:
        raise Http404(pk)
    edition.competition = competition
    return edition


def _public(shown: Competition, pk: int) -> BookEdition:
    """A published one. Raises `Http404`."""
    edition = _edition(shown, pk)
    if not edition.is_public:
        raise Http404(pk)
    return edition


def _page(
    request: HttpRequest, edition: BookEdition, *, mask: bool, back: str, pdf: str
) -> HttpResponse:
    has_pdf = kept(edition, mask=mask) is not None
    address = reverse(pdf, args=[edition.competition.code, edition.pk])
    context = {
        "competition": edition.competition,
        "book": edition,
        "body": mark_safe(shown_body(edition, mask=mask)),
        "is_masked": mask,
        "back": back,
        "pdf_url": address if has_pdf else "",
        "edition": title_of(edition),
        "printed_at": edition.created_at,
    }
    return render(request, "print/book/edition.html", context)


def _pdf(edition: BookEdition, *, mask: bool) -> HttpResponse:
    data = kept(edition, mask=mask)
    if data is None:
        raise Http404(edition.pk)
    response = HttpResponse(data, content_type=PDF)
    name = quote(f"{title_of(edition)}.pdf")
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    return response
