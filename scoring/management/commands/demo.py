"""`manage.py demo`: sample competitions, once a database."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from core.domain.accounts import first_account
from engine.errors import ZipaiError
from engine.record import Record
from scoring import demo
from scoring.demo_hands import read_records

ADDRESS = "http://localhost:8000"
SEED = 2026


class Command(BaseCommand):
    """Makes a finished, a running and an open competition, and prints the links to try them."""

    help = "Makes three sample competitions, once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--records DIR`: hands from 字牌谱 files; `--seed N`; `--address` starts the links."""
        parser.add_argument("--records", type=Path, metavar="DIR")
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--address", default=ADDRESS)

    def handle(
        self, *args: Any, records: Path | None, seed: int, address: str, **options: Any
    ) -> None:
        """Raises `CommandError` where the folder has no records to play."""
        if demo.is_loaded():
            self.stdout.write("演示比赛已经有了，没有改动 / the demo is there already, unchanged")
            return
        found = self._read(records) if records else []
        account = first_account()
        if account.greeting:
            self.stdout.write(account.greeting)
        self._say("正在准备演示比赛 / preparing sample competitions")
        loaded = demo.load(demo.Source(account.user, random.Random(seed), found, self._say))
        if loaded is None:
            return
        self._say("演示比赛好了 / the demo is ready")
        for made in (loaded.finished, loaded.running, loaded.open):
            self._say(f"　{made.competition.name}　{address}{made.competition.get_absolute_url()}")
        self._say("试一试（链接只显示这一次）/ try it (links are shown only now):")
        for label, token in loaded.tokens.items():
            self._say(f"　{label}　{address}{reverse('link', args=[token])}")

    def _read(self, folder: Path) -> list[Record]:
        try:
            found = read_records(folder)
        except (OSError, ZipaiError) as error:
            raise CommandError(f"读不了牌谱 / cannot read records: {error}") from error
        if not found:
            raise CommandError(f"{folder} 里没有可用的牌谱 / no valid records in it")
        return found

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
