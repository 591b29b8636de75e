"""Numbers and times as the pages print them."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext

register = template.Library()

MINUS = "−"


@register.filter
def signed(value: int | str | None) -> str:
    """A change of points with its sign: 6 → `+6`, −4 → `−4` (a true minus), 0 → `0`.

    None, where there is no number yet, gives an empty string; a word stays. A number that is
    written in its own way (`shown`: games won, `scoring.games.Figure`) is written so.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    shown = getattr(value, "shown", None)
    if shown is not None:
        return str(shown)
    return f"+{value}" if value > 0 else str(value).replace("-", MINUS)


@register.simple_tag
def when(moment: datetime | None) -> SafeString | str:
    """An aware time in the active time zone, `11-29 14:05`, as a `<time>`; nothing for None.

    Bodies are cached, so the page itself turns what lies within the hour into "5 分钟前"
    (static/js/when.js).
    """
    if moment is None:
        return ""
    local = localtime(moment)
    return format_html(
        '<time datetime="{}" data-when>{}</time>',
        local.isoformat(timespec="seconds"),
        local.strftime("%m-%d %H:%M"),
    )


@register.simple_tag
def until(moment: datetime | None) -> SafeString | str:
    """When something is final, `14:35 定局`, as a `<time>`; nothing for None. The page itself
    counts the minutes down (static/js/when.js)."""
    if moment is None:
        return ""
    local = localtime(moment)
    return format_html(
        '<time datetime="{}" data-until="{}" data-over="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        gettext("还有 {n} 分钟定局"),
        gettext("时间已到，即将定局"),
        gettext("%(time)s 定局") % {"time": local.strftime("%H:%M")},
    )
