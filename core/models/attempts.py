"""Wrong passwords, counted."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Attempts(models.Model):
    """Tries at one account from one address that have not led in.

    `key` is a hash of both (`core.domain.throttle`), so the row names nobody. `until` is set
    while no further try is taken.
    """

    key = models.CharField(max_length=64, unique=True)
    tries = models.PositiveSmallIntegerField(default=0)
    since = models.DateTimeField(db_index=True)
    until = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("登录尝试")
        verbose_name_plural = _("登录尝试")

    def __str__(self) -> str:
        return f"{self.key[:8]} {self.tries}"
