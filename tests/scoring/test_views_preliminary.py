"""The pages of a preliminary: seating on paper, standings, 加赛, closing; drafts hidden (C7.4)."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from core import bodies, known
from core.models import User
from scoring.domain.preliminary import close_preliminary
from tests.factories import make_acting
from tests.scoring.preliminaries import (
    by,
    draw_and_publish,
    knockout_of,
    make_preliminary,
    play_all,
    play_table,
)
from tests.scoring.public_pages import page
from tests.tournament.competitions import Made
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.enums import Role
from tournament.models import Seat

pytestmark = pytest.mark.django_db


def forget() -> None:
    """No body and no version is known to this process."""
    bodies.forget()
    known.forget()


def login(made: Made, role: Role | None = None) -> Client:
    """A client of the owner, or of a new member with a role."""
    client = Client()
    acting = make_acting(made.competition, role) if role else made.owner
    client.force_login(User.objects.get(pk=acting.user_id))
    return client


def public(made: Made) -> None:
    made.competition.published_at = timezone.now()
    made.competition.save()


def url(made: Made, name: str) -> str:
    return reverse(name, args=[made.competition.code])


def public_url(made: Made, name: str = "preliminary") -> str:
    return reverse(name, args=[made.competition.code, made.event.pk])


def text(response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined]


def test_the_seating_of_all_rounds_is_printed_before_the_first_and_leaks_nowhere() -> None:
    """C7.4, C5.1: a draft is for who leads."""
    made = make_preliminary(9, 3)
    public(made)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    enter_words(acting=made.owner, draw=frozen, words="红")
    name = Seat.objects.filter(round__stage=made.stage).first().entrant.name
    page = text(login(made).get(url(made, "manage_seating")))
    assert "还没有公布" in page
    assert page.count(name) == 1 + 3, "once by number, once a round"
    for title in ("预赛第 1 轮", "预赛第 2 轮", "预赛第 3 轮"):
        assert title in page
    assert login(made, Role.REFEREE).get(url(made, "manage_seating")).status_code == 403
    for where in ("preliminary", "preliminary_live", "bracket", "standings"):
        shown = text(Client().get(public_url(made, where)))
        assert "预赛第 1 轮" not in shown, where
        assert name not in shown, where
    publish_draw(acting=made.owner, stage=made.stage)
    forget()
    shown = text(Client().get(public_url(made)))
    assert shown.count(name) >= 4
    assert "还没有公布" not in text(login(made).get(url(made, "manage_seating")))


def test_the_draws_of_both_stages_are_told_apart_and_read_at_once() -> None:
    """C4.2: the knock-out's first draw is not the preliminary's."""
    made = make_preliminary(9, 2)
    public(made)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    draw_and_publish(knockout_of(made))
    forget()
    with CaptureQueriesContext(connection) as seen:
        shown = text(Client().get(public_url(made, "draws")))
    assert sum('FROM "tournament_draw"' in one["sql"] for one in seen) == 1
    assert re.findall(r"<h2>(.*?) <span", shown) == ["淘汰赛 · 第 1 次抽签", "预赛 · 第 1 次抽签"]
    home = text(Client().get(made.competition.get_absolute_url()))
    assert re.findall(r"<li>(\S+ · 第 1 次抽签) ", home) == [
        "淘汰赛 · 第 1 次抽签",
        "预赛 · 第 1 次抽签",
    ]


def test_masked_names_stay_masked() -> None:
    made = make_preliminary(9, 2)
    public(made)
    made.competition.mask_names = True
    made.competition.save()
    draw_and_publish(made)
    play_all(made)
    shown = text(Client().get(public_url(made)))
    assert "选手1" not in shown
    assert "选*1" in shown


def test_the_organizer_draws_closes_and_goes_on_page_by_page() -> None:
    """C5, C4.6: from the freeze to the drawn knock-out through the pages alone."""
    made = make_preliminary(9, 2)
    client = login(made)
    page = text(client.get(url(made, "manage_draw")))
    assert "循环 2 轮" in page
    assert "进淘汰赛</dt><dd>3</dd>" in page
    client.post(url(made, "manage_draw_freeze"))
    client.post(url(made, "manage_draw_words"), {"words": "红"})
    client.post(url(made, "manage_draw_publish"))
    assert made.stage.rounds.filter(state="published").count() == 2
    assert "预赛第 2 轮" in text(client.get(url(made, "manage_draw")))
    page = text(client.get(url(made, "manage_preliminary")))
    assert "结束预赛</button>" not in page
    play_all(made)
    page = text(client.get(url(made, "manage_preliminary")))
    assert "前 3 名进淘汰赛" in page
    answer = client.post(url(made, "manage_preliminary_close"), follow=True)
    assert "预赛结束，3 人进淘汰赛" in text(answer)
    assert client.post(url(made, "manage_preliminary_close")).status_code == 409
    client.post(url(made, "manage_preliminary_reopen"))
    client.post(url(made, "manage_preliminary_close"))
    client.post(url(made, "manage_draw_freeze"))
    client.post(url(made, "manage_draw_words"), {"words": "黄"})
    knockout = knockout_of(made)
    assert knockout.stage.rounds.count() == 1
    assert client.post(url(made, "manage_preliminary_reopen")).status_code == 409


def test_an_extra_table_is_laid_played_and_taken_back_on_the_page() -> None:
    """C8.3, C9.5."""
    made = make_preliminary(12, 1, extra_hands=True)
    made.event.prizes = 1
    made.event.save()
    draw_and_publish(made)
    worth = [(8, 0, -8), (8, 0, -8), (6, 0, -6), (6, 0, -6)]
    for table, deltas in zip(made.tables(1), worth, strict=True):
        play_table(made, table, lambda seats, deltas=deltas: deltas)
    client = login(made)
    page = text(client.get(url(made, "manage_preliminary")))
    assert "第 3 名线上同分" in page
    client.post(url(made, "manage_preliminary_tie"))
    assert "撤销加赛" in text(client.get(url(made, "manage_preliminary")))
    client.post(url(made, "manage_preliminary_no_tie"))
    assert not made.stage.rounds.filter(is_tie_break=True).exists()
    client.post(url(made, "manage_preliminary_tie"))
    desk = text(client.get(url(made, "desk")))
    assert "预赛加赛" in desk
    (extra,) = made.tables(2)
    numbers = [seat.entrant.number for seat in extra.seats.all()]
    play_table(made, extra, by({numbers[0]: 4, numbers[1]: -4}))
    page = text(client.get(url(made, "manage_preliminary")))
    assert "结束预赛</button>" in page
    assert "加赛桌净舵 4 对 −4" in page


def test_everybody_sees_points_reasons_and_the_line() -> None:
    """C8.3, C5.4."""
    made = make_preliminary(9, 2)
    public(made)
    draw_and_publish(made)
    play_all(made)
    shown = text(Client().get(public_url(made)))
    assert "积分" in shown
    assert "以上 3 人在线内" in shown
    assert "3 分" in shown
    assert text(Client().get(public_url(made, "standings"))).count("预赛") > 0
    assert "预赛" in text(Client().get(public_url(made, "bracket")))


def test_the_competitions_page_tells_a_preliminary_before_its_knock_out() -> None:
    """A preliminary has rounds and no final, and nobody advances from its tables (C5)."""
    made = make_preliminary(9)
    public(made)
    shown = page(url(made, "competition"))
    assert "预赛 循环 3 轮 每桌 2 局 庄家" in shown
    assert shown.index("循环 3 轮") < shown.index("3 人一桌，每桌 1 人晋级")
    assert "每桌 0 人晋级" not in shown


def test_an_event_without_preliminary_has_no_such_pages() -> None:
    made = make_preliminary(9, 2)
    public(made)
    made.stage.delete()
    assert Client().get(public_url(made)).status_code == 404
    assert login(made).get(url(made, "manage_preliminary")).status_code == 404


@pytest.mark.parametrize("n", [9, 50])
def test_pages_take_as_many_queries_however_many_tables(
    n: int, django_assert_max_num_queries: object
) -> None:
    made = make_preliminary(n, 2)
    public(made)
    draw_and_publish(made)
    play_all(made)
    client = login(made)
    client.get(url(made, "manage_preliminary"))
    with django_assert_max_num_queries(24):  # type: ignore[operator]
        client.get(url(made, "manage_preliminary"))
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        client.get(url(made, "manage_seating"))
    forget()
    with django_assert_max_num_queries(18):  # type: ignore[operator]
        Client().get(public_url(made))


def test_a_table_says_what_it_waits_for() -> None:
    """C7.1."""
    made = make_preliminary(9, 2)
    draw_and_publish(made)
    table = made.tables(2)[0]
    sheet = reverse("sheet", args=[made.competition.code, table.pk])
    assert "同桌的人前面还有桌没有确认" in text(login(made).get(sheet))


def test_swaps_and_late_entries_hold_for_all_rounds_to_come() -> None:
    """C7.3: two change places in every round; who is late takes the filler's number."""
    made = make_preliminary(8, 3)
    draw_and_publish(made)

    def where(number: int) -> list[tuple[int, int]]:
        seats = Seat.objects.filter(round__stage=made.stage, entrant__entry__number=number)
        return list(seats.order_by("round__number").values_list("table__number", "position"))

    first, second = where(1), where(2)
    client = login(made)
    data = {"first": "1", "second": "2", "shown": "1"}
    assert client.post(url(made, "manage_draw_changes"), data).status_code == 302
    assert (where(1), where(2)) == (second, first)
    filler = Seat.objects.filter(round__stage=made.stage, round__number=1, is_filler=True).get()
    data = {"seat": str(filler.pk), "name": "迟到的人", "unit": "", "shown": "1"}
    assert client.post(url(made, "manage_draw_changes"), data).status_code == 302
    assert Seat.objects.filter(round__stage=made.stage, is_filler=True).count() == 0
    assert len(where(9)) == 3


