"""Requests already answered (stack fact 6)."""

from django.db import models


class IdempotencyKey(models.Model):
    """A client's key and the answer it got; written in the transaction of the action."""

    scope = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=200)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "key"], name="idempotency_scope_key"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"
