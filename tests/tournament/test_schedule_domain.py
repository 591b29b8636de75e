"""The schedule planned, moved, published in versions, taken back."""

from __future__ import annotations

import pytest

from core.errors import Conflict, DomainError
from tests.factories import make_acting, make_event, make_round, make_stage, make_table
from tests.tournament.competitions import draw, make, make_published
from tests.tournament.schedules import (
    NINE,
    furnish,
    hour,
    plan,
    publish,
    referee,
    room,
    rounds_of,
    session,
    tables_of,
)
from tournament.domain.arranging import arrange_table, move_batch, propose_schedule
from tournament.domain.publications import (
    NOTHING,
    ClashesUnseen,
    current_publication,
    publish_again,
    publish_schedule,
    restore_schedule,
    snapshot,
    unpublish_schedule,
)
from tournament.domain.sittings import read_schedule
from tournament.domain.starting import start_table
from tournament.domain.venue import (
    add_away,
    remove_room,
    remove_session,
    save_room,
    save_session,
    set_tables_each,
    set_units,
)
from tournament.enums import Role, State
from tournament.models import Batch, Entrant, Room, Table
from tournament.permissions import NotAllowed
from tournament.queries.clashes import spoken_clashes
from tournament.queries.schedule import differences

pytestmark = pytest.mark.django_db


def spots(made, number=1):
    return [(one.batch, one.place) for one in tables_of(made, number)]


def move(made, table, **to):
    """Moves a table; what is not named stays."""
    table.refresh_from_db()
    values = {"batch": table.batch, "room": table.room, "place": table.place,
              "referee": table.referee, **to}  # fmt: skip
    changed = arrange_table(acting=made.owner, table=table, **values)
    return sorted(one.number for one in changed)


def said(made):
    return [one.text for one in spoken_clashes(read_schedule(made.competition))]


def test_proposal_gives_batches_places_and_referees_and_nothing_of_it_is_public() -> None:
    """Nine tables, five physical ones, three referees and the chief: 5 and 4, then the next."""
    made = make_published(27)
    furnish(made)
    assert plan(made) == 13
    first, second, final = rounds_of(made)
    assert (first.starts_at, second.starts_at, final.starts_at) == (NINE, hour(2), hour(3))
    assert list(Batch.objects.values_list("round", "number", "starts_at")) == [
        (first.pk, 2, hour(1))
    ]
    assert spots(made) == [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 1), (2, 2), (2, 3), (2, 4)]
    loads = [one.referee_id for one in tables_of(made) if one.referee_id]
    assert len(loads) == 8
    assert len(set(loads)) == 4
    assert plan(made) == 0
    assert not Table.objects.exclude(public_room="", public_place=None).exists()
    assert {one.public_starts_at for one in rounds_of(made)} == {None}
    assert said(made) == []


def test_new_draw_takes_the_assignments_with_it_and_the_proposal_runs_again() -> None:
    made = make_published(9)
    furnish(made)
    plan(made)
    publish(made)
    draw(made, reason="名单有误")
    assert [one.place for one in tables_of(made)] == [None, None, None]
    assert plan(made) == 4
    assert [one.place for one in tables_of(made)] == [1, 2, 3]


def test_moving_to_a_taken_place_swaps_and_to_a_busy_referee_too() -> None:
    made = make_published(27)
    furnish(made)
    plan(made)
    tables = tables_of(made)
    hall = Room.objects.get()
    assert move(made, tables[0], place=3) == [1, 3]
    assert spots(made)[:3] == [(1, 3), (1, 2), (1, 1)]
    assert move(made, tables[0], batch=2, place=2) == [1, 7]
    assert (spots(made)[0], spots(made)[6]) == ((2, 2), (1, 3))
    assert move(made, tables[8], batch=3, place=5) == [9]
    third = Batch.objects.get(number=3)
    assert third.starts_at == hour(2)
    one, other = tables_of(made)[1:3]
    was, his = one.referee, other.referee
    assert move(made, one, referee=his) == [2, 3]
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.referee, other.referee) == (his, was)
    assert move(made, one, room=None, place=None, referee=None) == [2]
    with pytest.raises(DomainError, match="没有这张台"):
        move(made, one, room=hall, place=6)
    with pytest.raises(DomainError, match="没有这一批"):
        move(made, one, batch=7)
    with pytest.raises(NotAllowed):
        arrange_table(
            acting=make_acting(made.competition, Role.REFEREE), table=one, batch=1,
            room=None, place=None, referee=None,
        )  # fmt: skip


