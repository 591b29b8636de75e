"""Who may do what through the API: the same rows as the pages' (tests/rights.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.rights import BEFORE_DRAW, LIST, ORGANIZERS, Row, manage
from tests.worlds import WIN, World
from tournament.enums import ApiScope

HAND = {
    "evidence": "result",
    "payload": WIN,
    "reason": "录像",
    "effects_shown": True,
}


@dataclass(frozen=True)
class Operation:
    """An operation with a token: how it is asked, for which scope, and the page's row that says
    who may. `ok` is the status of success."""

    method: str
    path: str
    scope: ApiScope
    row: Row
    ok: int = 200
    body: Any = None
    also: ApiScope | None = None
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def cells(self) -> str:
        """The method of the page's row: a correction is a POST there."""
        return "GET" if self.method == "GET" else "POST"

    def data(self, world: World) -> Any:
        """The body for this world."""
        return self.body(world) if callable(self.body) else self.body

    def address(self, world: World) -> str:
        """The path with the world's keys."""
        return self.path.format(
            code=world.competition.code,
            table=world.ids["table"],
            entry=world.entry_id,
            number=1,
        )


def _digest(world: World) -> dict[str, Any]:
    return {"digest": world.digest_of_sheet(), "position": 0}


C = "/competitions/{code}"
T = C + "/tables/{table}"
OPERATIONS: dict[str, Operation] = {
    "list_entries": Operation(
        "GET",
        C + "/entries",
        ApiScope.ENTRANTS,
        LIST["manage_entrants"],
        also=ApiScope.CHECKIN,
    ),
    # A form shows the frozen list as its own error, the API as the conflict that it is.
    "create_entry": Operation(
        "POST",
        C + "/entries",
        ApiScope.ENTRANTS,
        manage(ORGANIZERS, None, BEFORE_DRAW.replace("400", "409")),
        ok=201,
        body={"name": "新二"},
    ),
    "confirm_pending": Operation(
        "POST", C + "/entries/{entry}/confirm", ApiScope.ENTRANTS, LIST["manage_entry_confirm"]
    ),
    "mark_arrival": Operation(
        "POST",
        C + "/entries/{entry}/check-in",
        ApiScope.CHECKIN,
        LIST["manage_check_in"],
        body={"here": True},
    ),
    "get_sheet": Operation(
        "GET", T + "/sheet", ApiScope.HANDS, LIST["sheet"], also=ApiScope.CONFIRM
    ),
    "create_hand": Operation(
        "POST",
        T + "/hands",
        ApiScope.HANDS,
        LIST["sheet"],
        ok=201,
        body=HAND,
        headers=(("Idempotency-Key", "k-1"),),
    ),
    "put_hand": Operation(
        "PUT",
        T + "/hands/{number}",
        ApiScope.HANDS,
        LIST["hand_correct"],
        body=HAND,
        headers=(("If-Match", '"1"'),),
    ),
    "submit": Operation("POST", T + "/sheet/submit", ApiScope.HANDS, LIST["sheet_submit"]),
    "confirm": Operation(
        "POST", T + "/sheet/confirm", ApiScope.CONFIRM, LIST["sheet_confirm"], body=_digest
    ),
    "send_sheet_back": Operation(
        "POST",
        T + "/sheet/send-back",
        ApiScope.CONFIRM,
        LIST["sheet_back"],
        body={"word": "第二局反了"},
    ),
}
