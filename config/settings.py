"""All settings, from environment variables.

SECRET_KEY and ALLOWED_HOSTS (comma-separated) must be set, unless `manage.py up` supplies
them. DATABASE_URL: PostgreSQL instead of SQLite in VAR_DIR. REDIS_URL or CELERY_BROKER_URL:
Celery instead of the runner. SITE_HTTPS (default true): cookies and redirects for https.
BEHIND_PROXY: trust X-Forwarded-Proto, the last X-Forwarded-For and X-Request-ID. EMAIL_URL,
MAIL_FROM: sending mail, without which no password is reset by mail. METRICS_TOKEN: who may read
/metrics. DRAINING_FILE: says to /readyz that it is to end. CSRF_TRUSTED_ORIGINS, LOG_LEVEL,
STATIC_ROOT.
BACKUP_DIR: where backups are kept, instead of VAR_DIR/backups; BACKUP_KEEP: how many of each kind.
DEBUG is for developing and sets all of them.
"""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from config.logs import logging_config

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()

DEBUG: bool = env.bool("DEBUG", False)
# Nothing after the name of a folder is as if the line were not there, not the folder of now.
VAR_DIR = Path(env.str("VAR_DIR", "") or BASE_DIR / "var")

SECRET_KEY: str = env.str("SECRET_KEY", "insecure: for development only" if DEBUG else "")
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", ["*"] if DEBUG else [])
if not SECRET_KEY:
    raise ImproperlyConfigured("SECRET_KEY is not set. Set it, or start with `manage.py up`.")
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS is not set. Set it, or start with `manage.py up`.")
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "core",
    "tournament",
    "scoring",
]

MIDDLEWARE = [
    "core.requests.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "core.refusals.CookieMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "core.refusals.RefusalMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "core.middleware.DomainErrorMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["template_partials.templatetags.partials"],
        },
    },
]


