"""Requests by chance over every address of the site, and what must hold of each answer.

Request number n of a world is made of `Random(f"{seed} {state} {n}")` alone, so that any one
comes again.
"""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http.cookies import SimpleCookie
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from core.refusals import readable_type
from core.views.probes import PROBES
from tests.api.callers import token_of
from tests.api.rights import OPERATIONS
from tests.faults.pages import forms_of
from tests.faults.strange import (
    CHARSETS,
    COOKIES,
    HEADERS,
    MARK,
    QUERIES,
    RAW,
    Pairs,
    bent,
    json_body,
    json_value,
    quoted,
    text,
)
from tests.rights import LIST
from tests.test_rights import address, undone
from tests.worlds import World

ROOT = Path(__file__).resolve().parents[2]
APPS = ("core", "tournament", "scoring")
BY_CODE = re.compile(r"(?:GET|POST)(?:\.get(?:list)?\(|\[)\"(\w+)\"")
ARGUMENT = re.compile(r"<(?:(\w+):)?(\w+)>")
METHODS = ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW")
SCHEMES = ("application/json", "text/plain", "application/xml", "", "x", "multipart/form-data")
BOUNDARY = "fuzz-0"


@dataclass(frozen=True)
class Shot:
    """A request: everything that is sent, and by whom."""

    role: str
    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    cookies: str = ""
    sender: str = "10.0.0.1"


def routes() -> list[tuple[str, str]]:
    """Every address of the site: its name and its pattern as one text."""
    return list(_routes(get_resolver(), ""))


def _routes(resolver: URLResolver, before: str) -> Iterator[tuple[str, str]]:
    for entry in resolver.url_patterns:
        here = before + str(entry.pattern)
        if isinstance(entry, URLPattern):
            here = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"<\1>", here)
            yield str(entry.name), here.replace("^", "").removesuffix("$").removesuffix("\\Z")
        else:
            yield from _routes(entry, here)


@cache
def field_names() -> tuple[str, ...]:
    """Whatever any view or form reads."""
    sources = chain.from_iterable((ROOT / app).rglob("*.py") for app in APPS)
    found = {name for path in sources for name in BY_CODE.findall(path.read_text("utf-8"))}
    waiting = list(forms.BaseForm.__subclasses__())
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if one.__module__.split(".")[0] in (*APPS, "allauth"):
            found |= set(getattr(one, "base_fields", {}))
    return tuple(sorted(found))