def test_what_has_begun_is_not_moved_nor_pushed_aside() -> None:
    made = make_published(9)
    furnish(made)
    plan(made)
    first, second, _third = tables_of(made)
    start_table(acting=made.owner, table=first)
    with pytest.raises(Conflict, match="已经开打"):
        move(made, first, place=5)
    with pytest.raises(Conflict, match="正在打"):
        move(made, second, place=1)
    with pytest.raises(Conflict, match="已经开打"):
        move_batch(acting=made.owner, round_=rounds_of(made)[0], session=None, starts_at=None)
    assert plan(made, anew=True) == 0


def test_a_batch_moves_to_a_session_and_time_and_clashes_say_so() -> None:
    """Each sentence names what is wrong and where."""
    made = make_published(9)
    furnish(made, places=2)
    late = session(made, 8, 9, "晚上")
    plan(made)
    final = rounds_of(made)[1]
    move_batch(acting=made.owner, round_=final, session=late, starts_at=hour(0.5))
    assert said(made) == [
        "一号厅 1 台 12-05 09:30 给了两桌：第 1 轮第 1 桌、决赛第 1 桌。",
        "一号厅 1 台 12-05 10:00 给了两桌：决赛第 1 桌、第 1 轮第 3 桌。",
        "12-05 09:30 同时有 3 桌，只有 2 张台。",
        "决赛第 1 桌 12-05 09:30 开打，前面的“第 1 轮”要到 12-05 10:50 才打完。",
        "决赛第 1 桌 12-05 09:30 开打，不全在场次“晚上”里。",
        "场次“白天”和“晚上”时间重叠，都用一号厅。",
    ]
    move_batch(acting=made.owner, round_=final, session=late, starts_at=None)
    assert rounds_of(made)[1].starts_at == hour(8)
    with pytest.raises(Conflict, match="没有了"):
        move_batch(acting=made.owner, round_=final, batch=2, session=None, starts_at=NINE)


def test_clashes_of_referees_and_people_are_said() -> None:
    made = make_published(9)
    room(made, 5)
    judge = referee(made, "李裁判")
    other = referee(made, "王裁判")
    for round_ in rounds_of(made):
        move_batch(acting=made.owner, round_=round_, session=None,
                   starts_at=hour(round_.number))  # fmt: skip
    tables = tables_of(made)
    for table in tables[:2]:
        Table.objects.filter(pk=table.pk).update(referee=judge)
    unit = tables[0].seats.get(position=0).entrant.unit
    set_units(acting=made.owner, referee=judge, units=[f" {unit} ", "", unit])
    judge.refresh_from_db()
    assert judge.units == unit
    add_away(acting=made.owner, referee=judge, begins_at=hour(1.5), ends_at=hour(2))
    found = said(made)
    assert found[0] == "裁判李裁判 12-05 10:00 同时有 2 桌，最多 1 桌：第 1 轮第 1–2 桌。"
    assert "裁判李裁判那时不在：第 1 轮第 1 桌，12-05 10:00。" in found
    assert f"裁判李裁判和选手同单位（{unit}）：第 1 轮第 1 桌。" in found
    set_tables_each(acting=made.owner, competition=made.competition, tables=2)
    made.competition.refresh_from_db()
    assert not any("同时有" in one for one in said(made))
    Table.objects.update(referee=None)
    plan(made)
    chosen = {one.referee_id for one in tables_of(made)}
    assert judge.pk not in chosen
    assert other.pk in chosen
    with pytest.raises(DomainError, match="结束要晚于开始"):
        add_away(acting=made.owner, referee=judge, begins_at=NINE, ends_at=NINE)


def test_versions_are_numbered_and_differ_from_where_to_where() -> None:
    made = make_published(9)
    furnish(made)
    plan(made)
    one = publish(made, "第一次")
    assert (one.number, one.note, publish(made).pk) == (1, "第一次", one.pk)
    first, final = rounds_of(made)
    assert first.public_starts_at == NINE
    assert [(t.public_room, t.public_place) for t in tables_of(made)] == [
        ("一号厅", 1), ("一号厅", 2), ("一号厅", 3),
    ]  # fmt: skip
    tables = tables_of(made)
    move(made, tables[0], place=2)
    move(made, tables[2], referee=None)
    move_batch(acting=made.owner, round_=final, session=None, starts_at=hour(5))
    now = snapshot(read_schedule(made.competition))
    held = tables[2].referee.user.name
    assert [(d.where, d.text) for d in differences(made.competition, one.snapshot, now)] == [
        ("第 1 轮第 1 桌", "一号厅 1 台 → 一号厅 2 台"),
        ("第 1 轮第 2 桌", "一号厅 2 台 → 一号厅 1 台"),
        ("第 1 轮第 3 桌", f"裁判{held} → 没有裁判"),
        ("决赛第 1 桌", "12-05 10:00 → 12-05 14:00"),
    ]
    assert differences(made.competition, NOTHING, one.snapshot)[0].text == "新排"
    assert differences(made.competition, one.snapshot, NOTHING)[0].text == "撤下"
    assert Table.objects.get(pk=tables[0].pk).public_place == 1
    two = publish(made)
    assert two.number == 2
    assert Table.objects.get(pk=tables[0].pk).public_place == 2
    three = publish_again(acting=made.owner, publication=one)
    assert three is not None
    assert (three.number, three.again, three.snapshot) == (3, one, one.snapshot)
    assert Table.objects.get(pk=tables[0].pk).place == 1
    assert restore_schedule(acting=made.owner, publication=two) == 3
    assert Table.objects.get(pk=tables[0].pk).public_place == 1


