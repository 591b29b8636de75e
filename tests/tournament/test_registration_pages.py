"""The public form and one's own page as a phone meets them; the organizer's side."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core import pace
from core.models import IdempotencyKey
from tests.factories import make_user
from tests.scoring.public_pages import forget, page, publish, text_of
from tests.tournament.competitions import Made, draw, make
from tests.tournament.registrations import registered, send, taking, ticket
from tournament.domain.draws import freeze_draw, publish_draw
from tournament.domain.links import issue_link
from tournament.domain.registration import set_registration, token_of
from tournament.enums import Ask, Role
from tournament.models import Consent, DeviceLink, Entry, Membership, Registration
from tournament.views.registration import COST

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 12, 1, 1, tzinfo=UTC)
"""Nine in the morning at Guilin."""
PHONE = "13877712345"


def form_url(made: Made) -> str:
    return reverse("register", args=[made.competition.code])


def own_url(entry: Entry, name: str = "my_entry") -> str:
    return reverse(name, args=[entry.competition.code, entry.pk])


def holder(entry: Entry) -> Client:
    """A phone that has opened the entry's link (`registered` with its name as key)."""
    client = Client()
    answer = client.get(reverse("link", args=[token_of(entry.person.name)]))
    assert answer["Location"] == own_url(entry)
    return client


def holding(made: Made, name: str, **said: object) -> tuple[Entry, Client]:
    entry = registered(made, name, key=name, **said)
    return entry, holder(entry)


def organizer(made: Made) -> Client:
    user = make_user()
    Membership.objects.create(user=user, competition=made.competition, role=Role.ORGANIZER)
    client = Client()
    client.force_login(user)
    return client


def names_of(html: str) -> list[str]:
    """The fields of a page's form, in order."""
    return [name for name in re.findall(r'name="([a-z_]+)"', html) if name != "viewport"]


def test_form_asks_what_the_organizer_switched_on() -> None:
    made = taking(
        ask_unit=Ask.NO, ask_phone=Ask.MUST, ask_mail=Ask.MAY, ask_birth_year=Ask.MAY,
        ask_note=Ask.MAY, consent="同意公布成绩。", fee="30 元，现场交",
        closes_at=NINE + timedelta(days=30),
    )  # fmt: skip
    with time_machine.travel(NINE, tick=False):
        html = Client().get(form_url(made)).content.decode()
    fields = ["name", "phone", "mail", "birth_year", "note", "website", "agrees"]
    assert [name for name in names_of(html) if name in fields] == fields
    text = text_of(html)
    assert "姓名 手机号 只有组织者看得到。 邮箱 （可不填）" in text
    assert "报名到 12-31 09:00 截止。 费用：30 元，现场交" in text
    assert "同意公布成绩。" in text


def test_registering_shows_number_and_own_link_once() -> None:
    made = taking(4)
    response = send(made, name="覃小明", unit="象山队", phone=PHONE)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    html = response.content.decode()
    entry = Entry.objects.get(person__name="覃小明")
    assert "编号 5 状态 ✓ 已报上名 代表单位 象山队" in text_of(html)
    found = re.search(r"http://testserver(/l/[0-9a-f]{40}/)", html)
    assert found is not None
    assert "<svg" in html
    assert "添加到主屏幕" in html
    own = Client().get(found[1])
    assert own["Location"] == own_url(entry)


