"""The ASGI entry point."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from core.refusals import with_readable_type_asgi

application = with_readable_type_asgi(get_asgi_application())
