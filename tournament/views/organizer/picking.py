"""A list of entries to tick, shared by check-in in bulk and by badges. Works without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from tournament.models import Competition
from tournament.queries.picking import pickable, units_of

PAGE = 100


def labels() -> dict[str, str]:
    """What the filters are called."""
    return {
        "": _("全部"),
        "absent": _("未签到"),
        "here": _("已签到"),
        "unprinted": _("还没有印"),
    }


def picking(request: HttpRequest, competition: Competition, only: Sequence[str]) -> dict[str, Any]:
    """The context of partials `organizer/picker*.html`; `only` the filters, the default first."""
    asked = request.GET if request.method != "POST" else request.POST
    unit, chosen = _asked(asked, only)
    page = Paginator(pickable(competition, unit, chosen), PAGE).get_page(asked.get("page"))
    ticked = {int(pk) for pk in asked.getlist("pick") if pk.isdecimal()}
    names = labels()
    query = urlencode({"unit": unit, "only": chosen or "all"})
    return {
        "page_obj": page,
        "count": page.paginator.count,
        "units": units_of(competition),
        "unit": unit,
        "only": chosen or "all",
        "filters": [
            {
                "label": names[one],
                "url": f"?{urlencode({'unit': unit, 'only': one or 'all'})}",
                "current": one == chosen,
            }
            for one in only
        ],
        "query": f"&{query}",
        "tick_url": f"?{query}&page={page.number}&tick=1",
        "all_ticked": "tick" in asked,
        "ticked": ticked,
    }


def picked(request: HttpRequest, competition: Competition, only: Sequence[str]) -> list[int]:
    """The ids that were ticked, or all of the filter where the button said so."""
    if request.POST.get("who") == "shown":
        unit, chosen = _asked(request.POST, only)
        return list(pickable(competition, unit, chosen).values_list("pk", flat=True))
    return [int(pk) for pk in request.POST.getlist("pick") if pk.isdecimal() and len(pk) < 16]


def _asked(asked: QueryDict, only: Sequence[str]) -> tuple[str, str]:
    unit = asked.get("unit", "")[:60]
    chosen = asked.get("only", only[0])
    chosen = "" if chosen == "all" else chosen
    return unit, chosen if chosen in only else only[0]
