"""The sheet's poll: 204 while nothing is new, the parts around the form, who else is there."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.domain import versions
from scoring.domain.editing import note_editing
from scoring.domain.sheets import call_time, send_back, submit_sheet
from scoring.models import Editing
from tests.factories import make_acting
from tests.scoring.clients import member, url, with_link
from tests.scoring.sheets import WIN, Hall, make_hall
from tournament.enums import Role
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

MINE, OTHERS = "a" * 32, "b" * 32


@pytest.fixture
def hall() -> Hall:
    return make_hall()


def poll(client: Client, hall: Hall, version: str, **more: str) -> tuple[int, str, str]:
    """Status, version and text of the answer, with the versions of now."""
    versions.forget()
    answer = client.get(url(hall, "sheet_live"), {"v": version, **more})
    return answer.status_code, answer.get("X-Version", ""), answer.content.decode()


def test_poll_brings_the_ledger_when_something_is_new_and_nothing_else(hall: Hall) -> None:
    referee = member(hall, Role.REFEREE)
    assert 'data-version="0"' in referee.get(url(hall, "sheet")).content.decode()
    assert poll(referee, hall, "0")[0] == 204
    hall.fill(WIN)
    status, version, html = poll(referee, hall, "0")
    assert (status, version) == (200, "2"), "the table has begun, and has a hand"
    assert 'data-sheet-next="2" data-last="1"' in html
    assert "+6" in html
    assert "<form method" not in html.split('data-into="sheet-after"')[0]
    call_time(acting=hall.referee, sheet=hall.sheet)
    submit_sheet(acting=hall.chief, sheet=hall.sheet)
    send_back(acting=hall.chief, sheet=hall.sheet, word="第一局反了")
    assert "第一局反了" in poll(referee, hall, version)[2]


def test_unchanged_poll_asks_two_queries_besides_who_asks(hall: Hall) -> None:
    """The account's: session, user, roles; everybody's: competition, table with who is there,
    version. The second poll within 20 s writes nothing."""
    referee = member(hall, Role.REFEREE)
    table = with_link(hall, Role.TABLE, table=hall.table)
    for client, most in ((referee, 6), (table, 4)):
        Editing.objects.all().delete()
        poll(client, hall, "0", entering="1", device=MINE)
        with CaptureQueriesContext(connection) as asked:
            assert poll(client, hall, "0", entering="1", device=MINE)[0] == 204
        assert len(asked) == most


def test_others_are_told_of_who_enters_until_he_is_gone_for_a_minute(hall: Hall) -> None:
    referee = member(hall, Role.REFEREE)
    table = with_link(hall, Role.TABLE, table=hall.table)
    assert poll(referee, hall, "0", entering="1", device=MINE)[0] == 204
    noted = Editing.objects.get()
    status, version, html = poll(table, hall, "0", entering="1", device=OTHERS)
    assert (status, version) == (200, f"0-{noted.pk}")
    assert noted.author is not None
    assert f"还有 {noted.author.name} 也在记这张表" in html
    assert poll(table, hall, version, entering="1", device=OTHERS)[0] == 204
    Editing.objects.filter(pk=noted.pk).update(seen_at=timezone.now() - timedelta(seconds=61))
    status, version, html = poll(table, hall, version, entering="1", device=OTHERS)
    assert (status, version) == (200, "0")
    assert "也在记这张表" not in html


def test_own_other_tab_is_nobody_else_but_another_device_is(hall: Hall) -> None:
    table = with_link(hall, Role.TABLE, table=hall.table)
    assert poll(table, hall, "0", entering="1", device=MINE)[0] == 204
    assert poll(table, hall, "0", entering="1", device=MINE)[0] == 204
    status, _version, html = poll(table, hall, "0", entering="1", device=OTHERS)
    assert status == 200
    assert "还有另一台设备也在记这张表" in html


def test_who_only_looks_or_may_not_enter_is_not_noted(hall: Hall) -> None:
    referee = member(hall, Role.REFEREE)
    poll(referee, hall, "0", device=MINE)
    poll(referee, hall, "0", entering="1", device="<script>")
    player = with_link(hall, Role.ENTRANT, entrant=hall.entrants[0])
    assert poll(player, hall, "0", entering="1", device=OTHERS)[0] == 204
    assert not Editing.objects.exists()
    spectator = make_acting(hall.competition)
    with pytest.raises(NotAllowed):
        note_editing(acting=spectator, board=hall.board(), device=MINE)


def test_hand_kept_by_somebody_else_is_not_saved_under_this_name(hall: Hall) -> None:
    referee = member(hall, Role.REFEREE)
    sent = {"evidence": "result", **WIN, "number": "1", "key": "k1"}
    answer = referee.post(url(hall, "sheet"), sent, headers={"X-Outbox": "link:999"})
    assert answer.status_code == 409
    own = answer.json()["other"]
    assert own.startswith("user:")
    answer = referee.post(url(hall, "sheet"), sent, headers={"X-Outbox": own})
    assert answer.json() == {"saved": f"{url(hall, 'sheet')}?tab=result"}
    assert hall.board().next_number == 2
