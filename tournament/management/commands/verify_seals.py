"""`manage.py verify_seals CODE`: computes the seals over a competition's audit rows anew."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from tournament.models import Competition
from tournament.queries.seals import first_fault, seals_of, unsealed


class Command(BaseCommand):
    """Exit 0 where all seals hold, 1 with the first that does not."""

    help = "Computes the seals over a competition's audit rows anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which competition."""
        parser.add_argument("code", help="as in the competition's address")

    def handle(self, *args: Any, code: str, **options: Any) -> None:
        """Prints each seal, to compare with the book, and what is wrong."""
        competition = Competition.objects.filter(code=code).first()
        if competition is None:
            raise CommandError(_("没有比赛 %(code)s。") % {"code": code})
        for seal in seals_of(competition):
            self.stdout.write(
                f"{seal.number}  {seal.made_at:%Y-%m-%d %H:%M:%S%z}  {seal.rows}  {seal.digest}"
            )
        fault = first_fault(competition)
        if fault is not None:
            raise CommandError(fault.sentence)
        self.stdout.write(
            _("封记都对得上。还没有封的记录：%(n)d 条。") % {"n": unsealed(competition)}
        )
