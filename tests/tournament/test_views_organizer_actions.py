"""What the organizer's pages do: from a pasted list to a published draw, without scripts."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from core import bodies
from core.domain import versions
from core.models import User
from tests.factories import make_user
from tests.tournament.competitions import Made, draw, make, make_published, play, play_out
from tournament.domain.draws import document_of, freeze_draw
from tournament.domain.events import EventTerms, add_event
from tournament.domain.finality import finalize_round
from tournament.domain.leaving import current_seat
from tournament.enums import Discipline, EntrantStatus, Role, State, Way
from tournament.models import DeviceLink, Draw, Entry, Membership, Seat
from tournament.pairing.document import dump

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Made:
    return make(9)


def log_in(client: Client, made: Made) -> Client:
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def url(made: Made, name: str, *args: object) -> str:
    return reverse(name, args=[made.competition.code, *args])


def test_list_to_published_draw_by_plain_forms(client: Client) -> None:
    made = make()
    log_in(client, made)
    lines = "\n".join(f"选手{i}\t单位{i % 5}" for i in range(28))
    client.post(url(made, "manage_entrants_paste"), {"lines": lines})
    assert made.event.entrants.count() == 28

    page = client.get(url(made, "manage_draw")).content.decode()
    assert page.count('<section class="way') == 2  # C3: both ways side by side
    client.post(url(made, "manage_draw_plan"), {"size": "3-1", "way": "byes"})
    client.post(url(made, "manage_draw_freeze"), {})
    frozen = Draw.objects.get()
    page = client.get(url(made, "manage_draw")).content.decode()
    assert frozen.list_digest in page
    assert frozen.secret_hash in page
    assert frozen.secret not in page

    client.post(url(made, "manage_draw_words"), {"words": "红 红 黑"})
    frozen.refresh_from_db()
    assert (frozen.number, frozen.words) == (1, "红 红 黑")
    client.post(url(made, "manage_draw_publish"))
    client.post(url(made, "manage_publish"))
    assert [r.state for r in made.stage.rounds.order_by("number")] == [State.PUBLISHED] * 4
    made.competition.refresh_from_db()
    assert made.competition.is_published


def test_rejected_lines_stay_in_the_field_with_their_reason(client: Client, made: Made) -> None:
    response = log_in(client, made).post(
        url(made, "manage_entrants_paste"), {"lines": "新人\t一队\n选手1\t单位1\n\t空名"}
    )
    page = response.content.decode()
    assert response.status_code == 200
    assert "已添加 1 名选手" in page
    assert "第 2 行" in page
    assert "第 3 行" in page
    assert "\n选手1\t单位1\n\t空名</textarea>" in page


def test_empty_paste_is_told(client: Client, made: Made) -> None:
    response = log_in(client, made).post(url(made, "manage_entrants_paste"), {"lines": ""})
    assert response.status_code == 400
    assert "请粘贴名单" in response.content.decode()


def test_frozen_list_answers_the_paste_and_keeps_it(client: Client, made: Made) -> None:
    freeze_draw(acting=made.owner, stage=made.stage)
    response = log_in(client, made).post(
        url(made, "manage_entrants_paste"), {"lines": "新人\t一队"}
    )
    page = response.content.decode()
    assert response.status_code == 400
    assert "名单已经冻结" in page
    assert "新人\t一队</textarea>" in page


def test_one_is_added_and_a_double_asks_back(client: Client, made: Made) -> None:
    log_in(client, made)
    address = url(made, "manage_entrant_new")
    assert client.post(address, {"name": "莫家骏", "unit": "灵川县"}).status_code == 302
    response = client.post(address, {"name": "莫家骏", "unit": "灵川县"})
    assert response.status_code == 400
    assert "同名同单位" in response.content.decode()
    again = client.post(address, {"name": "莫家骏", "unit": "灵川县", "is_another": "on"})
    assert again.status_code == 302
    assert client.post(address, {"name": "　"}).status_code == 400
    assert made.event.entrants.count() == 11


def test_entrant_is_edited_with_errors_beside_the_field(client: Client, made: Made) -> None:
    entrant = made.event.entrants.get(entry__number=1)
    log_in(client, made)
    address = url(made, "manage_entrant", entrant.pk)
    bad = client.post(address, {"name": "莫家骏", "number": "2", "phone": "打这个"})
    page = bad.content.decode()
    assert bad.status_code == 400
    assert "手机号只能由数字组成" in page
    assert 'value="打这个"' in page
    taken = client.post(address, {"name": "莫家骏", "number": "2"})
    assert "编号 2 已经有人了" in taken.content.decode()
    client.post(address, {"name": "莫家骏", "unit": "灵川县", "number": "20", "seed": "1"})
    entrant.refresh_from_db()
    assert (entrant.entry.person.name, entrant.number, entrant.seed) == ("莫家骏", 20, 1)


def test_check_in_by_tap_answers_htmx_with_the_button_alone(client: Client, made: Made) -> None:
    entry = Entry.objects.get(number=3)
    log_in(client, made)
    address = url(made, "manage_check_in", entry.pk)
    page = client.post(address, {"here": "1"}, headers={"HX-Request": "true"}).content.decode()
    assert page.strip().startswith("<form")
    assert "撤销 选手3 的签到" in page
    assert "<html" not in page
    back = client.post(address, {"query": "&q=选手&page=2&next=//evil"})
    assert back["Location"] == url(made, "manage_entrants") + "?q=%E9%80%89%E6%89%8B&page=2"
    entry.refresh_from_db()
    assert not entry.is_checked_in
    assert client.post(url(made, "manage_check_in", 99999)).status_code == 404


def test_list_is_searched_filtered_and_paged(client: Client) -> None:
    made = make(205)
    log_in(client, made)
    address = url(made, "manage_entrants")
    assert client.get(address).context["page_obj"].paginator.num_pages == 3
    assert len(client.get(address, {"page": "3"}).context["page_obj"].object_list) == 5
    assert [e.number for e in client.get(address, {"q": "205"}).context["page_obj"]] == [205]
    assert "没有找到" in client.get(address, {"q": "zzz"}).content.decode()
    assert client.get(address, {"only": "absent"}).context["count"] == 205


def test_withdrawal_before_the_draw_and_back(client: Client, made: Made) -> None:
    entrant = made.event.entrants.get(entry__number=1)
    log_in(client, made)
    leave = url(made, "manage_entrant_leave", entrant.pk)
    assert "还没有抽签" in client.get(leave).content.decode()
    assert client.post(leave, {"status": "withdrawn", "shown": "1"}).status_code == 302
    entrant.refresh_from_db()
    assert entrant.status == EntrantStatus.WITHDRAWN
    assert "恢复参赛" in client.get(url(made, "manage_entrant", entrant.pk)).content.decode()
    client.post(url(made, "manage_entrant_back", entrant.pk))
    entrant.refresh_from_db()
    assert entrant.status == EntrantStatus.IN


def test_withdrawal_after_the_draw_offers_who_may_stand_in(client: Client) -> None:
    """C9.3."""
    made = make_published(9)
    for table in made.tables(1):
        play(made, table)
    seat = Seat.objects.filter(round__number=2).select_related("entrant").first()
    assert seat is not None
    gone = seat.entrant
    assert gone is not None
    log_in(client, made)
    leave = url(made, "manage_entrant_leave", gone.pk)
    page = client.get(leave)
    assert len(page.context["form"].fields["instead"].choices) == 7
    data = {"status": "withdrawn", "instead": ""}
    assert "由陪打坐下" in client.post(leave, data).content.decode()
    assert current_seat(gone) == seat
    assert client.post(leave, {**data, "shown": "1"}).status_code == 302
    assert current_seat(gone) is None
    seat.refresh_from_db()
    assert seat.is_filler


def test_freeze_without_entrants_says_what_to_do(client: Client) -> None:
    made = make()
    log_in(client, made)
    assert "至少要两名选手" in client.get(url(made, "manage_draw")).content.decode()
    response = client.post(url(made, "manage_draw_freeze"))
    assert response.status_code == 400


def test_another_draw_asks_for_its_reason(client: Client, made: Made) -> None:
    """C4.2."""
    draw(made)
    log_in(client, made)
    refused = client.post(url(made, "manage_draw_freeze"), {"reason": ""})
    assert refused.status_code == 400
    assert "重新抽签要写明原因" in refused.content.decode()
    assert client.post(url(made, "manage_draw_freeze"), {"reason": "漏人"}).status_code == 302
    client.post(url(made, "manage_draw_unfreeze"))
    assert Draw.objects.count() == 1


def test_words_need_a_frozen_list_and_some_words(client: Client, made: Made) -> None:
    log_in(client, made)
    assert client.post(url(made, "manage_draw_words"), {"words": "红"}).status_code == 409
    client.post(url(made, "manage_draw_freeze"))
    assert client.post(url(made, "manage_draw_words"), {"words": ""}).status_code == 400


@pytest.mark.parametrize("size", ["3-1", "2-1", "4-1", "4-2"])
def test_plans_of_every_size_are_shown(client: Client, made: Made, size: str) -> None:
    page = log_in(client, made).get(url(made, "manage_draw"), {"size": size})
    assert page.context["size"] == size
    assert page.context["options"]


def test_unknown_plan_is_refused(client: Client, made: Made) -> None:
    response = log_in(client, made).post(
        url(made, "manage_draw_plan"), {"size": "3-2", "way": "byes"}
    )
    assert (response.status_code, response["X-Error-Code"]) == (400, "plan")


def test_swap_and_late_entry_by_form(client: Client) -> None:
    """C7.3."""
    made = make(4)
    log_in(client, made)
    client.post(url(made, "manage_draw_plan"), {"size": "3-1", "way": "byes"})
    draw(made)
    address = url(made, "manage_draw_changes")
    bad = client.post(address, {"first": "1", "second": "99"})
    assert bad.status_code == 400
    assert "签表上没有 99 号" in bad.content.decode()
    before = Seat.objects.get(entrant__entry__number=1).pk
    other = Seat.objects.exclude(entrant__entry__number=1).filter(entrant__isnull=False).first()
    assert other is not None
    assert other.entrant is not None
    swap = {"first": "1", "second": str(other.entrant.number)}
    assert "确认对换" in client.post(address, swap).content.decode()
    assert Seat.objects.get(entrant__entry__number=1).pk == before
    client.post(address, {**swap, "shown": "1"})
    assert Seat.objects.get(entrant__entry__number=1).pk == other.pk != before
    filler = Seat.objects.get(is_filler=True)
    late = {"seat": filler.pk, "name": "迟来", "unit": "", "shown": "1"}
    assert client.post(address, late).status_code == 302
    assert Seat.objects.get(pk=filler.pk).entrant is not None


def test_rules_page_explains_marks_and_saves_every_option(client: Client, made: Made) -> None:
    log_in(client, made)
    address = url(made, "manage_rules")
    page = client.get(address)
    form = page.context["form"]
    assert len(form.rows()) == 17
    assert page.content.decode().count("请与裁判长确认") >= 7
    other = client.get(address, {"preset": "local"})
    assert other.context["is_other"]
    data = dict(other.context["form"].initial)
    assert client.post(address, {**data, "min_hu": "15"}).status_code == 302
    made.event.refresh_from_db()
    assert (made.event.preset, made.event.options["min_hu"]) == ("local", 15)
    assert client.post(address, {**data, "min_hu": "11"}).status_code == 400


def test_rules_are_shown_in_english_too(client: Client, made: Made) -> None:
    log_in(client, made)
    page = client.get(url(made, "manage_rules"), headers={"Accept-Language": "en"})
    assert "The least 胡 a win must reach" in page.content.decode()


def test_play_and_regulation_and_data_are_saved(client: Client, made: Made) -> None:
    log_in(client, made)
    play_data = {"hands": "8", "minutes": "", "final_hands": "16", "confirmation": "referee"}
    play_data["lateness"] = "5 1\n10 3"
    assert (
        client.post(url(made, "manage_play"), {**play_data, "dealer": "rotate"}).status_code == 302
    )
    made.stage.refresh_from_db()
    assert (made.stage.hands, made.stage.minutes, made.stage.dealer) == (8, None, "rotate")
    assert made.stage.lateness == [[5, 1], [10, 3]]
    bad = client.post(url(made, "manage_play"), {**play_data, "lateness": "10 2\n5 4"})
    assert "分钟要一行比一行多" in bad.content.decode()
    assert client.post(url(made, "manage_play"), {**play_data, "hands": "0"}).status_code == 400
    client.post(url(made, "manage_regulation"), {"text": "第一条"})
    client.post(url(made, "manage_regulation"), {"text": "第一条、第二条"})
    assert made.competition.regulations.count() == 2
    assert client.post(url(made, "manage_regulation"), {"text": ""}).status_code == 400
    data = {"name": "象山杯", "starts_on": "2026-12-05", "timezone": "UTC", "final_minutes": "10"}
    assert client.post(url(made, "manage_settings"), data).status_code == 302
    made.competition.refresh_from_db()
    assert (made.competition.name, made.competition.timezone) == ("象山杯", "UTC")
    early = client.post(url(made, "manage_settings"), {**data, "ends_on": "2026-12-01"})
    assert "结束日期不能早于开始日期" in early.content.decode()


def test_link_is_shown_once_with_its_qr_and_opens(client: Client, made: Made) -> None:
    log_in(client, made)
    page = client.post(url(made, "manage_links"), {"role": "owner", "label": "李主办"})
    address = page.context["url"]
    assert "<svg" in page.content.decode()
    phone = Client()
    assert phone.get(address).status_code == 302
    link = DeviceLink.objects.get()
    assert (link.role, link.label) == (Role.OWNER, "李主办")
    assert phone.get(url(made, "manage_entrants")).status_code == 200
    client.post(url(made, "manage_link_revoke", link.pk))
    assert phone.get(url(made, "manage_entrants")).status_code == 302
    assert client.post(url(made, "manage_links"), {"role": "referee"}).status_code == 400
    assert client.post(url(made, "manage_link_revoke", 99999)).status_code == 404


def test_chief_gives_no_owners_link(client: Client, made: Made) -> None:
    user = make_user()
    Membership.objects.create(user=user, competition=made.competition, role=Role.CHIEF)
    client.force_login(user)
    assert (
        client.post(url(made, "manage_links"), {"role": "owner", "label": "x"}).status_code == 400
    )


def test_table_links_are_printed_as_cards(client: Client) -> None:
    made = make_published(9)
    log_in(client, made)
    cards = url(made, "manage_table_cards", 1)
    page = client.post(cards, {"first": "1", "last": "60"}).content.decode()
    assert page.count("<svg") == 3
    assert DeviceLink.objects.filter(role=Role.TABLE, revoked_at=None).count() == 3
    assert client.post(cards, {"first": "1", "last": "61"}).status_code == 400
    assert client.post(url(made, "manage_table_cards", 9)).status_code == 404


def test_entrant_gets_a_link(client: Client, made: Made) -> None:
    entrant = made.event.entrants.get(entry__number=2)
    page = log_in(client, made).post(url(made, "manage_entrant_link", entrant.pk))
    assert "<svg" in page.content.decode()
    assert DeviceLink.objects.get().entrant == entrant


def test_members_are_added_and_removed(client: Client, made: Made) -> None:
    make_user("liu")
    log_in(client, made)
    address = url(made, "manage_members")
    missing = client.post(address, {"username": "nobody", "role": "referee"})
    assert missing.status_code == 400
    assert "没有叫“nobody”的账号" in missing.content.decode()
    client.post(address, {"username": "liu", "role": "referee"})
    member = Membership.objects.get(role=Role.REFEREE)
    client.post(url(made, "manage_member_remove", member.pk))
    assert not Membership.objects.filter(role=Role.REFEREE).exists()
    assert client.post(url(made, "manage_member_remove", 99999)).status_code == 404


def test_steps_say_what_is_next(client: Client) -> None:
    made = make()
    log_in(client, made)

    def current() -> str:
        steps = client.get(url(made, "manage")).context["steps"]
        return next(step["key"] for step in steps if step["current"])

    assert current() == "entries"
    client.post(url(made, "manage_entrants_paste"), {"lines": "甲某\n乙某\n丙某"})
    assert current() == "entries"
    client.post(url(made, "manage_draw_freeze"))
    assert current() == "draw"
    client.post(url(made, "manage_draw_words"), {"words": "红"})
    assert current() == "publish"
    client.post(url(made, "manage_publish"))
    client.post(url(made, "manage_draw_publish"))
    assert current() == "play"
    play_out(made)
    assert current() == "end"
    page = client.get(url(made, "manage"))
    assert page.context["overview"].champion is not None
    assert page.context["last_to_finalize"] is not None
    finalize_round(acting=made.owner, round_=page.context["last_to_finalize"])
    assert "已定局" in client.get(url(made, "manage")).content.decode()


def test_hidden_again(client: Client, made: Made) -> None:
    log_in(client, made)
    client.post(url(made, "manage_publish"))
    client.post(url(made, "manage_unpublish"))
    made.competition.refresh_from_db()
    assert not made.competition.is_published


def test_every_action_wants_the_token(made: Made) -> None:
    """CSRF."""
    client = log_in(Client(enforce_csrf_checks=True), made)
    for name in ("manage_publish", "manage_draw_freeze", "manage_entrants_paste"):
        assert client.post(url(made, name), {"lines": "某某"}).status_code == 403
    assert made.event.entrants.count() == 9


def look(address: str) -> str:
    """The page as a spectator sees it once the process's two seconds are over."""
    bodies.forget()
    versions.forget()
    return Client().get(address).content.decode()