@dataclass
class Fuzz:
    """Asks one world, and counts what is answered."""

    world: World
    seed: str
    answers: Counter[int] = field(default_factory=Counter)
    asked: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._routes = routes()
        made = self.world.made
        self._tokens = [token_of(made.owner, made.competition)]
        self._cookies = {role: dict(c.cookies) for role, c in self.world.clients.items()}

    def run(self, count: int, first: int = 0) -> None:
        """Asks `count` requests; those needed to see a form are not counted."""
        for number in range(first, first + count):
            random = Random(f"{self.seed} {self.world.state} {number}")
            with undone():
                name, shot = self._shot(random)
                self.asked.add(name)
                wrong = self._wrong(shot)
            if wrong:
                where = f"#{number} of {self.world.state}, seed {self.seed}: {name}"
                self.faults.append(f"{where}\n{shot!r:.3000}\n{wrong}")

    def _shot(self, random: Random) -> tuple[str, Shot]:
        name, pattern = random.choice(self._routes)
        role = random.choice(list(self.world.clients))
        path = self._path(random, name, pattern)
        method = random.choices(("GET", "POST", *METHODS), (9, 11, *[0.4] * len(METHODS)))[0]
        shot: dict[str, Any] = {"role": role, "path": path, "method": method}
        if path.startswith("/api/v1/"):
            shot |= self._program(random, name)
        elif method != "GET" or random.random() < 0.5:
            shot |= self._form(random, name, role, path)
            shot["method"] = method
        if random.random() < 0.5:
            names = field_names() if random.random() < 0.5 else QUERIES
            words = [
                f"{quoted(random, random.choice(names))}={quoted(random, text(random))}"
                for _ in range(random.randrange(1, 5))
            ]
            shot["query"] = "&".join([*filter(None, [shot.get("query", "")]), *words])[:20_000]
        if random.random() < 0.3:
            chosen = random.sample(sorted(HEADERS), random.randrange(1, 5))
            more = {one: random.choice(HEADERS[one]) for one in chosen}
            shot["headers"] = {**shot.get("headers", {}), **more}
        if random.random() < 0.08:
            shot["cookies"] = random.choice(COOKIES)
        shot["sender"] = "10." + ".".join(str(random.randrange(250)) for _ in range(3))
        return name, Shot(**shot)

    def _path(self, random: Random, name: str, pattern: str) -> str:
        """An address that is there, or one whose arguments are anything."""
        kind = random.random()
        if kind < 0.6 and name in LIST:
            return address(name, LIST[name], self.world)
        if kind < 0.6 and name in OPERATIONS:
            return "/api/v1" + OPERATIONS[name].address(self.world)
        told = "/" + ARGUMENT.sub(lambda found: self._argument(random, found[1], found[2]), pattern)
        if kind > 0.98:
            told += random.choice(("%00", "%ff", "%ed%a0%80", "%0d%0aX:y", "//", "..", "%2e%2e/"))
        return told

    def _argument(self, random: Random, converter: str | None, name: str) -> str:
        is_number = converter == "int" or name not in ("code", "token", "name", "kind", "rest")
        if random.random() < 0.3:
            return quoted(random, text(random)[:3000]) or "0"
        if is_number:
            keys = [*self.world.ids.values(), self.world.entry_id, 0, 1, 2, 3, 2**31, 2**63, 10**30]
            return str(random.choice(keys))
        if name == "code" and random.random() < 0.8:
            return self.world.competition.code
        words = ("rota", "sheets", "csv", "xlsx", "blank", "filled", "en", "x", "0")
        return random.choice((self.world.token, *words))

    def _program(self, random: Random, name: str) -> dict[str, Any]:
        """JSON with a token, or nearly."""
        operation = OPERATIONS.get(name)
        method = random.choice(("GET", "POST"))
        body = operation.data(self.world) if operation else None
        value = body or {"cards": "一二三", "rules": "competition", "hand": {}, "text": "x"}
        kind = random.random()
        token = "" if kind < 0.15 else self._tokens[0]
        headers = dict(operation.headers) if operation else {}
        return {
            "role": ".",
            "method": operation.method if operation and kind < 0.85 else method,
            "body": json_body(random, value),
            "content_type": "application/json" if kind < 0.95 else self._content_type(random),
            "headers": {**headers, **({"Authorization": f"Bearer {token}"} if token else {})},
        }

    def _form(self, random: Random, name: str, role: str, path: str) -> dict[str, Any]:
        """What a page's form would send there, bent."""
        pairs: Pairs = []
        row = LIST.get(name)
        if row and random.random() < 0.5:
            data = row.data(self.world) if callable(row.data) else row.data
            pairs = [pair for key, value in data.items() for pair in _sent(key, value)]
        if not pairs:
            shown = self._send(Shot(role, "GET", path))
            if isinstance(shown, HttpResponse) and shown["Content-Type"].startswith("text/html"):
                found = forms_of(shown.content.decode())
                if found:
                    chosen = random.choice(found)
                    pairs = chosen.pairs
                    if chosen.method == "GET":
                        return {"query": _urlencoded(random, bent(random, pairs, field_names()))}
        pairs = bent(random, pairs, field_names())
        kind = random.random()
        if kind < 0.04:
            body = json_body(random, json_value(random))
            return {"body": body, "content_type": "application/json"}
        if kind < 0.08:
            return {"body": random.choice(RAW) * 3, "content_type": self._content_type(random)}
        if kind < 0.4 or any(isinstance(value, tuple) for _name, value in pairs):
            return _multipart(random, pairs)
        return {
            "body": _urlencoded(random, pairs).encode(),
            "content_type": "application/x-www-form-urlencoded",
        }

    def _content_type(self, random: Random) -> str:
        kind = random.choice((*SCHEMES, "application/x-www-form-urlencoded"))
        more = (
            "",
            f"; charset={random.choice(CHARSETS)}",
            "; boundary=",
            "; boundary=" + "x" * 300,
            "; boundary=\xe9",
            "; a*=foo''%41",
            "; charset*=hex''%ff",
        )
        return kind + random.choice(more)

    def _send(self, shot: Shot) -> HttpResponseBase | str:
        """The answer, read to its end, or what was raised."""
        client: Client = self.world.clients[shot.role]
        client.cookies = SimpleCookie(self._cookies[shot.role])
        extra: dict[str, Any] = {"REMOTE_ADDR": shot.sender, "QUERY_STRING": shot.query}
        if shot.cookies:
            held = "; ".join(f"{key}={one.value}" for key, one in client.cookies.items())
            both = shot.cookies.startswith(("csrf", "links", "django"))
            extra["HTTP_COOKIE"] = f"{held}; {shot.cookies}" if both else shot.cookies
            client.cookies = SimpleCookie()
        for header, value in shot.headers.items():
            extra[f"HTTP_{header.upper().replace('-', '_')}"] = value
        try:
            answer = client.generic(
                shot.method,
                shot.path,
                shot.body,
                content_type=readable_type(shot.content_type),
                **extra,
            )
            if isinstance(answer, StreamingHttpResponse):
                b"".join(answer)  # type: ignore[arg-type]
            return answer
        except Exception:
            return traceback.format_exc()

    def _wrong(self, shot: Shot) -> str:
        """What does not hold of the answer; empty where all does."""
        answer = self._send(shot)
        if isinstance(answer, str):
            return answer
        self.answers[answer.status_code] += 1
        for check in CHECKS if shot.path not in PROBES else OF_PROBES:
            found = check(shot, answer)
            if found:
                return f"{answer.status_code}: {found}"
        return ""


