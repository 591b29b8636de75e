"""Addresses of what goes amiss (C9): late, wrong seats, somebody leaves or comes back."""

from django.urls import path

from scoring.views import leaving
from scoring.views.referee import gaps, mishaps, walkovers

TABLE = "c/<slug:code>/table/<int:pk>/sheet/"
ENTRANT = "c/<str:code>/manage/entrants/<int:pk>/"

urlpatterns = [
    path(f"{TABLE}late/", mishaps.late, name="sheet_late"),
    path(f"{TABLE}seats/", mishaps.seats, name="sheet_seats"),
    path(f"{TABLE}fill/", gaps.fill, name="sheet_fill"),
    path(f"{TABLE}fill/back/", gaps.empty, name="sheet_fill_back"),
    path(f"{TABLE}walkover/", walkovers.walkover, name="sheet_walkover"),
    path(f"{ENTRANT}leave/", leaving.leave_page, name="manage_entrant_leave"),
    path(f"{ENTRANT}back/", leaving.back_page, name="manage_entrant_back"),
    path(f"{ENTRANT}replace/", leaving.replace_page, name="manage_entrant_replace"),
    path(f"{ENTRANT}replace/back/", leaving.replace_back, name="manage_entrant_replace_back"),
]
