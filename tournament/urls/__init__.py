"""Addresses of `tournament`, by audience."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.urls.links")),
    path("", include("tournament.urls.public")),
    path("", include("tournament.urls.registration")),
    path("", include("tournament.urls.organizer")),
    path("", include("tournament.urls.events")),
    path("", include("tournament.urls.checkin")),
    path("", include("tournament.urls.api_tokens")),
]
