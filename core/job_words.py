"""What the kinds of background jobs are called."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KINDS: dict[str, Promise] = {
    "announce": _("公告到时公布"),
    "backup": _("备份"),
    "book-pdf": _("做 PDF"),
    "daily-backup": _("每天的备份"),
    "finalize-due": _("到时定局"),
    "forget": _("清理过期的登录、请求和任务"),
    "forget-imports": _("清理过期的导入"),
    "forget-uploads": _("清理没用的上传文件"),
    "index-library": _("重建牌谱库索引"),
    "mail-moved-up": _("邮件：候补转正"),
    "mail-password": _("邮件：设新密码"),
    "purge-competitions": _("到期清除个人信息"),
    "registration-turns": _("报名到时开始或截止"),
    "rejudge": _("重判"),
    "seal": _("封记"),
    "verify-part": _("核验牌谱（一部分）"),
    "verify-records": _("核验牌谱"),
}
"""Every kind of `settings.JOBS` and `PERIODIC`."""


def title_of(kind: str) -> str:
    """The kind in words; of one that there is no more its name."""
    return str(KINDS.get(kind, kind))
