"""`manage.py verify_draw FILE`: does a published draw redraw bit for bit? (C4.5)"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.pairing.document import verify


class Command(BaseCommand):
    """Exit 0 where it does, 1 with every fault where it does not."""

    help = "Redraws a published draw from its JSON file alone and says whether it is the same."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Reads, redraws, compares."""
        path: Path = options["file"]
        try:
            text = path.read_bytes()
        except OSError as error:
            raise CommandError(_("读不了文件 %(path)s。") % {"path": path}) from error
        faults = verify(text)
        if faults:
            is_chinese = (get_language() or "zh").startswith("zh")
            raise CommandError("\n".join(f.zh if is_chinese else f.en for f in faults))
        self.stdout.write(_("抽签结果与文件完全一致。"))
