"""The pages of mishaps (C9): each shows what it does before it is done, and takes it back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from scoring.domain.hands import enter_hand
from scoring.domain.sheets import open_sheet
from scoring.domain.verdicts import penalize
from scoring.enums import PenaltyLevel
from scoring.models import Penalty
from tests.factories import make_acting
from tests.scoring.sheets import FLIP, WIN, make_hall, totals
from tests.scoring.test_domain_leaving import abandoned
from tests.scoring.test_domain_reseating import nets
from tests.scoring.test_domain_verdicts import close, nine, seat_after
from tournament.acting import Acting
from tournament.enums import EntrantStatus, Role
from tournament.models import DeviceLink, Entrant

pytestmark = pytest.mark.django_db


def log_in(acting: Acting) -> Client:
    """The browser of who has this account."""
    assert acting.user_id is not None
    client = Client()
    client.force_login(User.objects.get(pk=acting.user_id))
    return client


def test_lateness_is_shown_then_kept() -> None:
    """C9.2."""
    hall = make_hall(hands=3)
    hall.enter(FLIP)
    client = log_in(hall.referee)
    url = reverse("sheet_late", args=[hall.competition.code, hall.table.pk])
    assert "15 分钟以内：警告，扣罚 4 舵" in client.get(url).content.decode()
    page = client.post(url, {"position": "1", "minutes": "12"})
    assert "扣罚 4 舵" in page.content.decode()
    assert [(row["before"].net, row["after"].net) for row in page.context["rows"]] == [
        (-2, -2), (-2, -6), (4, 4),
    ]  # fmt: skip
    assert Penalty.objects.count() == 0
    assert client.post(url, {"position": "1", "minutes": "12", "shown": "1"}).status_code == 302
    assert nets(hall) == [-2, -6, 4]
    refused = client.post(url, {"position": "1", "minutes": "16"})
    assert (refused.status_code, "裁判长" in refused.content.decode()) == (403, True)
    wrong = client.post(url, {"position": "1", "minutes": ""})
    assert (wrong.status_code, "请写迟到几分钟" in wrong.content.decode()) == (422, True)


def test_wrong_seats_are_shown_swapped_and_swapped_back() -> None:
    """C9.4, C9.5."""
    hall = make_hall(hands=3)
    hall.fill(WIN, FLIP)
    client = log_in(hall.referee)
    url = reverse("sheet_seats", args=[hall.competition.code, hall.table.pk])
    assert 'value="2"' in client.get(url).content.decode()
    data = {"first": 1, "last": 1, "seat_0": 1, "seat_1": 0, "seat_2": 2, "reason": "坐反了"}
    page = client.post(url, data)
    assert [(row["before"].net, row["after"].net) for row in page.context["rows"]] == [
        (4, -8), (-8, 4), (4, 4),
    ]  # fmt: skip
    assert "记在甲 选手1的，改记给乙 选手2" in page.content.decode()
    assert nets(hall) == [4, -8, 4]
    assert client.post(url, {**data, "shown": "1"}).status_code == 302
    assert nets(hall) == [-8, 4, 4]
    (one,) = client.get(url).context["swapped"]
    back = {**dict(one["fields"]), "shown": "1"}
    assert client.post(url, back).status_code == 302
    assert nets(hall) == [4, -8, 4]
    same = client.post(url, {**data, "seat_0": 0, "seat_1": 1})
    assert (same.status_code, "座位没有变" in same.content.decode()) == (422, True)


def test_a_swap_warns_where_a_stopped_player_has_won_then() -> None:
    """C9.4 with C6.5: 停和 is the seat's; a win that moves there is to be judged."""
    hall = make_hall(hands=3)
    hall.enter(WIN)
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=1, level=PenaltyLevel.NO_HU, reason="相公",
        stop_from=1,
    )  # fmt: skip
    url = reverse("sheet_seats", args=[hall.competition.code, hall.table.pk])
    data = {"first": 1, "last": 1, "seat_0": 1, "seat_1": 0, "seat_2": 2, "reason": "坐反了"}
    shown = log_in(hall.referee).post(url, data).content.decode()
    assert "注意：第 1 局算作选手2胡，而他这一局停和。" in shown


