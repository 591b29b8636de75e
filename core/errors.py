"""Errors of the domain: a stable code, an HTTP status and a sentence for people."""

from __future__ import annotations

from contextvars import ContextVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

last_code: ContextVar[str] = ContextVar("last_code", default="")
"""The code of the last error of this request, which its log line and count tell."""


class DomainError(Exception):
    """An action that cannot be done, and why.

    `code` is stable (pages, API and tests use it); `status` is the HTTP status the API and
    fragments answer with; `message` is one sentence in the user's language (a lazy
    translation) saying what is wrong and what to do.
    """

    code = "invalid"
    status = 400

    def __init__(
        self, message: str | Promise, *, code: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.status = status or self.status
        last_code.set(self.code)

    def __str__(self) -> str:
        return str(self.message)


class TooLarge(DomainError):
    """More was sent than the site takes at once, by a page or by a program."""

    code = "too-large"
    status = 413

    def __init__(self) -> None:
        super().__init__(_("内容太大了，请分几次发。"))


class Conflict(DomainError):
    """Somebody else was faster, or the state is another than the page showed."""

    code = "conflict"
    status = 409
