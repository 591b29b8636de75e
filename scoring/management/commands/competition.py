"""`manage.py competition list|show|export|import`: competitions as archives (docs/archive.md)."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from core.errors import DomainError
from core.models import User
from scoring.domain.archives import import_archive
from scoring.exports.archive import archive
from tournament.models import Competition, Table


class Command(BaseCommand):
    """Exit 0, or 1 with a sentence that says what is wrong."""

    requires_system_checks = ()
    help = "Lists competitions, shows one, writes its archive, reads one in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do, with what."""
        do = parser.add_subparsers(dest="do", required=True)
        do.add_parser("list", help="code, day and name of every competition")
        show = do.add_parser("show", help="what a competition has")
        show.add_argument("code")
        out = do.add_parser("export", help="writes a competition's archive")
        out.add_argument("code")
        out.add_argument("file", type=Path)
        out.add_argument("--public", action="store_true", help="without personal data")
        into = do.add_parser("import", help="reads an archive in, whole or not at all")
        into.add_argument("file", type=Path)
        into.add_argument("--owner", default="", help="the account that becomes its owner")
        into.add_argument("--new-address", action="store_true", help="a new code if taken")

    def handle(self, *args: Any, **options: Any) -> None:
        """Does it."""
        do = {"list": self._list, "show": self._show, "export": self._export}
        try:
            do.get(options["do"], self._import)(**options)
        except DomainError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(
                _("读写不了文件 %(path)s。") % {"path": options.get("file")}
            ) from error  # fmt: skip

    def _list(self, **_options: Any) -> None:
        for one in Competition.objects.order_by("starts_on", "pk"):
            self.stdout.write(f"{one.code}  {one.starts_on}  {one.name}")

    def _show(self, *, code: str, **_options: Any) -> None:
        one = _find(code)
        tables = Table.objects.filter(round__stage__event__competition=one).count()
        self.stdout.write(f"{one.code}  {one.starts_on}  {one.name}")
        for event in one.events.all():
            self.stdout.write(f"  {event.name}: {event.entrants.count()}")
        self.stdout.write(
            _("报名 %(entries)d，桌 %(tables)d，%(state)s")
            % {
                "entries": one.entries.count(),
                "tables": tables,
                "state": _("已定局") if one.is_over else _("未结束"),
            }
        )

    def _export(self, *, code: str, file: Path, public: bool, **_options: Any) -> None:
        file.write_bytes(archive(_find(code), is_full=not public))
        self.stdout.write(str(file))

    def _import(self, *, file: Path, owner: str, new_address: bool, **_options: Any) -> None:
        user = User.objects.filter(username=owner).first() if owner else None
        if owner and user is None:
            raise CommandError(_("没有账号 %(name)s。") % {"name": owner})
        with file.open("rb") as opened:
            made = import_archive(user=user, file=opened, new_address=new_address)
        self.stdout.write(f"{made.code}  {made.name}")


def _find(code: str) -> Competition:
    found = Competition.objects.filter(code=code).first()
    if found is None:
        raise CommandError(_("没有地址是 %(code)s 的比赛。") % {"code": code})
    return found
