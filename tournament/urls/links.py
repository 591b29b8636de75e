"""The addresses that device links and invitations have."""

from django.urls import path

from tournament.views import invitations, links

urlpatterns = [
    path("l/<str:token>/", links.open_link, name="link"),
    path("i/<str:token>/", invitations.invitation, name="invitation"),
]
