"""Celery carries the wake-up of jobs where a broker is set; the beat sweep is the guarantee."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("duozhu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
