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


class BackupWhy(models.TextChoices):
    """What a backup was made for. It is part of the file's name."""

    MANUAL = "manual", _("手动")
    BUTTON = "button", _("主办人")
    DAILY = "daily", _("每天")
    UPGRADE = "upgrade", _("升级前")
    RESTORE = "restore", _("恢复前")
