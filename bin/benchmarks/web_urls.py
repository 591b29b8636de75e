"""The site's addresses, a bare view behind the full middleware, and a count of renderings."""

import os
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path

from core import bodies

_rendered: list[str] = []
_compressed = bodies._compressed


def _counted(version: str, html: str) -> bodies.Body:
    _rendered.append(version)
    return _compressed(version, html)


bodies._compressed = _counted


def bare(_request: HttpRequest) -> HttpResponse:
    """The least that a view can do."""
    return HttpResponse("ok")


def rendered(_request: HttpRequest) -> HttpResponse:
    """This process and how many bodies it has rendered."""
    return JsonResponse({"process": os.getpid(), "rendered": len(_rendered)})


urlpatterns: list[Callable[..., HttpResponse]] = [
    path("bench/bare/", bare),
    path("bench/rendered/", rendered),
    path("", include("config.urls")),
]
