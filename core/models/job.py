"""Background work as rows (stack fact 4)."""

from django.conf import settings
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.enums import JobState

UNDONE = (JobState.FAILED, JobState.CANCELLED)
OVER = (JobState.DONE, *UNDONE)


class Job(models.Model):
    """One piece of background work, written in the transaction that needs it.

    Whoever runs it holds `lease` until `leased_until`; a job whose lease has run out may be
    taken by another, at most `max_attempts` times in all. `is_slow` jobs come after all others.
    A part of a large job names it as its `parent`. `stop_asked`: it was cancelled while it ran.
    `last_error` is for who looks after the site, `sentence` (`zh`, `en`) for people.
    """

    kind = models.CharField(max_length=60)
    scope = models.CharField(max_length=64, blank=True)
    payload = models.JSONField(default=dict)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="parts"
    )
    is_slow = models.BooleanField(default=False)
    state = models.CharField(
        _("状态"), max_length=10, choices=JobState.choices, default=JobState.WAITING
    )
    lease = models.CharField(max_length=32, blank=True)
    leased_until = models.DateTimeField(null=True)
    run_after = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    max_attempts = models.PositiveSmallIntegerField(default=3)
    stop_asked = models.BooleanField(default=False)
    last_error = models.TextField(blank=True)
    sentence = models.JSONField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["state", "run_after"], name="job_due"),
            models.Index(fields=["scope", "id"], name="job_scope"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=JobState.values), name="job_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} {self.state}"

    @property
    def percent(self) -> int:
        """Progress, 0 … 100."""
        return 100 * self.done // self.total if self.total else 0

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in OVER

    @property
    def is_undone(self) -> bool:
        """Whether it is over and its work is not done."""
        return self.state in UNDONE

    @property
    def is_stopping(self) -> bool:
        """Whether it was cancelled and has not stopped yet."""
        return self.stop_asked and not self.is_over

    @property
    def said(self) -> str:
        """Why it was not done, in the user's language; empty where there is nothing to say."""
        language = "zh" if (get_language() or "zh").startswith("zh") else "en"
        return str((self.sentence or {}).get(language, ""))
