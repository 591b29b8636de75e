"""What was done, by whom, to what."""

from django.conf import settings
from django.db import models


class AuditRow(models.Model):
    """One action, written in its transaction. Holds ids and non-personal values only.

    It keeps the number of who did it when that account is gone, as a seal holds for it. `seal` is
    the number of the seal of its scope that covers it, None until there is one.
    """

    at = models.DateTimeField(auto_now_add=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
    )
    link_id = models.BigIntegerField(null=True)
    scope = models.CharField(max_length=64)
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=64)
    data = models.JSONField(default=dict)
    seal = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["scope", "id"], name="audit_scope"),
            models.Index(fields=["subject", "id"], name="audit_subject"),
            models.Index(fields=["scope", "seal", "id"], name="audit_seal"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"
