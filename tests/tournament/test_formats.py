"""A format is chosen as a whole, with its figures; the planner's address fills it in (C2–C5)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from core.errors import DomainError
from core.models import AuditRow, User
from tests.factories import make_acting
from tests.scoring.public_pages import text_of
from tests.tournament.competitions import Made, draw, make, make_published
from tournament.domain.formats import Format, format_of, set_format
from tournament.domain.settings import PlanFixed
from tournament.enums import Cut, Role, StageKind, Style
from tournament.models import Stage
from tournament.pairing.planner import Cut as PlannedCut
from tournament.pairing.planner import Style as PlannedStyle
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

STANDARD = Format(preliminary=3, minutes=50)
REDRAW = Format(style=PlannedStyle.REDRAW)


def give(made: Made, wanted: Format, entrants: int) -> Format:
    set_format(acting=made.owner, stage=made.stage, wanted=wanted, entrants=entrants)
    return format_of(Stage.objects.select_related("event").get(pk=made.stage.pk))


def owner_of(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def url_of(made: Made) -> str:
    return reverse("manage_format", args=[made.competition.code])


@pytest.mark.parametrize(
    "wanted",
    [
        STANDARD,
        replace(STANDARD, cut=PlannedCut.DOWN),
        replace(REDRAW, first_two=True, prizes=6),
        Format(table_size=2, third_table=True, style=PlannedStyle.BYES, hands=6, final_hands=8),
        Format(table_size=4, advance=2),
    ],
)
def test_format_stands_as_it_was_given(wanted: Format) -> None:
    made = make()
    assert give(made, wanted, 50) == wanted
    assert AuditRow.objects.filter(action="stage.format").count() == 1


def test_preliminary_comes_and_goes_with_the_format() -> None:
    """C5.6: it takes over who confirms and who deals."""
    made = make()
    Stage.objects.filter(pk=made.stage.pk).update(confirmation="referee", dealer="rotate")
    give(made, replace(STANDARD, cut=PlannedCut.UP), 40)
    prelim = made.event.stages.get(kind=StageKind.PRELIM)
    assert (prelim.round_count, prelim.cut, prelim.advance, prelim.hands, prelim.minutes) == (
        3, Cut.UP, 0, 12, 50,
    )  # fmt: skip
    assert (prelim.confirmation, prelim.dealer) == ("referee", "rotate")

    give(made, Format(), 40)
    assert not made.event.stages.filter(kind=StageKind.PRELIM).exists()


@pytest.mark.parametrize(
    ("wanted", "entrants", "code"),
    [
        (Format(table_size=3, advance=2), 9, "plan-size"),
        (Format(style=PlannedStyle.COMPACT), 50, "plan-way"),
        (replace(REDRAW, first_two=True), 6, "plan-first"),
        (Format(first_two=True), 9, "plan-first"),
        (Format(third_table=True), 9, "plan-third"),
        (Format(preliminary=1), 5, "rotation-entrants"),
        (Format(preliminary=5), 9, "rotation-rounds"),
        (replace(STANDARD, cut=PlannedCut.DOWN), 9, "plan-cut"),
        (Format(prizes=0), 9, "plan-least"),
    ],
)
def test_format_that_cannot_be_is_refused(wanted: Format, entrants: int, code: str) -> None:
    made = make()
    with pytest.raises(DomainError) as caught:
        give(made, wanted, entrants)
    assert caught.value.code == code
    assert Stage.objects.count() == 1


def test_only_the_prizes_change_once_drawn() -> None:
    made = make(9)
    draw(made)
    with pytest.raises(PlanFixed):
        give(made, REDRAW, 9)
    made.stage.refresh_from_db()
    stands = format_of(made.stage)
    assert give(made, replace(stands, prizes=6), 9).prizes == 6


def test_only_organizers_choose() -> None:
    made = make()
    chief = make_acting(made.competition, Role.CHIEF)
    with pytest.raises(NotAllowed):
        set_format(acting=chief, stage=made.stage, wanted=REDRAW, entrants=9)


def test_page_shows_the_figures_beside_the_choices(
    client: Client, django_assert_max_num_queries: object
) -> None:
    made = make(50)
    client = owner_of(made)
    client.get(url_of(made))
    with django_assert_max_num_queries(15):  # type: ignore[operator]
        text = text_of(client.get(url_of(made)).content.decode())
    assert "现在有 50 名选手" in text
    assert "4 轮 50 人" in text
    assert "第 1 轮 50 12 15 1 23 50" in text
    assert "每轮重抽，第二名补位 4 0 0 1 4 27 250" in text


def test_form_is_saved_and_a_wrong_one_keeps_what_was_typed() -> None:
    made = make(50)
    client = owner_of(made)
    data = {
        "n": "50", "prelim": "usual", "cut": "usual", "size": "3-1", "style": "redraw",
        "hands": "10", "minutes": "0", "final": "20", "prizes": "5",
    }  # fmt: skip
    assert client.post(url_of(made), data).status_code == 302
    stage = Stage.objects.select_related("event").get(pk=made.stage.pk)
    assert stage.style == Style.REDRAW
    assert format_of(stage) == Format(
        style=PlannedStyle.REDRAW, preliminary=3, hands=10, final_hands=20, prizes=5
    )

    answer = client.post(url_of(made), {**data, "hands": "0", "prelim": "0"})
    assert answer.status_code == 400
    assert "请填 1 到 99 之间的整数。" in text_of(answer.content.decode())
    assert 'name="prizes" value="5"' in answer.content.decode()


def test_plan_of_the_planner_fills_in_the_format() -> None:
    made = make(9)
    client = owner_of(made)
    planner = client.get(reverse("planner"), {"n": "36", "prelim": "0", "style": "redraw"})
    target = f"{reverse('manage_format_into')}?n=36&amp;style=redraw&amp;prelim=0"
    assert target in planner.content.decode()
    chosen = client.get(target.replace("&amp;", "&")).content.decode()
    assert f"{url_of(made)}?n=36&amp;style=redraw&amp;prelim=0" in chosen
    text = text_of(
        client.get(url_of(made), {"n": "36", "style": "redraw", "prelim": "0"}).content.decode()
    )
    assert "这个赛制还没有保存" in text
    assert "4 轮 36 人" in text
    assert format_of(made.stage) == Format(minutes=50)


def test_usual_plan_of_the_planner_is_the_standard() -> None:
    made = make(9)
    client = owner_of(made)
    assert (
        f"{reverse('manage_format_into')}?n=50&quot;"
        not in client.get(reverse("planner")).content.decode()
    )
    assert (
        f'{reverse("manage_format_into")}?n=50"' in client.get(reverse("planner")).content.decode()
    )
    text = text_of(client.get(url_of(made), {"n": "50"}).content.decode())
    assert "预赛第 3 轮" in text


def test_new_competition_takes_the_plan_with_it() -> None:
    made = make()
    client = owner_of(made)
    new = f"{reverse('competition_new')}?n=36&style=redraw"
    data = {"name": "秋杯", "starts_on": "2026-12-06", "timezone": "Asia/Shanghai"}
    answer = client.post(new, data)
    assert answer["Location"].endswith("/manage/format/?n=36&style=redraw")


def test_competitions_with_a_draw_are_not_offered() -> None:
    made = make_published(9)
    text = text_of(owner_of(made).get(reverse("manage_format_into")).content.decode())
    assert "还没有等着抽签的比赛。" in text
