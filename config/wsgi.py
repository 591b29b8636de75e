"""The WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from core.refusals import with_readable_type

application = with_readable_type(get_wsgi_application())
# Django would import all views with the first request; a process that takes requests has them.
_ = get_resolver().url_patterns
