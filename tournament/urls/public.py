"""Addresses of the pages that everyone sees."""

from django.urls import path

from tournament.views import calendars, planner, public, public_schedule, search_engines

urlpatterns = [
    path("", public.home, name="home"),
    path("robots.txt", search_engines.robots, name="robots"),
    path("sitemap.xml", search_engines.sitemap, name="sitemap"),
    path("tools/plan/", planner.planner, name="planner"),
    path("c/<str:code>/", public.competition, name="competition"),
    path("c/<str:code>/live/", public.competition, {"part": "#live"}, name="competition_live"),
    path("c/<str:code>/entrants/", public.entrants, name="entrants"),
    path("c/<str:code>/schedule/", public_schedule.schedule, name="schedule"),
    path(
        "c/<str:code>/schedule/live/",
        public_schedule.schedule,
        {"part": "#live"},
        name="schedule_live",
    ),
    path("c/<str:code>/calendar.ics", calendars.of_competition, name="calendar"),
    path(
        "c/<str:code>/entrant/<int:pk>/calendar.ics",
        calendars.of_entrant,
        name="entrant_calendar",
    ),
]
