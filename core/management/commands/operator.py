"""`manage.py operator`: who looks after the site."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.domain.accounts import set_operator
from core.models import User


class Command(BaseCommand):
    """Lets an account look after the site, or no longer; without a name lists who does."""

    help = "Makes an account an operator of the site (--revoke: no longer), or lists them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A user name, and `--revoke`."""
        parser.add_argument("username", nargs="?")
        parser.add_argument("--revoke", action="store_true")

    def handle(self, *args: Any, username: str | None, revoke: bool, **options: Any) -> None:
        """Prints who is an operator afterwards. Raises `CommandError` for a name there is not."""
        if username is not None:
            user = User.objects.filter(username=username).first()
            if user is None:
                raise CommandError(f"没有这个账号 / no such account: {username}")
            set_operator(user=user, is_operator=not revoke)
        for name in User.objects.filter(is_superuser=True).order_by("pk").values_list("username"):
            self.stdout.write(*name)
