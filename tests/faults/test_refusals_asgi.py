"""What a request says of its text is looked at under ASGI too, before Django fails at it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config.asgi import application

HALVES = ["multipart/form-data; boundary=x", " y; charset=hex"]


def ask(*content_types: str, path: str = "/accounts/login/") -> tuple[int, str]:
    """Status and body of the answer to an empty POST, as a server asks the site."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"testserver")]
        + [(b"content-type", one.encode("latin-1")) for one in content_types],
        "client": ("10.0.0.1", 1),
        "server": ("testserver", 80),
    }

    async def talk() -> None:
        told = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if told.is_set():
                await asyncio.Event().wait()
            told.set()
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await application(scope, receive, send)

    asyncio.run(talk())
    return sent[0]["status"], b"".join(one.get("body", b"") for one in sent).decode()


@pytest.mark.parametrize(
    "content_types",
    [
        ["text/plain; a*=foo''%41"],
        ["application/x-www-form-urlencoded; charset=hex"],
        ["multipart/form-data; charset=utf-7; boundary=x"],
        HALVES,
    ],
)
def test_encoding_that_python_might_know_is_refused_before_it_is_tried(
    content_types: list[str],
) -> None:
    status, page = ask(*content_types)
    assert status == 415
    assert "内容要用 UTF-8 编码。" in page
    status, problem = ask(*content_types, path="/api/v1/score")
    assert status == 415
    assert '"code": "wrong-charset"' in problem


@pytest.mark.parametrize(
    "content_types",
    [[], ["application/x-www-form-urlencoded"], ["text/plain; charset=utf-8"]],
)
def test_forms_in_utf_8_get_through(content_types: list[str]) -> None:
    """To the check of their token, which they have not."""
    status, page = ask(*content_types)
    assert status == 403
    assert "这张表单过期了" in page
