"""What was done, by whom, to what."""

import hashlib

from django.conf import settings
from django.db import models

SALT_BYTES = 16


class AuditRow(models.Model):
    """One action, written in its transaction. `data` holds ids and non-personal values only.

    What somebody typed, such as a reason, stands in `said`: key → `[salt, text]`, so that it can be
    taken out where it names somebody who is erased. `data["said"]` has the SHA-256 of salt and text
    under the same key: seals hold for `data`, so they show that a text was changed and still hold
    where one is gone.

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
    said = models.JSONField(default=dict)
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

    def word(self, key: str) -> str:
        """What was typed under `key`, empty where nothing was or where it was erased. Rows of older
        archives have it in `data`."""
        if key in self.said:
            return str(self.said[key][1])
        return str(self.data.get(key) or "")

    @property
    def is_as_said(self) -> bool:
        """Whether every text that is still there is the one that was typed."""
        kept = self.data.get("said", {})
        return all(is_committed(pair, kept.get(key)) for key, pair in self.said.items())

    @property
    def lacks_words(self) -> bool:
        """Whether something was typed that is gone."""
        return not self.data.get("said", {}).keys() <= self.said.keys()


def commitment(salt: str, text: str) -> str:
    """SHA-256 (hex) of the salt (hex) and the text: without the salt nobody can try out texts."""
    return hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest()


def is_committed(pair: object, digest: object) -> bool:
    """Whether `digest` was made of this salt and text. The salt has its full length: else the
    first words of a text could be passed off as the end of its salt."""
    match pair:
        case [str(salt), str(text)]:
            try:
                is_whole = len(bytes.fromhex(salt)) == SALT_BYTES
            except ValueError:
                return False
            return is_whole and digest == commitment(salt, text)
        case _:
            return False
