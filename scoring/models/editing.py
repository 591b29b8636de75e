"""Who has a sheet open for entering just now."""

from __future__ import annotations

from django.db import models

from scoring.models.base import Authored
from tournament.models import Table


class Editing(Authored):
    """A device on which somebody enters at a table; `created_at` is when he came.

    No state of the competition: it only warns others, so it has no audit row and raises no
    version, and it is of no account once `seen_at` is older than `domain.editing.FRESH`.
    `device` is what the browser calls itself, `actor` the author's `Actor.key`.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="editings")
    actor = models.CharField(max_length=40)
    device = models.CharField(max_length=36)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["table", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "actor", "device"], name="editing_one_a_device"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.actor}"
