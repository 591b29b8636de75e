"""What rows about a table share: points by seat, and who wrote them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from core.actors import Actor

ZERO_SUM = models.Q(delta_4=-models.F("delta_1") - models.F("delta_2") - models.F("delta_3"))
"""The points of the four seats sum to zero (R9.4, C6.2)."""

IS_GAME = models.Q(evidence="game")
"""A game that is not 字牌: its columns are shares or points, with no fixed sum (C10)."""

ALL_ZERO = models.Q(delta_1=0, delta_2=0, delta_3=0, delta_4=0)


class Deltas(models.Model):
    """Points of the seats 甲 乙 丙 丁, in 舵 (胡 points where the unit is `hu`)."""

    delta_1 = models.IntegerField(default=0)
    delta_2 = models.IntegerField(default=0)
    delta_3 = models.IntegerField(default=0)
    delta_4 = models.IntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def deltas(self) -> tuple[int, int, int, int]:
        """The four seats' points in seat order, 0 for a seat the table does not have."""
        return self.delta_1, self.delta_2, self.delta_3, self.delta_4

    @deltas.setter
    def deltas(self, values: tuple[int, ...]) -> None:
        padded = (*values, 0, 0, 0, 0)[:4]
        self.delta_1, self.delta_2, self.delta_3, self.delta_4 = padded


class Authored(models.Model):
    """Who wrote the row and when: a user or a device link; neither is the site itself."""

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    link = models.ForeignKey(
        "tournament.DeviceLink", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    @property
    def written_by(self) -> Actor:
        """The actor; its `key` tells whether two rows have the same author."""
        return Actor(user_id=self.author_id, link_id=self.link_id)
