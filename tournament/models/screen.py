"""What the screen in the hall is told to show."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.enums import ScreenPart
from tournament.models.competition import Competition
from tournament.models.draw import Draw

SECONDS = 12
"""How long a page of a part stands where nobody has said otherwise."""


def default_parts() -> dict[str, int]:
    """Every part, each page for `SECONDS`."""
    return dict.fromkeys(ScreenPart.values, SECONDS)


class ScreenSettings(models.Model):
    """The screens of a competition: which parts rotate, what is held, the draw's ceremony.

    `parts` are the parts that rotate, each with the seconds its pages stand; `pinned` one that is
    shown alone. While `draw` is set its ceremony is shown: so many `step`s of its deal are
    revealed, and from `auto_since` on one more every `step_seconds`. Without a row: the defaults.
    """

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, related_name="screen_settings"
    )
    parts = models.JSONField(default=default_parts)
    pinned = models.CharField(
        _("只放一项"), max_length=15, choices=ScreenPart.choices, blank=True, default=""
    )
    draw = models.ForeignKey(Draw, null=True, on_delete=models.CASCADE, related_name="+")
    step = models.PositiveIntegerField(default=0)
    step_seconds = models.PositiveSmallIntegerField(_("每人几秒"), default=4)
    auto_since = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("大屏幕")
        verbose_name_plural = _("大屏幕")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(step_seconds__gte=1, step_seconds__lte=60),
                name="screen_step_1_to_60_seconds",
            ),
            models.CheckConstraint(
                condition=models.Q(draw__isnull=False) | models.Q(step=0, auto_since__isnull=True),
                name="screen_steps_are_a_draws",
            ),
            models.CheckConstraint(
                condition=models.Q(pinned="") | models.Q(pinned__in=ScreenPart.values),
                name="screen_pinned_known",
            ),
        ]

    def __str__(self) -> str:
        return str(self.competition)

    def steps_at(self, now: datetime, total: int) -> int:
        """How many of the deal's `total` steps are revealed at `now`."""
        gone = 0
        if self.auto_since is not None:
            gone = max(0, int((now - self.auto_since).total_seconds())) // self.step_seconds
        return min(self.step + gone, total)
