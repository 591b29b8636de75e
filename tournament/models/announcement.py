"""Announcements (公告) of a competition."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.competition import Competition


class Announcement(models.Model):
    """A text for everyone, for the entrants' pages, for the big screen, or for several of them.

    Nobody sees it before `publish_at`, nor after it was withdrawn.
    """

    competition = models.ForeignKey(
        Competition, on_delete=models.CASCADE, related_name="announcements"
    )
    title = models.CharField(_("标题"), max_length=80)
    text = models.TextField(_("内容"), blank=True, max_length=4000)
    is_public = models.BooleanField(_("比赛页面"), default=True)
    for_entrants = models.BooleanField(_("选手页"), default=True)
    on_screen = models.BooleanField(_("大屏幕"), default=False)
    publish_at = models.DateTimeField(_("发布时间"))
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    edited_at = models.DateTimeField(null=True, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("公告")
        verbose_name_plural = _("公告")
        ordering = ["competition", "-publish_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_public=True)
                | models.Q(for_entrants=True)
                | models.Q(on_screen=True),
                name="announcement_shown_somewhere",
                violation_error_message=_("请至少选一处显示的地方。"),
            ),
        ]

    def __str__(self) -> str:
        return self.title
