"""Rendered, compressed bodies by version, and the answers to polls (stack facts 1 and 2).

A public page or fragment is rendered once for a version, language and process; everyone else
gets the bytes. Bodies hold nothing of the viewer: no name, role, token or nonce.
"""

from __future__ import annotations

import gzip
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import brotli  # type: ignore[import-untyped]
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from core.domain import versions

RENDER_EVERY_S = 2.0
MAX_BODIES = 512


@dataclass(frozen=True)
class Body:
    """One rendered body: the version it shows and its bytes, plain and compressed."""

    version: str
    plain: bytes
    brotli: bytes
    made_at: float

    @cached_property
    def gzip(self) -> bytes:
        """For browsers that ask without brotli, as over plain http; made when first asked for."""
        return gzip.compress(self.plain, 6, mtime=0)


class _Slot:
    """What one process knows of one fragment in one language."""

    def __init__(self) -> None:
        self.rendering = threading.Lock()
        self.body: Body | None = None


_slots: OrderedDict[tuple[str, str], _Slot] = OrderedDict()
_slots_lock = threading.Lock()


def version_of(scopes: Sequence[str]) -> str:
    """The version of a page that shows these scopes, as polls carry it: `12-3`."""
    return "-".join(str(number) for number in versions.current(scopes))


def body(fragment: str, scopes: Sequence[str], render: Callable[[str], str]) -> Body:
    """The body of `fragment` (a name with its ids: `bracket:7`) in the active language.

    `render` gets the version as text and returns the HTML. At most one thread renders; the
    others get the previous body, or wait where there is none. A body younger than 2 s is
    given out even where a newer version exists.
    """
    slot = _slot(fragment)
    version = version_of(scopes)
    known = slot.body
    if known is not None and _good_enough(known, version):
        return known
    if not slot.rendering.acquire(blocking=known is None):
        assert known is not None
        return known
    try:
        known = slot.body
        if known is None or not _good_enough(known, version):
            version = version_of(scopes)
            known = slot.body = _compressed(version, render(version))
        return known
    finally:
        slot.rendering.release()


def respond(
    request: HttpRequest,
    fragment: str,
    scopes: Sequence[str],
    render: Callable[[str], str],
    *,
    over: bool = False,
) -> HttpResponse:
    """A page or fragment from its body; the answer to a poll where `?v=` is given.

    A poll whose version is current gets 204, or 286 without a swap once the event is `over`
    (htmx then stops polling); any other the body. Where that is not the newest yet, X-Again
    says after how many seconds it is worth asking again.
    """
    asked = request.GET.get("v")
    newest = version_of(scopes)
    if asked == newest:
        return _unchanged(over)
    shown = body(fragment, scopes, render)
    if asked == shown.version:
        response = _unchanged(over=False)
    else:
        response = encoded(request, shown)
        if asked is not None and over and shown.version == newest:
            response.status_code = 286
    if shown.version != newest:
        response["X-Again"] = str(math.ceil(RENDER_EVERY_S))
    return response


def encoded(request: HttpRequest, shown: Body) -> HttpResponse:
    """The body as this client can read it, with what caches have to know."""
    accepted = request.headers.get("Accept-Encoding", "")
    if "br" in accepted:
        response = HttpResponse(shown.brotli, headers={"Content-Encoding": "br"})
    elif "gzip" in accepted:
        response = HttpResponse(shown.gzip, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(shown.plain)
    return _told(response, shown.version)


def encoded_now(request: HttpRequest, version: str, plain: bytes) -> HttpResponse:
    """The same for bytes cut out of a body for this answer alone."""
    accepted = request.headers.get("Accept-Encoding", "")
    if "br" in accepted:
        content = brotli.compress(plain, quality=5)
        response = HttpResponse(content, headers={"Content-Encoding": "br"})
    elif "gzip" in accepted:
        content = gzip.compress(plain, 6, mtime=0)
        response = HttpResponse(content, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(plain)
    return _told(response, version)


def _told(response: HttpResponse, version: str) -> HttpResponse:
    response["Cache-Control"] = "no-cache"
    response["X-Version"] = version
    patch_vary_headers(response, ("Accept-Encoding", "Accept-Language", "Cookie"))
    return response


def forget() -> None:
    """Empties this process's bodies (tests)."""
    with _slots_lock:
        _slots.clear()


def _slot(fragment: str) -> _Slot:
    key = (fragment, get_language() or "")
    with _slots_lock:
        slot = _slots.setdefault(key, _Slot())
        _slots.move_to_end(key)
        if len(_slots) > MAX_BODIES:
            _slots.popitem(last=False)
        return slot


def _good_enough(known: Body, version: str) -> bool:
    return known.version == version or time.monotonic() - known.made_at < RENDER_EVERY_S


def _compressed(version: str, html: str) -> Body:
    plain = html.encode()
    return Body(
        version=version,
        plain=plain,
        brotli=brotli.compress(plain, quality=5),
        made_at=time.monotonic(),
    )


def _unchanged(over: bool) -> HttpResponse:
    if over:
        return HttpResponse(status=286, headers={"HX-Reswap": "none"})
    return HttpResponse(status=204)
