"""Every address of the site, by app and audience."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("core.urls")),
    path("", include("tournament.urls")),
    path("", include("scoring.urls")),
]

if settings.DEBUG:
    from scoring.views.styleguide import styleguide

    urlpatterns.append(path("styleguide/", styleguide))
