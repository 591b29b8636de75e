"""Answers that are the same for everybody: rendered once a version, with ETag, in pages.

The bodies are those of `core.bodies`; the body of a list holds one item a line, so that any page
of it is cut out of what is there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from pydantic import BaseModel, Field

from core import bodies

Row = TypeVar("Row", bound=Model)
JSON = "application/json"
FORM = 1
"""Raised when answers change their form, so that nobody keeps an old one."""
VARY = ("Accept-Encoding", "Accept-Language", "Cookie")


class Paged(BaseModel):
    """A page of a list."""

    page: int = Field(description="From 1")
    pages: int
    limit: int
    count: int = Field(description="Items on all pages")


def cached(
    request: HttpRequest, fragment: str, scopes: Sequence[str], make: Callable[[], BaseModel]
) -> HttpResponse:
    """One thing as JSON; 304 to who has it."""
    found = _unless_known(
        request, fragment, scopes, lambda _version: make().model_dump_json(), part=""
    )
    if isinstance(found, HttpResponse):
        return found
    response = bodies.encoded(request, found)
    return _headed(response, _tag(fragment, found.version, ""))


def listed(
    request: HttpRequest,
    fragment: str,
    scopes: Sequence[str],
    make: Callable[[], Iterable[BaseModel]],
    *,
    page: int,
    limit: int,
) -> HttpResponse:
    """A page of a list in stable order; 304 to who has it. Raises `Http404` for a page that is
    not there; the first always is."""
    part = f"{page}/{limit}"
    found = _unless_known(
        request, fragment, scopes, lambda _version: "\n".join(map(_line, make())), part=part
    )
    if isinstance(found, HttpResponse):
        return found
    lines = found.plain.split(b"\n") if found.plain else []
    items = lines[(page - 1) * limit : page * limit]
    content = _paged(items, len(lines), page, limit)
    response = bodies.encoded_now(request, found.version, content)
    response["Link"] = _links(request, len(lines), page, limit)
    return _headed(response, _tag(fragment, found.version, part))


def paged(
    request: HttpRequest,
    found: QuerySet[Row],
    make: Callable[[Row], BaseModel],
    *,
    page: int,
    limit: int,
) -> HttpResponse:
    """A page of a list that is for who asks alone, and therefore kept nowhere: only its rows are
    read. Raises `Http404` as `listed`."""
    count = found.count()
    lines = [_line(make(row)).encode() for row in found[(page - 1) * limit : page * limit]]
    response = HttpResponse(_paged(lines, count, page, limit), content_type=JSON)
    response["Link"] = _links(request, count, page, limit)
    response["Cache-Control"] = "no-store"
    return response


def plain(made: BaseModel, *, status: int = 200) -> HttpResponse:
    """One thing for who asks alone."""
    response = HttpResponse(made.model_dump_json(), status=status, content_type=JSON)
    response["Cache-Control"] = "no-store"
    return response


def _line(item: BaseModel) -> str:
    return item.model_dump_json()


def _paged(items: Sequence[bytes], count: int, page: int, limit: int) -> bytes:
    pages = max(1, -(-count // limit))
    if page > pages:
        raise Http404(page)
    head = f'"page":{page},"pages":{pages},"limit":{limit},"count":{count}'
    return b'{"items":[' + b",".join(items) + b"]," + head.encode() + b"}"


def _links(request: HttpRequest, count: int, page: int, limit: int) -> str:
    """RFC 8288: `<…?page=2&limit=50>; rel="next"`, and so on."""
    pages = max(1, -(-count // limit))
    wanted = {"first": 1, "prev": page - 1, "next": page + 1, "last": pages}
    return ", ".join(
        f'<{request.path}?page={number}&limit={limit}>; rel="{name}"'
        for name, number in wanted.items()
        if 1 <= number <= pages
    )


def _unless_known(
    request: HttpRequest,
    fragment: str,
    scopes: Sequence[str],
    render: Callable[[str], str],
    *,
    part: str,
) -> bodies.Body | HttpResponse:
    asked = request.headers.get("If-None-Match", "")
    tag = _tag(fragment, bodies.version_of(scopes), part)
    if tag in asked:
        return _unchanged(tag)
    found = bodies.body(fragment, scopes, render)
    tag = _tag(fragment, found.version, part)
    return _unchanged(tag) if tag in asked else found


def _unchanged(tag: str) -> HttpResponse:
    response = HttpResponse(status=304)
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, VARY)
    del response["Content-Type"]
    response["ETag"] = tag
    return response


def _headed(response: HttpResponse, tag: str) -> HttpResponse:
    response["Content-Type"] = JSON
    response["ETag"] = tag
    return response


def _tag(fragment: str, version: str, part: str) -> str:
    """Weak, as the same answer is sent with and without compression."""
    text = f"{FORM} {fragment} {version} {part} {get_language()}"
    return f'W/"{hashlib.sha256(text.encode()).hexdigest()[:20]}"'
