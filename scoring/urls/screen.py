"""Addresses of the screen in the hall."""

from django.urls import path

from scoring.views import screen

urlpatterns = [
    path("c/<str:code>/screen/", screen.screen, name="screen"),
    path("c/<str:code>/screen/<str:name>/", screen.screen_part, name="screen_part"),
]