def test_who_has_just_registered_is_at_home_on_his_own_page() -> None:
    made = taking(capacity=0)
    client = Client()
    text = text_of(send(made, client, name="覃小明").content.decode())
    assert "状态 … 候补第 1 位" in text
    text = text_of(client.get(own_url(Entry.objects.get())).content.decode())
    assert "我的报名 编号 1 状态 … 候补第 1 位 改报名 退出" in text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "　 "}, "请写姓名。"),
        ({"phone": "不告诉你"}, "手机号只能由数字组成，例如 13800138000。"),
        ({"agrees": ""}, "要同意上面的文字才能报名。"),
        ({"website": "http://spam.example"}, "这一格请留空，再按一次“报名”。"),
        ({"ticket": "made-up"}, "这一页打开太久了，请再按一次“报名”，填的都还在。"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(wrong: dict[str, str], said: str) -> None:
    made = taking(consent="同意公布成绩。", ask_note=Ask.MAY)
    data = {"name": "覃小明", "unit": "象山队", "phone": PHONE, "note": "靠门口", "agrees": "on"}
    data |= wrong
    response = send(made, **data)
    assert response.status_code == 400
    html = response.content.decode()
    assert said in text_of(html)
    assert 'value="象山队"' in html
    assert "靠门口</textarea>" in html
    assert data["phone"] in html
    assert not Entry.objects.exists()


def test_form_sent_in_the_moment_it_was_opened_is_asked_for_again() -> None:
    """A program's; somebody quick presses once more. No address is locked out (stack fact 5)."""
    made = taking()
    with time_machine.travel(NINE, tick=False) as clock:
        sent = ticket(0)
        clock.shift(1)
        quick = send(made, ticket=sent, name="覃小明")
        assert quick.status_code == 400
        assert "按得太快了" in text_of(quick.content.decode())
        assert sent in quick.content.decode()
        clock.shift(2)
        assert send(made, ticket=sent, name="覃小明").status_code == 200
    assert Entry.objects.count() == 1


def test_hundred_registrations_from_one_address_are_all_taken() -> None:
    """Stack fact 5: the phones of a hall share one address."""
    made = taking()
    answers = [send(made, name=f"选手{n}").status_code for n in range(100)]
    assert answers == [200] * 100
    assert Entry.objects.count() == 100


def test_form_open_since_yesterday_gets_a_new_ticket() -> None:
    made = taking()
    old = send(made, ticket=ticket(86_401), name="覃小明")
    assert old.status_code == 400
    found = re.search(r'name="ticket" value="([^"]+)"', old.content.decode())
    assert found is not None
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=5)):
        assert send(made, ticket=found[1], name="覃小明").status_code == 200


def test_same_form_sent_twice_is_one_registration_with_one_link() -> None:
    """Stack fact 6."""
    made = taking()
    sent = ticket()
    first, second = (send(made, ticket=sent, name="覃小明") for _time in range(2))
    links = [re.findall(r"/l/[0-9a-f]{40}/", one.content.decode()) for one in (first, second)]
    assert links[0] == links[1]
    assert Entry.objects.count() == 1
    assert DeviceLink.objects.count() == 1
    assert links[0][0].split("/")[2] not in str(list(IdempotencyKey.objects.values()))


def test_other_words_on_the_same_form_are_another_registration_only_when_sent_again() -> None:
    made = taking()
    sent = ticket()
    send(made, ticket=sent, name="覃小明")
    again = send(made, ticket=sent, name="秦大海")
    assert again.status_code == 400
    assert "这份报名已经收到了。" in text_of(again.content.decode())
    assert 'value="秦大海"' in again.content.decode()
    assert Entry.objects.count() == 1


def test_double_is_asked_about_once() -> None:
    made = taking()
    send(made, name="覃小明", unit="象山队")
    asked = send(made, name="覃小明", unit="象山队")
    assert asked.status_code == 400
    html = asked.content.decode()
    assert "是另一个人 已有同名、而且单位或手机号也相同的报名。" in text_of(html)
    assert 'name="is_another"' in html
    assert 'name="is_another"' not in Client().get(form_url(made)).content.decode()
    assert send(made, name="覃小明", unit="象山队", is_another="on").status_code == 200
    assert Entry.objects.count() == 2


def test_closed_form_says_since_or_from_when() -> None:
    made = taking(opens_at=NINE, closes_at=NINE + timedelta(hours=1))
    for moment, words in (
        (NINE - timedelta(days=1), "报名还没有开始 12-01 09:00（Asia/Shanghai）开始，请到时再来。"),
        (NINE + timedelta(hours=1), "报名已经截止 还想参加，请直接联系主办人。"),
    ):
        with time_machine.travel(moment, tick=False):
            assert words in page(form_url(made))
    assert "现在不接受网上报名" in page(form_url(_published(make(1))))
    set_registration(acting=made.owner, competition=made.competition, values={"is_on": False})
    assert "现在不接受网上报名" in page(form_url(made))


def _published(made: Made) -> Made:
    publish(made.competition)
    return made


def test_window_is_in_the_competitions_time_zone() -> None:
    made = taking(opens_at=NINE)
    made.competition.timezone = "Asia/Tokyo"
    made.competition.save()
    with time_machine.travel(NINE - timedelta(hours=1), tick=False):
        assert "12-01 10:00（Asia/Tokyo）开始" in page(form_url(made))


def test_closing_while_somebody_types_keeps_what_he_typed() -> None:
    made = taking(closes_at=NINE)
    with time_machine.travel(NINE + timedelta(seconds=5), tick=False):
        late = send(made, name="覃小明", unit="象山队")
    assert late.status_code == 400
    assert "报名已经截止。" in text_of(late.content.decode())
    assert 'value="象山队"' in late.content.decode()


def test_form_closes_with_the_freeze() -> None:
    made = taking(3)
    freeze_draw(acting=made.owner, stage=made.stage)
    assert "报名已经截止" in page(form_url(made))
    assert send(made, name="覃小明").status_code == 400


