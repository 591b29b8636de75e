"""A round's later batches, when referees are away, and the schedule's published versions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.access import Membership
from tournament.models.competition import Competition
from tournament.models.play import Round
from tournament.models.venue import Session


class Batch(models.Model):
    """A later batch (批) of a round: its tables begin after the first ones, because the tables of
    the hall are short. Numbered from 2; the first batch's session and start are the round's own.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveSmallIntegerField(_("批"))
    session = models.ForeignKey(
        Session, null=True, blank=True, on_delete=models.SET_NULL, related_name="batches"
    )
    starts_at = models.DateTimeField(_("开始时间"), null=True, blank=True)

    class Meta:
        verbose_name = _("批")
        verbose_name_plural = _("批")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="batch_number"),
            models.CheckConstraint(condition=models.Q(number__gte=2), name="batch_number_from_2"),
        ]

    def __str__(self) -> str:
        return f"{self.round} {self.number}"


class RefereeAway(models.Model):
    """A time in which a referee cannot judge."""

    referee = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="away")
    begins_at = models.DateTimeField(_("从"))
    ends_at = models.DateTimeField(_("到"))

    class Meta:
        verbose_name = _("裁判不在的时间")
        verbose_name_plural = _("裁判不在的时间")
        ordering = ["referee", "begins_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("begins_at")),
                name="referee_away_ends_after_it_begins",
                violation_error_message=_("结束要晚于开始。"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.referee} {self.begins_at:%m-%d %H:%M}"


class SchedulePublication(models.Model):
    """A version of the schedule as everybody got to see it, never changed once written.

    `snapshot` is what `tournament.domain.snapshots` took: ids, times, rooms; nobody's name.
    `again` is the earlier version that was published again by this one; `withdrawn_at` when the
    version was taken back, which only the newest can be.
    """

    competition = models.ForeignKey(
        Competition, on_delete=models.CASCADE, related_name="schedule_publications"
    )
    number = models.PositiveIntegerField()
    snapshot = models.JSONField()
    note = models.CharField(_("说明"), max_length=200, blank=True)
    again = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("日程的版本")
        verbose_name_plural = _("日程的版本")
        ordering = ["competition", "-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "number"], name="schedule_publication_number"
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="schedule_publication_number_from_1"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition} v{self.number}"
