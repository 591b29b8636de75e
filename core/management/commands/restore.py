"""`manage.py restore FILE`: a backup into an empty database of either kind (docs/operations.md)."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from core.domain.backup_files import BackupError
from core.domain.restoring import restore


class Command(BaseCommand):
    """Exit 1 with a sentence where nothing was restored. The site must be stopped."""

    help = "Restores a backup into an empty database, which needs no tables yet."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which backup, and the name of a database whose contents may go."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace",
            default="",
            metavar="DATABASE",
            help="the name of this database, whose contents are backed up and then lost",
        )

    def handle(self, *args: Any, file: Path, replace: str, **options: Any) -> None:
        """Does it."""
        try:
            done = restore(file, replace=replace, tell=self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
        words = {"rows": done.rows, "files": done.files}
        self.stdout.write(_("恢复好了：%(rows)d 行数据，%(files)d 个文件。") % words)
        self.stdout.write(_("校验值 %(digest)s") % {"digest": done.digest})
        if done.before is not None:
            self.stdout.write(_("原来的内容在 %(path)s") % {"path": done.before.path})
