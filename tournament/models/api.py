"""Tokens by which a program acts for a member."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.enums import ApiScope
from tournament.models.competition import Competition


class ApiToken(models.Model):
    """A program's token in one competition, good for what its maker may do there, and of that
    only what its scopes name.

    The token is shown once and stored as SHA-256. It works until it expires or is taken back, and
    no longer than its maker is a member. `last_used_at` is true to the hour.
    """

    competition = models.ForeignKey(
        Competition, on_delete=models.CASCADE, related_name="api_tokens"
    )
    label = models.CharField(_("做什么用"), max_length=40)
    token_hash = models.CharField(max_length=64, unique=True)
    for_entrants = models.BooleanField(_("报名"), default=False)
    for_checkin = models.BooleanField(_("签到"), default=False)
    for_hands = models.BooleanField(_("记局"), default=False)
    for_confirm = models.BooleanField(_("确认"), default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(_("有效到"))
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("接口令牌")
        verbose_name_plural = _("接口令牌")
        ordering = ["competition", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(for_entrants=True)
                | models.Q(for_checkin=True)
                | models.Q(for_hands=True)
                | models.Q(for_confirm=True),
                name="api_token_is_for_something",
            ),
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("created_at")),
                name="api_token_expires_later",
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def scopes(self) -> frozenset[ApiScope]:
        """What it may be used for."""
        return frozenset(scope for scope in ApiScope if getattr(self, f"for_{scope}"))

    @property
    def scope_labels(self) -> list[str]:
        """The same for people, in the order of the scopes."""
        return [str(scope.label) for scope in ApiScope if scope in self.scopes]
