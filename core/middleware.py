"""A domain error that no view caught becomes a page with its sentence and status; so does a
database that cannot answer."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from core.errors import DomainError
from core.faults import is_outage
from core.refusals import refuse
from core.views.errors import away


class DomainErrorMiddleware:
    """Views catch the errors their form can show; everything else ends here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The error's page (`error.html`), or its fragment for htmx; 503 in an outage of the
        database; None for other errors.
        """
        if is_outage(error):
            return away(request, error)
        if not isinstance(error, DomainError):
            return None
        return refuse(request, error)
