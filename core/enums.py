"""States of core's rows."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class JobState(models.TextChoices):
    """A background job: waiting → running → done | failed; running → waiting after a fault."""

    WAITING = "waiting", _("等待中")
    RUNNING = "running", _("进行中")
    DONE = "done", _("已完成")
    FAILED = "failed", _("失败")
