"""A protest as pages list it, with what he who asks may do about it (C7.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from scoring.domain.protests import is_own
from scoring.domain.room import who_wrote
from scoring.enums import ProtestAbout, ProtestState
from scoring.models import Protest
from scoring.queries import protests_of
from scoring.shown_games import is_counted
from scoring.views.referee.pages import Page
from scoring.words import numbered
from tournament.acting import Acting
from tournament.models import Competition, Seat
from tournament.permissions import Action, Met, may


def protest_rows(page: Page) -> list[dict[str, Any]]:
    """The sheet's protests, oldest first. One query."""
    sheet = page.board.sheet
    found = protests_of(sheet, with_authors=True) if sheet.pk else []
    return [row_of(page, one) for one in found]


def row_of(page: Page, found: Protest) -> dict[str, Any]:
    """A protest on a page of its sheet."""
    found.sheet = page.board.sheet
    return row(found, page.competition, page.acting, page.board.seats, page.board.met(reason="-"))


def ruling_url(found: Protest, competition: Competition) -> str:
    """Where the ruling is made that an upheld protest still wants, or ""."""
    if not found.lacks_ruling:
        return ""
    args: list[Any] = [competition.code, found.sheet.table_id]
    if found.about == ProtestAbout.PLACES:
        return f"{reverse('table_ruling', args=args)}?protest={found.pk}"
    if found.hand is None:
        return ""
    return f"{reverse('hand_ruling', args=[*args, found.hand.number])}?protest={found.pk}"


def row(
    found: Protest, competition: Competition, acting: Acting, seats: Sequence[Seat], met: Met
) -> dict[str, Any]:
    """A protest as `referee/protest_row.html` shows it to who asks."""
    args = [competition.code, found.sheet.table_id, found.pk]
    may_rule = may(acting, Action.RULE, met)
    mine = is_own(acting, found, seats) and may(acting, Action.PROTEST, met)
    answered = found.state in (ProtestState.UPHELD, ProtestState.REJECTED)
    action = ""
    if may_rule and found.state == ProtestState.OPEN:
        action = reverse("protest_answer", args=args)
    elif may_rule and found.state == ProtestState.APPEALED:
        action = reverse("protest_final", args=args)
    is_open = mine and found.state == ProtestState.OPEN
    waits = mine and found.state == ProtestState.APPEALED
    return {
        "protest": found,
        "about": about_of(found),
        "who": who_wrote(found),
        "answer_url": action,
        "ruling_url": ruling_url(found, competition) if may_rule else "",
        "appeal_url": reverse("protest_appeal", args=args) if mine and answered else "",
        "withdraw_url": reverse("protest_withdraw", args=args) if is_open else "",
        "unappeal_url": reverse("protest_unappeal", args=args) if waits else "",
    }


def about_of(found: Protest) -> str:
    """What it is about, in a word."""
    if found.hand is not None:
        return numbered(found.hand.number, is_counted=is_counted(found.sheet))
    return str(ProtestAbout(found.about).label)
