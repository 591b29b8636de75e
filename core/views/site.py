"""Pages that belong to no part."""

from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET

YEAR_S = 365 * 24 * 3600


@require_GET
def language(request: HttpRequest, code: str) -> HttpResponse:
    """Keeps the language in a cookie and goes back to `?next=`.

    A plain link without a token, so that it can stand in a cached body.
    """
    if code not in dict(settings.LANGUAGES):
        raise Http404(code)
    back = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=YEAR_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_GET
def sheets_worker(request: HttpRequest) -> HttpResponse:
    """The service worker of sheets, from the root so that it may answer for every sheet."""
    found = finders.find("js/sheets.js")
    if found is None:
        raise Http404
    text = Path(found).read_text(encoding="utf-8")
    return HttpResponse(text, content_type="text/javascript", headers={"Cache-Control": "no-cache"})