def test_unpublished_competition_takes_no_registration_from_strangers() -> None:
    made = make(1)
    set_registration(acting=made.owner, competition=made.competition, values={"is_on": True})
    assert Client().get(form_url(made)).status_code == 404
    assert send(made, name="覃小明").status_code == 404
    assert Entry.objects.count() == 1


def test_own_page_tells_that_he_moved_up() -> None:
    made = taking(capacity=1)
    _first, phone = holding(made, "甲一")
    second, other = holding(made, "乙二")
    assert "候补第 1 位" in text_of(other.get(own_url(second)).content.decode())
    first = Entry.objects.get(person__name="甲一")
    gone = phone.post(own_url(first, "my_entry_withdraw"))
    assert gone["Location"] == own_url(first)
    assert "状态 × 已退出" in text_of(phone.get(own_url(first)).content.decode())
    text = text_of(other.get(own_url(second)).content.decode())
    assert "您已从候补转正 有了名额，您现在是正式选手。" in text
    assert "状态 ✓ 已报上名" in text


def test_own_page_shows_next_table_seat_and_time() -> None:
    made = taking(2)
    entry, phone = holding(made, "覃小明")
    draw(made)
    assert "下一桌" not in text_of(phone.get(own_url(entry)).content.decode())
    publish_draw(acting=made.owner, stage=made.stage)
    made.stage.rounds.update(public_starts_at=NINE)
    seat = entry.entrants.get().seats.get()
    text = text_of(phone.get(own_url(entry)).content.decode())
    assert f"下一桌 决赛 · 第 1 桌 {'甲乙丙'[seat.position]} 12-01 09:00 同桌" in text
    assert "名单已经定了。要改或退出，请找组织者。" in text
    assert reverse("sheet", args=[made.competition.code, seat.table_id]) in (
        phone.get(own_url(entry)).content.decode()
    )


def test_own_data_are_changed_by_the_own_link() -> None:
    made = taking(ask_note=Ask.MAY)
    entry, phone = holding(made, "覃小明", phone=PHONE)
    html = phone.get(own_url(entry, "my_entry_change")).content.decode()
    assert f'value="{PHONE}"' in html
    data = {"name": "覃小鸣", "unit": "七星队", "phone": PHONE, "note": "靠门口"}
    wrong = phone.post(own_url(entry, "my_entry_change"), {**data, "phone": "没有"})
    assert wrong.status_code == 400
    assert 'value="七星队"' in wrong.content.decode()
    done = phone.post(own_url(entry, "my_entry_change"), data, follow=True)
    assert "已保存。" in text_of(done.content.decode())
    entry.refresh_from_db()
    assert (entry.person.name, entry.unit, entry.person.note) == ("覃小鸣", "七星队", "靠门口")


@pytest.mark.parametrize("name", ["my_entry", "my_entry_change", "my_entry_withdraw"])
def test_nobody_elses_page_opens(name: str) -> None:
    made = taking()
    one, _phone = holding(made, "甲一", phone=PHONE)
    _other, other = holding(made, "乙二")
    for client in (Client(), other, organizer(made)):
        for method in (client.get, client.post):
            response = method(own_url(one, name))
            assert response.status_code in (403, 405)
            assert PHONE not in response.content.decode()
            assert "甲一" not in response.content.decode()
    unknown = reverse(name, args=[made.competition.code, 99_999])
    assert other.get(unknown).status_code == 403
    one.refresh_from_db()
    assert one.status == "confirmed"


def test_link_taken_back_opens_nothing_more() -> None:
    made = taking()
    entry, phone = holding(made, "甲一")
    issue_link(
        acting=made.owner,
        competition=made.competition,
        role=Role.ENTRANT,
        entrant=entry.entrants.get(),
    )
    assert phone.get(own_url(entry)).status_code == 403


def test_organizer_sets_the_form_in_the_competitions_time() -> None:
    made = _published(make(1))
    client = organizer(made)
    address = reverse("manage_registration", args=[made.competition.code])
    assert client.get(address).status_code == 200
    data = {
        "is_on": "on", "opens_at": "2026-12-01T09:00", "closes_at": "2026-12-04T18:00",
        "ask_unit": "must", "ask_phone": "may", "ask_mail": "no", "ask_birth_year": "no",
        "ask_note": "no", "consent": "", "fee": "30 元",
    }  # fmt: skip
    early = client.post(address, {**data, "closes_at": "2026-11-04T18:00"})
    assert early.status_code == 400
    assert "截止时间要晚于开始时间。" in text_of(early.content.decode())
    assert 'value="30 元"' in early.content.decode()
    assert client.post(address, data).status_code == 302
    known = Registration.objects.get(competition=made.competition)
    assert (known.opens_at, known.ask_unit, known.auto_confirm) == (NINE, Ask.MUST, False)
    html = client.get(address).content.decode()
    assert 'value="2026-12-01T09:00"' in html
    assert f"http://testserver{form_url(made)}" in html


