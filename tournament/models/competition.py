"""A competition and its regulations."""

from __future__ import annotations

import secrets
import zoneinfo
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournament.keeping import KEEP_DAYS, LEAST_DAYS, MOST_DAYS
from tournament.validators import check_timezone

if TYPE_CHECKING:
    from tournament.models.event import Event

CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def new_code() -> str:
    """Six letters or digits for the address of a competition, none that look alike."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(6))


class Competition(models.Model):
    """One competition: a name and a date are enough. Shown to everyone once published.

    `final_minutes`: how long after its confirmation the last round becomes final (C7.1);
    `events_limit`: in how many events one entry may play (C10), None for no limit;
    `tables_each`: at how many tables one referee judges at the same time.

    `keep_days`: so long after `results_on` (the day its result book was published, in its zone;
    without one the day it ended) people's data are kept; `keep_until` puts that off, `told_on` is
    when the organizers first saw the day coming, `purged_at` when it was done
    (`tournament.keeping`).
    """

    code = models.CharField(max_length=12, unique=True, default=new_code, editable=False)
    name = models.CharField(_("名称"), max_length=80)
    starts_on = models.DateField(_("日期"))
    ends_on = models.DateField(_("结束日期"), null=True, blank=True)
    place = models.CharField(_("地点"), max_length=120, blank=True)
    about = models.TextField(_("说明"), blank=True)
    timezone = models.CharField(
        _("时区"), max_length=40, default="Asia/Shanghai", validators=[check_timezone]
    )
    mask_names = models.BooleanField(_("公开页面隐去姓名中间的字"), default=False)
    capacity = models.PositiveIntegerField(_("名额"), null=True, blank=True)
    final_minutes = models.PositiveSmallIntegerField(_("末轮确认多少分钟后定局"), default=30)
    events_limit = models.PositiveSmallIntegerField(_("每人最多报几项"), null=True, blank=True)
    tables_each = models.PositiveSmallIntegerField(_("一名裁判同时看几桌"), default=1)
    published_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    keep_days = models.PositiveSmallIntegerField(_("个人信息保留几天"), default=KEEP_DAYS)
    results_on = models.DateField(null=True, blank=True)
    keep_until = models.DateField(_("推迟到"), null=True, blank=True)
    told_on = models.DateField(null=True, blank=True)
    purged_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    chosen: int | None = None
    """The event that an organizer's page is about where it is not the first; no column."""
    known_events: Sequence[Event] = ()
    """All its events, as far as the page has read them; no column."""

    class Meta:
        verbose_name = _("比赛")
        verbose_name_plural = _("比赛")
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__isnull=True)
                | models.Q(ends_on__gte=models.F("starts_on")),
                name="competition_ends_after_start",
                violation_error_message=_("结束日期不能早于开始日期。"),
            ),
            models.CheckConstraint(
                condition=models.Q(tables_each__gte=1), name="competition_tables_each_from_1"
            ),
            models.CheckConstraint(
                condition=models.Q(keep_days__gte=LEAST_DAYS, keep_days__lte=MOST_DAYS),
                name="competition_keeps_data_for_a_while",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The public page."""
        return reverse("competition", args=[self.code])

    @property
    def scope(self) -> str:
        """The name of this competition for versions, audit rows and jobs."""
        return f"competition:{self.pk}"

    @property
    def events_to_choose(self) -> Sequence[Event]:
        """The events among which a page lets one choose: none where there is one."""
        return self.known_events if len(self.known_events) > 1 else ()

    @property
    def event_query(self) -> str:
        """What keeps the chosen event in the addresses of the organizer's pages."""
        return f"?event={self.chosen}" if self.chosen else ""

    @property
    def event_more(self) -> str:
        """The same after another part of a query."""
        return f"&event={self.chosen}" if self.chosen else ""

    @property
    def desk_scope(self) -> str:
        """The name for versions of what only the referees' desk shows: calls, attendance."""
        return f"desk:{self.pk}"

    @property
    def screen_scope(self) -> str:
        """The name for versions of what the hall's screen is told to show."""
        return f"screen:{self.pk}"

    @property
    def tz(self) -> zoneinfo.ZoneInfo:
        """The time zone in which its times are shown."""
        return zoneinfo.ZoneInfo(self.timezone)

    @property
    def is_published(self) -> bool:
        """Whether people without a role may see it."""
        return self.published_at is not None

    @property
    def is_over(self) -> bool:
        """Whether it has ended: polling stops."""
        return self.ended_at is not None


class Regulation(models.Model):
    """One version of a competition's 竞赛规程, never changed once written."""

    competition = models.ForeignKey(
        Competition, on_delete=models.CASCADE, related_name="regulations"
    )
    version = models.PositiveIntegerField()
    text = models.TextField(_("竞赛规程"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["competition", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "version"], name="regulation_version"),
            models.CheckConstraint(
                condition=models.Q(version__gte=1), name="regulation_version_from_1"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition} v{self.version}"
