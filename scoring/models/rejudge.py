"""Rejudging an event (C11): the rules proposed, and what they would change, hand by hand."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.enums import RejudgeState
from scoring.models.base import Authored
from scoring.models.sheet import HandVersion
from tournament.models import Event, Table

OPEN = (RejudgeState.COMPUTING, RejudgeState.SHOWN)


class Rejudge(Authored):
    """All hands of an event computed again as a set, under other rules or by a newer engine.

    `preset`, `options`, `rules_digest` are proposed in place of those that stood then
    (`before_…`); they are the same where only the engine is newer. `stamp` is what the sheets
    were when it was computed; `summary` counts what would change. `reason` is why it was
    applied or dismissed.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rejudges")
    state = models.CharField(
        _("状态"), max_length=10, choices=RejudgeState.choices, default=RejudgeState.COMPUTING
    )
    preset = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    rules_digest = models.CharField(max_length=64)
    before_preset = models.CharField(max_length=20)
    before_options = models.JSONField(default=dict)
    before_digest = models.CharField(max_length=64)
    engine_version = models.CharField(max_length=20)
    stamp = models.CharField(max_length=64, blank=True)
    summary = models.JSONField(default=dict)
    job = models.ForeignKey(
        "core.Job", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    reason = models.CharField(_("理由"), max_length=200, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("重判")
        verbose_name_plural = _("重判")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=RejudgeState.values), name="rejudge_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=OPEN) | ~models.Q(reason=""),
                name="rejudge_decided_with_reason",
            ),
            models.UniqueConstraint(
                fields=["event"],
                condition=models.Q(state__in=OPEN),
                name="rejudge_one_open_an_event",
                violation_error_message=_("这个项目已有一次重判还没有决定。"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.state}"

    @property
    def changes_rules(self) -> bool:
        """Whether other rules are proposed, not only a newer engine."""
        return self.rules_digest != self.before_digest

    @property
    def is_open(self) -> bool:
        """Whether it is still to be applied or dismissed."""
        return self.state in OPEN


class RejudgedTable(models.Model):
    """A table at which something would change: net 舵 by seat before and after.

    `effects` is there where places of a confirmed table would change (C9.1); `has_tie` where
    they cannot be told before the chief referee has fixed them (C8.6).
    """

    rejudge = models.ForeignKey(Rejudge, on_delete=models.CASCADE, related_name="tables")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    nets_before = models.JSONField()
    nets_after = models.JSONField()
    effects = models.JSONField(null=True)
    has_tie = models.BooleanField(default=False)

    class Meta:
        ordering = ["rejudge", "table__round__number", "table__number"]
        constraints = [
            models.UniqueConstraint(fields=["rejudge", "table"], name="rejudged_table_once")
        ]

    def __str__(self) -> str:
        return f"{self.rejudge_id} {self.table_id}"


class RejudgedHand(models.Model):
    """A hand that would change: `version` counted then; `after` holds the new values by field.

    Without `after` the hand is not legal under the new rules, for the reason in the two
    sentences: its old values are kept and it is 待裁. `made` is the version that applying wrote.
    """

    at = models.ForeignKey(RejudgedTable, on_delete=models.CASCADE, related_name="hands")
    version = models.ForeignKey(HandVersion, on_delete=models.CASCADE, related_name="+")
    after = models.JSONField(null=True)
    sentence_zh = models.TextField(blank=True)
    sentence_en = models.TextField(blank=True)
    made = models.OneToOneField(
        HandVersion, null=True, on_delete=models.SET_NULL, related_name="rejudged"
    )

    class Meta:
        ordering = ["at", "version__hand__number"]
        constraints = [
            models.UniqueConstraint(fields=["at", "version"], name="rejudged_hand_once"),
            models.CheckConstraint(
                condition=models.Q(after__isnull=False) | ~models.Q(sentence_zh=""),
                name="rejudged_hand_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}"
