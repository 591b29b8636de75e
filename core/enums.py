"""States of core's rows."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class JobState(models.TextChoices):
    """A background job: waiting → running → done | failed | cancelled.

    After a fault running → waiting; a large one running → parts, while jobs of its own do its
    parts, → waiting, to put together what they found.
    """

    WAITING = "waiting", _("等待中")
    RUNNING = "running", _("进行中")
    PARTS = "parts", _("进行中")
    DONE = "done", _("已完成")
    FAILED = "failed", _("失败")
    CANCELLED = "cancelled", _("已取消")
