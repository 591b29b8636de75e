"""Filters for numbers as the pages print them."""

from __future__ import annotations

from django import template

register = template.Library()

MINUS = "−"


@register.filter
def signed(value: int | None) -> str:
    """A change of points with its sign: 6 → `+6`, −4 → `−4` (a true minus), 0 → `0`.

    None, where there is no number yet, gives an empty string.
    """
    if value is None:
        return ""
    return f"+{value}" if value > 0 else str(value).replace("-", MINUS)
