"""`manage.py backup`: one file of everything, while the site runs (docs/operations.md)."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from core.domain.backup_files import BackupError, Reader
from core.domain.backups import Made, make_backup, make_before_upgrade
from core.enums import BackupWhy


class Command(BaseCommand):
    """Prints the file's path, what is in it and its digest. Exit 1 with a sentence where none was
    made, or the one to verify is spoilt."""

    help = "Makes a backup of the database and the uploaded files, or verifies one."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to, or what else to do."""
        do = parser.add_mutually_exclusive_group()
        do.add_argument("--to", type=Path, help="a folder other than BACKUP_DIR")
        do.add_argument("--verify", type=Path, metavar="FILE", help="computes its digests anew")
        do.add_argument(
            "--before-upgrade",
            action="store_true",
            help="only where migrations wait and the database is not empty",
        )

    def handle(
        self, *args: Any, to: Path | None, verify: Path | None, before_upgrade: bool, **options: Any
    ) -> None:
        """Does it."""
        try:
            if verify is not None:
                self._verify(verify)
            elif before_upgrade:
                made = make_before_upgrade()
                if made is not None:
                    self._tell(made)
            else:
                self._tell(make_backup(why=BackupWhy.MANUAL, into=to))
        except BackupError as error:
            raise CommandError(str(error)) from error

    def _tell(self, made: Made) -> None:
        self.stdout.write(str(made.path))
        self.stdout.write(
            _("%(rows)d 行数据，%(files)d 个文件，%(mb).1f MB，用了 %(seconds).1f 秒")
            % {
                "rows": made.rows,
                "files": len(made.manifest["media"]),
                "mb": made.size / 1e6,
                "seconds": made.seconds,
            }
        )
        self.stdout.write(_("校验值 %(digest)s") % {"digest": made.manifest["digest"]})

    def _verify(self, path: Path) -> None:
        with Reader(path) as backup:
            backup.verify()
            rows = sum(table["rows"] for table in backup.tables.values())
            words = {"rows": rows, "files": len(backup.media), "at": backup.manifest["made_at"]}
            self.stdout.write(
                _("备份完好：%(at)s 做的，%(rows)d 行数据，%(files)d 个文件。") % words
            )
            self.stdout.write(_("校验值 %(digest)s") % {"digest": backup.manifest["digest"]})
