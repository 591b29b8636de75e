"""The address that device links have."""

from django.urls import path

from tournament.views import links

urlpatterns = [
    path("l/<str:token>/", links.open_link, name="link"),
]
