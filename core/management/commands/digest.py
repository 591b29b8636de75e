"""`manage.py digest`: one digest over all rows and uploaded files, the same on both databases."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.domain.backup_files import BackupError
from core.domain.backups import manifest_now


class Command(BaseCommand):
    """Prints it; with `--tables` each table's digest, rows and label before it."""

    help = "Computes the digest over all rows and uploaded files, to compare with a backup's."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to list the tables."""
        parser.add_argument("--tables", action="store_true")

    def handle(self, *args: Any, tables: bool, **options: Any) -> None:
        """Does it."""
        try:
            manifest = manifest_now()
        except BackupError as error:
            raise CommandError(str(error)) from error
        if tables:
            for label, table in manifest["tables"].items():
                self.stdout.write(f"{table['sha256']}  {table['rows']:>8}  {label}")
        self.stdout.write(manifest["digest"])
