"""牌谱库: hands of all published competitions and collected records, looked for by anybody.

Nothing of the viewer is on these pages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import chain
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core import known
from scoring import queries_library as queries
from scoring.forms.library import LibraryForm
from scoring.library_shown import hit_shown, play_shown
from scoring.play_statistics import Play, play_of
from scoring.queries_library import Asked, Open
from scoring.views.tools.limit import too_much
from scoring.views.tools.record_check import found_in
from tournament.models import Competition

View = Callable[[HttpRequest, Open, LibraryForm], HttpResponseBase]
PAGE = 20
MOST_TEXTS = 1000
"""Records in one file."""
MOST_COUNTED = 100_000
"""Hands that statistics are of, the newest."""
COST_TEXTS, COST_COUNTED = 20, 10
"""In units of `core.pace`."""


def asking(cost: int = 1) -> Callable[[View], Callable[[HttpRequest], HttpResponseBase]]:
    """Wraps `(request, found, form)`: within the limit, and a question that can be answered."""

    def wrap(view: View) -> Callable[[HttpRequest], HttpResponseBase]:
        @wraps(view)
        def inner(request: HttpRequest) -> HttpResponseBase:
            refused = too_much(request, cost)
            if refused is not None:
                return refused
            found = queries.open_to_all()
            form = LibraryForm(request.GET, found)
            if not form.is_valid():
                return _page(request, "public/library.html", {"form": form}, status=422)
            return view(request, found, form)

        return inner

    return wrap


@require_safe
@asking()
def show_library(request: HttpRequest, found: Open, form: LibraryForm) -> HttpResponse:
    """The hands that fit, newest first; `?before=` goes on after the last one shown."""
    rows = queries.hands(found, form.asked)
    before = request.GET.get("before", "")
    is_later = before.isdecimal() and len(before) < 16
    if is_later:
        rows = rows.filter(pk__lt=int(before))
    page = list(rows[: PAGE + 1])
    more = len(page) > PAGE
    query = form.query
    hits = [hit_shown(found, hit) for hit in queries.hits(found, page[:PAGE])]
    context = {
        "form": form,
        "query": query,
        "is_asked": bool(query),
        "is_later": is_later,
        "hits": hits,
        "may_have_records": more or any(hit["is_record"] for hit in hits),
        "next": page[PAGE - 1].pk if more else None,
        "most_texts": MOST_TEXTS,
    }
    return _page(request, "public/library.html", context)


@require_safe
@asking(COST_COUNTED)
def show_statistics(request: HttpRequest, found: Open, form: LibraryForm) -> HttpResponse:
    """How the hands that fit were played; computed once a version."""
    asked = form.asked
    counted = known.recall(_key(found, asked), lambda: _count(found, asked))
    assert counted is not None
    play, spread, is_more = counted
    context = play_shown(play, spread) | {
        "query": form.query,
        "form": form,
        "is_more": is_more,
        "most": MOST_COUNTED,
    }
    return _page(request, "public/library_statistics.html", context)


def _key(found: Open, asked: Asked) -> str:
    """The question, and everything that is open to all."""
    told = repr((asked, sorted(found.competitions.values()), sorted(found.collections)))
    return f"library:{hashlib.sha256(told.encode()).hexdigest()}"


def _count(found: Open, asked: Asked) -> known.Found[tuple[Play, dict[int, int], bool]]:
    scopes = [*queries.scopes_of(found), *(Competition(pk=pk).scope for pk in found.competitions)]
    groups, spread, is_more = queries.groups(queries.hands(found, asked), MOST_COUNTED)
    return known.Found((play_of(groups), spread, is_more), scopes)


@require_safe
@asking(COST_TEXTS)
def library_file(request: HttpRequest, found: Open, form: LibraryForm) -> HttpResponseBase:
    """The records among the hands that fit as ZPR; not found where there is none."""
    texts = queries.texts(found, queries.hands(found, form.asked), MOST_TEXTS)
    return _attached(texts, "library.zpr")


@require_safe
def show_record(request: HttpRequest, pk: int) -> HttpResponse:
    """A record that was uploaded, `?step=` opened."""
    refused = too_much(request)
    if refused is not None:
        return refused
    record = queries.public_record(pk)
    if record is None:
        raise Http404(pk)
    asked = request.GET.get("step", "")
    step = int(asked) if asked.isdecimal() and len(asked) < 6 else 0
    context = found_in(record.text, 1, step) | {
        "record": record,
        "as_buttons": False,
        "step_url": "?step=",
    }
    return _page(request, "public/library_record.html", context)


@require_safe
def record_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Its ZPR."""
    record = queries.public_record(pk)
    if record is None:
        raise Http404(pk)
    return _attached(iter([record.text]), f"record-{pk}.zpr")


def _attached(texts: Iterator[str], name: str) -> HttpResponseBase:
    """A file sent as it is read; the first piece tells whether there is one."""
    first = next(texts, None)
    if first is None:
        raise Http404(name)
    response = StreamingHttpResponse(
        chain([first], texts), content_type="text/plain; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-cache"
    return response


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    response = render(request, template, context, status=status)
    response["Cache-Control"] = "no-cache"
    return response