def test_organizer_confirms_declines_and_notes_payment_in_the_list() -> None:
    made = taking(capacity=1, auto_confirm=False, ask_note=Ask.MAY, fee="30 元")
    first = registered(made, "甲一", note="靠门口", phone=PHONE)
    second, third = registered(made, "乙二"), registered(made, "丙三")
    client = organizer(made)
    code = made.competition.code
    listing = reverse("manage_entrants", args=[code])
    pending = client.get(f"{listing}?only=pending").content.decode()
    assert reverse("manage_entry", args=[code, first.pk]) in pending
    text = text_of(client.get(reverse("manage_entry", args=[code, first.pk])).content.decode())
    assert "备注 靠门口 手机号 138****2345 看手机号 缴费 记缴费 甲一 确认报名 从名单去掉" in text
    overview = text_of(client.get(reverse("manage", args=[code])).content.decode())
    assert "0 名选手，已签到 0，待确认 3" in overview
    for entry, said in ((first, "已确认 甲一。"), (second, "名额已满，乙二 进了候补。")):
        address = reverse("manage_entry_confirm", args=[code, entry.pk])
        done = client.post(address, follow=True)
        assert said in text_of(done.content.decode())
    client.post(reverse("manage_entry_decline", args=[code, third.pk]))
    left = client.get(reverse("manage_entry", args=[code, third.pk])).content.decode()
    assert "恢复报名" in left
    assert "从名单去掉" not in left
    paid = client.post(
        reverse("manage_paid", args=[code, first.pk]), {"paid": "1"}, headers={"HX-Request": "true"}
    )
    assert text_of(paid.content.decode()).startswith("✓ 已缴")
    found = Entry.objects.order_by("pk").values_list("status", "paid")
    assert list(found) == [("confirmed", True), ("waitlisted", False), ("withdrawn", False)]
    unpaid = text_of(client.get(f"{listing}?only=unpaid").content.decode())
    assert "乙二 候补 签到 记缴费" in unpaid
    assert "甲一" not in unpaid
    assert "3 丙三" not in unpaid


def test_list_has_payments_only_where_a_fee_is_set() -> None:
    made = taking(3)
    listing = reverse("manage_entrants", args=[made.competition.code])
    assert "记缴费" not in organizer(made).get(listing).content.decode()


def test_consent_is_kept_with_the_entry() -> None:
    made = taking(consent="同意公布成绩。")
    send(made, name="覃小明", agrees="on")
    assert Consent.objects.get().text == "同意公布成绩。"


def test_programme_offers_the_form_while_it_is_on() -> None:
    made = taking(3, capacity=9, closes_at=NINE, fee="30 元")
    text = page(made.competition.get_absolute_url())
    assert "报名 报名到 12-01 09:00 截止。 名额 9 人。 费用：30 元 我要报名" in text
    set_registration(acting=made.owner, competition=made.competition, values={"is_on": False})
    assert "我要报名" not in page(made.competition.get_absolute_url())


def test_pages_say_it_in_english() -> None:
    made = taking(capacity=0)
    entry, phone = holding(made, "Wei Qin")
    answer = phone.get(own_url(entry), headers={"Accept-Language": "en"})
    text = re.sub("桂林字牌|舵主|漓江杯|简体中文|中文", "", text_of(answer.content.decode()))
    assert not re.search(r"[\u4e00-\u9fff]", text), text


@pytest.mark.parametrize("many", [1, 40])
def test_own_page_and_form_need_few_queries(
    many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = taking(2, capacity=3)
    entry, phone = holding(made, "覃小明")
    for number in range(many):
        registered(made, f"候补{number}")
    forget()
    with django_assert_num_queries(4):
        Client().get(form_url(made))
    with django_assert_num_queries(10):
        phone.get(own_url(entry))


def test_one_browser_registers_no_crowd_and_loses_nothing_that_was_typed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = taking()
    monkeypatch.setattr(pace, "OF_ADDRESS", 3 * COST)
    cache.clear()
    for n in range(3):
        assert send(made, client, name=f"唐{n}").status_code == 200
    entries = Entry.objects.count()
    refused = send(made, client, name="覃小明")
    cache.clear()
    assert refused.status_code == 429
    assert "一下子请求得太多了" in refused.content.decode()
    assert 'value="覃小明"' in refused.content.decode()
    assert Entry.objects.count() == entries
