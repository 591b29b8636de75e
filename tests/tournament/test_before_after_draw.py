"""Before and after the draw (C7.3, C9.5): each action in each state, by organizer and chief
referee: shown first, done, taken back; or refused with a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core.models import AuditRow, User
from scoring.domain.hands import enter_hand
from scoring.domain.sheets import open_sheet
from tests.factories import make_user
from tests.scoring.sheets import totals
from tests.scoring.unit_competition import make_units
from tests.tournament.competitions import Made, draw, make, results
from tournament.domain.apart import keep_apart
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.domain.entries import add_entry
from tournament.domain.formats import Format, set_format
from tournament.domain.settings import set_plan
from tournament.domain.tables import finish_table
from tournament.enums import EntrantStatus, Role, StageKind, Way
from tournament.models import Entrant, Membership, Seat, Table

pytestmark = pytest.mark.django_db

STATES = ("planned", "drawn", "published", "running", "hand")
"""`running`: a hand is in at another table of the round; `hand`: at the table it is about."""
CHIEF_ONLY, NOBODY = "只有裁判长可以做", "现在不能做"


@dataclass
class Hall:
    """Sixteen entrants by byes: four first-round tables, one of them of two and a filler."""

    made: Made
    client: Client

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.made.competition.code, *args])

    def seated(self, state: str) -> tuple[Entrant, Entrant]:
        """Two entrants whom the action is about, of different tables where there are tables."""
        if state == "planned":
            first, second = self.made.event.entrants.all()[:2]
            return first, second
        tables = self.full_tables()
        first, second = (holder(table, 0) for table in (tables[0], tables[1]))
        return first, second

    def full_tables(self) -> list[Table]:
        return [
            table
            for table in self.made.tables(1)
            if not table.seats.filter(is_filler=True).exists()
        ]

    def with_filler(self) -> Table:
        return Table.objects.get(seats__is_filler=True)

    def hand_at(self, table: Table) -> None:
        count = table.seats.count()
        deltas = [2, -2, 0][:count]
        enter_hand(acting=self.made.owner, sheet=open_sheet(table), entered=totals(*deltas))


def holder(table: Table, position: int) -> Entrant:
    entrant = table.seats.get(position=position).entrant
    assert entrant is not None
    return entrant


def hall_at(state: str, role: Role, about: str = "first") -> Hall:
    made = make(16)
    keep_apart(acting=made.owner, event=made.event, name="莫家", numbers=list(range(1, 17)))
    if state != "planned":
        set_plan(
            acting=made.owner, stage=made.stage, table_size=3, advance=1, way=Way.BYES, entrants=16
        )
        draw(made)
    if state in ("published", "running", "hand"):
        publish_draw(acting=made.owner, stage=made.stage)
    user = make_user()
    Membership.objects.create(user=user, competition=made.competition, role=role)
    client = Client()
    client.force_login(user)
    hall = Hall(made, client)
    if state == "running":
        hall.hand_at(hall.full_tables()[2])
    if state == "hand":
        hall.hand_at(hall.with_filler() if about == "filler" else hall.full_tables()[0])
    return hall


@dataclass
class Case:
    """An action: where it is asked for and with what; how to see that it is done, how to undo."""

    url: str
    data: dict[str, object]
    words: tuple[str, ...]
    is_done: Callable[[], bool]
    undo: Callable[[], Any]
    log: str


def last_change(hall: Hall, action: str) -> AuditRow:
    found = AuditRow.objects.filter(action=action).last()
    assert found is not None
    return found


def undo_change(hall: Hall, action: str) -> Any:
    return hall.client.post(hall.url("manage_draw_change_undo", last_change(hall, action).pk))


def swap(hall: Hall, state: str) -> Case:
    first, second = hall.seated(state)
    seat = Seat.objects.filter(entrant=first).first()
    return Case(
        hall.url("manage_draw_changes"),
        {"first": first.number, "second": second.number},
        (first.name, second.name, "同一回避组（莫家）"),
        lambda: seat is not None and Seat.objects.filter(pk=seat.pk, entrant=second).exists(),
        lambda: undo_change(hall, "seat.swap"),
        "seat.swap-undo",
    )


def late(hall: Hall, state: str) -> Case:
    seat = Seat.objects.filter(is_filler=True).first()
    unit = ""
    if seat is not None:
        mate = Seat.objects.filter(table=seat.table, entrant__isnull=False).first()
        assert mate is not None
        assert mate.entrant is not None
        unit = mate.entrant.unit
    return Case(
        hall.url("manage_draw_changes"),
        {"seat": seat.pk if seat else 0, "name": "迟来", "unit": unit},
        ("迟来 坐", "陪打不用上场", f"同单位（{unit}）"),
        lambda: Entrant.objects.filter(entry__person__name="迟来").exists(),
        lambda: undo_change(hall, "seat.late-entry"),
        "seat.late-entry-undo",
    )


def bye(hall: Hall, state: str) -> Case:
    seat = Seat.objects.filter(round__number=2, entrant__isnull=False).first()
    return Case(
        hall.url("manage_draw_changes"),
        {"seat": seat.pk if seat else 0, "name": "迟来", "unit": ""},
        ("第 1 轮加第 5 桌", "不再轮空", "另由陪打补足三人"),
        lambda: len(hall.made.tables(1)) == 5,
        lambda: undo_change(hall, "seat.late-entry"),
        "seat.late-entry-undo",
    )


def leaving(status: EntrantStatus) -> Callable[[Hall, str], Case]:
    def case(hall: Hall, state: str) -> Case:
        gone, _other = hall.seated(state)
        words = {
            "planned": "名单里不再有他",
            "running": "由陪打坐下",
            "hand": "从第 2 局起由陪打代打",
        }
        return Case(
            hall.url("manage_entrant_leave", gone.pk),
            {"status": str(status), "reason": "换牌"},
            (words.get(state, "由陪打坐下"),),
            lambda: Entrant.objects.get(pk=gone.pk).status == status,
            lambda: hall.client.post(
                hall.url("manage_entrant_back", gone.pk), {"effects_shown": "1"}
            ),
            "entry.reinstate" if state == "planned" else "entrant.return",
        )

    return case


def replace(hall: Hall, state: str) -> Case:
    held, _other = hall.seated(state)
    return Case(
        hall.url("manage_entrant_replace", held.pk),
        {"name": "接替"},
        (f"{held.name} 换成 接替", "链接不能再用"),
        lambda: Entrant.objects.get(pk=held.pk).name == "接替",
        lambda: hall.client.post(hall.url("manage_entrant_replace_back", held.pk)),
        "entry.replace-undo",
    )


ACTIONS: dict[str, Callable[[Hall, str], Case]] = {
    "swap": swap,
    "late": late,
    "bye": bye,
    "withdraw": leaving(EntrantStatus.WITHDRAWN),
    "disqualify": leaving(EntrantStatus.DISQUALIFIED),
    "replace": replace,
}
OPEN = {"planned": "OC", "drawn": "OC", "published": "OC", "running": "C", "hand": "C"}
SEATS = {**OPEN, "planned": "", "hand": ""}
TABLE = {
    "swap": SEATS,
    "late": SEATS,
    "bye": {**SEATS, "hand": "C"},  # there the hand is at another table than the bye's
    "withdraw": OPEN,
    "disqualify": OPEN,
    "replace": OPEN,
}
REFUSED = {
    ("swap", "planned"): "还没有抽签",
    ("late", "planned"): "还没有抽签",
    ("bye", "planned"): "还没有抽签",
    ("late", "hand"): "不能补入",
}
UNDO_ENDS = {"replace": "接替的人已经开打"}
"""What is done where a hand is in and cannot be taken back there."""


@pytest.mark.parametrize("letter", ["O", "C"])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_is_shown_done_and_undone_or_refused(
    action: str, state: str, letter: str
) -> None:
    role = Role.ORGANIZER if letter == "O" else Role.CHIEF
    hall = hall_at(state, role, about="filler" if action == "late" else "first")
    case = ACTIONS[action](hall, state)
    assert hall.client.get(case.url).status_code == 200
    shown = hall.client.post(case.url, case.data)
    page = shown.content.decode()
    if letter not in TABLE[action][state]:
        by_state = NOBODY if state == "hand" and action == "swap" else CHIEF_ONLY
        sentence = REFUSED.get((action, state), by_state)
        assert shown.status_code in (400, 403, 409)
        assert sentence in page
        done = hall.client.post(case.url, {**case.data, "shown": "1"})
        assert done.status_code in (400, 403, 409)
        assert not case.is_done()
        return
    assert shown.status_code == 200
    for word in case.words:
        assert word in page
    is_draft = state in ("planned", "drawn")
    assert ("还没有公布" in page, "大家看到的这些页面会变" in page) == (is_draft, not is_draft)
    assert not case.is_done()

    assert hall.client.post(case.url, {**case.data, "shown": "1"}).status_code == 302
    assert case.is_done()
    if state == "hand" and action in UNDO_ENDS:
        refused = case.undo()
        assert (refused.status_code, case.is_done()) == (409, True)
        assert UNDO_ENDS[action] in refused.content.decode()
        return
    assert case.undo().status_code == 302
    assert not case.is_done()
    assert AuditRow.objects.filter(action=case.log).count() == 1


def layout(hall: Hall) -> list[tuple[object, ...]]:
    seats = Seat.objects.filter(round__stage=hall.made.stage).order_by("pk")
    return list(seats.values_list("pk", "entrant", "is_filler", "stands_for", "source", "forfeits"))


@pytest.mark.parametrize("action", ["swap", "late", "bye", "withdraw", "disqualify"])
def test_undo_puts_every_seat_back(action: str) -> None:
    """C9.5: as it was before, to the last seat."""
    hall = hall_at("published", Role.ORGANIZER)
    before = layout(hall)
    case = ACTIONS[action](hall, "published")
    hall.client.post(case.url, {**case.data, "shown": "1"})
    assert layout(hall) != before
    assert case.undo().status_code == 302
    assert layout(hall) == before


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("swap", NOBODY),
        ("late", NOBODY),
        ("bye", NOBODY),
        ("withdraw", "那一桌已经开打"),
        ("replace", "接替的人已经开打"),
    ],
)
def test_undo_ends_with_the_first_hand_at_the_table(action: str, sentence: str) -> None:
    """C9.5: while nothing depends on it."""
    hall = hall_at("published", Role.CHIEF)
    case = ACTIONS[action](hall, "published")
    table = hall.with_filler() if action == "late" else hall.full_tables()[0]
    hall.client.post(case.url, {**case.data, "shown": "1"})
    hall.hand_at(hall.made.tables(1)[4] if action == "bye" else table)
    refused = case.undo()
    assert refused.status_code in (403, 409)
    assert sentence in refused.content.decode()
    assert case.is_done()
    if action in ("swap", "late", "bye"):
        page = hall.client.get(hall.url("manage_draw_changes")).content.decode()
        assert "那一桌已开打，不能再撤销" in page


def test_a_later_change_of_the_seat_ends_the_undo_of_an_earlier_one() -> None:
    hall = hall_at("drawn", Role.ORGANIZER)
    first, second = hall.seated("drawn")
    third = holder(hall.full_tables()[2], 0)
    url = hall.url("manage_draw_changes")
    hall.client.post(url, {"first": first.number, "second": second.number, "shown": "1"})
    earlier = last_change(hall, "seat.swap")
    hall.client.post(url, {"first": second.number, "second": third.number, "shown": "1"})
    assert "座位后来又有变动" in hall.client.get(url).content.decode()
    undo = hall.url("manage_draw_change_undo", earlier.pk)
    refused = hall.client.post(undo)
    assert (refused.status_code, "后来" in refused.content.decode()) == (409, False)
    assert "座位又有变动" in refused.content.decode()
    assert undo_change(hall, "seat.swap").status_code == 302
    assert hall.client.post(undo).status_code == 302
    again = hall.client.post(undo)
    assert (again.status_code, "已经撤销" in again.content.decode()) == (409, True)
    page = hall.client.get(url).content.decode()
    assert page.count("撤销对换：") == 2
    draw(hall.made, "重来", reason="漏人")
    assert hall.client.post(undo).status_code == 409
    assert "已撤销" in hall.client.get(url).content.decode()


def test_list_of_changes_needs_no_more_queries_for_more_changes(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    hall = hall_at("drawn", Role.ORGANIZER)
    url = hall.url("manage_draw_changes")
    numbers = [seat.entrant.number for seat in _seated(hall)]
    counts = []
    for times in (2, 8):
        for one in range(times):
            data = {"first": numbers[one], "second": numbers[one + 1], "shown": "1"}
            assert hall.client.post(url, data).status_code == 302
        hall.client.get(url)
        with django_assert_max_num_queries(18) as seen:
            hall.client.get(url)
        counts.append(len(seen.captured_queries))
    assert counts[0] == counts[1]


def _seated(hall: Hall) -> list[Any]:
    found = Seat.objects.filter(round__stage=hall.made.stage, entrant__isnull=False)
    return list(found.select_related("entrant__entry"))


def test_late_entries_into_byes_are_taken_back_from_the_last() -> None:
    """The number of a table stays its own: the one added last goes first."""
    hall = hall_at("published", Role.ORGANIZER)
    url = hall.url("manage_draw_changes")
    byes = list(Seat.objects.filter(round__number=2, entrant__isnull=False)[:2])
    before = layout(hall)
    changes = []
    for seat, name in zip(byes, ("迟一", "迟二"), strict=True):
        hall.client.post(url, {"seat": seat.pk, "name": name, "unit": "", "shown": "1"})
        changes.append(last_change(hall, "seat.late-entry"))
    undo = [hall.url("manage_draw_change_undo", change.pk) for change in changes]
    refused = hall.client.post(undo[0])
    assert (refused.status_code, "请先撤销后加的那一桌" in refused.content.decode()) == (409, True)
    assert [hall.client.post(one).status_code for one in undo[::-1]] == [302, 302]
    assert layout(hall) == before
    assert hall.made.event.entrants.count() == 16
    assert hall.client.post(hall.url("manage_draw_change_undo", 999_999)).status_code == 404


def rotated(entrants: int) -> Hall:
    """A published preliminary of three rounds, its organizer's browser."""
    made = make(entrants)
    set_format(acting=made.owner, stage=made.stage, wanted=Format(preliminary=3), entrants=entrants)
    prelim = made.event.stages.get(kind=StageKind.PRELIM)
    frozen = freeze_draw(acting=made.owner, stage=prelim)
    enter_words(acting=made.owner, draw=frozen, words="红")
    publish_draw(acting=made.owner, stage=prelim)
    made.stage = prelim
    user = make_user()
    Membership.objects.create(user=user, competition=made.competition, role=Role.ORGANIZER)
    client = Client()
    client.force_login(user)
    return Hall(made, client)


