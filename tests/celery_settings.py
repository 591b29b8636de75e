"""The site's settings for workers that tests start: a few jobs of their own."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "0123456789" * 5)
os.environ.setdefault("ALLOWED_HOSTS", "localhost")

from config.settings import *  # noqa: F403

JOBS = {"note": "tests.core.celery_jobs.note", "linger": "tests.core.celery_jobs.linger"}
PERIODIC = {"tidy": ("tests.core.celery_jobs.tidy", 3600.0)}
