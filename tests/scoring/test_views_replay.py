"""The replay viewer: every step of every real hand, what one seat may see, links, budget."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import quote

import pytest
from pytest_django import DjangoAssertNumQueries

from engine import cards
from engine.files import parse
from engine.record import Record
from engine.state import Phase
from scoring.domain.hands import void_hand
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.replayed import Replayed
from scoring.templatetags.zipai import FACE_DOWN
from scoring.viewer import Viewer
from tests.scoring.public_pages import forget, page, publish, published, seat_of, stranger, text_of
from tests.scoring.records import result_of, texts, won
from tests.scoring.test_replayed import SHORT, real
from tests.scoring.test_views_hand_questions import enter, recorded
from tests.tournament.competitions import Made, draw, make
from tournament.models import Competition, Person, Table

__all__ = ["real"]  # the fixture

pytestmark = pytest.mark.django_db

NAMES = ["", "", ""]
FACES = {f"{'b' if cards.is_big(c) else 's'}{cards.rank(c)}": c for c in range(cards.KINDS)}
WITH_PASS = SHORT.replace("甲 碰 五\n", "乙 过\n甲 碰 五\n")


def url(made: Made, table: Table, number: int = 1, name: str = "") -> str:
    return f"/c/{made.competition.code}/table/{table.pk}/hand/{number}/replay/{name}"


def test_every_step_of_every_real_hand_is_shown(real: list[tuple[str, Record]]) -> None:
    """From above and from whoever deals: as many steps as events, all 80 cards where they lie."""
    seen = passed = 0
    for _text, record in real:
        replayed = Replayed(record)
        above = Viewer(replayed, NAMES)
        assert above.numbers() == list(range(len(record.events) + 1))
        assert [one["event"] for one in above.moves()][1:] == [str(e) for e in record.events]
        for number in above.numbers():
            step = above.step(number)
            lying = sum(_lying(seat) for seat in step["seats"]) + step["wall_left"]
            open_ = step["open"] is not None and not any(seat["won"] for seat in step["seats"])
            assert lying + len(step["turned"]) + open_ in (79, 80)
            seen += 1
            passed += len(step["said"]["passed"])
        assert above.step(len(replayed))["is_last"]
        own = Viewer(replayed, NAMES, record.dealer)
        for number in own.numbers():
            one = own.step(number)
            assert [bool(seat["hidden"]) for seat in one["seats"][1:]] == [True, True]
    assert (seen, passed) == (1839 + 62, 167)


def _lying(seat: dict[str, object]) -> int:
    melds = seat["melds"]
    assert isinstance(melds, list)
    return int(str(seat["count"])) + sum(len(m["cards"]) for m in melds) + len(str(seat["pile"]))


def test_steps_name_rules_waits_and_what_was_let_pass(real: list[tuple[str, Record]]) -> None:
    """R5.4, R5.7, and waits with what the seat has not seen of them."""
    above = Viewer(Replayed(real[0][1]), ["张三", "李四", "王五"])
    sao = above.step(6)
    assert sao["caption"] == "乙 李四 扫 壹"
    assert (sao["said"]["must"]["text"], sao["said"]["must"]["rule"]) == ("乙 必须先扫 壹", "R5.4")
    assert [m["is_fresh"] for m in sao["seats"][1]["melds"]] == [True]
    peng = above.step(3)["said"]
    assert [one["act"] for one in peng["others"]] == ["乙 吃 五", "丙 吃 五"]
    late = above.step(38)
    waits = {
        one["name"]: [(c["card"], c["hu"], c["left"]) for c in one["cards"]]
        for one in late["waits"]
    }
    assert waits == {
        "乙 李四": [("三", 24, 3), ("九", 27, 2), ("叁", 30, 2), ("玖", 24, 4)],
        "丙 王五": [("三", 19, 1), ("九", 16, 4), ("叁", 16, 4), ("玖", 22, 2)],
    }
    assert [one["left"] for one in late["waits"]] == [11, 11]
    passed = [p["text"] for n in range(39) for p in above.step(n)["said"]["passed"]]
    assert passed[0] == "乙 李四 可以吃 二，没有吃：以后不能再吃"
    assert above.step(0)["said"] == {"passed": []}


def test_seat_sees_its_own_cards_and_what_lies(real: list[tuple[str, Record]]) -> None:
    """No card, wait, choice or 过 of another is in the HTML of a seat, at any step."""
    made = published(9)
    for table, text in zip(made.tables(1), (won(), *texts(2)), strict=True):
        enter(made, table, Evidence.RECORD, {"text": text})
        replayed = Replayed(parse(text))
        for seat in range(3):
            html = stranger(url(made, table, 1, "steps/"), seat="甲乙丙"[seat]).content.decode()
            steps = re.split(r'<div data-step="(\d+)">', html)
            assert len(steps) == 2 * len(replayed) + 3
            for number, shown in zip(steps[1::2], steps[2::2], strict=True):
                _holds_only_what_is_seen(replayed, int(number), seat, shown)


def _holds_only_what_is_seen(replayed: Replayed, number: int, seat: int, html: str) -> None:
    seen = replayed.view(number, seat)
    around, rest = html.split('<p data-part="caption">')
    said, _, result = rest.partition('<div data-part="result">')
    expected = Counter(seen.hand)
    for meld in (meld for table in seen.tables for meld in table):
        expected.update(meld.cards[FACE_DOWN.get(meld.kind, 0) :])
    for pile in (*seen.piles, seen.turned):
        expected.update(pile)
    if seen.open is not None:
        expected[seen.open.card] += 1
    if not number and seen.dealer != seat:
        expected[seen.shown] += 1
    faces = re.findall(r"sprite[^#\"]*#([sb]\d+)", around)
    assert Counter(FACES[face] for face in faces) == expected
    down = sum(FACE_DOWN.get(meld.kind, 0) for table in seen.tables for meld in table)
    hidden = sum(seen.sizes) - len(seen.hand) - (not number and seen.dealer != seat)
    assert around.count("#back") == down + hidden + 1  # the wall
    waits = [cards.NAMES[one.card] for one in replayed.waits(number, seat)]
    is_over = seen.phase in (Phase.WON, Phase.DRAWN)
    assert re.findall(r'aria-label="(.)"', said) == ([] if is_over else waits)
    others = "甲乙丙".replace("甲乙丙"[seat], "")
    assert not re.search(f"[{others}] (?:[吃碰胡打留]|可以|听)", text_of(said.partition("</p>")[2]))
    assert bool(re.search("explained", result)) == (number == len(replayed))


def test_pass_of_another_is_no_step_of_a_seat() -> None:
    """`engine.views`: that 乙 said 过 tells what he holds."""
    replayed = Replayed(parse(WITH_PASS))
    assert replayed.stop is None
    above, own, other = (Viewer(replayed, NAMES, seat) for seat in (None, 1, 0))
    assert above.numbers() == own.numbers() == list(range(9))
    assert other.numbers() == [0, 1, 2, 4, 5, 6, 7, 8]
    assert (other.nearest(3), above.nearest(3), above.nearest(99)) == (2, 3, 8)
    assert "乙 过" not in [one["event"] for one in other.moves()]


def test_page_has_the_step_its_links_and_the_result_at_the_end(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    made, table, text = recorded()
    enter(made, table, Evidence.RESULT, {"source": "draw"})
    events = parse(text).events
    asked = url(made, table)
    forget()
    with django_assert_max_num_queries(8):
        stranger(asked)
    dealt, last = page(asked), page(asked, step=str(len(events)))
    assert f"共 {len(events)} 手 发完牌" in dealt
    assert "舵 = " not in dealt
    assert f"胡 {result_of(text).hu} →" in last
    html = stranger(asked, step="2", seat="乙").content.decode()
    seat = quote("乙")
    for step, word in ((0, "first"), (1, "before"), (3, "after"), (len(events), "last")):
        assert f'href="?step={step}&amp;seat={seat}#replay" data-go="{word}"' in html
    assert f'href="?step=2&amp;seat={seat}#replay" data-to="2" rel="nofollow" aria-current' in html
    assert "第 2 局 ›" in dealt
    for odd in ("-1", "x", "99999", "²"):
        assert "发完牌" in page(asked, step=odd, seat="戊")
    lacking = page(url(made, table, 2))
    assert "这一局没有牌谱" in lacking
    assert "‹ 第 1 局" in lacking
    assert asked in stranger(f"/c/{made.competition.code}/table/{table.pk}/").content.decode()
    assert asked in stranger(asked.replace("replay", "ask")).content.decode()


def test_replay_names_people_where_they_sat_and_masks_them() -> None:
    """C9.4: what was recorded at 甲's seat was played by 乙."""
    made, table, text = recorded()
    version = HandVersion.objects.get(is_current=True)
    version.payload = {"text": text, "seats": [1, 0, 2]}
    version.save()
    for position, name in enumerate(("欧阳明", "诸葛亮", "司马光")):
        entrant = seat_of(table, position).entrant
        assert entrant is not None
        Person.objects.filter(pk=entrant.entry.person_id).update(name=name)
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    for name in ("", "steps/"):
        html = stranger(url(made, table, 1, name), step="1").content.decode()
        assert re.search(r"甲 诸\*", html)
        assert re.search(r"乙 欧\*", html)
        for private in ("欧阳明", "诸葛亮", "司马光", "秘裁判", "张一", "13900000000"):
            assert private not in html


def test_what_the_table_does_not_show_cannot_be_replayed() -> None:
    made, table, _text = recorded()
    for name in ("", "steps/"):
        assert stranger(url(made, table, 1, name)).status_code == 200
        assert stranger(url(made, table, 2, name)).status_code == 404
    version = HandVersion.objects.get(is_current=True)
    void_hand(acting=made.owner, hand=version.hand, reason="牌错了")
    assert stranger(url(made, table)).status_code == 404
    hidden = make(9)
    draw(hidden)
    publish(hidden.competition)
    assert stranger(url(hidden, hidden.tables(1)[0])).status_code == 404
