"""Who is asking: the token in the header `Authorization`, nothing else, and what it may do."""

from __future__ import annotations

from typing import Any, cast

from django.http import Http404, HttpRequest
from ninja.security import HttpBearer

from core.api.problems import TooMuch, more_of
from core.domain.tokens import token_hash
from core.pace import address_of, spend_of
from tournament.acting import Acting, noted
from tournament.domain.api_tokens import TokenWrong, acting_by, find_token, need_scope
from tournament.enums import ApiScope
from tournament.models import ApiToken, Competition
from tournament.permissions import NotAllowed, sees_competition

OF_TOKEN = 600
"""Requests a minute with one token."""
WRONG_ONE = 20
"""How often a minute the same wrong token is looked up for an address."""
WRONG_AT_ALL = 600
"""Wrong tokens a minute from an address: a hall shares one (stack fact 5), and a good token is
never refused because of them."""


class Bearer(HttpBearer):
    """A token that is for one of these scopes."""

    def __init__(self, *scopes: ApiScope) -> None:
        super().__init__()
        self.scopes = scopes

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        """The token's row. Raises `TokenWrong`, `ScopeMissing`, `TooMuch`."""
        try:
            row = find_token(token)
        except TokenWrong:
            address = address_of(request)
            wrong = [
                (f"wrong token {token_hash(token)} {address}", WRONG_ONE),
                (f"wrong tokens {address}", WRONG_AT_ALL),
            ]
            if wait := spend_of(wrong):
                raise TooMuch(wait) from None
            raise
        if wait := spend_of([(f"token {row.pk}", OF_TOKEN)]):
            raise TooMuch(wait)
        if not row.scopes.intersection(self.scopes):
            need_scope(row, self.scopes[0])
        return row


def get_acting(request: HttpRequest, code: str) -> tuple[Competition, Acting]:
    """The competition of an address and for whom the request's token acts there, after `Bearer`
    has let it in. Raises `Http404` where he may not see it."""
    token = cast("ApiToken", request.auth)  # type: ignore[attr-defined]
    competition = token.competition
    if competition.code != code:
        competition = Competition.objects.filter(code=code).first()  # type: ignore[assignment]
    if competition is None:
        raise Http404(code)
    acting = noted(acting_by(token, competition))
    if not sees_competition(acting, is_published=competition.is_published):
        raise Http404(code)
    return competition, acting


@more_of.register
def _(error: NotAllowed) -> dict[str, Any]:
    """C7.4: the state it met and who could do it."""
    return {
        "state": None if error.state is None else str(error.state),
        "who": sorted(str(role) for role in error.who),
    }
