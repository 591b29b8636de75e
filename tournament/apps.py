"""The application's registration with Django."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """`tournament`."""

    name = "tournament"
