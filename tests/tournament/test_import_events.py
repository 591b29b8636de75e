"""A list names events and partners (C10): entered, paired, refused with a sentence, taken back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from tests.tournament.competitions import Made, make
from tests.tournament.test_events import CHESS, SHENG, add, entry
from tests.tournament.test_import_domain import confirmed
from tournament.domain.draws import freeze_draw
from tournament.domain.entries import withdraw_before_draw
from tournament.domain.events import set_events_limit
from tournament.domain.import_preview import preview_of
from tournament.domain.imports import start_import, undo_import
from tournament.domain.playing import events_of, part_pair
from tournament.enums import EntrantStatus, EntryStatus
from tournament.models import Entrant, Entry, Event, ImportBatch
from tournament.sheets.judged import Verdict
from tournament.sheets.reading import read_text

pytestmark = pytest.mark.django_db

HEAD = "姓名,单位,项目,搭档\n"


def uploaded(made: Made, text: str, event: Event | None = None) -> ImportBatch:
    return start_import(acting=made.owner, event=event or made.event, sheets=[read_text(text)])


def said(batch: ImportBatch) -> list[list[str]]:
    return [[reason.text for reason in one.reasons] for one in preview_of(batch).rows]


def state(made: Made) -> list[tuple[object, ...]]:
    """Every row of every event, and who is entered."""
    rows = Entrant.objects.filter(event__competition=made.competition)
    values = ("event__name", "entry__number", "partner__number", "seed", "status")
    entries = made.competition.entries.order_by("number").values_list("number", "status")
    return [*rows.order_by("event", "entry__number").values_list(*values), *entries]


def test_people_come_into_the_events_that_their_rows_name() -> None:
    made = make()
    chess, sheng = add(made, CHESS), add(made, SHENG)
    text = HEAD + "甲,一队,个人赛、象棋,\n乙,一队,双升/ 象棋,\n丙,二队,,\n丁,二队,双升,\n"
    batch = uploaded(made, text)
    assert preview_of(batch).counts[Verdict.NEW] == 4
    done = confirmed(made, batch)
    assert [events_of(entry(made, n)) for n in (1, 2, 3, 4)] == [
        [made.event.pk, chess.pk], [chess.pk, sheng.pk], [made.event.pk], [sheng.pk],
    ]  # fmt: skip
    undo_import(acting=made.owner, batch=done)
    assert (Entry.objects.count(), Entrant.objects.count()) == (0, 0)


def test_unknown_and_closed_events_and_the_limit_are_said_in_the_preview() -> None:
    made = make(3)
    chess = add(made, CHESS)
    set_events_limit(acting=made.owner, competition=made.competition, limit=1)
    text = HEAD + "甲,一队,围棋,\n乙,一队,个人赛、象棋,\n选手1,单位1,象棋,\n丙,一队,象棋,\n"
    batch = uploaded(made, text, chess)
    freeze_draw(acting=made.owner, stage=made.stage)
    assert said(batch) == [
        ["没有叫“围棋”的项目；这场比赛有：个人赛、象棋"],
        ["“个人赛”已经冻结名单或抽过签，不能再加人"],
        ["每人最多报 1 项，这样就有 2 项了"],
        [],
    ]


def test_known_person_comes_into_a_further_event_and_undo_takes_just_that_back() -> None:
    made = make(3)
    chess = add(made, CHESS)
    before = state(made)
    batch = uploaded(made, "姓名,单位,项目\n选手1,单位1,象棋\n选手2,单位1,个人赛\n新人,,象棋\n")
    rows = preview_of(batch).rows
    assert [one.verdict for one in rows] == [Verdict.CHANGED, Verdict.SAME, Verdict.NEW]
    assert [change.text for change in rows[0].changes] == ["项目：个人赛 → 个人赛、象棋"]
    done = confirmed(made, batch)
    assert done.counts == {"new": 1, "changed": 1, "same": 1, "left_out": 0}
    assert events_of(entry(made, 1)) == [made.event.pk, chess.pk]
    undo_import(acting=made.owner, batch=done)
    assert state(made) == before


def test_list_of_one_event_enters_people_who_are_known_from_another() -> None:
    made = make(3)
    chess = add(made, CHESS)
    confirmed(made, uploaded(made, "姓名,单位\n选手1,单位1\n选手2,单位1\n", chess))
    assert set(chess.entrants.values_list("entry__number", flat=True)) == {1, 2}
    assert made.competition.entries.count() == 3


def test_who_had_left_an_event_comes_back_and_undo_leaves_it_again() -> None:
    made = make(3)
    chess = add(made, CHESS)
    confirmed(made, uploaded(made, "姓名,单位\n选手1,单位1\n", chess))
    row = Entrant.objects.select_related("event__competition").get(event=chess)
    withdraw_before_draw(acting=made.owner, entrant=row)
    done = confirmed(made, uploaded(made, "姓名,单位,项目\n选手1,单位1,象棋\n"))
    row.refresh_from_db()
    assert row.status == EntrantStatus.IN
    undo_import(acting=made.owner, batch=done)
    row.refresh_from_db()
    assert row.status == EntrantStatus.WITHDRAWN


def test_one_person_in_several_rows_is_in_all_their_events() -> None:
    made = make()
    chess = add(made, CHESS)
    batch = uploaded(made, HEAD + "甲,一队,个人赛,\n甲,一队,象棋,\n")
    assert [one.verdict for one in preview_of(batch).rows] == [Verdict.NEW, Verdict.SAME]
    confirmed(made, batch)
    assert events_of(entry(made, 1)) == [made.event.pk, chess.pk]


def test_partners_are_paired_by_name_or_number_and_parted_by_undo() -> None:
    made = make(2)
    sheng = add(made, SHENG)
    confirmed(made, uploaded(made, "姓名,单位\n选手1,单位1\n", sheng))
    before = state(made)
    text = HEAD + "甲,一队,双升,乙\n乙,一队,双升,甲\n丙,二队,双升,1\n"
    batch = uploaded(made, text)
    assert said(batch) == [[], [], []]
    done = confirmed(made, batch)
    rows = sheng.entrants.order_by("entry__number")
    assert list(rows.values_list("entry__number", "partner__number")) == [(3, 4), (5, 1)]
    again = uploaded(made, text)
    assert [one.verdict for one in preview_of(again).rows] == [Verdict.SAME] * 3
    undo_import(acting=made.owner, batch=done)
    assert state(made) == before


def test_partner_who_cannot_be_is_said_in_the_preview() -> None:
    made = make(2)
    sheng = add(made, SHENG)
    text = HEAD + (
        "甲,一队,个人赛,乙\n乙,一队,双升,没有\n丙,一队,双升,丙\n丁,一队,双升,选手1\n"
        "戊,一队,双升,己\n己,二队,双升,\n庚,三队,双升,己\n辛,四队,双升,壬\n壬,五队,双升,\n壬,六队,双升,\n"
    )
    assert said(uploaded(made, text, sheng))[:8] == [
        ["写了搭档，但没有报两人一组的项目"],
        ["名单里没有搭档“没有”；请也给他写一行，或改成他的编号"],
        ["搭档写成了他自己"],
        ["搭档选手1没有报“双升”"],
        [],
        [],
        ["己已经有别的搭档"],
        ["有 2 位“壬”，请写搭档的编号"],
    ]


def test_pair_changed_since_keeps_an_import_from_being_undone() -> None:
    made = make(2)
    sheng = add(made, SHENG)
    done = confirmed(made, uploaded(made, HEAD + "甲,一队,双升,乙\n乙,一队,双升,\n"))
    pair = Entrant.objects.select_related("event__competition").get(event=sheng)
    part_pair(acting=made.owner, entrant=pair)
    with pytest.raises(Exception, match="又有改动"):
        undo_import(acting=made.owner, batch=done)
    assert sheng.entrants.count() == 2


def test_who_waits_is_noted_for_the_events_of_his_row() -> None:
    made = make(1)
    chess = add(made, CHESS)
    made.competition.capacity = 1
    made.competition.save()
    done = confirmed(made, uploaded(made, HEAD + "甲,一队,象棋,\n"))
    waiting = entry(made, 2)
    assert waiting.status == EntryStatus.WAITLISTED
    assert list(waiting.wants.all()) == [chess]
    again = uploaded(made, HEAD + "甲,一队,象棋、个人赛,\n")
    (row,) = preview_of(again).rows
    assert [change.text for change in row.changes] == ["项目：象棋 → 象棋、个人赛"]
    later = confirmed(made, again)
    assert set(waiting.wants.all()) == {chess, made.event}
    undo_import(acting=made.owner, batch=later)
    assert list(waiting.wants.all()) == [chess]
    assert done.counts["new"] == 1


def test_pages_show_events_only_where_there_are_several() -> None:
    made = make()
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    csv = reverse("manage_import_csv", args=[made.competition.code])
    assert "项目" not in client.get(csv).content.decode()
    add(made, SHENG)
    assert "项目,搭档" in client.get(csv).content.decode()
    batch = uploaded(made, HEAD + "甲,一队,围棋,\n")
    shown = client.get(
        reverse("manage_import_preview", args=[made.competition.code, batch.pk])
    ).content.decode()
    assert "没有叫“围棋”的项目" in shown
    url = reverse("manage_import_row", args=[made.competition.code, batch.pk, 2])
    assert "可以写几个，用顿号隔开：个人赛、双升。" in client.get(url).content.decode()
    client.post(url, {"name": "甲", "unit": "一队", "events": "双升"})
    assert said(batch.__class__.objects.get(pk=batch.pk)) == [[]]
