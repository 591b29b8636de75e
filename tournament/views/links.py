"""Opening a device link: the token becomes a signed cookie and leaves the address."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.acting import Acting
from tournament.domain.links import find_link
from tournament.enums import Role
from tournament.models import DeviceLink
from tournament.permissions import checks_in
from tournament.views.access import get_acting, remember_link
from tournament.views.organizer.arrivals import scanned_page


@never_cache
@require_GET
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Remembers the link on this device and goes to its page.

    Whoever checks people in and scans somebody's link gets the page to check him in; this device
    then remembers nothing, lest a desk's own link be pushed out by the badges it reads.
    """
    link = find_link(token)
    is_scan = _is_scan(get_acting(request, link.competition), link)
    response = HttpResponseRedirect(scanned_page(link) if is_scan else _page(link))
    response["Referrer-Policy"] = "no-referrer"
    if not is_scan:
        remember_link(request, response, link)
    return response


def _is_scan(acting: Acting, link: DeviceLink) -> bool:
    is_own = link.entry_id in acting.entry_ids or link.entrant_id in acting.entrant_ids
    return link.role == Role.ENTRANT and checks_in(acting) and not is_own


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
