"""牌谱库: which hands are found, by what, and which are not; statistics; budgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import pytest
from django.core.management import call_command
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring import queries_library as queries
from scoring.domain.hands import Entered, Late, correct_hand, enter_hand, void_hand
from scoring.domain.sheets import confirm_sheet, open_sheet, submit_sheet
from scoring.domain.undo import reopen_sheet
from scoring.domain.verdicts import rule_on_hand
from scoring.enums import Evidence
from scoring.meld_bits import NAMES, bits_named, bits_of
from scoring.models import Hand, LibraryHand
from scoring.play_statistics import play_of, spread
from scoring.queries_library import Asked
from tests.factories import make_event
from tests.scoring.public_pages import page, stranger
from tests.scoring.records import result_of, texts
from tests.scoring.sheets import DRAWN, WIN, Hall, make_hall, totals
from tournament.enums import ConfirmationMode
from tournament.models import Competition, Person

pytestmark = pytest.mark.django_db

FLIP: dict[str, Any] = {"source": "own-flip", "winner": "丙", "hu": 10, "xing_count": 3}
"""丙 +10, the others −5: with `WIN` nobody is level."""


def opened(hall: Hall, **changes: Any) -> Competition:
    """The hall's competition, published."""
    Competition.objects.filter(pk=hall.competition.pk).update(
        published_at=timezone.now(), **changes
    )
    hall.competition.refresh_from_db()
    return hall.competition


def played(*payloads: dict[str, Any], **changes: Any) -> Hall:
    """A confirmed table with these hands, published."""
    hall = make_hall(hands=len(payloads), mode=ConfirmationMode.REFEREE)
    for payload in payloads:
        hall.enter(payload)
    confirm(hall)
    opened(hall, **changes)
    return hall


def recorded(count: int = 4, **changes: Any) -> Hall:
    """A confirmed table with so many records."""
    hall = make_hall(hands=count, mode=ConfirmationMode.REFEREE)
    for text in texts(count):
        entered = Entered(Evidence.RECORD, {"text": text})
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=entered)
    confirm(hall)
    opened(hall, **changes)
    return hall


def confirm(hall: Hall) -> None:
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    board = hall.board()
    confirm_sheet(acting=hall.chief, sheet=board.sheet, digest=board.digest)


def numbers(**asked: Any) -> list[int]:
    """The numbers of the hands that fit, newest first."""
    found = queries.hands(queries.open_to_all(), Asked(**asked))
    return list(found.values_list("number", flat=True))


def file(**asked: str) -> str:
    """The selection as ZPR."""
    answer = Client().get(reverse("library_file"), asked)
    assert isinstance(answer, StreamingHttpResponse), answer.status_code
    return b"".join(cast("Iterable[bytes]", answer.streaming_content)).decode()


def rows() -> list[tuple[Any, ...]]:
    """All rows without their ids."""
    fields = [f.attname for f in LibraryHand._meta.concrete_fields if f.name != "id"]
    return list(LibraryHand.objects.order_by("hand").values_list(*fields))


def test_every_filter_finds_exactly_the_hands_that_fit() -> None:
    heavenly = {"source": "deal", "winner": "甲", "dealer": "甲", "special": "天胡"}
    played(
        WIN, FLIP, DRAWN, {**FLIP, "winner": "乙", "hu": 25, "xing_count": 3},
        {**heavenly, "hu": 12, "xing_count": 0},
    )  # fmt: skip
    assert numbers() == [5, 4, 3, 2, 1]
    assert numbers(source="own-flip") == [4, 2]
    assert numbers(source="discard") == [1]
    assert numbers(source="draw") == [3]
    assert numbers(special="天胡") == [5]
    assert numbers(hu_from=12) == [5, 4, 1]
    assert numbers(hu_from=12, hu_to=16) == [5, 1]
    assert numbers(hu_to=10) == [2]
    assert numbers(xing_from=1) == [4, 2, 1]
    assert numbers(xing_from=4) == []
    assert numbers(rules="competition") == [5, 4, 3, 2, 1]
    assert numbers(rules="local") == []
    assert numbers(evidence="result") == [5, 4, 3, 2, 1]
    assert numbers(evidence="record") == []
    assert numbers(player="选手1") == [5, 4, 3, 2, 1]
    assert numbers(player="xuanshou3") == []
    Person.objects.filter(name="选手3").update(reading="xuanshou3 xs3")
    assert numbers(player="xuanshou3", won=True) == [2]
    assert numbers(player="选手2", won=True) == [4]
    assert numbers(player="选手1", won=True, source="discard") == [1]
    assert numbers(player="没有") == []


