"""Wiring: settings, URLs, servers. The Celery application is loaded so that tasks find it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