def test_records_of_the_event_are_a_preliminarys_too_but_not_of_its_extra_tables() -> None:
    """C8.2: 加赛 is never counted in statistics."""
    made = make_preliminary(12, 1, extra_hands=True)
    made.event.prizes = 1
    made.event.save()
    public(made)
    draw_and_publish(made)
    worth = [(8, 0, -8), (8, 0, -8), (6, 0, -6), (6, 0, -6)]
    for table, deltas in zip(made.tables(1), worth, strict=True):
        play_table(made, table, lambda seats, deltas=deltas: deltas)
    login(made).post(url(made, "manage_preliminary_tie"))
    (extra,) = made.tables(2)
    numbers = [seat.entrant.number for seat in extra.seats.all()]
    play_table(made, extra, by({numbers[0]: 98, numbers[1]: -98}))
    shown = text(Client().get(public_url(made, "event_records")))
    assert "预赛第 1 轮" in shown
    assert "+98" not in shown


def test_an_entrants_page_lists_his_preliminary_tables() -> None:
    made = make_preliminary(9, 2)
    public(made)
    draw_and_publish(made)
    entrant = made.event.entrants.first()
    address = reverse("entrant", args=[made.competition.code, entrant.pk])
    page = text(Client().get(address))
    assert "下一桌" in page
    assert page.index("预赛第 1 轮") < page.index("预赛第 2 轮")
    play_all(made)
    forget()
    assert text(Client().get(address)).count("已确认") >= 2