def test_melds_of_records_are_found_each_and_together() -> None:
    recorded(8)
    results = [result_of(text) for text in texts(8)]
    bits = [bits_of(result.as_json()["melds"]) for result in results]  # type: ignore[arg-type]
    assert any(bits)
    for name in NAMES:
        one = bits_named([name])
        assert numbers(melds=one) == [n for n in range(8, 0, -1) if bits[n - 1] & one], name
    for both in (["坎", "碰"], ["吃", "扫"], ["顺", "二七十"]):
        asked = bits_named(both)
        assert numbers(melds=asked) == [n for n in range(8, 0, -1) if bits[n - 1] & asked == asked]
    found = queries.open_to_all()
    some = bits_named(["碰"])
    groups, counts, _more = queries.groups(queries.hands(found, Asked(melds=some)), 100)
    expected = Counter(result.hu for result, held in zip(results, bits, strict=True) if held & some)
    assert counts == expected
    assert sum(group.hands for group in groups) == expected.total()


def test_hands_are_found_only_while_their_table_is_confirmed_and_published() -> None:
    hall = make_hall(hands=2, mode=ConfirmationMode.REFEREE)
    opened(hall)
    hall.fill(WIN, FLIP)
    assert numbers() == []
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    assert numbers() == []
    board = hall.board()
    confirm_sheet(acting=hall.chief, sheet=board.sheet, digest=board.digest)
    assert numbers() == [2, 1]
    Competition.objects.update(published_at=None)
    assert numbers() == []
    assert LibraryHand.objects.count() == 2
    Competition.objects.update(published_at=timezone.now())
    reopen_sheet(acting=hall.chief, sheet=hall.board().sheet, reason="看错了")
    assert numbers() == []


def test_rows_follow_corrections_voids_and_rulings_of_a_confirmed_table() -> None:
    hall = played(WIN, FLIP, DRAWN)
    late = Late(reason="录像", effects_shown=True)
    ids = {hand.number: hand for hand in Hand.objects.all()}
    before = dict(LibraryHand.objects.values_list("number", "pk"))
    new = Entered(Evidence.RESULT, {**WIN, "hu": 20})
    correct_hand(acting=hall.chief, hand=ids[1], entered=new, late=late)
    assert numbers(hu_from=20) == [1]
    assert dict(LibraryHand.objects.values_list("number", "pk")) == before
    rule_on_hand(acting=hall.chief, hand=ids[2], deltas=[2, 2, -4], reason="录像", late=late)
    assert list(LibraryHand.objects.filter(is_ruled=True).values_list("number", flat=True)) == [2]
    void_hand(acting=hall.chief, hand=ids[3], reason="重复", late=late)
    assert numbers() == [2, 1]
    kept = rows()
    call_command("library", verbosity=0)
    assert rows() == kept


def test_points_without_hands_and_other_games_are_not_in_the_library() -> None:
    hall = make_hall(hands=3, mode=ConfirmationMode.REFEREE)
    opened(hall)
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(6, -6, 0, hands=2))
    hall.enter(WIN)
    confirm(hall)
    assert numbers() == [3]


def test_masked_names_are_neither_found_nor_shown() -> None:
    hall = played(WIN, FLIP, mask_names=True)
    assert numbers(player="选手1") == []
    assert numbers(player="xuanshou") == []
    assert numbers(entrant=hall.entrants[0].pk) == [2, 1]
    shown = page(reverse("library"))
    assert "选*1" in shown
    assert "选手1" not in shown
    asked = page(reverse("library"), player="选手1")
    assert "没有这样的局" in asked
    hall.competition.mask_names = False
    hall.competition.save()
    assert "选手1" in page(reverse("library"), player="选手1")


def test_page_links_a_hit_to_its_replay_or_table_and_shows_its_melds() -> None:
    hall = recorded(2)
    played(WIN)
    html = stranger(reverse("library")).content.decode()
    args = [hall.competition.code, hall.table.pk, 2]
    assert reverse("replay", args=args) in html
    assert "#hand-1" in html
    assert "16 胡 · 1 醒 · 3 舵" in page(reverse("library"))
    assert "selected" in stranger(reverse("library"), where=hall.competition.code).content.decode()
    assert "竞赛规则" in page(reverse("library"), rules="competition", melds="坎")


def test_pages_go_on_after_the_last_hand_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.views.library.PAGE", 2)
    played(WIN, FLIP, DRAWN, WIN, FLIP)
    ids = list(LibraryHand.objects.order_by("-pk").values_list("pk", flat=True))
    first = stranger(reverse("library")).content.decode()
    assert f"before={ids[1]}" in first
    last = stranger(reverse("library"), before=str(ids[3])).content.decode()
    assert "第 1 桌第 1 局" in last
    assert "第 1 桌第 2 局" not in last
    assert "before=" not in last
    assert "回到最新" in last