def test_draws_page_shows_every_draw_and_only_open_files(client: Client, made: Made) -> None:
    """C4.1, C4.2: digests from the freeze on; drafts' results only for O and C (C7.4)."""
    log_in(client, made).post(url(made, "manage_publish"))
    public = Client()
    address = url(made, "draws", made.event.pk)
    assert "还没有抽签" in look(address)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    client.post(url(made, "manage_draw_words"), {"words": "红"})
    page = look(address)
    assert frozen.list_digest in page
    file = url(made, "draw_json", frozen.pk)
    assert file not in page
    assert public.get(file).status_code == 404
    assert client.get(file).status_code == 200
    client.post(url(made, "manage_draw_publish"))
    assert file in look(address)
    response = public.get(file)
    frozen.refresh_from_db()
    assert json.loads(response.content) == document_of(frozen)
    assert response["Content-Disposition"].startswith("attachment")
    assert public.get(url(made, "draws", 99999)).status_code == 404


def test_earlier_draw_stays_public_after_another(client: Client, made: Made) -> None:
    first = draw(made, "红")
    draw(made, "黑", reason="漏人")
    log_in(client, made).post(url(made, "manage_publish"))
    public = Client()
    assert public.get(url(made, "draw_json", first.pk)).status_code == 200
    assert "漏人" in look(url(made, "draws", made.event.pk))