def test_who_leaves_is_seen_first_and_comes_back_to_his_seat() -> None:
    """C9.3: the best who did not advance is proposed with the reason; undone by the same pages."""
    made = nine()
    for table, deltas in zip(made.tables(1), ((4, -1, -3), (5, 2, -7), (6, -2, -4)), strict=True):
        close(made, table, *deltas)
    seat = seat_after(made.tables(1)[0])
    gone = seat.entrant
    assert gone is not None
    client = log_in(made.owner)
    args = [made.competition.code, gone.pk]
    leave = reverse("manage_entrant_leave", args=args)
    page = client.get(leave)
    assert "上一轮 2 桌第 2 名，每局净舵 +2.00" in page.content.decode()
    best = page.context["form"].fields["instead"].initial
    data = {"status": "withdrawn", "instead": best, "reason": "有事"}
    assert "坐下：上一轮 2 桌第 2 名" in client.post(leave, data).content.decode()
    assert Entrant.objects.get(pk=gone.pk).status == EntrantStatus.IN
    assert client.post(leave, {**data, "shown": "1"}).status_code == 302
    assert seat_after(made.tables(1)[0]).entrant_id == best
    back = reverse("manage_entrant_back", args=args)
    assert "坐回决赛" in client.get(back).content.decode()
    chief = log_in(make_acting(made.competition, Role.CHIEF))
    sheet = reverse("sheet", args=[made.competition.code, seat.table_id])
    assert back in chief.get(sheet).content.decode()
    assert chief.post(back, follow=True).redirect_chain == [(sheet, 302)]
    assert seat_after(made.tables(1)[0]).entrant == gone

    (final,) = made.tables(2)
    made.stage.rounds.update(hands=3)
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(3, -1, -2))
    data = {"status": "disqualified", "reason": ""}
    refused = client.post(leave, data)
    assert (refused.status_code, "写明原因" in refused.content.decode()) == (400, True)
    page = client.post(leave, {**data, "reason": "换牌"})
    assert "从第 2 局起由陪打代打" in page.content.decode()
    after = [row["after"].place for row in page.context["rows"]]
    assert after[seat.position] == 3
    assert client.post(leave, {**data, "reason": "换牌", "shown": "1"}).status_code == 302
    public = client.get(reverse("table", args=[made.competition.code, final.pk]))
    assert "第 2 局起陪打" in public.content.decode()


def test_a_champion_is_disqualified_only_after_the_effects_were_seen() -> None:
    made = nine()
    for table in made.tables(1):
        close(made, table, 4, -1, -3)
    (final,) = made.tables(2)
    close(made, final, 4, -1, -3)
    champion, second = (
        final.seats.select_related("entrant__entry__person").get(position=p).entrant for p in (0, 1)
    )
    assert champion is not None
    assert second is not None
    client = log_in(made.owner)
    args = [made.competition.code, champion.pk]
    leave = reverse("manage_entrant_leave", args=args)
    data = {"status": "disqualified", "reason": "换牌"}
    shown = client.post(leave, data).content.decode()
    assert f"冠军由{champion.name}变为{second.name}" in shown
    sent = {**data, "shown": "1", "effects_shown": "1"}
    assert client.post(leave, sent).status_code == 302
    assert final.seats.get(position=0).place == 3
    back = reverse("manage_entrant_back", args=args)
    page = client.post(back)
    assert f"冠军由{second.name}变为{champion.name}" in page.content.decode()
    assert client.post(back, {"effects_shown": "1"}).status_code == 302
    assert final.seats.get(position=0).place == 1


def test_somebody_takes_over_the_place_and_gives_it_back() -> None:
    """C7.3 replace: number, unit and seat stay; the links of who was there do not."""
    hall = make_hall(hands=3)
    entrant = hall.entrants[1]
    link = hall.entrant_link(1).link_id
    assert link is not None
    client = log_in(hall.chief)
    args = [hall.competition.code, entrant.pk]
    url = reverse("manage_entrant_replace", args=args)
    assert "选手2 换成 小莫" in client.post(url, {"name": " 小莫 "}).content.decode()
    assert client.post(url, {"name": "小莫", "shown": "1"}).status_code == 302
    now = Entrant.objects.get(pk=entrant.pk)
    assert (now.name, now.number, hall.table.seats.get(position=1).entrant) == ("小莫", 2, now)
    assert DeviceLink.objects.get(pk=link).revoked_at is not None
    again = client.post(url, {"name": "小秦", "shown": "1"})
    assert "已经换过一次人" in again.content.decode()
    back = reverse("manage_entrant_replace_back", args=args)
    assert client.post(back).status_code == 302
    assert Entrant.objects.get(pk=entrant.pk).name == "选手2"
    client.post(url, {"name": "小莫", "shown": "1"})
    hall.enter(WIN)
    assert client.post(back).status_code == 409


def test_a_seat_that_nobody_has_won_is_filled_from_its_sheet_and_emptied_again() -> None:
    """C9.3, C9.5: the sheet says what is missing; the best who did not advance is proposed."""
    made = nine()
    abandoned(made)
    (final,) = made.tables(2)
    args = [made.competition.code, final.pk]
    client = log_in(made.owner)
    sheet, fill = reverse("sheet", args=args), reverse("sheet_fill", args=args)
    assert fill in client.get(sheet).content.decode()
    desk = client.get(reverse("desk", args=args[:1])).context
    assert [(row["one"].key, row["one"].count) for row in desk["tally"]] == [("gap", 1)]
    page = client.get(fill)
    assert "上一轮第 2 桌没有人晋级" in page.content.decode()
    field = page.context["form"].fields["instead"]
    assert next(str(label) for _pk, label in field.choices).endswith("每局净舵 +1.00")
    assert field.choices[-1] == ("filler", "陪打")
    done = client.post(fill, {"instead": field.initial}, follow=True)
    assert done.redirect_chain == [(sheet, 302)]
    assert "已补上" in done.content.decode()
    seat = final.seats.get(gap_filled=True)
    assert str(seat.entrant_id) == field.initial
    assert client.post(fill).status_code == 302
    back = client.post(reverse("sheet_fill_back", args=args), {"position": seat.position})
    assert back.status_code == 302
    assert not final.seats.filter(gap_filled=True).exists()
    assert client.post(fill).status_code == 422
    assert client.post(fill, {"instead": "filler"}).status_code == 302
    assert final.seats.get(gap_filled=True).is_filler