def test_taken_back_nobody_sees_it_and_published_again_everybody_does() -> None:
    """C9.5. What has begun keeps what was published."""
    made = make_published(9)
    furnish(made)
    plan(made)
    one = publish(made)
    first, second, _third = tables_of(made)
    start_table(acting=made.owner, table=first)
    assert unpublish_schedule(acting=made.owner, competition=made.competition) == one
    assert current_publication(made.competition) is None
    assert [t.public_place for t in tables_of(made)] == [1, None, None]
    assert second.place == 2
    again = publish(made)
    assert again.number == 2
    assert [t.public_place for t in tables_of(made)] == [1, 2, 3]
    assert unpublish_schedule(acting=made.owner, competition=made.competition) == again
    assert unpublish_schedule(acting=made.owner, competition=made.competition) is None


def test_publishing_what_clashes_asks_first() -> None:
    made = make_published(9)
    bare = make(9)
    with pytest.raises(Conflict, match="还没有轮次"):
        publish_schedule(acting=bare.owner, competition=bare.competition)
    furnish(made)
    plan(made)
    Table.objects.filter(round__number=1).update(place=1)
    with pytest.raises(ClashesUnseen) as asked:
        publish_schedule(acting=made.owner, competition=made.competition)
    assert asked.value.status == 409
    assert current_publication(made.competition) is None
    publish_schedule(acting=made.owner, competition=made.competition, clashes_seen=True)
    for verb in (publish_schedule, unpublish_schedule, propose_schedule):
        with pytest.raises(NotAllowed):
            verb(acting=make_acting(made.competition, Role.REFEREE), competition=made.competition)


def test_rooms_and_sessions_are_kept_and_removed() -> None:
    made = make_published(9)
    furnish(made)
    plan(made)
    hall = Room.objects.get()
    with pytest.raises(DomainError, match="这个房间已经有了"):
        room(made, 3)
    with pytest.raises(DomainError, match="结束要晚于开始"):
        session(made, 2, 2, "空")
    save_room(acting=made.owner, competition=made.competition, room=hall, name="大厅", places=1)
    assert "第 1 轮第 2 桌排在大厅 2 台，没有这张台。" in said(made)
    day = made.competition.sessions.get()
    save_session(
        acting=made.owner, competition=made.competition, session=day, name="上午",
        begins_at=NINE, ends_at=hour(3),
    )  # fmt: skip
    remove_session(acting=made.owner, session=day)
    assert rounds_of(made)[0].starts_at == NINE
    remove_room(acting=made.owner, room=hall)
    assert spots(made) == [(1, None)] * 3
    stranger = make_acting(made.competition, Role.REFEREE)
    with pytest.raises(NotAllowed):
        save_room(acting=stranger, competition=made.competition, name="x", places=1)


def test_a_person_in_two_events_at_once_is_said_partners_too() -> None:
    """双升 is played in pairs: who is only the second member is a person all the same (C10)."""
    made = make_published(9)
    first = rounds_of(made)[0]
    move_batch(acting=made.owner, round_=first, session=None, starts_at=NINE)
    seated = [seat.entrant.entry for seat in tables_of(made)[0].seats.order_by("position")]
    event = make_event(made.competition, name="双升", position=2, is_pairs=True)
    pair = Entrant.objects.create(event=event, entry=seated[0], partner=seated[1])
    other = make_round(make_stage(event), state=State.PUBLISHED, starts_at=hour(0.5), minutes=60)
    make_table(other, entrants=[pair, None])
    assert sorted(said(made)) == sorted(
        f"{one.name}同时在两桌：个人赛 第 1 轮第 1 桌、双升 第 1 轮第 1 桌。" for one in seated[:2]
    )
