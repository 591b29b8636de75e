"""Who has which role in a competition: members by account, devices by link."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.enums import Role
from tournament.models.competition import Competition
from tournament.models.people import Entrant, Entry
from tournament.models.play import Table

MEMBER_ROLES = (Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE)
INVITED_ROLES = (Role.ORGANIZER, Role.CHIEF, Role.REFEREE)


class Membership(models.Model):
    """A user's role in a competition; one user may have several.

    `units` are those a referee belongs to, one a line: where avoidable he does not judge them.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    competition = models.ForeignKey(
        Competition, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices)
    units = models.TextField(_("所属单位"), blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("成员")
        verbose_name_plural = _("成员")
        ordering = ["competition", "role", "id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "competition", "role"], name="membership_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=[str(role) for role in MEMBER_ROLES]),
                name="membership_role_of_a_member",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.role}"


class DeviceLink(models.Model):
    """A link that gives whoever opens it a role, without an account.

    The token is shown once and stored as SHA-256. A table's link is good for that table of
    that round, an entrant's for what that entrant may do.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="links")
    role = models.CharField(max_length=10, choices=Role.choices)
    table = models.ForeignKey(
        Table, null=True, blank=True, on_delete=models.CASCADE, related_name="links"
    )
    entrant = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.CASCADE, related_name="links"
    )
    entry = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.CASCADE, related_name="links"
    )
    label = models.CharField(_("给谁"), max_length=40, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("设备链接")
        verbose_name_plural = _("设备链接")
        ordering = ["competition", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    role=Role.TABLE,
                    table__isnull=False,
                    entrant__isnull=True,
                    entry__isnull=True,
                )
                | models.Q(role=Role.ENTRANT, table__isnull=True, entrant__isnull=False)
                | models.Q(role=Role.ENTRANT, table__isnull=True, entry__isnull=False)
                | models.Q(
                    role__in=[Role.OWNER, Role.CHIEF, Role.REFEREE],
                    table__isnull=True,
                    entrant__isnull=True,
                    entry__isnull=True,
                ),
                name="link_role_fits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.label}"


class Invitation(models.Model):
    """A link by which one person gets a role by account, once.

    The token is shown once and stored as SHA-256. It is open until it is used, taken back or
    expired; `used_by` may go with its account, `used_at` stays.
    """

    competition = models.ForeignKey(
        Competition, on_delete=models.CASCADE, related_name="invitations"
    )
    role = models.CharField(max_length=10, choices=Role.choices)
    label = models.CharField(_("给谁"), max_length=40)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("邀请")
        verbose_name_plural = _("邀请")
        ordering = ["competition", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=[str(role) for role in INVITED_ROLES]),
                name="invitation_role_of_an_invited",
            ),
            models.CheckConstraint(
                condition=models.Q(used_at=None) | models.Q(revoked_at=None),
                name="invitation_used_or_revoked",
            ),
            models.CheckConstraint(
                condition=models.Q(used_by=None) | models.Q(used_at__isnull=False),
                name="invitation_used_by_when_used",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.label}"
