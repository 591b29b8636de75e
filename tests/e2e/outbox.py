"""What the tests of a sheet's outbox share: the hall's addresses, a hand entered by taps."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page

from scoring.models import HandVersion
from tests.scoring.clients import member
from tests.scoring.sheets import Hall
from tournament.enums import Role

LISTED = "[data-outbox-list] li"
POLL = "document.dispatchEvent(new Event('visibilitychange'))"
"""A page that is shown again polls at once."""


def wait_for(page: Page, is_so: Callable[[], bool]) -> None:
    """Until it is so, a minute and a half at most: a process starts where others run too."""
    for _try in range(900):
        if is_so():
            return
        page.wait_for_timeout(100)
    raise AssertionError("waited in vain")


def sheet_of(hall: Hall, server: str) -> str:
    """The address of the sheet's page."""
    return server + reverse("sheet", args=[hall.competition.code, hall.table.pk])


def session_of(hall: Hall) -> str:
    """The session of a new referee."""
    return member(hall, Role.REFEREE).cookies[settings.SESSION_COOKIE_NAME].value


def choose(page: Page, winner: str, hu: int) -> None:
    """`winner` draws his own winning card."""
    page.locator("label", has=page.locator("[name=source][value=own-flip]")).tap()
    page.locator("label", has=page.locator(f"[name=winner][value={winner}]")).tap()
    for digit in str(hu):
        page.locator(f"[data-digit='{digit}']").tap()


def save(page: Page) -> None:
    page.get_by_role("button", name="保存这一局").tap()


def enter(page: Page, hu: int) -> None:
    """A hand of 甲."""
    choose(page, "甲", hu)
    save(page)


def saved(hall: Hall) -> list[tuple[int, int]]:
    """The hands that the server has: number and 胡."""
    rows = HandVersion.objects.filter(hand__sheet=hall.sheet).order_by("hand__number")
    return [(row.hand.number, row.hu or 0) for row in rows.select_related("hand")]
