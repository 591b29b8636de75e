"""Imported lists: kept between preview and confirmation, and as long as they can be undone."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.enums import ImportState
from tournament.models.competition import Competition
from tournament.models.event import Event


class ImportBatch(models.Model):
    """One uploaded or pasted list.

    `sheets` (what was read: names and phones) is there before the confirmation only, `undo` (the
    rows written, with digests and earlier values) after it, until `expires_at`; then `counts` and
    `ids` are all that is left.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="imports")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    state = models.CharField(
        _("状态"), max_length=10, choices=ImportState.choices, default=ImportState.PREVIEW
    )
    sheets = models.JSONField(default=list)
    sheet = models.PositiveSmallIntegerField(default=0)
    start = models.PositiveIntegerField(default=1)
    columns = models.JSONField(default=list)
    undo = models.JSONField(default=list)
    ids = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("导入")
        verbose_name_plural = _("导入")
        ordering = ["competition", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=ImportState.values), name="import_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state=ImportState.PREVIEW) | models.Q(sheets=[]),
                name="import_forgets_its_list",
            ),
            models.CheckConstraint(
                condition=models.Q(state=ImportState.DONE) | models.Q(undo=[]),
                name="import_undo_once",
            ),
        ]
        indexes = [models.Index(fields=["expires_at"], name="import_expires")]

    def __str__(self) -> str:
        return f"{self.competition} #{self.pk}"
