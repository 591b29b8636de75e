"""Every address of the site, by app and audience."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("core.urls")),
    path("", include("tournament.urls")),
    path("", include("scoring.urls")),
]
