"""Addresses of registering, of one's own entry, and of announcements."""

from django.urls import path

from tournament.views import registration
from tournament.views.organizer import announcements
from tournament.views.organizer import registration as registrations

C = "c/<str:code>/"
M = f"{C}manage/"

urlpatterns = [
    path(f"{C}register/", registration.registering, name="register"),
    path(f"{C}my/<int:pk>/", registration.mine, name="my_entry"),
    path(f"{C}my/<int:pk>/change/", registration.change, name="my_entry_change"),
    path(f"{C}my/<int:pk>/withdraw/", registration.withdraw, name="my_entry_withdraw"),
    path(f"{M}registration/", registrations.form_settings, name="manage_registration"),
    path(f"{M}entries/<int:pk>/", registrations.entry, name="manage_entry"),
    path(f"{M}entries/<int:pk>/confirm/", registrations.confirm, name="manage_entry_confirm"),
    path(f"{M}entries/<int:pk>/decline/", registrations.decline, name="manage_entry_decline"),
    path(f"{M}entries/<int:pk>/paid/", registrations.paid, name="manage_paid"),
    path(f"{M}announcements/", announcements.announcements, name="manage_announcements"),
    path(f"{M}announcements/<int:pk>/", announcements.announcement, name="manage_announcement"),
    path(
        f"{M}announcements/<int:pk>/withdraw/",
        announcements.withdraw,
        name="manage_announcement_withdraw",
    ),
    path(
        f"{M}announcements/<int:pk>/restore/",
        announcements.restore,
        name="manage_announcement_restore",
    ),
]
