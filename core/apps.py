"""The application's registration with Django."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """`core`."""

    name = "core"
