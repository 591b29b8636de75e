"""Addresses of rejudging (C11)."""

from django.urls import URLPattern, path

from scoring.views.referee import rejudge

DESK = "c/<slug:code>/desk/rejudge/"

urlpatterns: list[URLPattern] = [
    path(DESK, rejudge.rejudges, name="rejudges"),
    path(f"{DESK}event/<int:pk>/", rejudge.propose, name="rejudge_propose"),
    path(f"{DESK}event/<int:pk>/engine/", rejudge.propose_engine, name="rejudge_engine"),
    path(f"{DESK}<int:pk>/", rejudge.show, name="rejudge"),
    path(f"{DESK}<int:pk>/apply/", rejudge.apply, name="rejudge_apply"),
    path(f"{DESK}<int:pk>/dismiss/", rejudge.dismiss, name="rejudge_dismiss"),
    path(f"{DESK}<int:pk>/again/", rejudge.again, name="rejudge_again"),
]
