"""Sheets, hands and their versions, confirmations, extra hands (C6, C7, C8.2)."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.enums import Evidence, SheetState
from scoring.models.base import ALL_ZERO, IS_GAME, ZERO_SUM, Authored, Deltas
from tournament.models import Table


class Sheet(models.Model):
    """A table's sheet (记分表), one to one with the table, made when it is published."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="sheet")
    state = models.CharField(
        _("状态"), max_length=10, choices=SheetState.choices, default=SheetState.OPEN
    )
    hands_planned = models.PositiveSmallIntegerField(_("几局"))
    submitted_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    final_at = models.DateTimeField(null=True, blank=True)
    sent_back_word = models.CharField(_("退回说明"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("记分表")
        verbose_name_plural = _("记分表")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=SheetState.values), name="sheet_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(hands_planned__gte=1), name="sheet_hands_from_1"
            ),
        ]

    def __str__(self) -> str:
        return str(self.table)

    def get_absolute_url(self) -> str:
        """The referee's page. Needs `table.round.stage.event.competition`."""
        code = self.table.round.stage.event.competition.code
        return reverse("sheet", args=[code, self.table_id])

    @property
    def scope(self) -> str:
        """The name of this sheet for versions: its table's, which has one sheet at most."""
        return Table.scope_of(self.table_id)


class TieBreak(models.Model):
    """加赛 (C8.2): who is level at the line, and what decided.

    `line` is the place after which the line runs (1: between first and second); `tied` the
    positions of the seats that are level; `order` the same positions best first once decided,
    by extra hands or by the next criterion.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="tie_breaks")
    line = models.PositiveSmallIntegerField()
    tied = models.JSONField()
    order = models.JSONField(null=True)

    class Meta:
        ordering = ["sheet", "line"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "line"], name="tie_break_line"),
            models.CheckConstraint(
                condition=models.Q(line__gte=1, line__lte=3), name="tie_break_line_1_to_3"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.line}"


class Hand(models.Model):
    """A hand's place on its sheet, numbered from 1; what it was is its newest version.

    An extra hand (加赛) belongs to its tie break and counts for nothing else.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField(_("第几局"))
    tie_break = models.ForeignKey(
        TieBreak, null=True, blank=True, on_delete=models.PROTECT, related_name="hands"
    )

    class Meta:
        verbose_name = _("局")
        verbose_name_plural = _("局")
        ordering = ["sheet", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "number"],
                name="hand_number",
                violation_error_message=_("这一局已经有人记了。"),
            ),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="hand_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.number}"

    @property
    def is_extra(self) -> bool:
        """Whether it is a 加赛 hand."""
        return self.tie_break_id is not None


class HandVersion(Deltas, Authored):
    """One version of a hand; the newest, `is_current`, counts (C6.2).

    `payload` is what was entered, as its evidence level has it (`record`: the ZPR text);
    `computed` the engine's result as JSON (`Result.as_json`), null for totals. The columns
    say the same for sums and statistics: `winners` are seat positions, empty after 荒庄,
    null where unknown (totals); `source` the engine's name of how it was won; `payer` the
    position of who discarded. `is_flagged` is 待裁 (C6.3): `payload` and `computed` differ.
    Of a game (C10) the four columns are what counts first there (`scoring.games`), `winners` who
    came first, empty where all are level.
    """

    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveSmallIntegerField()
    is_current = models.BooleanField(default=True)
    is_void = models.BooleanField(default=False)
    is_flagged = models.BooleanField(_("待裁"), default=False)
    evidence = models.CharField(_("依据"), max_length=10, choices=Evidence.choices)
    payload = models.JSONField(default=dict)
    computed = models.JSONField(null=True)
    dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    winners = models.JSONField(null=True, blank=True)
    source = models.CharField(max_length=20, blank=True)
    special = models.CharField(max_length=10, blank=True)
    payer = models.PositiveSmallIntegerField(null=True, blank=True)
    hu = models.PositiveSmallIntegerField(null=True, blank=True)
    xing = models.PositiveSmallIntegerField(null=True, blank=True)
    total = models.PositiveIntegerField(null=True, blank=True)
    engine_version = models.CharField(max_length=20, blank=True)
    rules_digest = models.CharField(max_length=64, blank=True)
    reason = models.CharField(_("原因"), max_length=200, blank=True)
    is_after_final = models.BooleanField(default=False)

    class Meta:
        ordering = ["hand", "version"]
        constraints = [
            models.UniqueConstraint(fields=["hand", "version"], name="hand_version"),
            models.UniqueConstraint(
                fields=["hand"], condition=models.Q(is_current=True), name="hand_one_current"
            ),
            models.CheckConstraint(condition=ZERO_SUM | IS_GAME, name="hand_zero_sum"),
            models.CheckConstraint(
                condition=models.Q(is_void=False) | ALL_ZERO, name="hand_void_is_zero"
            ),
            models.CheckConstraint(
                condition=models.Q(evidence__in=Evidence.values), name="hand_evidence_known"
            ),
            models.CheckConstraint(
                condition=models.Q(is_after_final=False) | ~models.Q(reason=""),
                name="hand_after_final_needs_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand} v{self.version}"

    @property
    def is_checked(self) -> bool:
        """已核牌: the engine has seen the cards (C6.1)."""
        return self.evidence in (Evidence.SLIP, Evidence.RECORD)


class Confirmation(Authored):
    """Somebody has seen the whole sheet and agrees (C7.2).

    `position` is the seat for which a player confirms, null for a referee. `is_current`
    turns false when the sheet is sent back or corrected.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="confirmations")
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    is_current = models.BooleanField(default=True)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["sheet", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "position"],
                condition=models.Q(is_current=True),
                name="confirmation_one_a_seat",
            ),
            models.UniqueConstraint(
                fields=["sheet"],
                condition=models.Q(is_current=True, position__isnull=True),
                name="confirmation_one_referee",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.position}"
