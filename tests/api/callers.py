"""Programs that ask the API: with a token or none, in JSON, without cookies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client

from tournament.acting import Acting
from tournament.domain.api_tokens import make_token
from tournament.enums import ApiScope
from tournament.models import Competition

ROOT = "/api/v1"
EVERYTHING = frozenset(ApiScope)


def token_of(
    acting: Acting, competition: Competition, *scopes: ApiScope, label: str = "试用"
) -> str:
    """A token that is good for a week, for everything unless told."""
    made = make_token(
        acting=acting,
        competition=competition,
        label=label,
        scopes=scopes or EVERYTHING,
        days=7,
    )
    return made.token


@dataclass
class Caller:
    """A program with this token; it keeps no cookies, and nobody exempts it from CSRF."""

    token: str = ""
    language: str = "zh-hans"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """The answer; `If_Match="1"` is sent as If-Match."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent["Accept-Language"] = self.language
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        told: dict[str, Any] = {}
        if body is not None:
            told = {"data": json.dumps(body), "content_type": "application/json"}
        client = Client(enforce_csrf_checks=True)
        answer = client.generic(method, ROOT + path, headers=sent, **told)
        assert isinstance(answer, HttpResponse)
        assert not answer.cookies
        return answer

    def get(self, path: str, **headers: str) -> HttpResponse:
        """The answer to a read."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """The answer to a write."""
        return self.ask("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """The answer to a correction."""
        return self.ask("PUT", path, body, **headers)


def said(answer: HttpResponse) -> Any:
    """The JSON of an answer."""
    return json.loads(answer.content)
