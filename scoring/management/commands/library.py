"""`manage.py library`: makes the rows of the 牌谱库 anew from the hands of confirmed tables."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from scoring.domain.library import index_all


class Command(BaseCommand):
    """Prints how many hands can be found."""

    help = "Makes the rows of the library of hands anew from the sheets."

    def handle(self, *args: Any, **options: Any) -> None:
        """Does it; the site may be running."""
        self.stdout.write(str(index_all()["hands"]))
