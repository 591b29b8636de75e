"""The pages of a redraw: bracket as lists, who goes on and why, the next draw of the organizer."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from tests.scoring.public_pages import forget, page, publish, stranger, text_of
from tests.scoring.redraws import Redrawn, make_redraw
from tournament.domain.draws import freeze_draw
from tournament.models import Draw, Entrant

pytestmark = pytest.mark.django_db


def played(entrants: int = 10) -> Redrawn:
    redrawn = make_redraw(entrants)
    publish(redrawn.made.competition)
    redrawn.next_round()
    return redrawn


def url(redrawn: Redrawn, name: str, *args: object) -> str:
    return reverse(name, args=[redrawn.made.competition.code, redrawn.made.event.pk, *args])


def owner_of(redrawn: Redrawn) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=redrawn.made.owner.user_id))
    return client


def test_field_page_says_who_goes_on_and_why(django_assert_max_num_queries: object) -> None:
    redrawn = played()
    text = page(url(redrawn, "field", 2))
    assert "第 1 轮全部确认后，6 人进入下一轮。" in text
    assert "再从各桌第 2 名里取 2 人补足。" in text
    assert "1 选手" in text
    assert "每局净舵 −36.00 对 −37.00" in text
    assert "以上晋级 3 选手" in text
    forget()
    with django_assert_max_num_queries(22):  # type: ignore[operator]
        Client().get(url(redrawn, "field", 2))


@pytest.mark.parametrize("number", [0, 1, 3])
def test_no_field_page_where_nobody_has_gone_on(number: int) -> None:
    redrawn = played()
    assert stranger(url(redrawn, "field", number)).status_code == 404


def test_bracket_is_a_list_of_tables_without_lines() -> None:
    redrawn = played()
    html = stranger(url(redrawn, "bracket")).content.decode()
    assert 'class="bracket loose"' in html
    assert "谁进入第 2 轮" in html
    redrawn.next_round()
    html = stranger(url(redrawn, "bracket")).content.decode()
    assert 'id="t2-2"' in html


def test_draft_of_the_next_round_is_shown_to_nobody() -> None:
    """C7.4: neither its tables nor its secret."""
    redrawn = played()
    draw = redrawn.draw()
    for name in ("bracket", "standings", "draws"):
        html = stranger(url(redrawn, name)).content.decode()
        assert 'id="t2-1"' not in html
        assert draw.secret not in html
    entrant = Entrant.objects.get(pk=redrawn.going(1)[0])
    code = redrawn.made.competition.code
    assert "第 2 轮" not in page(reverse("entrant", args=[code, entrant.pk]))
    assert stranger(reverse("draw_json", args=[code, draw.pk])).status_code == 404
    first = Draw.objects.get(round_number=1)
    assert stranger(reverse("draw_json", args=[code, first.pk])).status_code == 200
    redrawn.publish()
    assert 'id="t2-1"' in stranger(url(redrawn, "bracket")).content.decode()
    assert stranger(reverse("draw_json", args=[code, draw.pk])).status_code == 200


def test_standings_leave_who_waits_without_a_place() -> None:
    """C8.5: six wait for the second round, four are out from place seven on."""
    text = page(url(played(), "standings"))
    assert text.count(" – 选手") == 6
    assert "以上还在赛 7 选手" in text
    assert "优秀奖" not in text


def test_organizer_draws_the_next_round_from_its_page() -> None:
    redrawn = played()
    client = owner_of(redrawn)
    code = redrawn.made.competition.code
    manage = reverse("manage_draw", args=[code])
    text = text_of(client.get(manage).content.decode())
    assert "上一轮已全部确认，6 人进入这一轮。" in text
    assert "重新抽签" not in text
    assert client.post(reverse("manage_draw_freeze", args=[code])).status_code == 302
    frozen = text_of(client.get(manage).content.decode())
    assert "名单已冻结" in frozen
    client.post(reverse("manage_draw_words", args=[code]), {"words": "三 六 九"})
    text = text_of(client.get(manage).content.decode())
    assert "第 2 轮第 1 次抽签" in text
    assert "公布签表" in text
    client.post(reverse("manage_draw_publish", args=[code]))
    assert redrawn.newest.state == "published"


def test_round_that_is_drawn_again_asks_for_the_reason() -> None:
    redrawn = played()
    redrawn.draw()
    client = owner_of(redrawn)
    freeze = reverse("manage_draw_freeze", args=[redrawn.made.competition.code])
    answer = client.post(freeze)
    assert answer.status_code == 400
    assert "重新抽签要写明原因。" in text_of(answer.content.decode())
    assert client.post(freeze, {"reason": "喊错了"}).status_code == 302
    assert Draw.objects.filter(number=None, round_number=2).exists()


def test_frozen_list_of_the_next_round_shows_its_digest() -> None:
    """C4.1."""
    redrawn = played()
    frozen = freeze_draw(acting=redrawn.made.owner, stage=redrawn.made.stage)
    text = page(url(redrawn, "draws"))
    assert frozen.list_digest in text
    assert frozen.secret not in text
    assert "第 2 轮 · 名单已冻结" in text
