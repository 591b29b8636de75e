"""Pages of penalties, protests and rulings (C6.5, C6.6, C7.3)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from scoring.domain.protests import answer_protest, protest
from scoring.domain.sheets import submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import PenaltyKind, PenaltyLevel, ProtestAbout, ProtestState
from scoring.models import HandVersion, Penalty, Protest, VerdictSettings
from scoring.penalties import CATALOGUE
from tests.scoring.clients import member, publish, url, with_link
from tests.scoring.public_pages import forget
from tests.scoring.sheets import WIN, Hall, make_hall
from tournament.enums import ConfirmationMode, EntrantStatus, Role

pytestmark = pytest.mark.django_db

OTHER: dict[str, Any] = {"evidence": "result", **WIN, "winner": "乙", "payer": "甲"}


def text(answer: Any) -> str:
    """What is to be read, tags taken out."""
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def checked(answer: Any, name: str) -> str:
    """The value of the radio button that is chosen."""
    found = re.search(rf'name="{name}" value="([^"]*)"[^>]*checked', answer.content.decode())
    return found.group(1) if found else ""


@pytest.fixture
def hall() -> Hall:
    hall = make_hall(6)
    hall.enter(WIN)
    return hall


def test_penalty_is_proposed_from_the_catalogue_and_what_he_already_has(hall: Hall) -> None:
    referee, chief = member(hall, Role.REFEREE), member(hall, Role.CHIEF)
    where = url(hall, "penalty")
    start = text(referee.get(where))
    for offence in CATALOGUE:
        assert str(offence.name) in start
    assert referee.get(f"{where}?code=phone").status_code == 422

    first = referee.get(f"{where}?position=1&code=phone")
    assert checked(first, "level") == "warning"
    assert "还没有。" in text(first)
    assert "用手机：打牌时用手机，记分用的除外" in text(first)
    sent = {"position": "1", "code": "phone", "reason": "用手机", "stop_from": "2"}
    assert referee.post(where, {**sent, "level": "warning", "amount": "2"}).status_code == 302
    assert Penalty.objects.get().has_points is False

    second = referee.get(f"{where}?position=1&code=phone")
    assert (checked(second, "level"), checked(second, "kind")) == ("points", "deduction")
    assert "警告 · 用手机 建议： 罚分" in text(second)
    wrong = referee.post(where, {**sent, "level": "points", "kind": "deduction", "amount": "x"})
    assert wrong.status_code == 422
    given = {**sent, "level": "points", "kind": "deduction", "amount": "2"}
    assert referee.post(where, given).status_code == 302

    third = referee.get(f"{where}?position=1&code=phone")
    assert (checked(third, "level"), checked(third, "kind")) == ("no-hu", "none")
    given = {**sent, "level": "no-hu", "kind": "none", "stop_hands": "2"}
    assert referee.post(where, given).status_code == 302
    shown = text(referee.get(url(hall, "sheet")))
    assert "停和 选手2 第 2 局不能胡。" in shown
    assert "选手2 停和 · 第 2–3 局不能胡 用手机" in shown
    assert "选手2 罚分 · 扣罚 2 舵 用手机" in shown

    fourth = referee.get(f"{where}?position=1&code=phone")
    assert checked(fourth, "level") == "no-hu"
    assert "再往上是取消资格，只有裁判长可以。" in text(fourth)
    given = {**sent, "level": "out", "kind": "none"}
    assert referee.post(where, given).status_code == 422
    assert checked(chief.get(f"{where}?position=1&code=phone"), "level") == "out"
    seen = chief.post(where, given)
    assert "选手2退出比赛，不能晋级；这一桌的名次见下表。 从第 2 局起由陪打代打" in text(seen)
    assert [row["after"].place for row in seen.context["rows"]] == [1, 3, 2]
    hall.entrants[1].refresh_from_db()
    assert hall.entrants[1].status == EntrantStatus.IN
    assert chief.post(where, {**dict(seen.context["fields"]), "shown": "1"}).status_code == 302
    hall.entrants[1].refresh_from_db()
    assert hall.entrants[1].status == EntrantStatus.DISQUALIFIED
    other = referee.get(f"{where}?position=0&code=phone")
    assert checked(other, "level") == "warning"


def test_penalty_form_keeps_what_was_typed(hall: Hall) -> None:
    referee = member(hall, Role.REFEREE)
    sent = {
        "position": "2", "code": "late", "level": "points", "kind": "opponents", "amount": "",
        "reason": "晚了九分钟", "hand": "1",
    }  # fmt: skip
    answer = referee.post(url(hall, "penalty"), sent)
    assert answer.status_code == 422
    assert "罚几舵？写 1 到 999。" in text(answer)
    assert "晚了九分钟" in text(answer)
    assert (checked(answer, "kind"), checked(answer, "position")) == ("opponents", "2")
    assert 'name="code" value="late"' in answer.content.decode()


def test_stopped_winner_is_warned_of_and_saved_only_knowingly(hall: Hall) -> None:
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=1, level=PenaltyLevel.NO_HU, reason="相公",
        stop_hands=1,
    )  # fmt: skip
    referee = member(hall, Role.REFEREE)
    assert "乙 这一局停和，不能胡。" in text(referee.post(url(hall, "sheet_preview"), OTHER))
    asked = referee.post(url(hall, "sheet"), OTHER)
    assert asked.status_code == 409
    assert "标为待裁，交裁判长" in text(asked)
    assert 'name="hu" value="16"' in asked.content.decode()
    assert referee.post(url(hall, "sheet"), {**OTHER, "difference": "flag"}).status_code == 302
    assert HandVersion.objects.get(hand__number=2).is_flagged


def test_stopped_winner_of_a_confirmed_table_is_warned_of_beside_the_effects() -> None:
    """C6.5, C9.1: a reason in the form does not pass it over in silence."""
    hall = make_hall(1, ConfirmationMode.NONE, is_last=True)
    version = hall.enter(WIN)
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=1, level=PenaltyLevel.NO_HU, reason="相公",
        stop_from=1,
    )  # fmt: skip
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    chief = member(hall, Role.CHIEF)
    asked = chief.post(url(hall, "hand_correct", 1), {**OTHER, "reason": "看录像"})
    assert asked.status_code == 409
    assert "停和 乙 这一局停和，不能胡。 照样更正请写明为什么算。" in text(asked)
    own = {**OTHER, **WIN, "reason": "看录像"}
    assert "停和" not in text(chief.post(url(hall, "hand_correct", 1), {**own, "hu": "17"}))
    sent = {**OTHER, "reason": "看录像", "effects_shown": "1"}
    assert chief.post(url(hall, "hand_correct", 1), sent).status_code == 302
    back = {"version": str(version.version), "reason": "又看"}
    assert "停和" not in text(chief.post(url(hall, "hand_restore", 1), back))
    assert (
        chief.post(url(hall, "hand_restore", 1), {**back, "effects_shown": "1"}).status_code == 302
    )
    again = chief.post(url(hall, "hand_restore", 1), {"version": "2", "reason": "又看"})
    assert "停和 乙 这一局停和" in text(again)


def test_upheld_protest_leads_to_the_ruling_and_both_values_stand_everywhere(hall: Hall) -> None:
    """C6.6: the ruled value, and beside it what was computed."""
    publish(hall)
    entrant = with_link(hall, Role.ENTRANT, entrant=hall.entrants[1])
    chief = member(hall, Role.CHIEF)
    form = entrant.get(f"{url(hall, 'protest')}?about=hand:1")
    assert checked(form, "about") == "hand:1"
    sent = {"about": "hand:1", "text": "我没有点炮"}
    assert entrant.post(url(hall, "protest"), sent).status_code == 302
    made = Protest.objects.get()
    public = Client().get(reverse("table", args=[hall.competition.code, hall.table.pk]))
    assert "申诉 第 1 局 ◐ 待裁决" in text(public)
    assert "我没有点炮" not in text(public)

    where = url(hall, "protest_answer", made.pk)
    assert 'name="state" value="upheld"' in chief.get(where).content.decode()
    answer = chief.post(where, {"state": "upheld", "answer": "录像为证"})
    ruling = f"{url(hall, 'hand_ruling', 1)}?protest={made.pk}"
    assert (answer.status_code, answer["Location"]) == (302, ruling)
    assert "去裁决" in text(chief.get(url(hall, "sheet")))
    assert "去裁决" not in text(entrant.get(url(hall, "sheet")))
    html = chief.get(ruling).content.decode()
    assert "录像为证" in html
    assert f'name="protest" value="{made.pk}"' in html
    points = {"delta_0": "0", "delta_1": "0", "delta_2": "0", "reason": "录像为证"}
    assert chief.post(ruling, {**points, "protest": made.pk}).status_code == 302
    made.refresh_from_db()
    assert made.ruling is not None

    forget()
    row = "◆ 裁决 0 算得 +6 0 0 算得 −6 0 0 0"
    for page in ("sheet", "sheet_confirm", "table"):
        assert row in text(chief.get(url(hall, page))), page
    assert "选手1 0 算得 +6 选手2 0 算得 −6 选手3 0" in text(chief.get(url(hall, "hand", 1)))
    assert "申诉 第 1 局 ✓ 成立" in text(Client().get(url(hall, "table")))


def test_own_page_lists_tables_protests_and_the_one_appeal(hall: Hall) -> None:
    publish(hall)
    entrant = with_link(hall, Role.ENTRANT, entrant=hall.entrants[1])
    own = reverse("my_tables", args=[hall.competition.code, hall.entrants[1].entry_id])
    assert url(hall, "protest") in entrant.get(own).content.decode()
    entrant.post(url(hall, "protest"), {"about": "places", "text": "我应第一"})
    made = Protest.objects.get()
    assert (made.about, made.position) == (ProtestAbout.PLACES, 1)
    assert url(hall, "protest_withdraw", made.pk) in entrant.get(own).content.decode()
    answer_protest(
        acting=hall.chief, protest=made, state=ProtestState.REJECTED, answer="按净舵，你第二"
    )
    shown = entrant.get(own)
    assert "答复： 驳回 · 按净舵，你第二" in text(shown)
    assert url(hall, "protest_appeal", made.pk) in shown.content.decode()
    assert entrant.post(url(hall, "protest_appeal", made.pk), {"text": ""}).status_code == 422
    assert entrant.post(url(hall, "protest_appeal", made.pk), {"text": "再算"}).status_code == 302
    assert "上诉待裁" in text(entrant.get(own))
    back = url(hall, "protest_unappeal", made.pk)
    assert back in entrant.get(own).content.decode()
    assert entrant.post(back).status_code == 302
    assert url(hall, "protest_appeal", made.pk) in entrant.get(own).content.decode()
    entrant.post(url(hall, "protest_appeal", made.pk), {"text": "再算"})
    VerdictSettings.objects.create(competition=hall.competition, committee="莫老师、秦老师")
    chief = member(hall, Role.CHIEF)
    final = url(hall, "protest_final", made.pk)
    assert "以仲裁的名义：莫老师、秦老师" in text(chief.get(final))
    assert chief.post(final, {"state": "rejected", "answer": "维挂"}).status_code == 302
    back = url(hall, "protest_unfinal", made.pk)
    assert back in chief.get(url(hall, "sheet")).content.decode()
    assert chief.post(back).status_code == 302
    assert chief.post(final, {"state": "rejected", "answer": "维持"}).status_code == 302
    assert "上诉驳回 · 维持 仲裁：莫老师、秦老师" in text(entrant.get(own))
    neighbour = with_link(hall, Role.ENTRANT, entrant=hall.entrants[0])
    assert neighbour.get(own).status_code == 403


def test_protests_of_the_competition_by_what_they_wait_for(
    hall: Hall, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    (hand,) = hall.sheet.hands.all()
    for n in range(3):
        made = protest(acting=hall.referee, sheet=hall.sheet, text=f"申诉{n}", hand=hand)
    answer_protest(acting=hall.chief, protest=made, state=ProtestState.REJECTED, answer="看过")
    chief = member(hall, Role.CHIEF)
    where = reverse("protests", args=[hall.competition.code])
    with django_assert_num_queries(5):
        waiting = text(chief.get(where))
    assert ("申诉0" in waiting, "申诉2" in waiting) == (True, False)
    answered = text(chief.get(f"{where}?show=answered"))
    assert ("申诉0" in answered, "申诉2" in answered) == (False, True)
    everything = text(chief.get(f"{where}?show=all"))
    assert all(f"申诉{n}" in everything for n in range(3))
    assert with_link(hall, Role.TABLE, table=hall.table).get(where).status_code == 403


def test_organizer_sets_amounts_on_one_page(hall: Hall) -> None:
    owner = member(hall, Role.OWNER)
    where = reverse("manage_penalties", args=[hall.competition.code])
    assert "先是警告" in text(owner.get(where))
    sent = {f"kind_{one.code}": str(one.kind) for one in CATALOGUE}
    sent |= {f"amount_{one.code}": str(one.amount) for one in CATALOGUE}
    wrong = owner.post(where, {**sent, "amount_late": "0"})
    assert wrong.status_code == 400
    assert "罚几舵？写 1 到 999。" in text(wrong)
    sent |= {"amount_late": "5", "kind_late": "opponents", "committee": "莫老师"}
    assert owner.post(where, sent).status_code == 302
    kept = VerdictSettings.objects.get()
    assert kept.amounts == {"late": {"kind": "opponents", "amount": 5}}
    proposed = member(hall, Role.REFEREE).get(f"{url(hall, 'penalty')}?position=0&code=late")
    assert checked(proposed, "kind") == "opponents"
    assert 'name="amount" value="5"' in proposed.content.decode()


def test_warning_is_no_row_of_the_ledger(hall: Hall) -> None:
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=0, level=PenaltyLevel.WARNING, reason="手机"
    )
    penalize(
        acting=hall.referee, sheet=hall.sheet, position=0, kind=PenaltyKind.DEDUCTION, amount=1,
        reason="迟到",
    )  # fmt: skip
    (hand,) = hall.sheet.hands.all()
    rule_on_hand(acting=hall.chief, hand=hand, deltas=[6, -3, -3], reason="平分")
    html = member(hall, Role.CHIEF).get(url(hall, "sheet")).content.decode()
    assert html.count('class="aside"') == 1


def test_who_confirms_sees_every_penalty_and_the_open_protests(hall: Hall) -> None:
    """C7.2: the whole sheet; also what takes no points."""
    give = {"acting": hall.referee, "sheet": hall.sheet, "position": 1}
    penalize(**give, level=PenaltyLevel.WARNING, reason="看别人的牌")
    penalize(**give, level=PenaltyLevel.NO_HU, reason="相公", stop_hands=1)
    protest(acting=hall.table_link(), sheet=hall.sheet, text="第一局少记一醒")
    shown = text(member(hall, Role.CHIEF).get(url(hall, "sheet_confirm")))
    assert "选手2 警告 看别人的牌" in shown
    assert "停和 选手2：第 2 局不能胡" in shown
    assert "还没答复的申诉" in shown
    assert "第一局少记一醒" in shown


def test_dropping_a_ruling_says_that_the_computed_points_count_again(hall: Hall) -> None:
    """C9.5."""
    hand = hall.sheet.hands.get()
    first = rule_on_hand(acting=hall.chief, hand=hand, deltas=[2, -1, -1], reason="录像")
    second = rule_on_hand(acting=hall.chief, hand=hand, deltas=[4, -2, -2], reason="再看")
    chief = member(hall, Role.CHIEF)
    answer = chief.post(url(hall, "ruling_drop", second.pk), {"reason": "错裁"}, follow=True)
    assert "它代替的那条裁决又生效" in text(answer)
    answer = chief.post(url(hall, "ruling_drop", first.pk), {"reason": "错裁"}, follow=True)
    assert "又按算出来的分计" in text(answer)
    assert [one.net for one in hall.board().sums.seats] == [6, -6, 0]
