"""Draws: what was frozen, thrown and dealt, enough to redraw them bit for bit (C4)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Stage


class Draw(models.Model):
    """One draw of a stage, from the freeze (C4.1) to the result (C4.5).

    `round_number` is the first round it seats: 1, or in `redraw` every round in its turn (C3.2).

    Until the words are entered it has no number. `lines` is the frozen list (UTF-8, LF),
    `salt` what names were hashed with, `secret` the server's 32 bytes, all as hex or text;
    `secret` stays hidden until the words are in. `plan`, `log` and `result` are the published
    JSON's parts. `absent` holds the ids of the entrants whom the freeze marked absent.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="draws")
    round_number = models.PositiveSmallIntegerField(_("从第几轮起"), default=1)
    number = models.PositiveSmallIntegerField(_("第几次抽签"), null=True, blank=True)
    lines = models.TextField()
    salt = models.CharField(max_length=64)
    list_digest = models.CharField(max_length=64)
    secret = models.CharField(max_length=64)
    secret_hash = models.CharField(max_length=64)
    words = models.CharField(_("现场的话"), max_length=200, blank=True)
    seed = models.CharField(max_length=64, blank=True)
    plan = models.JSONField(default=dict)
    log = models.JSONField(default=list)
    result = models.JSONField(null=True)
    absent = models.JSONField(default=list)
    reason = models.CharField(_("重抽原因"), max_length=200, blank=True)
    frozen_at = models.DateTimeField(auto_now_add=True)
    drawn_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("抽签")
        verbose_name_plural = _("抽签")
        ordering = ["stage", "id"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "round_number", "number"], name="draw_number"),
            models.UniqueConstraint(
                fields=["stage"],
                condition=models.Q(number__isnull=True),
                name="draw_one_frozen",
            ),
            models.CheckConstraint(
                condition=models.Q(number__isnull=True, words="", drawn_at__isnull=True)
                | (
                    models.Q(number__isnull=False, number__gte=1, drawn_at__isnull=False)
                    & ~models.Q(words="")
                ),
                name="draw_words_are_the_draw",
            ),
            models.CheckConstraint(
                condition=models.Q(number__isnull=True) | models.Q(number=1) | ~models.Q(reason=""),
                name="draw_again_needs_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} #{self.number or '–'}"

    @property
    def title(self) -> str:
        """Which draw it is: 第 1 次抽签; of a later round of `redraw` with that round."""
        words = {"n": self.number or 1, "round": self.round_number}
        if self.round_number > 1:
            return str(_("第 %(round)d 轮第 %(n)d 次抽签") % words)
        return str(_("第 %(n)d 次抽签") % words)

    @property
    def is_drawn(self) -> bool:
        """Whether the words are in (entering them is the draw, C4.2)."""
        return self.number is not None