def test_swap_in_a_preliminary_is_of_all_its_rounds_and_goes_back() -> None:
    """C5.1: who swaps takes the other's number of the rotation."""
    hall = rotated(12)
    first, second = (holder(table, 0) for table in hall.made.tables(1)[:2])
    before = layout(hall)
    url, data = hall.url("manage_draw_changes"), {"first": first.number, "second": second.number}
    page = hall.client.post(url, data).content.decode()
    assert page.count("→") == 6
    assert "/preliminary/" in page
    seats = Seat.objects.filter(entrant=first).order_by("round__number")
    tables = [seat.table_id for seat in seats]
    assert hall.client.post(url, {**data, "shown": "1"}).status_code == 302
    others = Seat.objects.filter(entrant=second).order_by("round__number")
    assert [seat.table_id for seat in others] == tables
    assert undo_change(hall, "seat.swap").status_code == 302
    assert layout(hall) == before


def test_late_entry_into_a_preliminary_takes_the_fillers_seat_of_every_round() -> None:
    """C5.2."""
    hall = rotated(11)
    before = layout(hall)
    seat = Seat.objects.filter(is_filler=True, round__number=1).first()
    assert seat is not None
    url, data = hall.url("manage_draw_changes"), {"seat": seat.pk, "name": "迟来", "unit": ""}
    assert "以后各轮坐" in hall.client.post(url, data).content.decode()
    assert hall.client.post(url, {**data, "shown": "1"}).status_code == 302
    assert Seat.objects.filter(entrant__entry__person__name="迟来").count() == 3
    assert not Seat.objects.filter(is_filler=True).exists()
    assert undo_change(hall, "seat.late-entry").status_code == 302
    assert layout(hall) == before


