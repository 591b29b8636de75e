"""A phone's side of HTTP: one connection kept alive, cookies, no more work than needed.

Load and server share the machine's cores, so this is bare asyncio and reads just what the site
sends: every answer has a Content-Length.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import time
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KEPT_S = 5.0
"""How long a connection that rested is trusted with a POST, which must not be sent twice."""


class Lost(Exception):
    """No answer came: nobody listens, the connection broke off, or it took too long."""


@dataclass(frozen=True)
class Answer:
    """One HTTP answer; the names of headers in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body of a page or fragment."""
        is_packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if is_packed else self.body).decode()

    def json(self) -> Any:
        """The answer for scripts."""
        return json.loads(self.text)

    @property
    def is_json(self) -> bool:
        """Whether it is an answer for scripts."""
        return self.headers.get("content-type", "").startswith("application/json")


class Phone:
    """One connection at a time, opened again where the server has closed it."""

    def __init__(self, port: int, *, encoding: str = "gzip, br", patience: float = 60.0) -> None:
        self.port, self.encoding, self.patience = port, encoding, patience
        self.cookies: dict[str, str] = {}
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.rested_from = 0.0

    async def get(self, path: str, **headers: str) -> Answer:
        """A page; asked for twice where a kept connection turns out to be closed. Raises `Lost`."""
        if self.streams is not None:
            try:
                return await self._ask("GET", path, b"", headers)
            except Lost:
                pass
        return await self._ask("GET", path, b"", headers)

    async def post(self, path: str, fields: Mapping[str, object], **headers: str) -> Answer:
        """A form, sent once. Raises `Lost`, after which nobody knows whether it was done."""
        if time.monotonic() - self.rested_from > KEPT_S:
            self.hang_up()
        given = {name: value for name, value in fields.items() if value is not None}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return await self._ask(
            "POST", path, urllib.parse.urlencode(given).encode(), {**kind, **headers}
        )

    async def upload(self, path: str, fields: Mapping[str, str], name: str, data: bytes) -> Answer:
        """A form with one file. Raises `Lost`."""
        self.hang_up()
        edge = "----duozhu0123456789"
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in fields.items()
        ]
        parts.append(
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}.zpr"\r\n'
            "Content-Type: text/plain\r\n\r\n"
        )
        body = "".join(parts).encode() + data + f"\r\n--{edge}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        return await self._ask("POST", path, body, kind)

    def hang_up(self) -> None:
        """The next request opens a connection."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None

    async def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        try:
            async with asyncio.timeout(self.patience):
                if self.streams is None:
                    self.streams = await asyncio.open_connection("127.0.0.1", self.port)
                answer = await self._exchange(*self.streams, method, path, body, headers)
        except (OSError, EOFError, TimeoutError, ValueError, IndexError) as error:
            self.hang_up()
            raise Lost(f"{method} {path}: {error!r}") from error
        except asyncio.CancelledError:
            self.hang_up()
            raise
        self.rested_from = time.monotonic()
        return answer

    async def _exchange(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        method: str,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
    ) -> Answer:
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: localhost",
            f"Accept-Encoding: {self.encoding}",
            "Accept-Language: zh-CN",
        ]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        found: dict[str, str] = {}
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
            found[name.lower()] = value
        content = await reader.readexactly(int(found.get("content-length", 0)))
        if found.get("connection", "").lower() == "close":
            self.hang_up()
        return Answer(status, found, content)
