"""When the site's regular work is due next."""

from django.db import models


class Schedule(models.Model):
    """One line of `settings.PERIODIC`: whoever moves `due_at` on enqueues the job."""

    name = models.CharField(max_length=60, unique=True)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.due_at}"
