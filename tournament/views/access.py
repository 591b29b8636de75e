"""How a request gets its roles: the account's memberships and the links this device opened."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse

from tournament.acting import Acting, noted
from tournament.domain.links import good_links
from tournament.enums import Role
from tournament.models import Competition, DeviceLink, Entrant, Membership, Round
from tournament.permissions import sees_competition
from tournament.queries.public import published

COOKIE = "links"
COOKIE_SALT = "tournament.links"
COOKIE_DAYS = 30
MOST_LINKS = 12


def get_acting(request: HttpRequest, competition: Competition) -> Acting:
    """Who is asking, in this competition. At most three queries, none for a bare spectator."""
    roles: set[Role] = set()
    user_id = None
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        held = Membership.objects.filter(user_id=request.user.pk, competition=competition)
        roles |= {Role(role) for role in held.values_list("role", flat=True)}
        user_id = request.user.pk if roles else None
    links = _links(request, competition)
    acting = Acting(
        user_id=user_id,
        link_id=links[-1].pk if links else None,
        competition_id=competition.pk,
        roles=frozenset(roles | {Role(link.role) for link in links}),
        table_ids=frozenset(link.table_id for link in links if link.table_id),
        entrant_ids=_entrant_ids(links),
        entry_ids=frozenset(link.entry_id for link in links if link.entry_id),
    )
    return noted(acting)


def _entrant_ids(links: list[DeviceLink]) -> frozenset[int]:
    """Whom these links speak for: an entry's in every event of it, also beside a partner."""
    entries = [link.entry_id for link in links if link.entry_id]
    found = {link.entrant_id for link in links if link.entrant_id}
    if entries:
        own = Entrant.objects.filter(Q(entry__in=entries) | Q(partner__in=entries))
        found |= set(own.order_by().values_list("pk", flat=True))
    return frozenset(found)


def get_competition(request: HttpRequest, code: str) -> tuple[Competition, Acting]:
    """The competition of an address and who is asking. Raises `Http404` where he may not see."""
    competition = Competition.objects.filter(code=code).first()
    if competition is None:
        raise Http404(code)
    acting = get_acting(request, competition)
    if not sees_competition(acting, is_published=competition.is_published):
        raise Http404(code)
    return competition, acting


def get_watched(request: HttpRequest, code: str) -> Competition:
    """The competition of a page that shows everyone the same, with its events at hand.

    Asks nothing of the database where it is published and this process knows it; what it
    returns is shared between requests, so it is only read. Raises as `get_competition`.
    """
    return published(code) or get_competition(request, code)[0]


def get_round(competition: Competition, pk: int) -> Round:
    """The round with its stage and event. Raises `Http404`."""
    found = (
        Round.objects.filter(pk=pk, stage__event__competition=competition)
        .select_related("stage__event")
        .first()
    )
    if found is None:
        raise Http404(pk)
    return found


def remember_link(request: HttpRequest, response: HttpResponse, link: DeviceLink) -> None:
    """Puts the link's id into this device's signed cookie, newest last."""
    ids = [known for known in _remembered(request) if known != link.pk][-MOST_LINKS + 1 :]
    response.set_signed_cookie(
        COOKIE,
        "-".join(str(known) for known in [*ids, link.pk]),
        salt=COOKIE_SALT,
        max_age=COOKIE_DAYS * 24 * 3600,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _remembered(request: HttpRequest) -> list[int]:
    value = request.get_signed_cookie(
        COOKIE, default="", salt=COOKIE_SALT, max_age=COOKIE_DAYS * 24 * 3600
    )
    return [int(part) for part in (value or "").split("-") if part]


def _links(request: HttpRequest, competition: Competition) -> list[DeviceLink]:
    ids = _remembered(request)
    if not ids:
        return []
    found = DeviceLink.objects.filter(good_links(), pk__in=ids, competition=competition)
    return sorted(found, key=lambda link: ids.index(link.pk))
