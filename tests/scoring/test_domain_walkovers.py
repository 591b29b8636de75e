"""Nobody is left to play against (C1.3, C9.3): on without play, and back (C9.5)."""

from __future__ import annotations

import pytest
from django.urls import reverse

from core.errors import Conflict, DomainError
from core.models import AuditRow
from scoring.domain.board import Board
from scoring.domain.closing import finalize_round
from scoring.domain.hands import enter_hand
from scoring.domain.leaving import come_back, leave
from scoring.domain.sheets import open_sheet
from scoring.domain.undo import reopen_sheet
from scoring.domain.walkovers import can_walk_over, walk_over
from scoring.models import Sheet
from tests.factories import make_acting
from tests.scoring.sheets import totals
from tests.scoring.test_domain_verdicts import SEEN, close, nine
from tests.scoring.test_views_mishaps import log_in
from tests.tournament.competitions import Made
from tournament.domain.gaps import fill_gap, gaps
from tournament.enums import EntrantStatus, Role, State
from tournament.models import Entrant, Seat, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def empty(made: Made, number: int) -> None:
    """Everybody at a table of the first round has left, so it is closed without play."""
    table = made.tables(1)[number]
    for seat in table.seats.select_related("entrant"):
        leave(acting=made.owner, entrant=seat.entrant, status=EntrantStatus.WITHDRAWN)  # type: ignore[arg-type]
    walk_over(acting=made.owner, table=table, reason="全部退赛")


def final_of_one() -> tuple[Made, Table]:
    """Nine entrants, of whom six have left; the final has one entrant, and a seat too many."""
    made = nine()
    empty(made, 0)
    empty(made, 1)
    table = made.tables(1)[2]
    close(made, table, 2, -1, -1)
    for entrant in Entrant.objects.filter(status=EntrantStatus.OUT):
        leave(
            acting=made.owner, entrant=entrant, status=EntrantStatus.DISQUALIFIED, reason="走了",
            late=SEEN,
        )  # fmt: skip
    return made, made.tables(2)[0]


def states(made: Made) -> list[tuple[str, str]]:
    found = Sheet.objects.filter(table__round__stage=made.stage).order_by("table")
    return list(found.values_list("table__state", "state"))


def test_the_last_one_at_a_table_goes_on_without_play() -> None:
    """Two seats that nobody has won, one filler a table: the chief referee closes it."""
    made, final = final_of_one()
    fill_gap(acting=made.owner, seat=gaps(final)[0], instead=None)
    with pytest.raises(Conflict, match="每桌最多一名"):
        fill_gap(acting=made.owner, seat=gaps(final)[0], instead=None)
    finished = walk_over(acting=made.owner, table=final, reason="无人可补")
    champion = Seat.objects.get(table=final, advances=True)
    assert finished.champion is not None
    assert (champion.entrant_id, champion.place) == (finished.champion.pk, 1)
    assert states(made) == [("final", "final")] * 3 + [("confirmed", "confirmed")]
    assert Table.objects.get(pk=final.pk).started_at is None
    row = AuditRow.objects.get(action="table.walkover", subject=f"table:{final.pk}")
    assert row.word("reason") == "无人可补"
    finalize_round(acting=made.owner, round_=Table.objects.get(pk=final.pk).round)
    made.competition.refresh_from_db()
    assert made.competition.is_over


def test_a_table_that_nobody_is_left_at_sends_nobody_on() -> None:
    made = nine()
    empty(made, 0)
    table = made.tables(1)[0]
    assert (table.state, list(table.seats.values_list("advances", flat=True))) == (
        State.CONFIRMED,
        [False] * 3,
    )
    assert [seat.source_id for seat in gaps(made.tables(2)[0])] == [table.pk]


def test_a_walkover_is_taken_back_with_the_finality_it_gave() -> None:
    made, final = final_of_one()
    before = states(made)
    walk_over(acting=made.owner, table=final, reason="无人可补")
    reopen_sheet(acting=made.owner, sheet=open_sheet(final), reason="有人来了")
    assert states(made) == [*before, (State.PUBLISHED, "open")]
    assert not Seat.objects.filter(table=final).exclude(place=None, advances=None).exists()
    assert Entrant.objects.filter(status=EntrantStatus.IN).count() == 1
    made.event.refresh_from_db()
    assert made.event.frozen_at is not None


def test_a_walkover_alone_freezes_no_rules_and_has_no_hands() -> None:
    made = nine()
    empty(made, 0)
    made.event.refresh_from_db()
    assert made.event.frozen_at is None
    sheet = open_sheet(made.tables(1)[0])
    with pytest.raises(Conflict, match="没有打") as caught:
        enter_hand(acting=made.owner, sheet=sheet, entered=totals(2, -1, -1))
    assert caught.value.code == "walked-over"


def test_who_left_comes_back_after_the_walkover_is_taken_back() -> None:
    made = nine()
    empty(made, 0)
    table = made.tables(1)[0]
    reopen_sheet(acting=made.owner, sheet=open_sheet(table), reason="误会")
    gone = Entrant.objects.filter(status=EntrantStatus.WITHDRAWN).order_by("pk")
    for entrant in gone:
        come_back(acting=made.owner, entrant=entrant)
    assert Entrant.objects.filter(status=EntrantStatus.IN).count() == 9
    assert not table.seats.filter(is_filler=True).exists()


def test_no_walkover_where_there_is_somebody_to_play_against() -> None:
    made = nine()
    first, final = made.tables(1)[0], made.tables(2)[0]
    for table in (first, final):
        assert not can_walk_over(Board(open_sheet(table)))
        with pytest.raises(Conflict) as caught:
            walk_over(acting=made.owner, table=table, reason="无人")
        assert caught.value.code == "no-walkover"
    empty(made, 0)
    with pytest.raises(Conflict):
        walk_over(acting=made.owner, table=first, reason="再来")


def test_only_the_chief_referee_and_only_with_a_reason() -> None:
    made, final = final_of_one()
    with pytest.raises(NotAllowed, match="裁判长"):
        walk_over(acting=make_acting(made.competition, Role.REFEREE), table=final, reason="无人")
    with pytest.raises(DomainError) as caught:
        walk_over(acting=made.owner, table=final, reason=" ")
    assert caught.value.code == "reason-needed"


def test_who_is_left_alone_goes_on_from_his_sheet_and_the_desk_says_so() -> None:
    """C9.3, C9.5: the desk names the table, the sheet the way; a reason is asked for."""
    made, final = final_of_one()
    fill_gap(acting=made.owner, seat=gaps(final)[0], instead=None)
    args = [made.competition.code, final.pk]
    client = log_in(made.owner)
    desk = client.get(reverse("desk", args=args[:1])).context
    assert [(row["one"].key, row["one"].count) for row in desk["tally"]] == [
        ("gap", 1), ("alone", 1),
    ]  # fmt: skip
    page = reverse("sheet_walkover", args=args)
    assert page in client.get(reverse("sheet", args=args)).content.decode()
    champion = Seat.objects.get(table=final, entrant__isnull=False).entrant
    assert champion is not None
    assert f"{champion.name}直接算赢" in client.get(page).content.decode()
    assert client.post(page, {"reason": ""}).status_code == 422
    done = client.post(page, {"reason": "对手都退赛了"}, follow=True).content.decode()
    assert "这一桌没有打，由裁判长关掉" in done
    history = client.get(reverse("sheet_history", args=args)).content.decode()
    assert "不打，直接算赢" in history
    assert "开打" not in history.split("不打，直接算赢")[1]
    assert client.post(page, {"reason": "再来"}).status_code == 409
