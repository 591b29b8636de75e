"""Accounts."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """An account: user name, and if wanted phone and mail, each good for logging in.

    Rights in a competition come from `tournament.Membership` alone.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(  # type: ignore[assignment]
        _("邮箱"), null=True, blank=True, unique=True
    )
    phone = models.CharField(_("手机号"), max_length=20, null=True, blank=True, unique=True)
    display_name = models.CharField(_("称呼"), max_length=40, blank=True)

    REQUIRED_FIELDS = []

    class Meta:
        verbose_name = _("账号")
        verbose_name_plural = _("账号")

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What people call this user."""
        return self.display_name or self.username

    def get_full_name(self) -> str:
        """The display name, as Django's own pages ask for it."""
        return self.name

    def get_short_name(self) -> str:
        """The display name, as Django's own pages ask for it."""
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Empty phone and mail are stored as NULL, so that many may have none."""
        self.email = self.email or None
        self.phone = self.phone or None
        super().save(*args, **kwargs)
