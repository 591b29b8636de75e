"""The site's settings for tests and type checks: nothing has to be set in the environment."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "0123456789" * 5)
os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost,127.0.0.1")
os.environ.setdefault("SITE_HTTPS", "false")

from config.settings import *  # noqa: F403
from config.settings import DATABASES, INSTALLED_APPS, MIDDLEWARE

# N+1 queries of a page are errors.
INSTALLED_APPS = [*INSTALLED_APPS, "zeal"]
MIDDLEWARE = [*MIDDLEWARE, "zeal.middleware.zeal_middleware"]
# An action locks the same event, round and table again in each function it goes through; what
# grows with the rows is seen by the tests of query counts too.
ZEAL_ALLOWLIST = [
    {"model": f"tournament.{model}", "field": "get()"} for model in ("Event", "Round", "Table")
]
# Logging in after a second lock, and the list of one's devices, ask for each session by its key.
ZEAL_ALLOWLIST += [
    {"model": model, "field": "get()"} for model in ("sessions.Session", "core.User")
]

# A file, as parallel connections need one; a name of its own, as test runs may be parallel.
_NAME = f"test_duozhu_{os.getpid()}"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    _NAME = os.path.join(tempfile.gettempdir(), f"{_NAME}.sqlite3")
    # What a crash would lose is nothing to wait for here.
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )
else:
    DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"
    # Some tests have more threads than there are connections.
    DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = 60
DATABASES["default"]["TEST"] = {"NAME": _NAME}

# Nothing is kept among the backups of whoever runs the tests.
BACKUP_DIR = Path(tempfile.gettempdir()) / f"duozhu_backups_{os.getpid()}"

# Tests run side by side and count for themselves, whatever the environment has.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# Static files come from their sources; nothing has been collected in a fresh clone.
STATIC_ROOT = None

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
