"""Checks shared by forms, API and models."""

from __future__ import annotations

import zoneinfo

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

check_phone = RegexValidator(
    r"^\+?[0-9][0-9 -]{4,18}$", _("手机号只能由数字组成，例如 13800138000。")
)


def check_timezone(name: str) -> None:
    """Raises `ValidationError` unless `name` is a time zone such as `Asia/Shanghai`."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            _("没有叫“%(name)s”的时区，例如 Asia/Shanghai。"), params={"name": name}
        )


def is_lateness(steps: object) -> bool:
    """Whether these are steps of lateness (C9.2): `[minutes, 舵]` each, at least one, minutes
    ascending from 1 to 240, 0 to 99 舵."""
    if not isinstance(steps, list) or not steps:
        return False
    before = 0
    for step in steps:
        if not isinstance(step, list) or [type(value) for value in step] != [int, int]:
            return False
        minutes, points = step
        if not before < minutes <= 240 or not 0 <= points <= 99:
            return False
        before = minutes
    return True
