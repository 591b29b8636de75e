"""Addresses of the desk's overview, the clock, calls and the roll."""

from django.urls import path

from scoring.views.referee import calls, desk, rounds

C = "c/<slug:code>/"
ROUND = f"{C}round/<int:pk>/"
TABLE = f"{C}table/<int:pk>/sheet/"

urlpatterns = [
    path(f"{C}desk/live/", desk.desk, {"part": "#live"}, name="desk_live"),
    path(f"{ROUND}clock/", rounds.clock, name="round_clock"),
    path(f"{ROUND}clock/stop/", rounds.stop, name="clock_stop"),
    path(f"{ROUND}clock/extra/", rounds.extra, name="clock_extra"),
    path(f"{ROUND}clock/extra/<int:extra_id>/back/", rounds.extra_back, name="clock_extra_back"),
    path(f"{ROUND}bell/", rounds.bell, name="round_bell"),
    path(f"{ROUND}bell/back/", rounds.bell_back, name="round_bell_back"),
    path(f"{ROUND}roll/", rounds.call_list, name="call_list"),
    path(f"{TABLE}referee/", calls.call, name="call_referee"),
    path(f"{TABLE}referee/back/", calls.back, name="call_back"),
    path(f"{C}call/<int:pk>/answer/", calls.answer, name="call_answer"),
    path(f"{C}call/<int:pk>/reopen/", calls.reopen, name="call_reopen"),
]
