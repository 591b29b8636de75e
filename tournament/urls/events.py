"""Addresses of a competition's events and of who plays in which."""

from django.urls import path

from tournament.views.organizer import events

M = "c/<str:code>/manage/"

urlpatterns = [
    path(f"{M}events/", events.events, name="manage_events"),
    path(f"{M}events/limit/", events.limit, name="manage_events_limit"),
    path(f"{M}events/units/", events.units, name="manage_events_units"),
    path(f"{M}events/<int:pk>/", events.event, name="manage_event"),
    path(f"{M}events/<int:pk>/move/", events.move, name="manage_event_move"),
    path(f"{M}events/<int:pk>/remove/", events.remove, name="manage_event_remove"),
    path(f"{M}entries/<int:pk>/events/", events.entry_events, name="manage_entry_events"),
    path(f"{M}pairs/", events.pairs, name="manage_pairs"),
]
