"""A number beside a name, as the pages print them."""

from __future__ import annotations

from django import template

from tournament.models.people import is_number

register = template.Library()


@register.filter
def beside(number: int | None, name: str) -> int | str | None:
    """A number that stands before this name; nothing where the name is but that number, as who is
    erased is called by it (C1.1)."""
    return "" if is_number(name, number) else number