def _sent(name: str, value: object) -> Pairs:
    """A value of a row as fields of a form."""
    if isinstance(value, SimpleUploadedFile):
        value.seek(0)
        return [(name, (str(value.name), value.read()))]
    many = value if isinstance(value, (list, tuple)) else [value]
    return [(name, str(one)) for one in many]


def _urlencoded(random: Random, pairs: Pairs) -> str:
    told = [(name, value if isinstance(value, str) else "file") for name, value in pairs]
    return "&".join(f"{quoted(random, name)}={quoted(random, value)}" for name, value in told)


def _multipart(random: Random, pairs: Pairs) -> dict[str, Any]:
    """The fields as multipart, its headers now and then odd."""
    body = b""
    for name, value in pairs:
        file_name, content = value if isinstance(value, tuple) else ("", str(value).encode())
        told = f'form-data; name="{name}"'
        if isinstance(value, tuple):
            told += f'; filename="{file_name}"'
        if random.random() < 0.03:
            told += random.choice(("; filename*=hex''%41", "; name*=foo''%41", '; x="', ";;="))
        odd = random.choice(
            ("", "", "", "", "Content-Type: text/plain; charset=hex\r\n", "Content-Type:\r\n",
             "Content-Transfer-Encoding: base64\r\n", "Content-Length: -1\r\n", ":\r\n")
        )  # fmt: skip
        head = f"--{BOUNDARY}\r\nContent-Disposition: {told}\r\n{odd}\r\n"
        body += head.encode("utf-8", "replace") + content + b"\r\n"
    body += f"--{BOUNDARY}--\r\n".encode()
    if random.random() < 0.04:
        body = body[: random.randrange(len(body))]
    charset = f"; charset={random.choice(CHARSETS)}" if random.random() < 0.05 else ""
    return {"body": body, "content_type": f"multipart/form-data{charset}; boundary={BOUNDARY}"}


def _content(answer: HttpResponseBase) -> bytes:
    return answer.content if isinstance(answer, HttpResponse) else b""


def _is_no_failure(shot: Shot, answer: HttpResponseBase) -> str:
    return "a failure" if answer.status_code >= 500 else ""


def _refusal_says_why(shot: Shot, answer: HttpResponseBase) -> str:
    """A page or fragment with a sentence, a problem, or a line of text."""
    if not 400 <= answer.status_code < 500 or shot.method == "HEAD":
        return ""
    kind, content = answer.get("Content-Type", ""), _content(answer).decode()
    if kind == "application/problem+json":
        return "" if '"detail"' in content else "a problem without a sentence"
    if shot.path.startswith("/api/v1/"):
        return f"no problem but {kind}"
    if kind.startswith("text/html"):
        said = re.sub(r"<style.*?</style>|<[^>]*>", " ", content, flags=re.S).strip()
        is_said = re.search(r"[\u4e00-\u9fff]|\w+ \w+ \w+", said)
        return "" if is_said else f"no sentence: {content[:200]!r}"
    if kind.startswith(("application/json", "text/plain")):
        return "" if content.strip() else "nothing said"
    return f"a refusal in {kind or 'no type'}"


def _nothing_is_a_tag(shot: Shot, answer: HttpResponseBase) -> str:
    kind = answer.get("Content-Type", "")
    is_code = kind.startswith(("text/html", "image/svg", "application/xml", "text/xml"))
    return "a tag from outside" if is_code and MARK.encode() in _content(answer) else ""


def _leads_nowhere_else(shot: Shot, answer: HttpResponseBase) -> str:
    to = answer.get("Location", "")
    parts = urlsplit(to)
    is_here = not parts.scheme and not parts.netloc and not to.startswith(("//", "/\\"))
    return "" if is_here else f"leads to {to}"


def _has_its_headers(shot: Shot, answer: HttpResponseBase) -> str:
    missing = [
        name
        for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy")
        if name not in answer
    ]
    return f"without {missing}" if missing else ""


CHECKS: tuple[Callable[[Shot, HttpResponseBase], str], ...] = (
    _is_no_failure,
    _refusal_says_why,
    _nothing_is_a_tag,
    _leads_nowhere_else,
    _has_its_headers,
)
OF_PROBES = (_is_no_failure,)
"""Machines read no sentence and run no page."""
