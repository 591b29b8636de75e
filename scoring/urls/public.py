"""Addresses of the pages with hands and points that everyone sees."""

from django.urls import path

from scoring.views import (
    hand_questions,
    public,
    public_entrant,
    public_field,
    public_preliminary,
    public_records,
    public_standings,
    public_table,
    public_units,
    replay,
)

C = "c/<str:code>/"
LIVE = {"part": "#live"}
STEPS = "#steps"

urlpatterns = [
    path(f"{C}event/<int:pk>/", public.show_bracket, name="bracket"),
    path(f"{C}event/<int:pk>/live/", public.show_bracket, LIVE, name="bracket_live"),
    path(
        f"{C}event/<int:pk>/preliminary/", public_preliminary.show_preliminary, name="preliminary"
    ),
    path(
        f"{C}event/<int:pk>/preliminary/live/",
        public_preliminary.show_preliminary,
        LIVE,
        name="preliminary_live",
    ),
    path(f"{C}event/<int:pk>/field/<int:number>/", public_field.show_field, name="field"),
    path(f"{C}event/<int:pk>/standings/", public_standings.show_standings, name="standings"),
    path(
        f"{C}event/<int:pk>/standings/live/",
        public_standings.show_standings,
        LIVE,
        name="standings_live",
    ),
    path(f"{C}event/<int:pk>/records/", public_records.show_records, name="event_records"),
    path(
        f"{C}event/<int:pk>/records/live/",
        public_records.show_records,
        LIVE,
        name="event_records_live",
    ),
    path(f"{C}units/", public_units.unit_ranking, name="unit_ranking"),
    path(f"{C}units/live/", public_units.unit_ranking, LIVE, name="unit_ranking_live"),
    path(f"{C}entrant/<int:pk>/", public_entrant.show_entrant, name="entrant"),
    path(f"{C}entrant/<int:pk>/live/", public_entrant.show_entrant, LIVE, name="entrant_live"),
    path(f"{C}table/<int:pk>/", public_table.show_table, name="table"),
    path(f"{C}table/<int:pk>/live/", public_table.show_table, LIVE, name="table_live"),
    path(f"{C}table/<int:pk>/hand/<int:number>.zpr", public_table.hand_record, name="hand_record"),
    path(
        f"{C}table/<int:pk>/hand/<int:number>/ask/",
        hand_questions.hand_questions,
        name="hand_questions",
    ),
    path(f"{C}table/<int:pk>/hand/<int:number>/replay/", replay.show_replay, name="replay"),
    path(
        f"{C}table/<int:pk>/hand/<int:number>/replay/steps/",
        replay.show_replay,
        {"part": STEPS},
        name="replay_steps",
    ),
]
