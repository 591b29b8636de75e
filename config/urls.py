"""Every address of the site, by app and audience."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

# Addresses are tried in order: what spectators poll stands first.
urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("scoring.urls")),
    path("", include("tournament.urls")),
    path("", include("core.urls")),
    path("api/v1/", include("config.api")),
]

handler400 = "core.refusals.bad_request"

if settings.DEBUG:
    from scoring.views.styleguide import styleguide

    urlpatterns.append(path("styleguide/", styleguide))
