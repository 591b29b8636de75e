"""The WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from core.refusals import with_readable_type

application = with_readable_type(get_wsgi_application())
