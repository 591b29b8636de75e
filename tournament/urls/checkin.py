"""Addresses of check-in, badges, numbers and seeds."""

from django.urls import path

from tournament.views.organizer import arrivals, badges, numbers

M = "c/<str:code>/manage/"

urlpatterns = [
    path("c/<str:code>/check-in/<int:pk>/", arrivals.scanned, name="check_in"),
    path("c/<str:code>/check-in/<int:pk>/own/", arrivals.own, name="check_in_own"),
    path(f"{M}check-in/", arrivals.many, name="manage_arrivals"),
    path(f"{M}badges/", badges.badges, name="manage_badges"),
    path(f"{M}numbers/", numbers.numbers, name="manage_numbers"),
    path(f"{M}seeds/", numbers.seeds, name="manage_seeds"),
]
