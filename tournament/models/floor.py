"""What happens on the floor beside the cards: extra time, calls for a referee, who is there."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.enums import CallKind
from tournament.models.access import DeviceLink
from tournament.models.people import Entrant
from tournament.models.play import Round, Table


class ExtraTime(models.Model):
    """Minutes that a referee gave one table beyond its round's; taken back: `voided_at`."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="extra_times")
    minutes = models.PositiveSmallIntegerField(_("加几分钟"))
    reason = models.CharField(_("原因"), max_length=200)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    link = models.ForeignKey(DeviceLink, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    voided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("加时")
        verbose_name_plural = _("加时")
        ordering = ["table", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(minutes__gte=1), name="extra_time_from_1_minute"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="extra_time_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} +{self.minutes}"


class Call(models.Model):
    """A table calls for a referee (呼叫裁判): by its own or a player's link, at most one open.

    `answered_by` and `answered_link` say who took it; both are the caller's where he took it
    back.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="calls")
    kind = models.CharField(_("为了什么"), max_length=10, choices=CallKind.choices)
    text = models.CharField(_("补充一句"), max_length=100, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    link = models.ForeignKey(DeviceLink, null=True, on_delete=models.SET_NULL, related_name="+")
    called_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    answered_link = models.ForeignKey(
        DeviceLink, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("呼叫")
        verbose_name_plural = _("呼叫")
        ordering = ["called_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(answered_at__isnull=True),
                name="call_one_open_a_table",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=CallKind.values), name="call_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.kind}"


class Attendance(models.Model):
    """Whether an entrant was at his table when a referee looked (点名, C9.2).

    `absent_at` is when he was first missed, `seated_at` when he was seen there. Both: he came
    late. It is the entrant's in that round, whichever seat he has.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="attendances")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="attendances")
    absent_at = models.DateTimeField(null=True, blank=True)
    seated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("到场")
        verbose_name_plural = _("到场")
        ordering = ["round", "id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entrant"], name="attendance_once_a_round"),
            models.CheckConstraint(
                condition=models.Q(absent_at__isnull=False) | models.Q(seated_at__isnull=False),
                name="attendance_says_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.entrant_id}"

    @property
    def is_absent(self) -> bool:
        """Whether he is still missed."""
        return self.seated_at is None
