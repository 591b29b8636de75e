"""Seals over a competition's audit rows."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.competition import Competition
from tournament.models.play import Round


class Seal(models.Model):
    """What shows that nobody has changed the audit rows that it covers: those that bear its number.

    `digest` is SHA-256 over the digest before it and these rows, so each seal holds for all before
    it. Made at the end of `round`, or of the competition (`is_end`), by the site itself. `first`
    and `last` are the ids of its first and last row, None where it has none.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="seals")
    number = models.PositiveIntegerField()
    round = models.ForeignKey(Round, null=True, on_delete=models.SET_NULL, related_name="seals")
    is_end = models.BooleanField(default=False)
    rows = models.PositiveIntegerField()
    first = models.BigIntegerField(null=True)
    last = models.BigIntegerField(null=True)
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("封记")
        verbose_name_plural = _("封记")
        ordering = ["competition", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "number"], name="seal_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="seals_count_from_1"),
            models.CheckConstraint(
                condition=models.Q(rows=0, first__isnull=True, last__isnull=True)
                | models.Q(rows__gte=1, first__isnull=False, last__gte=models.F("first")),
                name="seal_has_first_and_last_row",
            ),
        ]

    @property
    def title(self) -> str:
        """After what it was made: 第一轮, 比赛结束."""
        if self.is_end:
            return str(_("比赛结束"))
        return self.round.title if self.round else "–"

    def __str__(self) -> str:
        return f"{self.number} {self.digest}"
