"""Penalties, rulings and protests (C6.5, C6.6, C7.3)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.enums import PenaltyKind, ProtestState
from scoring.models.base import ALL_ZERO, ZERO_SUM, Authored, Deltas
from scoring.models.sheet import Hand, Sheet


class Penalty(Deltas, Authored):
    """Points taken from the seat `position` (C6.5).

    To the opponents: `delta_1 … 4` hold what each seat gets and loses, summing to zero.
    扣罚: `deducted` is taken from the seat and nobody gets it. Taken back: `voided_at`.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="penalties")
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.SET_NULL, related_name="penalties"
    )
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=PenaltyKind.choices)
    deducted = models.PositiveIntegerField(default=0)
    code = models.CharField(max_length=20, blank=True)
    reason = models.CharField(_("原因"), max_length=200)
    voided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("罚分")
        verbose_name_plural = _("罚分")
        ordering = ["sheet", "id"]
        constraints = [
            models.CheckConstraint(condition=ZERO_SUM, name="penalty_zero_sum"),
            models.CheckConstraint(
                condition=models.Q(kind=PenaltyKind.OPPONENTS, deducted=0)
                | (models.Q(kind=PenaltyKind.DEDUCTION) & ALL_ZERO),
                name="penalty_to_one_ledger",
            ),
            models.CheckConstraint(
                condition=models.Q(position__gte=0, position__lte=3), name="penalty_position"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="penalty_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.position} {self.kind}"


class Ruling(Deltas, Authored):
    """The chief referee's word (C6.6): it stands beside the computed value and replaces it.

    About a hand: its deltas take the place of the hand's in totals. About the whole table
    (`hand` null): `places` may fix the seats' places, position → place from 1.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="rulings")
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.CASCADE, related_name="rulings"
    )
    places = models.JSONField(null=True, blank=True)
    reason = models.CharField(_("理由"), max_length=400)
    is_current = models.BooleanField(default=True)

    class Meta:
        verbose_name = _("裁决")
        verbose_name_plural = _("裁决")
        ordering = ["sheet", "id"]
        constraints = [
            models.CheckConstraint(condition=ZERO_SUM, name="ruling_zero_sum"),
            models.CheckConstraint(
                condition=models.Q(hand__isnull=False, places__isnull=True)
                | (models.Q(hand__isnull=True) & ALL_ZERO),
                name="ruling_hand_or_table",
            ),
            models.UniqueConstraint(
                fields=["hand"],
                condition=models.Q(is_current=True, hand__isnull=False),
                name="ruling_one_a_hand",
            ),
            models.UniqueConstraint(
                fields=["sheet"],
                condition=models.Q(is_current=True, hand__isnull=True),
                name="ruling_one_a_table",
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="ruling_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.hand_id}"


class Protest(Authored):
    """A protest from the table, an entrant or a referee, and what became of it."""

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="protests")
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.SET_NULL, related_name="protests"
    )
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.CharField(_("申诉内容"), max_length=400)
    state = models.CharField(
        _("状态"), max_length=10, choices=ProtestState.choices, default=ProtestState.OPEN
    )
    answer = models.CharField(_("答复"), max_length=400, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    ruling = models.ForeignKey(
        Ruling, null=True, blank=True, on_delete=models.SET_NULL, related_name="protests"
    )

    class Meta:
        verbose_name = _("申诉")
        verbose_name_plural = _("申诉")
        ordering = ["sheet", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state=ProtestState.OPEN, answered_at__isnull=True)
                | ~models.Q(state=ProtestState.OPEN),
                name="protest_open_unanswered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.state}"
