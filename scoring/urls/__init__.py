"""Addresses of `scoring`, by audience."""

from django.urls import include, path

urlpatterns = [
    path("", include("scoring.urls.public")),
    path("", include("scoring.urls.screen")),
    path("", include("scoring.urls.tools")),
    path("", include("scoring.urls.library")),
    path("", include("scoring.urls.referee")),
    path("", include("scoring.urls.floor")),
    path("", include("scoring.urls.undoing")),
    path("", include("scoring.urls.verdicts")),
    path("", include("scoring.urls.rejudge")),
    path("", include("scoring.urls.mishaps")),
    path("", include("scoring.urls.organizer")),
    path("", include("scoring.urls.files")),
    path("", include("scoring.urls.books")),
    path("", include("scoring.urls.privacy")),
]
