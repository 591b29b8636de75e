"""A record that is being written, event by event (牌谱记录)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.base import Authored
from scoring.models.sheet import HandVersion, Sheet


class Recording(Authored):
    """The draft of a hand's record; the server holds it, so any device can go on with it.

    `cards` are those of the deal, by place (`scoring.recorder.SHOWN`, `WALL`, a seat's
    character) as they were tapped. `steps` are the events, one list for each tap: the lines it
    wrote, those that had to follow included; the first list belongs to the end of the deal.
    `revision` counts the changes, `last` is the request that made the newest. Closed by
    `done_at`: saved as `version`, or put away where there is none.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="recordings")
    number = models.PositiveSmallIntegerField(_("第几局"))
    dealer = models.PositiveSmallIntegerField(_("庄家"))
    cards = models.JSONField(default=dict)
    steps = models.JSONField(default=list)
    is_dealing = models.BooleanField(default=True)
    revision = models.PositiveIntegerField(default=0)
    last = models.CharField(max_length=200, blank=True)
    updated_at = models.DateTimeField(auto_now=True)
    done_at = models.DateTimeField(null=True, blank=True)
    version = models.OneToOneField(
        HandVersion, null=True, blank=True, on_delete=models.SET_NULL, related_name="recording"
    )

    class Meta:
        verbose_name = _("牌谱记录")
        verbose_name_plural = _("牌谱记录")
        ordering = ["sheet", "number", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "number"],
                condition=models.Q(done_at__isnull=True),
                name="recording_one_open",
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="recording_number_from_1"
            ),
            models.CheckConstraint(
                condition=models.Q(dealer__gte=0, dealer__lte=3), name="recording_dealer"
            ),
            models.CheckConstraint(
                condition=models.Q(version__isnull=True) | models.Q(done_at__isnull=False),
                name="recording_saved_is_done",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.number}"
