"""Addresses of the organizer's pages that need results."""

from django.urls import path

from scoring.views import audit, preliminary, seeds

P = "c/<str:code>/manage/preliminary/"

urlpatterns = [
    path("c/<str:code>/manage/audit/", audit.audit_rows, name="manage_audit"),
    path("c/<str:code>/manage/seeds/standing/", seeds.by_standing, name="manage_seeds_standing"),
    path(P, preliminary.show_preliminary, name="manage_preliminary"),
    path(f"{P}seating/", preliminary.print_seating, name="manage_seating"),
    path(f"{P}close/", preliminary.close, name="manage_preliminary_close"),
    path(f"{P}reopen/", preliminary.reopen, name="manage_preliminary_reopen"),
    path(f"{P}tie/", preliminary.tie_break, name="manage_preliminary_tie"),
    path(f"{P}tie/drop/", preliminary.no_tie_break, name="manage_preliminary_no_tie"),
]
