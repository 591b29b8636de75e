"""Versions for caching (stack fact 1)."""

from django.db import models


class Version(models.Model):
    """How often what `scope` names has changed: `competition:1`, `event:3`, `table:9`."""

    scope = models.CharField(primary_key=True, max_length=64)
    number = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.scope} v{self.number}"
