"""`manage.py purge`: personal data of competitions go, those that are due or one that is named."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from core.errors import DomainError
from scoring.domain.erasing import people_left
from scoring.domain.purging import demand_over, purge_competitions, purge_now, undecided
from tournament.domain.keeping import day_of
from tournament.models import Competition


class Command(BaseCommand):
    """Exit 0, or 1 with a sentence that says what is wrong."""

    requires_system_checks = ()
    help = "Erases personal data of competitions whose time is over; results stay under numbers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one, and whether to look only."""
        parser.add_argument("--competition", default="", metavar="CODE", help="this one, now")
        parser.add_argument("--dry-run", action="store_true", help="only says what would go, when")

    def handle(self, *args: Any, competition: str, dry_run: bool, **options: Any) -> None:
        """Does it, or says it."""
        try:
            if competition:
                self._one(competition, dry_run=dry_run)
            elif dry_run:
                self._list()
            else:
                counts = purge_competitions()
                self.stdout.write(
                    _("提前告知 %(told)d 场，清除 %(purged)d 场、%(people)d 人。") % counts
                )
        except DomainError as error:
            raise CommandError(str(error)) from error

    def _one(self, code: str, *, dry_run: bool) -> None:
        found = Competition.objects.filter(code=code).first()
        if found is None:
            raise CommandError(_("没有比赛 %(code)s。") % {"code": code})
        if dry_run:
            demand_over(found)
            people = people_left(found)
            self.stdout.write(_("会清除 %(people)d 人的个人信息。") % {"people": people})
        else:
            self.stdout.write(_("清除了 %(people)d 人的个人信息。") % {"people": purge_now(found)})

    def _list(self) -> None:
        """Every competition that still has people's data: its day, or – where none is known, and
        what it waits for."""
        for one in Competition.objects.filter(purged_at=None).order_by("starts_on", "pk"):
            people = people_left(one)
            if people:
                line = f"{day_of(one) or '–'!s:<10}  {one.code}  {people}  {one.name}"
                number = undecided(one)
                waits = _("（没有裁决的申诉 %(n)d 件）") % {"n": number} if number else ""
                self.stdout.write(line + waits)
