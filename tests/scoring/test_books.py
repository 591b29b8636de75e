"""秩序册 and 成绩册: what stands in them, for whom, and that an edition never changes."""

from __future__ import annotations

import contextlib
import hashlib
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from core.domain import jobs
from core.domain.versions import bump
from core.errors import Conflict
from core.models import AuditRow, User
from scoring.domain.books import (
    Printed,
    hide_edition,
    make_edition,
    publish_edition,
    withdraw_edition,
)
from scoring.domain.hands import Entered, Late, correct_hand
from scoring.domain.protests import answer_protest, protest
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import BookKind, Evidence, ProtestState
from scoring.exports.books.render import render_book
from scoring.exports.books.shown import replaced, shown_body
from scoring.models import BookEdition
from tests.factories import make_acting
from tests.rights import LIST
from tests.scoring.archives import with_preliminary, with_redraw
from tests.scoring.public_pages import (
    drafted,
    name_at,
    page,
    play_sheet,
    published,
    seat_of,
    stranger,
    text_of,
    win,
)
from tests.scoring.unit_competition import make_units
from tests.test_rights import check
from tests.tournament.competitions import Made, draw
from tests.worlds import build
from tournament.domain.draws import publish_draw
from tournament.domain.finality import finalize_round
from tournament.enums import Role, StageKind
from tournament.models import Competition, Person, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