def test_leaving_before_the_draw_names_who_moves_up_and_ends_with_it() -> None:
    """C1.2, C9.5: back while the place is not another's; the seed comes back with him."""
    hall = hall_at("planned", Role.CHIEF)
    made = hall.made
    made.competition.capacity = 16
    made.competition.save()
    add_entry(acting=made.owner, event=made.event, name="候一")
    gone = made.event.entrants.get(entry__number=3)
    gone.seed = 2
    gone.save()
    leave = hall.url("manage_entrant_leave", gone.pk)
    page = hall.client.post(leave, {"status": "withdrawn"}).content.decode()
    assert "候补的候一转正" in page
    assert "2 号种子空出来" in page
    assert made.event.entrants.count() == 16
    without = hall.client.post(leave, {"status": "disqualified", "shown": "1"})
    assert (without.status_code, "写明原因" in without.content.decode()) == (400, True)
    hall.client.post(leave, {"status": "withdrawn", "shown": "1"})
    back = hall.url("manage_entrant_back", gone.pk)
    assert "名额已满" in hall.client.get(back).content.decode()
    refused = hall.client.post(back)
    assert (refused.status_code, "名额已满" in refused.content.decode()) == (409, True)
    made.competition.capacity = 17
    made.competition.save()
    assert hall.client.post(back).status_code == 302
    gone.refresh_from_db()
    assert (gone.status, gone.seed) == (EntrantStatus.IN, 2)


