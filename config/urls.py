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
handler403 = "core.views.errors.forbidden"
handler404 = "core.views.errors.absent"
handler429 = "core.views.errors.too_often"
handler500 = "core.views.errors.broken"

if settings.DEBUG:
    from scoring.views.styleguide import styleguide

    urlpatterns.append(path("styleguide/", styleguide))
