"""Opening a device link: the token becomes a signed cookie and leaves the address."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.domain.links import find_link
from tournament.enums import Role
from tournament.models import DeviceLink
from tournament.views.access import remember_link


@never_cache
@require_GET
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Remembers the link on this device and goes to its page."""
    link = find_link(token)
    response = HttpResponseRedirect(_page(link))
    response["Referrer-Policy"] = "no-referrer"
    remember_link(request, response, link)
    return response


def _page(link: DeviceLink) -> str:
    code = link.competition.code
    match link.role:
        case Role.TABLE:
            return reverse("sheet", args=[code, link.table_id])
        case Role.ENTRANT if link.entry_id:
            return reverse("my_entry", args=[code, link.entry_id])
        case Role.ENTRANT:
            return reverse("entrant", args=[code, link.entrant_id])
        case Role.REFEREE | Role.CHIEF:
            return reverse("desk", args=[code])
        case _:
            return reverse("manage", args=[code])
