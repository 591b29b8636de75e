"""The pages of a table of another discipline: entered by keys, corrected, ruled, seen (C10)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from scoring.models import HandVersion
from tests.scoring.games import game, make_games, play
from tests.scoring.public_pages import forget
from tests.scoring.sheets import Hall
from tournament.acting import Acting
from tournament.enums import ConfirmationMode, CountedBy

pytestmark = pytest.mark.django_db


def of(acting: Acting) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=acting.user_id))
    return client


def url(hall: Hall, name: str, *more: object) -> str:
    return reverse(name, args=[hall.competition.code, hall.table.pk, *more])


def shown(hall: Hall, name: str, *more: object, acting: Acting | None = None) -> str:
    forget()
    answer = (of(acting) if acting else Client()).get(url(hall, name, *more))
    assert answer.status_code == 200, name
    return answer.content.decode()


def publish(hall: Hall) -> Hall:
    hall.competition.published_at = hall.competition.created_at
    hall.competition.save()
    return hall


def test_referee_enters_a_game_by_one_key() -> None:
    hall = publish(make_games(3))
    client = of(hall.referee)
    page = client.get(url(hall, "sheet")).content.decode()
    assert "记第 1 盘" in page
    assert "选手1 胜" in page
    data = {"evidence": "game", "winner": "0", "points_0": "30", "points_1": "18", "key": "k"}
    for _time in range(2):
        assert client.post(url(hall, "sheet"), data).status_code == 302
    version = HandVersion.objects.get()
    assert version.payload == {"places": [1, 2], "points": [30, 18]}
    page = client.get(url(hall, "sheet")).content.decode()
    assert "已记第 1 盘：选手1 胜 30：18" in page
    assert "胜 30" in page
    assert "1 / 3 盘" in page
    assert "舵" not in page.split("<main")[1].split("</main>")[0]


def test_nothing_chosen_is_refused_with_what_to_do() -> None:
    hall = make_games(3)
    answer = of(hall.referee).post(url(hall, "sheet"), {"evidence": "game", "key": "k"})
    assert answer.status_code == 422
    assert "请选这一盘谁赢" in answer.content.decode()


def test_points_event_asks_for_points_and_keeps_what_was_typed() -> None:
    hall = make_games(2, seats=3, by=CountedBy.POINTS)
    client = of(hall.referee)
    data = {"evidence": "game", "points_0": "100", "points_1": "-20", "key": "k"}
    answer = client.post(url(hall, "sheet"), data)
    assert answer.status_code == 422
    assert 'value="100"' in answer.content.decode()
    assert client.post(url(hall, "sheet"), {**data, "points_2": "0"}).status_code == 302
    assert HandVersion.objects.get().deltas == (100, -20, 0, 0)


def test_three_players_get_places() -> None:
    hall = publish(make_games(1, seats=3))
    data = {"evidence": "game", "place_0": "2", "place_1": "1", "place_2": "2", "key": "k"}
    assert of(hall.referee).post(url(hall, "sheet"), data).status_code == 302
    assert HandVersion.objects.get().deltas == (0, 12, 0, 0)
    assert "选手2 第 1" in shown(hall, "table")


def test_preview_says_who_won() -> None:
    hall = make_games(3)
    data = {"evidence": "game", "winner": "level"}
    answer = of(hall.referee).post(url(hall, "sheet_preview"), data)
    assert "和" in answer.content.decode()
    assert HandVersion.objects.count() == 0


def test_correction_shows_what_stands_and_leaves_a_chain() -> None:
    hall = publish(make_games(3))
    play(hall, game([1, 2], [30, 18]))
    client = of(hall.referee)
    form = client.get(url(hall, "hand_correct", 1)).content.decode()
    assert 'value="30"' in form
    data = {"evidence": "game", "winner": "1", "seen": "1", "key": "k"}
    assert client.post(url(hall, "hand_correct", 1), data).status_code == 302
    page = shown(hall, "hand", 1, acting=hall.referee)
    assert "选手1 胜 30：18 → 选手2 胜" in page
    assert "第 1 盘 选手2 胜" in " ".join(shown(hall, "table").replace("<span>", "").split())


def test_chief_rules_a_game_by_choosing_who_has_it() -> None:
    hall = publish(make_games(3))
    play(hall, game([1, 2]))
    client = of(hall.chief)
    page = client.get(url(hall, "hand_ruling", 1)).content.decode()
    assert "判谁赢" in page
    data = {"won": ["1"], "reason": "超时判负"}
    assert client.post(url(hall, "hand_ruling", 1), data).status_code == 302
    assert [one.net for one in hall.board().sums.seats] == [0, 12]
    assert "超时判负" in shown(hall, "table")


def test_players_confirm_a_sheet_of_games() -> None:
    hall = publish(make_games(3, mode=ConfirmationMode.PLAYERS))
    play(hall, game([1, 2]), game([1, 2]))
    client = of(hall.referee)
    assert client.post(url(hall, "sheet_submit")).status_code == 302
    page = of(hall.chief).get(url(hall, "sheet_confirm")).content.decode()
    assert "每一盘" in page
    data = {"digest": hall.board().digest}
    assert of(hall.chief).post(url(hall, "sheet_confirm"), data).status_code == 302
    assert hall.board().is_done
    assert "胜局 2 对 0" in shown(hall, "table")


def test_live_part_and_history_speak_of_games() -> None:
    hall = publish(make_games(3))
    play(hall, game([1, 2]))
    assert "1 / 3 盘" in shown(hall, "sheet_live", acting=hall.referee)
    assert shown(hall, "sheet_history", acting=hall.referee)


def test_questions_of_cards_are_not_asked_about_a_game() -> None:
    hall = publish(make_games(3))
    play(hall, game([1, 2]))
    answer = Client().get(url(hall, "hand_questions", 1))
    assert answer.status_code == 404
    assert "合规吗" not in shown(hall, "table")


@pytest.mark.parametrize("games", [1, 9])
def test_table_page_needs_few_queries(games: int, django_assert_max_num_queries) -> None:
    hall = publish(make_games(9, seats=3))
    play(hall, *[game([1, 2, 3])] * games)
    forget()
    with django_assert_max_num_queries(14):
        Client().get(url(hall, "table"))


def test_penalty_form_offers_what_the_game_knows() -> None:
    """Where games count nothing is taken and nobody is stopped; points are called 分."""
    hall = make_games(3)
    play(hall, game([1, 2]))
    client = of(hall.referee)
    start = client.get(url(hall, "penalty")).content.decode()
    assert "离席" in start
    assert "误胡" not in start
    asked = client.get(url(hall, "penalty"), {"position": "0", "code": "insult"}).content.decode()
    main = asked.split("<main")[1].split("</main>")[0]
    assert 'value="warning"' in main
    assert 'value="points"' not in main
    assert 'value="no-hu"' not in main
    assert "舵" not in main
    assert "哪一盘" in main
    assert "由裁判长裁决那一盘" in main
    data = {"position": "0", "code": "insult", "reason": "吵", "hand": "1"}
    refused = client.post(url(hall, "penalty"), {**data, "level": "points", "amount": "2"})
    assert refused.status_code == 422
    assert client.post(url(hall, "penalty"), {**data, "level": "warning"}).status_code == 302
    sheet = client.get(url(hall, "sheet")).content.decode()
    assert "警告 · 第 1 盘" in sheet
    late = of(hall.chief).get(url(hall, "sheet_late")).content.decode()
    assert "扣罚" not in late.split("<main")[1]

    points = make_games(1, by=CountedBy.POINTS)
    play(points, game(points=[30, 29]))
    client = of(points.referee)
    asked = client.get(url(points, "penalty"), {"position": "0", "code": "insult"}).content.decode()
    assert "几分" in asked
    assert 'value="no-hu"' not in asked
    assert "舵" not in asked.split("<main")[1].split("</main>")[0]
    data |= {"level": "points", "kind": "deduction", "amount": "2"}
    assert client.post(url(points, "penalty"), data).status_code == 302
    assert "扣罚 2 分" in client.get(url(points, "sheet")).content.decode()
