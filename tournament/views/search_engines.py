"""What search engines are told: which addresses are private, and which pages there are."""

from __future__ import annotations

from html import escape

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.models import Competition

PRIVATE = (
    "/accounts/", "/operator/", "/manage/", "/l/", "/i/", "/c/*/manage/", "/c/*/desk/", "/c/*/my/",
    "/c/*/protests/", "/c/*/round/", "/c/*/call/", "/c/*/check-in/",
    "/c/*/table/*/sheet/", "/c/*/live/", "/c/*/*/live/", "/c/*/screen/",
)  # fmt: skip
"""Paths behind a role or a link, and pieces of pages; none names a competition."""
MOST = 5_000
"""The most competitions in the map: with their events well below the 50,000 addresses a map may
have."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt (RFC 9309)."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE)]
    lines.append(f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """sitemap.xml: the home page, published competitions and their brackets and standings; no
    person's page. Two queries."""
    shown = (
        Competition.objects.filter(published_at__isnull=False)
        .prefetch_related("events")
        .order_by("-starts_on", "-pk")[:MOST]
    )
    paths = [reverse(name) for name in ("home", "verify_draw", "calculator", "record_check")]
    for competition in shown:
        paths += [reverse(name, args=[competition.code]) for name in ("competition", "entrants")]
        for event in competition.events.all():
            paths += [
                reverse(name, args=[competition.code, event.pk])
                for name in ("bracket", "standings", "draws")
            ]
    found = "".join(
        f"<url><loc>{escape(request.build_absolute_uri(path))}</loc></url>\n" for path in paths
    )
    return HttpResponse(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{found}</urlset>\n',
        content_type="application/xml; charset=utf-8",
    )