OWN = (
    "manage_books", "manage_book", "manage_book_pdf", "manage_book_change", "manage_paper",
    "manage_certificates", "books", "book", "book_pdf",
)  # fmt: skip


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> None:
    """PDFs are kept in a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


def edition(made: Made, kind: BookKind, note: str = "") -> BookEdition:
    return make_edition(
        acting=made.owner, competition=made.competition, kind=kind, note=note, render=render_book
    )


def words(made: Made, kind: BookKind) -> str:
    """The text of a new edition as one reads it."""
    return text_of(edition(made, kind).body)


def part(book: BookEdition, title: str) -> str:
    """The text of one part of it."""
    for section in re.findall(r'<section class="part.*?</section>', book.body, flags=re.S):
        if f"<h2>{title}" in section:
            return text_of(section)
    raise AssertionError(title)


def titles(book: BookEdition) -> list[str]:
    """The headings of its parts."""
    return re.findall(r'<section class="part[^>]*><h2>(.*?)</h2>', book.body)


def of_competition(competition: Competition) -> Made:
    """A competition that a helper has made, with its knock-out and an owner."""
    event = competition.events.get()
    stage = event.stages.get(kind=StageKind.KNOCKOUT)
    return Made(competition, event, stage, make_acting(competition, Role.OWNER))


def numbered(table: Table, position: int) -> int | None:
    """The number of who sits there."""
    entrant = seat_of(table, position).entrant
    return entrant.number if entrant else None


def pages_of(data: bytes) -> int:
    """How many page objects a PDF has, those in compressed streams too."""
    found = [data]
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, flags=re.S):
        with contextlib.suppress(zlib.error):
            found.append(zlib.decompress(stream))
    return sum(len(re.findall(rb"/Type\s*/Page\b", one)) for one in found)


def played(entrants: int = 9) -> Made:
    """Every table won by 甲 with +10, the seat after him −7, the other −3; all final."""
    made = published(entrants)
    for round_ in made.stage.rounds.order_by("number"):
        for table in made.tables(round_.number):
            play_sheet(made, table)
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(is_last=True))
    return made


@pytest.mark.parametrize("state", ["planned", "hidden", "published", "final"])
def test_rights_are_as_listed(state: str) -> None:
    check(build(state), {name: LIST[name] for name in OWN})


def test_results_of_a_played_competition() -> None:
    made = played()
    final = made.tables(2)[0]
    champion, second, third = (name_at(final, n) for n in (0, 1, 2))
    book = edition(made, BookKind.RESULTS)
    standings = part(book, "名次和奖项")
    assert "暂定" not in standings
    assert re.search(
        rf"1 一等奖 \d {champion} .*?决赛 \+10 \+5.00 桌上第 1 名|{champion}", standings
    )
    order = [standings.index(f" {name} ") for name in (champion, third, second)]
    assert order == sorted(order), "by net 舵 the third seat (−3) is before the second (−7)"
    assert "+10" in standings
    assert "−7" in standings
    advancement = part(book, "各轮结果：谁晋级，为什么")
    assert f"1 {champion} ›" in advancement
    assert f"{champion} 在 {third} 之前：净舵 10 对 −3" in advancement
    tables = part(book, "各桌记分")
    assert tables.count("第 1 桌") == 2
    assert f"甲 {champion} +6自 +4 +10 1 " in tables
    assert f"乙 {second} −3 −4炮 −7 3" in tables
    check_part = part(book, "抽签核对")
    assert "✓ 编印时照抽签文件重算了一遍，每一桌每一个座位都一致。" in check_part
    assert "红红黑" in check_part
    assert "裁判长" in part(book, "签名")


def test_programme_has_what_is_published_and_no_draft() -> None:
    made = drafted(9)
    made.competition.place = "漓江宾馆"
    made.competition.save()
    before = words(made, BookKind.PROGRAMME)
    assert "选手名单" in before
    assert "漓江宾馆" in before
    for later in ("抽签记录", "第 1 轮座位", "空白对阵图"):
        assert later not in before
    drawn = draw(made)
    drawn_words = words(made, BookKind.PROGRAMME)
    assert drawn.seed not in drawn_words
    assert "第 1 轮座位" not in drawn_words
    publish_draw(acting=made.owner, stage=made.stage)
    book = edition(made, BookKind.PROGRAMME)
    record = part(book, "抽签记录")
    drawn.refresh_from_db()
    for published_value in (drawn.list_digest, drawn.secret_hash, drawn.secret, drawn.seed):
        assert published_value in record
    table = made.tables(1)[0]
    seated = " ".join(f"{numbered(table, n)} {name_at(table, n)}" for n in range(3))
    assert re.sub(r" 单位\d+", "", part(book, "第 1 轮座位")).count(f"1 {seated}") == 1
    assert "第 1 桌胜者" in part(book, "空白对阵图")
    ranking = part(book, "赛制和名次怎么定")
    assert "先比净舵" in ranking
    assert "加赛一局" in ranking
    assert "误胡" in part(book, "判罚")
    sample = part(book, "记分表样张")
    assert "1 甲 甲 自摸 16 1 +" in sample
    assert "荒庄" in sample


def test_results_are_provisional_until_they_are_final() -> None:
    made = published(9)
    for table in made.tables(1)[:2]:
        play_sheet(made, table)
    open_sheet(made.tables(1)[2])
    book = edition(made, BookKind.RESULTS)
    assert "暂定：比赛还没有打完" in part(book, "名次和奖项")
    assert part(book, "各桌记分").count("净舵") == 2, "the table that is not confirmed is not there"
    assert "奖" not in part(book, "名次和奖项").replace("名次和奖项", "").replace("奖项", "")


def test_an_edition_never_changes_and_the_next_tells_the_correction() -> None:
    made = published(9)
    for round_ in made.stage.rounds.order_by("number"):
        for table in made.tables(round_.number):
            play_sheet(made, table)
    first = edition(made, BookKind.RESULTS)
    assert first.digest == hashlib.sha256(first.body.encode()).hexdigest()
    assert "确认以后的更正" not in titles(first)
    final = made.tables(2)[0]
    hand = final.sheet.hands.get(number=1)
    payload = {"source": "own-flip", "winner": "甲", "hu": 20, "xing_count": 0}
    correct_hand(
        acting=made.owner,
        hand=hand,
        entered=Entered(Evidence.RESULT, payload),
        late=Late("录像", effects_shown=True),
    )
    second = edition(made, BookKind.RESULTS)
    again = BookEdition.objects.get(pk=first.pk)
    assert again.body == first.body
    assert again.digest == hashlib.sha256(again.body.encode()).hexdigest()
    assert (again.number, second.number) == (1, 2)
    told = part(second, "确认以后的更正")
    assert "决赛第 1 桌" in told
    assert "更正第 1 局" in told
    assert "原因：录像" in told


def test_an_edition_is_public_only_after_a_verb_and_withdrawn_only_while_newest() -> None:
    made = played()
    one, two = edition(made, BookKind.RESULTS), edition(made, BookKind.RESULTS)
    code = made.competition.code
    assert stranger(reverse("book", args=[code, one.pk])).status_code == 404
    assert "第 1 版" not in page(reverse("books", args=[code]))
    publish_edition(acting=made.owner, edition=one)
    assert "成绩册 第 1 版" in page(reverse("books", args=[code]))
    assert name_at(made.tables(2)[0], 0) in page(reverse("book", args=[code, one.pk]))
    with pytest.raises(Conflict):
        withdraw_edition(acting=made.owner, edition=one)
    hide_edition(acting=made.owner, edition=one)
    assert stranger(reverse("book", args=[code, one.pk])).status_code == 404
    with pytest.raises(Conflict, match="最新"):
        withdraw_edition(acting=made.owner, edition=one)
    withdraw_edition(acting=made.owner, edition=two)
    with pytest.raises(Conflict):
        publish_edition(acting=made.owner, edition=two)
    assert edition(made, BookKind.RESULTS).number == 3
    actions = AuditRow.objects.filter(action__startswith="book.").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == [
        "book.make", "book.make", "book.publish", "book.hide", "book.withdraw", "book.make",
    ]  # fmt: skip


def test_referees_make_no_edition() -> None:
    made = drafted(3)
    referee = make_acting(made.competition, Role.REFEREE)
    with pytest.raises(NotAllowed):
        make_edition(
            acting=referee,
            competition=made.competition,
            kind=BookKind.PROGRAMME,
            render=lambda *_args: Printed("", []),
        )
    assert not BookEdition.objects.exists()


def test_public_edition_masks_names_and_erased_people_are_in_none() -> None:
    made = played()
    champion = name_at(made.tables(2)[0], 0)
    book = edition(made, BookKind.RESULTS)
    publish_edition(acting=made.owner, edition=book)
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    bump(made.competition.scope)
    code = made.competition.code
    text = page(reverse("book", args=[code, book.pk]))
    for person in Person.objects.exclude(name=""):
        assert person.name not in text
    assert "公开版隐去姓名中间的字" in text
    owner = Client()
    owner.force_login(User.objects.get(pk=made.owner.user_id))
    inside = owner.get(reverse("manage_book", args=[code, book.pk])).content.decode()
    assert champion in inside
    person = Person.objects.get(name=champion)
    Person.objects.filter(pk=person.pk).update(name="", reading="", erased_at=timezone.now())
    assert champion not in shown_body(book, mask=False)
    assert "（已删除）" in shown_body(book, mask=False)


def test_replaced_leaves_tags_alone_and_takes_longer_names_first() -> None:
    html = '<td class="td">td 张三 张三丰 &lt;b&gt;</td>'
    words_ = {"td": "x", "张三": "A", "张三丰": "B", "<b>": "C"}
    assert replaced(html, words_) == '<td class="td">x A B C</td>'


def test_what_a_protest_says_is_in_no_book() -> None:
    made = published(3)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "甲")
    win(made, sheet, "甲", "乙")
    referee = make_acting(made.competition, Role.REFEREE)
    objection = protest(acting=referee, sheet=sheet, text="私下的话")
    state = ProtestState.REJECTED
    answer_protest(acting=made.owner, protest=objection, state=state, answer="看过录像")
    submit_sheet(acting=made.owner, sheet=sheet)
    book = edition(made, BookKind.RESULTS)
    assert "私下的话" not in book.body
    told = part(book, "申诉和答复")
    assert "决赛第 1 桌 别的事 驳回 看过录像" in told


def test_preliminary_redraw_and_other_games_are_printed() -> None:
    competition = with_preliminary()
    made = of_competition(competition)
    book = edition(made, BookKind.RESULTS)
    preliminary = part(book, "预赛")
    assert "以上 3 人进淘汰赛" in preliminary
    assert "预赛第 3 轮" in preliminary
    assert "3 分" in preliminary
    assert "预赛座位" in titles(edition(made, BookKind.PROGRAMME))
    redrawn = of_competition(with_redraw())
    book = edition(redrawn, BookKind.RESULTS)
    advancement = part(book, "各轮结果：谁晋级，为什么")
    assert "桌上名次在胜者之后的选手 桌 每局净舵" in advancement
    assert re.search(r"1 选手\d+ › 单位\d 4 −36.00 .*? 每局净舵 −36.00 对 −37.00", advancement)
    assert not [one for one in titles(edition(redrawn, BookKind.PROGRAMME)) if "对阵图" in one]


def test_several_events_have_parts_of_their_own() -> None:
    units = make_units()
    for event in (units.chess, units.sheng):
        units.publish(event)
    units.play(units.chess)
    book = edition(units.made, BookKind.RESULTS)
    assert "名次和奖项 · 象棋" in titles(book)
    assert "名次和奖项 · 双升" not in titles(book)
    assert "胜" in part(book, "各桌记分 · 象棋")
    assert "甲队" in part(book, "团体名次")
    programme = edition(units.made, BookKind.PROGRAMME)
    assert "先比胜局。" in part(programme, "赛制和名次怎么定 · 象棋")


def test_pdf_is_made_by_the_job_and_kept() -> None:
    made = played(3)
    owner = Client()
    owner.force_login(User.objects.get(pk=made.owner.user_id))
    code = made.competition.code
    posted = owner.post(reverse("manage_books", args=[code]), {"kind": "results", "note": "终稿"})
    assert posted.status_code == 302
    book = BookEdition.objects.get()
    address = reverse("manage_book_pdf", args=[code, book.pk])
    assert owner.get(address).status_code == 404
    assert jobs.sweep() >= 1
    book.refresh_from_db()
    assert book.job is not None
    assert book.job.state == "done", book.job.last_error
    data = owner.get(address).content
    assert data[:4] == b"%PDF"
    assert pages_of(data) >= 4
    assert stranger(reverse("book_pdf", args=[code, book.pk])).status_code == 404
    publish_edition(acting=made.owner, edition=book)
    assert stranger(reverse("book_pdf", args=[code, book.pk])).content == data
    assert (
        reverse("manage_book_pdf", args=[code, book.pk])
        in owner.get(reverse("manage_books", args=[code])).content.decode()
    )


def test_book_of_243_entrants_builds_within_a_few_queries() -> None:
    made = published(243)
    with CaptureQueriesContext(connection) as few:
        book = edition(made, BookKind.PROGRAMME)
    assert len(few) <= 40, len(few)
    drawn = book.body.count("<svg")
    assert drawn == 10, "nine ways to the third round, and the rounds after it"
    assert part(book, "第 1 轮座位").count("选手243") == 1


def test_round_paper_and_certificates() -> None:
    made = played()
    owner = Client()
    owner.force_login(User.objects.get(pk=made.owner.user_id))
    code = made.competition.code
    final = made.stage.rounds.get(is_last=True)

    def paper(kind: str) -> str:
        response = owner.get(reverse("manage_paper", args=[code, final.pk, kind]))
        assert response.status_code == 200
        return text_of(response.content.decode())

    head = "局 庄 胡家 怎么胡 点炮 胡 醒 特殊 甲"
    blank, filled, calls = paper("blank"), paper("filled"), paper("calls")
    assert f"{head} {name_at(made.tables(2)[0], 0)}" in blank
    assert "1 乙 2 扣罚 净舵 名次" in blank
    assert "自摸 15 0 +6 −3 −3" in filled
    assert "点炮 乙 15 0 +4 −4 0" in filled
    assert "点名表 · 按姓名" in calls
    certificates = reverse("manage_certificates", args=[code, made.event.pk])
    text = text_of(owner.get(certificates, {"title": "荣誉证书", "text": "荣获"}).content.decode())
    champion = name_at(made.tables(2)[0], 0)
    assert text.count("荣誉证书") == 9
    assert re.search(rf"荣誉证书 {champion} .*? 一等奖 第 1 名", text)


@pytest.mark.parametrize(
    ("name", "budget"),
    [("manage_books", 16), ("manage_book", 12), ("manage_paper", 16), ("manage_certificates", 30)],
)
def test_pages_of_leaders_ask_little(name: str, budget: int) -> None:
    made = played()
    book = edition(made, BookKind.RESULTS)
    owner = Client()
    owner.force_login(User.objects.get(pk=made.owner.user_id))
    args = {
        "manage_books": [],
        "manage_book": [book.pk],
        "manage_paper": [made.stage.rounds.get(number=1).pk, "blank"],
        "manage_certificates": [made.event.pk],
    }[name]
    with CaptureQueriesContext(connection) as asked:
        response = owner.get(reverse(name, args=[made.competition.code, *args]))
    assert response.status_code == 200
    assert len(asked) <= budget, len(asked)


def test_public_pages_ask_little() -> None:
    made = played()
    book = edition(made, BookKind.RESULTS)
    publish_edition(acting=made.owner, edition=book)
    for name, args in (("books", []), ("book", [book.pk])):
        with CaptureQueriesContext(connection) as asked:
            assert stranger(reverse(name, args=[made.competition.code, *args])).status_code == 200
        assert len(asked) <= 6, len(asked)
