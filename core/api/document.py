"""The API itself, and its OpenAPI document as it really answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from pydantic import BaseModel

from core.api.problems import MEDIA_TYPE, Problem, answer_with_problems, problem
from core.api.reading import StrictParser

READ = (304, 404, 422)
"""What besides 200 a public read answers."""
OWN = (401, 403, 404, 422, 429)
"""What besides 200 a read with a token answers."""
WRITE = (400, 401, 403, 404, 409, 413, 415, 422, 429)
"""What besides success a write answers."""
TOOL = (400, 413, 415, 422, 429)
"""What besides 200 a tool answers."""

_TEXT = {"schema": {"type": "string"}}
_HEADERS: dict[str, dict[str, Any]] = {
    "401": {"WWW-Authenticate": _TEXT},
    "429": {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds"}},
}
_ETAG = {**_TEXT, "description": "Send it back in If-None-Match to be told 304"}
_LINK = {**_TEXT, "description": 'RFC 8288: rel="first", "prev", "next", "last"'}


def answers(model: type[BaseModel], codes: Iterable[int], *, ok: int = 200) -> dict[int, Any]:
    """What an operation answers, for its decorator: `model` where all is well, else problems."""
    return {ok: model, **{code: None if code == 304 else Problem for code in codes}}


class Api(NinjaAPI):
    """An API whose errors are problems and whose document says so."""

    def __init__(self, **told: Any) -> None:
        super().__init__(openapi_url=None, docs_url=None, parser=StrictParser(), **told)
        answer_with_problems(self)

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        found = super()._get_urls()
        for one in found:
            if isinstance(one, URLPattern):
                one.callback = plainly(one.callback)
        return found

    def get_openapi_schema(self, **where: Any) -> OpenAPISchema:
        """The document, with the media type of problems and the headers of answers."""
        document = super().get_openapi_schema(**where)
        for methods in document["paths"].values():
            for operation in methods.values():
                operation["responses"] = {
                    str(status): _as_sent(str(status), answer, operation)
                    for status, answer in operation["responses"].items()
                }
        return document

    def get_openapi_operation_id(self, operation: Any) -> str:
        """The function's own name: it is what clients made from the document call it."""
        return str(operation.view_func.__name__)


def _as_sent(status: str, answer: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    headers = dict(_HEADERS.get(status, {}))
    is_read = any(str(code) == "304" for code in operation["responses"])
    if is_read and status in ("200", "304"):
        headers["ETag"] = _ETAG
    if status == "200" and any(one["name"] == "limit" for one in operation["parameters"]):
        headers["Link"] = _LINK
    if int(status) >= 400 and "content" in answer:
        (content,) = answer["content"].values()
        answer = {**answer, "content": {MEDIA_TYPE: content}}
    return {**answer, **({"headers": headers} if headers else {})}


def plainly(view: Callable[..., Any]) -> Callable[..., HttpResponse]:
    """The view, which answers HEAD as GET without the body, and a method that it does not know
    with a problem that says which it knows."""

    @csrf_exempt
    @wraps(view)
    def show(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        response: HttpResponse = view(request, *args, **kwargs)
        if response.status_code == 405:
            known = {method.strip() for method in response["Allow"].split(",")}
            known |= {"HEAD"} if "GET" in known else set()
            allow = ", ".join(sorted(known))
            sentence = _("这个地址只接受 %(methods)s。") % {"methods": allow}
            response = problem(405, "method-not-allowed", sentence, headers={"Allow": allow})
        if is_head:
            request.method = "HEAD"
            length = len(response.content)
            response.content = b""
            response["Content-Length"] = str(length)
        return response

    return show


def document_view(api: Api) -> Any:
    """A view that gives out the document of `api`, made once a process."""

    @lru_cache(maxsize=1)
    def made(prefix: str) -> bytes:
        document = api.get_openapi_schema(path_prefix=prefix)
        return json.dumps(document, ensure_ascii=False).encode()

    @require_safe
    def show(request: HttpRequest) -> HttpResponse:
        """The OpenAPI document."""
        prefix = request.path.removesuffix("openapi.json")
        response = HttpResponse(made(prefix), content_type="application/json")
        response["Cache-Control"] = "max-age=300"
        return response

    return plainly(show)


@csrf_exempt
def not_found(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The problem for an address that the API does not have."""
    return problem(404, "not-found", _("没有这个地址上的内容，或者还没有公布。"))
