"""The round's clock, extra time, calls for a referee, and who is at his table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from core.errors import Conflict, DomainError
from core.models import AuditRow
from tests.factories import make_acting
from tests.tournament.competitions import Made, make_published, play
from tournament.acting import Acting
from tournament.domain.attendance import mark_attendance
from tournament.domain.calls import answer_call, call_referee, reopen_call, take_call_back
from tournament.domain.clock import give_time, start_clock, stop_clock, take_time_back
from tournament.enums import CallKind, Role
from tournament.models import Call, Round, Table
from tournament.permissions import NotAllowed
from tournament.queries.clock import clock_of, clocks, table_clock
from tournament.queries.floor import call_list, open_call, open_calls, roll

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 12, 5, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def made() -> Made:
    return make_published(9)


def first(made: Made) -> Round:
    return made.stage.rounds.get(number=1)


def of_table(made: Made, table: Table) -> Acting:
    return Acting(
        competition_id=made.competition.pk,
        roles=frozenset({Role.TABLE}),
        table_ids=frozenset({table.pk}),
    )


def test_clock_counts_from_its_start_and_each_table_to_its_own_end(made: Made) -> None:
    one, two, _three = made.tables(1)
    referee = make_acting(made.competition, Role.REFEREE)
    assert clock_of(first(made)) is None
    assert clocks(made.competition) == {}
    Round.objects.update(minutes=None)
    with pytest.raises(DomainError, match="多少分钟"):
        start_clock(acting=made.owner, round_=first(made))
    with pytest.raises(NotAllowed):
        start_clock(acting=referee, round_=first(made), minutes=50)
    with time_machine.travel(NINE, tick=False):
        start_clock(acting=made.owner, round_=first(made), minutes=50)
        with pytest.raises(Conflict, match="已经在计时"):
            start_clock(acting=made.owner, round_=first(made))
    tables = [one.pk]
    (given,) = give_time(
        acting=referee, round_=first(made), tables=tables, minutes=5, reason=" 停电 "
    )
    give_time(acting=referee, round_=first(made), tables=tables, minutes=2, reason="等裁决")
    assert given.reason == "停电"
    clock = clocks(made.competition)[first(made).pk]
    assert clock == clock_of(first(made))
    assert clock.ends_at == NINE + 50 * MINUTE
    assert clock.extra == {one.pk: 7}
    assert clock.ends_at_of(one.pk) == NINE + 57 * MINUTE
    assert clock.ends_at_of(two.pk) == NINE + 50 * MINUTE
    assert clock.left(NINE + 48 * MINUTE) == 2 * MINUTE
    bell = NINE + 50 * MINUTE
    assert clock.is_over(bell)
    assert not clock.is_over(bell - timedelta(seconds=1))
    assert not clock.is_over(bell, one.pk)
    assert clock.left(bell + MINUTE) == timedelta()
    shown = table_clock(Table.objects.select_related("round").get(pk=one.pk))
    assert shown is not None
    assert (shown.ends_at, shown.extra) == (NINE + 57 * MINUTE, 7)
    take_time_back(acting=referee, extra=given)
    take_time_back(acting=referee, extra=given)
    assert clocks(made.competition)[first(made).pk].extra == {one.pk: 2}
    assert [row.action for row in AuditRow.objects.filter(action__startswith="clock.")] == [
        "clock.start", "clock.extra", "clock.extra", "clock.extra-back",
    ]  # fmt: skip
    stop_clock(acting=made.owner, round_=first(made))
    assert clock_of(first(made)) is None
    start_clock(acting=made.owner, round_=first(made))
    assert first(made).minutes == 50


def test_extra_time_is_for_tables_of_this_round_that_are_not_done(made: Made) -> None:
    one, two, _three = made.tables(1)
    play(made, one)
    round_ = first(made)
    ask = {"acting": made.owner, "round_": round_, "minutes": 5, "reason": "停电"}
    for wrong in ([one.pk], [one.pk, two.pk], [made.tables(2)[0].pk], []):
        with pytest.raises(Conflict):
            give_time(**ask, tables=wrong)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="为什么加时"):
        give_time(**{**ask, "reason": " "}, tables=[two.pk])  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="1 到 600"):
        give_time(**{**ask, "minutes": 0}, tables=[two.pk])  # type: ignore[arg-type]
    organizer = make_acting(made.competition, Role.ORGANIZER)
    with pytest.raises(NotAllowed):
        give_time(**{**ask, "acting": organizer}, tables=[two.pk])  # type: ignore[arg-type]
    for table in made.tables(1)[1:]:
        play(made, table)
    with pytest.raises(Conflict, match="不能计时"):
        start_clock(acting=made.owner, round_=first(made), minutes=50)


def test_table_has_one_open_call_until_a_referee_takes_it(made: Made) -> None:
    one, two, _three = made.tables(1)
    at_table = of_table(made, one)
    referee = make_acting(made.competition, Role.REFEREE)
    call = call_referee(acting=at_table, table=one, kind=CallKind.CARDS, text=" 少一张 ")
    assert (call.text, call.kind, open_call(one.pk)) == ("少一张", "cards", call)
    assert call_referee(acting=at_table, table=one, kind=CallKind.OTHER) == call
    with pytest.raises(IntegrityError), transaction.atomic():
        Call.objects.create(table=one, kind=CallKind.OTHER, called_at=timezone.now())
    for stranger in (of_table(made, two), referee):
        with pytest.raises(NotAllowed):
            call_referee(acting=stranger, table=one, kind=CallKind.OTHER)
    with pytest.raises(NotAllowed):
        answer_call(acting=at_table, call=call)
    assert open_calls(made.competition) == [call]
    answered = answer_call(acting=referee, call=call)
    assert (answered.answered_by_id, open_calls(made.competition)) == (referee.user_id, [])
    assert answer_call(acting=made.owner, call=call).answered_by_id == referee.user_id
    assert reopen_call(acting=referee, call=call).answered_at is None
    assert take_call_back(acting=at_table, call=call).answered_by_id is None
    call_referee(acting=at_table, table=one, kind=CallKind.SCORE)
    with pytest.raises(Conflict, match="又呼叫了一次"):
        reopen_call(acting=referee, call=call)
    assert AuditRow.objects.filter(action__startswith="call.").count() == 5


def test_entrant_calls_from_his_own_table_and_not_before_it_is_on(made: Made) -> None:
    one, two, _three = made.tables(1)
    seat = one.seats.get(position=1)
    mine = Acting(
        competition_id=made.competition.pk,
        roles=frozenset({Role.ENTRANT}),
        entrant_ids=frozenset({seat.entrant_id or 0}),
    )
    assert call_referee(acting=mine, table=one, kind=CallKind.ABSENT).table == one
    with pytest.raises(NotAllowed):
        call_referee(acting=mine, table=two, kind=CallKind.ABSENT)
    Table.objects.filter(pk=one.pk).update(state="final")
    with pytest.raises(Conflict, match="已定局"):
        call_referee(acting=mine, table=one, kind=CallKind.ABSENT)


def test_roll_keeps_when_somebody_was_missed_and_when_he_came(made: Made) -> None:
    """C9.2 counts from these times."""
    one = made.tables(1)[0]
    seats = [seat.pk for seat in one.seats.order_by("position")]
    referee = make_acting(made.competition, Role.REFEREE)

    def mark(*which: int, here: bool | None) -> int:
        chosen = [seats[k] for k in which]
        return mark_attendance(acting=referee, round_=first(made), seats=chosen, here=here)

    with time_machine.travel(NINE, tick=False):
        assert mark(0, 1, here=False) == 2
    with time_machine.travel(NINE + 3 * MINUTE, tick=False):
        assert mark(0, 1, here=False) == 0
        assert [(one.seat, one.absent_at) for one in call_list(first(made))] == [
            ("甲", NINE), ("乙", NINE),
        ]  # fmt: skip
        assert mark(1, 2, here=True) == 2
    late, came, seen = (roll(first(made), table=1)[k] for k in (0, 1, 2))
    assert (late.is_absent, late.is_late) == (True, False)
    assert (came.absent_at, came.seated_at, came.is_late) == (NINE, NINE + 3 * MINUTE, True)
    assert (seen.absent_at, seen.seated_at, seen.is_late) == (None, NINE + 3 * MINUTE, False)
    assert len(roll(first(made))) == 9
    assert mark(0, here=None) == 1
    assert call_list(first(made)) == []
    with pytest.raises(NotAllowed):
        mark_attendance(acting=of_table(made, one), round_=first(made), seats=seats, here=True)
    for table in made.tables(1):
        play(made, table)
    with pytest.raises(Conflict, match="不能点名"):
        mark(0, here=True)
