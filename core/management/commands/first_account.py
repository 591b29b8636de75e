"""`manage.py first_account`: who logs in first on a server where `manage.py up` is not used."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from core.domain.accounts import first_account


class Command(BaseCommand):
    """Prints name and password this once; where there is an account already, only its name."""

    help = "Makes the first account of a fresh site and shows its password."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Does it, once a site."""
        made = first_account()
        self.stdout.write(made.greeting or f"已有账号 / there is an account: {made.user.username}")