def test_a_stand_in_of_the_same_unit_is_warned_of() -> None:
    """C9.3, C1.4."""
    hall = hall_at("published", Role.CHIEF)
    made = hall.made
    for table in made.tables(1):
        play_out(hall, table)
    seat = Seat.objects.filter(round__number=2, source__isnull=False).first()
    assert seat is not None
    assert seat.entrant is not None
    url = hall.url("manage_entrant_leave", seat.entrant_id)
    choices = hall.client.get(url).context["form"].fields["instead"].choices
    page = hall.client.post(url, {"status": "withdrawn", "instead": choices[0][0]})
    assert "同一回避组（莫家）" in page.content.decode()
    assert "坐下：" in page.content.decode()


def play_out(hall: Hall, table: Table) -> None:
    hall.hand_at(table)
    finish_table(acting=hall.made.owner, table=table, results=results(table))


def test_changes_of_another_event_are_its_own() -> None:
    """C10: listed with their event, taken back there."""
    world = make_units()
    for event in (world.zipai, world.chess):
        world.publish(event)
    client = Client()
    client.force_login(User.objects.get(pk=world.made.owner.user_id))
    url = reverse("manage_draw_changes", args=[world.made.competition.code])
    chess = f"{url}?event={world.chess.pk}"
    seats = Seat.objects.filter(round__stage__event=world.chess, round__number=1)
    first, second = (seats.filter(position=0).select_related("entrant__entry")[i] for i in (0, 1))
    assert first.entrant is not None
    assert second.entrant is not None
    data = {"first": first.entrant.number, "second": second.entrant.number, "shown": "1"}
    assert client.post(chess, data).status_code == 302
    assert "对换：" not in client.get(f"{url}?event={world.zipai.pk}").content.decode()
    page = client.get(chess).content.decode()
    assert "对换：" in page
    (undo,) = re.findall(r'action="([^"]*/undo/[^"]*)"', page)
    assert undo.endswith(f"?event={world.chess.pk}")
    assert client.post(undo.partition("?")[0]).status_code == 409
    assert client.post(undo).status_code == 302
    assert Seat.objects.get(pk=first.pk).entrant_id == first.entrant_id
