"""The hall and the day: rooms with their physical tables (台), sessions (场次)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.competition import Competition


class Room(models.Model):
    """A room of the hall with `places` physical tables, numbered from `first_place` on.

    `is_step_free`: one gets there without stairs. `position` is the order in which rooms fill.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="rooms")
    name = models.CharField(_("房间"), max_length=40)
    position = models.PositiveSmallIntegerField(default=1)
    first_place = models.PositiveSmallIntegerField(_("第一张台的号"), default=1)
    places = models.PositiveSmallIntegerField(_("几张台"))
    is_step_free = models.BooleanField(_("不用上楼梯"), default=True)

    class Meta:
        verbose_name = _("房间")
        verbose_name_plural = _("房间")
        ordering = ["competition", "position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "name"],
                name="room_name",
                violation_error_message=_("这个房间已经有了。"),
            ),
            models.CheckConstraint(
                condition=models.Q(places__gte=1, places__lte=500, first_place__gte=1),
                name="room_places_1_to_500",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def last_place(self) -> int:
        """The highest number of its tables."""
        return self.first_place + self.places - 1


class Session(models.Model):
    """场次: a part of the days in which rounds are played (上午, 下午 …)."""

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="sessions")
    name = models.CharField(_("场次"), max_length=40)
    begins_at = models.DateTimeField(_("开始"))
    ends_at = models.DateTimeField(_("结束"))

    class Meta:
        verbose_name = _("场次")
        verbose_name_plural = _("场次")
        ordering = ["competition", "begins_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "name"],
                name="session_name",
                violation_error_message=_("这个场次已经有了。"),
            ),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("begins_at")),
                name="session_ends_after_it_begins",
                violation_error_message=_("结束要晚于开始。"),
            ),
        ]

    def __str__(self) -> str:
        return self.name
