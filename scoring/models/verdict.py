"""Penalties, rulings and protests (C6.5, C6.6, C7.3)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.enums import PenaltyKind, PenaltyLevel, ProtestAbout, ProtestState
from scoring.models.base import ALL_ZERO, ZERO_SUM, Authored, Deltas
from scoring.models.sheet import Hand, Sheet
from tournament.models import Competition

NO_POINTS = models.Q(kind=PenaltyKind.NONE, deducted=0) & ALL_ZERO
UNANSWERED = (ProtestState.OPEN, ProtestState.WITHDRAWN)
APPEALS = (ProtestState.APPEALED, ProtestState.GRANTED, ProtestState.DISMISSED)


class VerdictSettings(models.Model):
    """What a competition sets about penalties and protests; where nothing is set there is no row.

    `amounts`: code of the catalogue (`scoring.penalties`) → `{"kind": …, "amount": …}` in place of
    its defaults. `committee`: the names of the 仲裁 who decide appeals, "" for the chief referee.
    """

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, related_name="verdict_settings"
    )
    amounts = models.JSONField(default=dict)
    committee = models.CharField(_("仲裁"), max_length=120, blank=True)

    def __str__(self) -> str:
        return str(self.competition)


class Penalty(Deltas, Authored):
    """A penalty of the seat `position` (C6.5), one step of the ladder (`level`).

    To the opponents: `delta_1 … 4` hold what each seat gets and loses, summing to zero.
    扣罚: `deducted` is taken from the seat and nobody gets it. A warning has neither. 停和: he may
    not win from the hand numbered `stop_from` on, for `stop_hands` hands or, where that is null,
    for the rest of the table. `code` is the catalogue's (`scoring.penalties`), "" for what it has
    not. Taken back: `voided_at`.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="penalties")
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.SET_NULL, related_name="penalties"
    )
    position = models.PositiveSmallIntegerField()
    level = models.CharField(
        _("哪一级"), max_length=10, choices=PenaltyLevel.choices, default=PenaltyLevel.POINTS
    )
    kind = models.CharField(max_length=10, choices=PenaltyKind.choices)
    stop_from = models.PositiveSmallIntegerField(null=True, blank=True)
    stop_hands = models.PositiveSmallIntegerField(null=True, blank=True)
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
                | (models.Q(kind=PenaltyKind.DEDUCTION) & ALL_ZERO)
                | NO_POINTS,
                name="penalty_to_one_ledger",
            ),
            models.CheckConstraint(
                condition=models.Q(level__in=PenaltyLevel.values), name="penalty_level_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(level=PenaltyLevel.WARNING) | NO_POINTS,
                name="penalty_warning_has_no_points",
            ),
            models.CheckConstraint(
                condition=~models.Q(level=PenaltyLevel.POINTS) | ~models.Q(kind=PenaltyKind.NONE),
                name="penalty_points_has_points",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    level=PenaltyLevel.NO_HU, stop_from__isnull=False, stop_from__gte=1
                )
                | (
                    ~models.Q(level=PenaltyLevel.NO_HU)
                    & models.Q(stop_from__isnull=True, stop_hands__isnull=True)
                ),
                name="penalty_stop_has_its_hands",
            ),
            models.CheckConstraint(
                condition=models.Q(position__gte=0, position__lte=3), name="penalty_position"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="penalty_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.position} {self.kind}"

    @property
    def has_points(self) -> bool:
        """Whether it changes a sum."""
        return self.kind != PenaltyKind.NONE

    @property
    def amount(self) -> int:
        """What was taken, in 舵: from the seat (扣罚), or for each other player."""
        return self.deducted or max(self.deltas)

    def stops(self, number: int) -> bool:
        """Whether he may not win the hand with this number (停和)."""
        if self.stop_from is None or number < self.stop_from:
            return False
        return self.stop_hands is None or number < self.stop_from + self.stop_hands


class Ruling(Deltas, Authored):
    """The chief referee's word (C6.6): it stands beside the computed value and replaces it.

    About a hand: its deltas take the place of the hand's in totals. About the whole table
    (`hand` null): `places` may fix the seats' places, position → place from 1. About a game (C10)
    `places` are those in the game, one a seat, and the deltas what counts there.
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
            models.CheckConstraint(
                condition=ZERO_SUM | models.Q(hand__isnull=False, places__isnull=False),
                name="ruling_zero_sum",
            ),
            models.CheckConstraint(
                condition=models.Q(hand__isnull=False) | ALL_ZERO,
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
    """A protest from the table, an entrant or a referee, what became of it, and one appeal.

    `position` is the seat of the entrant who made it. `answer` is the chief referee's, `is_upheld`
    what it was; `final_answer` is the one to the appeal, given by the chief referee or in the name
    of `final_by`, the 仲裁 as the organizer had named it.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="protests")
    about = models.CharField(
        _("关于"), max_length=10, choices=ProtestAbout.choices, default=ProtestAbout.OTHER
    )
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.SET_NULL, related_name="protests"
    )
    penalty = models.ForeignKey(
        Penalty, null=True, blank=True, on_delete=models.SET_NULL, related_name="protests"
    )
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.CharField(_("申诉内容"), max_length=400)
    state = models.CharField(
        _("状态"), max_length=10, choices=ProtestState.choices, default=ProtestState.OPEN
    )
    is_upheld = models.BooleanField(null=True, blank=True)
    answer = models.CharField(_("答复"), max_length=400, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    ruling = models.ForeignKey(
        Ruling, null=True, blank=True, on_delete=models.SET_NULL, related_name="protests"
    )
    appeal = models.CharField(_("上诉理由"), max_length=400, blank=True)
    appealed_at = models.DateTimeField(null=True, blank=True)
    final_answer = models.CharField(_("上诉答复"), max_length=400, blank=True)
    final_by = models.CharField(_("仲裁"), max_length=120, blank=True)
    final_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("申诉")
        verbose_name_plural = _("申诉")
        ordering = ["sheet", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=UNANSWERED, answered_at__isnull=True)
                | (~models.Q(state__in=UNANSWERED) & models.Q(answered_at__isnull=False)),
                name="protest_open_unanswered",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=ProtestState.values), name="protest_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=APPEALS, appealed_at__isnull=False)
                | (~models.Q(state__in=APPEALS) & models.Q(appealed_at__isnull=True)),
                name="protest_appealed",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    state__in=(ProtestState.GRANTED, ProtestState.DISMISSED),
                    final_at__isnull=False,
                )
                | (
                    ~models.Q(state__in=(ProtestState.GRANTED, ProtestState.DISMISSED))
                    & models.Q(final_at__isnull=True)
                ),
                name="protest_final_answered",
            ),
            models.CheckConstraint(
                condition=models.Q(about=ProtestAbout.HAND) | models.Q(hand__isnull=True),
                name="protest_of_a_hand",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.state}"

    @property
    def is_waiting(self) -> bool:
        """Whether somebody has to answer."""
        return self.state in (ProtestState.OPEN, ProtestState.APPEALED)

    @property
    def lacks_ruling(self) -> bool:
        """Upheld about points or places, and no ruling says yet what counts instead."""
        granted = self.state in (ProtestState.UPHELD, ProtestState.GRANTED)
        ruled = (ProtestAbout.HAND, ProtestAbout.PLACES)
        return granted and self.about in ruled and self.ruling_id is None