def test_question_that_is_wrong_stays_in_the_form() -> None:
    played(WIN)
    answer = stranger(reverse("library"), hu_from="20", hu_to="10", player="选手1")
    assert answer.status_code == 422
    assert "不能小于" in answer.content.decode()
    assert "选手1" in answer.content.decode()
    assert stranger(reverse("library"), where="nowhere").status_code == 422


def test_selection_as_zpr_has_the_records_that_fit_and_no_masked_name() -> None:
    shown = recorded(3)
    assert file(where=shown.competition.code) == "\n".join(reversed(texts(3)))
    played(WIN)
    assert stranger(reverse("library_file"), evidence="result").status_code == 404
    won = [n for n, one in enumerate(texts(3), 1) if result_of(one).winners]
    assert file(hu_from="1").count("字牌谱 1") == len(won)
    opened(shown, mask_names=True)
    named = Hand.objects.get(sheet=shown.sheet, number=1).versions.get()
    named.payload = {"text": named.payload["text"].replace("庄:", "裁判: 秘裁判\n甲: 张一\n庄:")}
    named.save()
    assert "秘裁判" not in file()
    assert "张一" not in file()
    opened(shown, mask_names=False)
    assert "张一" in file()


def test_statistics_count_exactly_what_was_played() -> None:
    played(WIN, FLIP, DRAWN, {**FLIP, "winner": "乙", "hu": 25, "xing_count": 3})
    found = queries.open_to_all()
    groups, counts, is_more = queries.groups(queries.hands(found, Asked()), 100)
    play = play_of(groups)
    assert (play.hands, play.won, play.drawn, is_more) == (4, 3, 1, False)
    assert play.sources == {"discard": 1, "own-flip": 2, "draw": 1}
    assert (play.mean_hu, play.mean_xing) == (Fraction(51, 3), Fraction(7, 3))
    assert play.dealer_expected == Fraction(1, 3)
    assert counts == {10: 1, 16: 1, 25: 1}
    html = page(reverse("library_statistics"))
    assert "17.0 胡，2.3 醒" in html
    assert "荒庄 25.0%" in html
    assert "66.7%" in html
    groups, counts, is_more = queries.groups(queries.hands(found, Asked()), 2)
    assert (sum(group.hands for group in groups), is_more) == (2, True)
    assert "没有可以统计" in page(reverse("library_statistics"), special="五坎")


def test_statistics_change_with_the_next_confirmed_table() -> None:
    played(WIN)
    for _time in range(3):
        assert "一共 1 局" in page(reverse("library_statistics"))
    played(WIN, FLIP)
    assert "一共 3 局" in page(reverse("library_statistics"))


def test_dealer_wins_are_those_of_whose_deal_it_was() -> None:
    played({**WIN, "dealer": "甲"}, {**FLIP, "dealer": "甲"}, {**FLIP, "dealer": "丙"})
    groups, _counts, _more = queries.groups(queries.hands(queries.open_to_all(), Asked()), 9)
    play = play_of(groups)
    assert (play.dealer_won, play.won) == (2, 3)
    assert play.dealer_mean == Fraction(6 - 5 + 10, 3)


def test_spread_has_no_gap_and_few_bars() -> None:
    counts = {10: 4, 11: 1, 15: 9, 38: 2, 77: 1}
    bars = spread(counts)
    assert len(bars) <= 16
    assert sum(hands for _low, _high, hands in bars) == sum(counts.values())
    assert all(one[1] + 1 == two[0] for one, two in pairwise(bars))
    assert spread({12: 3}) == [(12, 12, 3)]
    assert spread({}) == []


@pytest.mark.parametrize("asked", [{}, {"player": "选手"}, {"melds": "坎", "hu_from": "1"}])
def test_first_page_asks_no_more_than_eight_queries(asked: dict[str, str]) -> None:
    recorded(4)
    played(WIN, FLIP, mask_names=True)
    make_event()
    for url, most in ((reverse("library"), 8), (reverse("library_statistics"), 10)):
        with CaptureQueriesContext(connection) as context:
            assert stranger(url, **asked).status_code == 200
        assert len(context) <= most, [query["sql"] for query in context]


def test_left_entrant_is_found_with_the_hands_he_played_himself() -> None:
    hall = played(WIN, FLIP, WIN)
    hall.table.seats.filter(position=0).update(sat_in_from=3, forfeits=True)
    assert numbers(player="选手1") == [2, 1]
    assert numbers(player="选手1", won=True) == [1]
    assert numbers(player="选手2") == [3, 2, 1]


def test_sheet_of_another_event_stays_when_one_is_indexed() -> None:
    first, second = played(WIN), played(FLIP)
    assert {first.table.pk, second.table.pk} == set(
        LibraryHand.objects.values_list("table_id", flat=True)
    )
    open_sheet(second.table)
    assert numbers(competition=first.competition.pk) == [1]
