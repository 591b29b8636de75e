"""What the tools answer to who asks for too much at once."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.pace import spend


def too_much(request: HttpRequest, cost: int = 1) -> HttpResponse | None:
    """429 with the time to wait, where `cost` units are more than may be spent; else None."""
    wait = spend(request, cost)
    if not wait:
        return None
    response = render(request, "public/too_much.html", {"wait": wait}, status=429)
    response["Retry-After"] = str(wait)
    return response
