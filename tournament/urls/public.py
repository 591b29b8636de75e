"""Addresses of the pages that everyone sees."""

from django.urls import path

from tournament.views import public

urlpatterns = [
    path("", public.home, name="home"),
    path("c/<str:code>/", public.competition, name="competition"),
    path("c/<str:code>/live/", public.competition, {"part": "#live"}, name="competition_live"),
    path("c/<str:code>/entrants/", public.entrants, name="entrants"),
]
