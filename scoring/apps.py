"""The application's registration with Django."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """`scoring`."""

    name = "scoring"