def _database() -> dict[str, Any]:
    """PostgreSQL by DATABASE_URL with a pool a process, else one SQLite file (stack fact 3)."""
    database: dict[str, Any] = env.dj_db_url("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")
    if database["ENGINE"] == "django.db.backends.sqlite3":
        Path(database["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        database["CONN_MAX_AGE"] = 60
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
    else:
        database["CONN_MAX_AGE"] = 0
        database["CONN_HEALTH_CHECKS"] = True
        # A process has at most half as many threads as connections, so who waits for one waits for
        # PostgreSQL itself: phones are soon told to try again. Attempts to connect that give up
        # soon are made anew by the next request; others pause twice as long each time.
        database["OPTIONS"] = {
            "connect_timeout": 5,
            **database.get("OPTIONS", {}),
            "pool": {"min_size": 2, "max_size": 8, "timeout": 5, "reconnect_timeout": 3},
        }
    return database


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL: str = env.str("REDIS_URL", "")
# What limits and protects for minutes; several web processes count together where Redis is.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "core.shared_cache.SharedCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "duozhu",
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

AUTH_USER_MODEL = "core.User"
AUTHENTICATION_BACKENDS = ["core.backends.NamePhoneOrMailBackend"]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": "core.validators.PasswordLength"},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "manage_home"
LOGOUT_REDIRECT_URL = "/"

# A hall is one address (stack fact 5), so nothing is limited by address alone: wrong passwords by
# account and address (core.domain.throttle), codes and mails by account.
ACCOUNT_ADAPTER = "core.adapters.AccountAdapter"
ACCOUNT_FORMS = {"login": "core.forms.LoginForm", "reset_password": "core.forms.ResetForm"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "5/5m/key",
    "reset_password": "3/15m/key",
    "reset_password_from_key": None,
    "signup": None,
}
MFA_FORMS = {"add_webauthn": "core.forms.PasskeyForm"}
MFA_ADAPTER = "core.adapters.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_RATE_LIMITS = {"webauthn_login": None}

# Mail is set where EMAIL_URL is: `submission://user:password@host` (port 587) or `smtps:`.
MAIL_IS_SET = bool(env.str("EMAIL_URL", ""))
if MAIL_IS_SET:
    _mail: dict[str, Any] = env.dj_email_url("EMAIL_URL")
    if "EMAIL_BACKEND" not in _mail:
        raise ImproperlyConfigured("EMAIL_URL begins with neither submission: nor smtps:.")
    vars().update(_mail)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL: str = env.str("MAIL_FROM", "webmaster@localhost")

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Shanghai"

STATIC_URL = "static/"
STATIC_ROOT: Path | None = Path(env.str("STATIC_ROOT", "") or BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
MEDIA_ROOT = VAR_DIR / "media"
BACKUP_DIR = Path(env.str("BACKUP_DIR", "") or VAR_DIR / "backups")
BACKUP_KEEP: int = env.int("BACKUP_KEEP", 20, validate=lambda n: n > 0)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# Phones in a hall reach the site by plain http (`up --lan`); everything else is https.
SITE_HTTPS: bool = env.bool("SITE_HTTPS", not DEBUG)
SECURE_SSL_REDIRECT = SITE_HTTPS
SESSION_COOKIE_SECURE = SITE_HTTPS
CSRF_COOKIE_SECURE = SITE_HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if SITE_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "core.views.errors.csrf_failure"
BEHIND_PROXY: bool = env.bool("BEHIND_PROXY", False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
# Subdomains and the browsers' preload list are the domain owner's to decide, not this site's.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

CELERY_BROKER_URL: str = env.str("CELERY_BROKER_URL", REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_ACKS_LATE = True
# No worker keeps messages that another one has time for.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A wake-up that cannot be sent is dropped at once: the job is a row and the sweep finds it.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2, "max_retries": 0}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = TIME_ZONE
# A sweep that no worker has taken in time is not wanted any more: the next one is there.
SWEEP_EVERY_S: float = env.float("SWEEP_EVERY_S", 10)
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {
        "task": "core.tasks.sweep",
        "schedule": SWEEP_EVERY_S,
        "options": {"expires": SWEEP_EVERY_S},
    }
}

# How long a job stays its worker's without a sign of life.
JOB_LEASE_S: float = env.float("JOB_LEASE_S", 120)

# Kinds of background jobs (core.domain.jobs): name → function(job) by dotted path.
JOBS: dict[str, str] = {
    "verify-records": "scoring.domain.uploads.verify",
    "verify-part": "scoring.domain.uploads.verify_part",
    "mail-moved-up": "tournament.domain.mails.moved_up",
    "mail-password": "core.domain.mails.send_new_password",
    "seal": "tournament.domain.seals.run_seal",
    "announce": "tournament.domain.announcements.announce_due",
    "rejudge": "scoring.domain.rejudging.compute",
    "book-pdf": "scoring.exports.books.pdf.make",
    "index-library": "scoring.domain.library.index_all",
    "backup": "core.domain.backups.run_backup",
}
# Done when nothing else is due.
SLOW_JOBS = frozenset(
    {"verify-records", "rejudge", "book-pdf", "index-library", "backup", "daily-backup"}
)
# Tried more or less often than three times.
JOB_ATTEMPTS: dict[str, int] = {"mail-moved-up": 8, "mail-password": 8}

# Which tables another draw must not take away: function(tables) → those of them.
TABLES_KEPT = "scoring.domain.penalized.penalized"

# The site's regular work, started by Celery's beat and by the small runner alike
# (core.domain.periodic): name → function(job) by dotted path, and every how many seconds.
MINUTE_S, HOUR_S = 60, 3600
PERIODIC: dict[str, tuple[str, float]] = {
    "finalize-due": ("scoring.domain.closing.run_finalize_due", MINUTE_S),
    "registration-turns": ("tournament.domain.deadlines.turn_registrations", MINUTE_S),
    "forget": ("core.domain.forgetting.forget", HOUR_S),
    "forget-imports": ("tournament.domain.imports.run_forget_expired", HOUR_S),
    "forget-uploads": ("scoring.domain.uploads.forget_files", HOUR_S),
    "daily-backup": ("core.domain.backups.run_backup", 24 * HOUR_S),
    "purge-competitions": ("scoring.domain.purging.run_purges", 6 * HOUR_S),
}

# Whoever has the token may read /metrics; without one, nobody.
METRICS_TOKEN: str = env.str("METRICS_TOKEN", "")
# While this file is there, /readyz says that no requests should be sent here.
DRAINING_FILE = Path(env.str("DRAINING_FILE", "") or VAR_DIR / "draining")

LOGGING_CONFIG = None
LOGGING = logging_config(env.str("LOG_LEVEL", "INFO"), plain=DEBUG)