def test_anyone_checks_a_draw_by_paste_or_file(made: Made) -> None:
    """C4.5."""
    text = dump(document_of(draw(made)))
    client = Client()
    address = reverse("verify_draw")
    assert client.get(address).status_code == 200
    assert "完全一致" in client.post(address, {"text": text}).content.decode()
    upload = SimpleUploadedFile("draw.json", text.encode())
    assert "完全一致" in client.post(address, {"file": upload}).content.decode()
    wrong = client.post(address, {"text": text.replace("红红黑", "红红红")}).content.decode()
    assert "不一致" in wrong
    assert "红红红" in wrong
    assert "这不是抽签文件" in client.post(address, {"text": "{}x"}).content.decode()
    assert client.post(address, {"text": ""}).status_code == 400


def test_plan_terms_of_the_choice_are_what_is_frozen(client: Client, made: Made) -> None:
    log_in(client, made).post(url(made, "manage_draw_plan"), {"size": "4-2", "way": "byes"})
    made.stage.refresh_from_db()
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    assert (frozen.plan["table_size"], frozen.plan["advance"]) == (4, 2)
    assert frozen.plan["way"] == Way.BYES


def test_apart_groups_are_written_by_number_and_dropped(client: Client, made: Made) -> None:
    """C1.4."""
    log_in(client, made)
    address = url(made, "manage_apart")
    for numbers, word in (("3 x", "“x”不是编号"), ("3 77", "没有编号 77"), ("3", "至少要有两个")):
        page = client.post(address, {"name": "莫家", "numbers": numbers})
        assert page.status_code == 400
        assert word in page.content.decode()
    assert client.post(address, {"name": "莫家", "numbers": "3，7 9"}).status_code == 302
    assert client.post(address, {"name": "莫家", "numbers": "3 7"}).status_code == 302
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    assert frozen.plan["apart"] == [[3, 7]]
    group = made.competition.apart_groups.get()
    assert client.post(url(made, "manage_apart_drop", group.pk)).status_code == 409
    client.post(url(made, "manage_draw_unfreeze"))
    client.post(url(made, "manage_apart_drop", group.pk))
    assert not made.competition.apart_groups.exists()
    assert client.post(url(made, "manage_apart_drop", group.pk)).status_code == 404


def test_rules_of_another_event_are_that_events_and_of_a_game_its_own_page(client: Client) -> None:
    """C10: a preset chosen for the second event does not become the first one's."""
    made = make()
    log_in(client, made)
    terms = EventTerms("团体赛", Discipline.ZIPAI)
    second = add_event(acting=made.owner, competition=made.competition, terms=terms)
    terms = EventTerms("象棋", Discipline.MANUAL, games=3, table_size=2)
    chess = add_event(acting=made.owner, competition=made.competition, terms=terms)
    page = client.get(url(made, "manage_rules"), {"event": second.pk}).content.decode()
    assert f'href="?preset=local&amp;event={second.pk}"' in page
    for ask in (client.get, client.post):
        answer = ask(url(made, "manage_rules") + f"?event={chess.pk}")
        assert (answer.status_code, answer["Location"]) == (
            302,
            url(made, "manage_event", chess.pk) + f"?event={chess.pk}",
        )
    chess.refresh_from_db()
    assert (chess.preset, chess.options) == ("", {})
