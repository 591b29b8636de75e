"""How people enter by themselves: the public form of a competition, and what they agreed to."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.enums import Ask
from tournament.models.competition import Competition
from tournament.models.people import Entry

ASKED = ("unit", "phone", "mail", "birth_year", "note")
"""What the form may ask besides the name, in its order; `ask_<name>` says whether it does."""


class Registration(models.Model):
    """The public form of a competition: when it is open, what it asks, who confirms.

    The capacity is the competition's. Without a row, or with `is_on` false, nobody enters by
    himself. `auto_confirm`: an entry gets its place at once, else an organizer confirms it.
    `turned_at`: up to when the pages have been told that it opened or closed.
    """

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, related_name="registration"
    )
    is_on = models.BooleanField(_("开放网上报名"), default=False)
    opens_at = models.DateTimeField(_("开始报名"), null=True, blank=True)
    closes_at = models.DateTimeField(_("截止报名"), null=True, blank=True)
    auto_confirm = models.BooleanField(_("报名后自动确认"), default=True)
    ask_unit = models.CharField(_("代表单位"), max_length=4, choices=Ask.choices, default=Ask.MAY)
    ask_phone = models.CharField(_("手机号"), max_length=4, choices=Ask.choices, default=Ask.MAY)
    ask_mail = models.CharField(_("邮箱"), max_length=4, choices=Ask.choices, default=Ask.NO)
    ask_birth_year = models.CharField(
        _("出生年份"), max_length=4, choices=Ask.choices, default=Ask.NO
    )
    ask_note = models.CharField(_("备注"), max_length=4, choices=Ask.choices, default=Ask.NO)
    consent = models.TextField(_("须同意的文字"), blank=True, max_length=2000)
    fee = models.CharField(_("费用说明"), blank=True, max_length=200)
    turned_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("网上报名")
        verbose_name_plural = _("网上报名")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(opens_at__isnull=True)
                | models.Q(closes_at__isnull=True)
                | models.Q(closes_at__gt=models.F("opens_at")),
                name="registration_closes_after_opening",
                violation_error_message=_("截止时间要晚于开始时间。"),
            ),
        ]

    def __str__(self) -> str:
        return str(self.competition)

    def asks(self, name: str) -> Ask:
        """Whether the form asks for `name`, one of `ASKED`."""
        return Ask(getattr(self, f"ask_{name}"))

    def is_open_at(self, moment: datetime) -> bool:
        """Whether the form is on and `moment` in its window; it closes at `closes_at` sharp."""
        return (
            self.is_on
            and (self.opens_at is None or self.opens_at <= moment)
            and (self.closes_at is None or moment < self.closes_at)
        )


class Consent(models.Model):
    """The text somebody agreed to when he registered, as it stood then."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="consent")
    text = models.TextField()
    given_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.entry_id} {self.given_at}"
