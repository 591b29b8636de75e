"""Addresses about personal data."""

from django.urls import path

from scoring.views import privacy

C = "c/<str:code>/"
M = f"{C}manage/"

urlpatterns = [
    path("privacy/", privacy.privacy, name="privacy"),
    path("accounts/data/", privacy.own_account_data, name="account_data"),
    path("accounts/delete/", privacy.own_account_delete, name="account_delete"),
    path(f"{C}my/<int:pk>/data.json", privacy.own_data, name="my_entry_data"),
    path(f"{C}my/<int:pk>/erase/", privacy.own_erase, name="my_entry_erase"),
    path(f"{M}entries/<int:pk>/data/", privacy.entry_data, name="manage_entry_data"),
    path(f"{M}entries/<int:pk>/erase/", privacy.entry_erase, name="manage_entry_erase"),
    path(f"{M}privacy/", privacy.keeping, name="manage_privacy"),
]
