"""Pages that belong to no part."""

from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET

YEAR_S = 365 * 24 * 3600


def healthz(request: HttpRequest) -> HttpResponse:
    """`ok` while the process serves and its database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok", content_type="text/plain")


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
        samesite="Lax",
    )
    return response
