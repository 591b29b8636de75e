#!/usr/bin/env python3
"""Django's command line for the site."""

import os
import sys

from django.core.management import execute_from_command_line

from config.embedded import prepare

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    prepare(sys.argv[1:])
    execute_from_command_line(sys.argv)
