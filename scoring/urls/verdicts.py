"""Addresses about penalties and protests that belong to no one sheet."""

from django.urls import path

from scoring.views import mine, verdict_settings
from scoring.views.referee import protests

C = "c/<slug:code>/"

urlpatterns = [
    path(f"{C}protests/", protests.protests, name="protests"),
    path(f"{C}my/<int:pk>/tables/", mine.tables, name="my_tables"),
    path(f"{C}manage/penalties/", verdict_settings.penalties, name="manage_penalties"),
]
