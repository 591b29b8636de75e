"""The recorder: what real hands say comes back byte for byte from what its page offers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from core.errors import Conflict
from core.models import AuditRow
from engine.errors import ZipaiError
from engine.files import parse
from engine.replay import VALID, replay_all
from engine.rules import preset
from scoring.domain import recording as acts
from scoring.domain.errors import HandTaken
from scoring.domain.recording_end import discard, finish_recording, restore
from scoring.domain.sheets import confirm_sheet, submit_sheet
from scoring.enums import Evidence
from scoring.models import HandVersion, Recording
from scoring.recorder import SHOWN, WALL, Draft
from scoring.recorder_shown import offers
from tests.concurrency import at_once
from tests.scoring.clients import member, url
from tests.scoring.recorder import Presser, deal_of, events_of, number_of, real_records
from tests.scoring.records import texts
from tests.scoring.sheets import WIN, Hall, make_hall
from tests.scoring.stored import stored_texts
from tournament.enums import Role

NAMES = ["张三", "李四", "王五", "赵六"]
HTML = ("real-001.zpr", "real-002.zpr", "real-045.zpr")
"""Real hands that are pressed through the page itself; all others through what it offers."""


def lines_of(shown: dict[str, Any]) -> list[str]:
    """Every event that `offers` makes a button of."""
    lists = ("claims", "plays", "flips", "xings", "passes")
    found = [button["line"] for name in lists for button in shown[name]]
    return found + [shown[name]["line"] for name in ("must", "keep", "draw") if shown[name]]


def drafted(text: str, *, wall: bool) -> Draft:
    record = parse(text)
    deal = deal_of(text)
    if not wall:
        deal.pop(WALL, None)
    return Draft(record.rules, record.rules_id, number_of(text), record.dealer, deal, ())


def taps(draft: Draft, events: list[str]) -> Draft:
    """The draft after tapping these events, each of them offered; undone and done again."""
    draft = replace(draft, steps=draft.begun())
    while (done := [line for step in draft.steps for line in step]) != events:
        assert done == events[: len(done)]
        shown = lines_of(offers(draft, NAMES))
        assert events[len(done)] in shown
        assert sorted(shown) == sorted(str(event) for event in draft.played.hand.legal())
        after = replace(draft, steps=draft.tapped(events[len(done)]))
        assert after.undone() == [list(step) for step in draft.steps]
        draft = after
    return draft


@pytest.mark.parametrize("wall", [True, False], ids=["known-wall", "unknown-wall"])
def test_every_real_hand_comes_back_byte_for_byte(wall: bool) -> None:
    """Only offered events; where the wall is known, most flips come by themselves."""
    found, tapped, events = 0, 0, 0
    for text in real_records().values():
        draft = taps(drafted(text, wall=wall), events_of(text))
        lines = text.splitlines(keepends=True)
        assert draft.text() == "".join(line for line in lines if wall or line[0] != "墩")
        found += 1
        tapped += len(draft.steps) - 1
        events += len(events_of(text))
    assert found == 62
    assert tapped < events * (0.85 if wall else 0.95)


@pytest.mark.parametrize("rules", ["competition", "laok", "guangxi-app", "local"])
def test_played_hands_of_every_preset_come_back(rules: str) -> None:
    """留, extra cards, 荒, wins at the deal and four seats, as the simulator meets them."""
    for seats in (3, 4):
        for text in texts(12, rules, seats):
            numbered = text.replace("\n庄:", "\n局: 7\n庄:")
            assert taps(drafted(numbered, wall=True), events_of(text)).text() == numbered


LOCAL: dict[str, Any] = {"preset": "local"}


def hall_for(text: str) -> Hall:
    rules = parse(text).rules
    event = {**LOCAL, "options": rules.as_json(), "rules_digest": rules.digest}
    return make_hall(200, event=event)


def begun(client: Client, hall: Hall, number: int, dealer: int = 0) -> str:
    answer = client.post(url(hall, "recorder"), {"number": number, "dealer": dealer})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.mark.django_db
def test_real_hands_are_pressed_through_the_page_and_saved() -> None:
    """The first card by card; then saved as 牌谱, the text of the file."""
    records = real_records()
    hall = hall_for(records[HTML[0]])
    client = member(hall, Role.REFEREE)
    for i, name in enumerate(HTML):
        text = records[name]
        page = Presser(client, begun(client, hall, number_of(text)), htmx=bool(i))
        page.deal(deal_of(text), tapped=i == 0)
        page.play(events_of(text))
        assert page.text == text
        saved = client.post(f"{page.url}save/", {"seen": page.seen})
        assert saved["Location"] == url(hall, "hand", number_of(text))
        version = HandVersion.objects.get(hand__number=number_of(text))
        assert version.payload == {"text": text}
        assert version.evidence == Evidence.RECORD
        assert Recording.objects.get(version=version).done_at is not None
        again = client.post(f"{page.url}save/", {"seen": page.seen})
        assert again["Location"] == saved["Location"]
    assert HandVersion.objects.count() == len(HTML)


PLAYED = texts(1, "local", 3, 3)[0]
"""A hand of the simulator under `local`, dealt by 甲."""


@pytest.fixture
def hall() -> Hall:
    return make_hall(12, event=LOCAL)


def dealt(hall: Hall, text: str = PLAYED, *, wall: bool = True) -> Recording:
    """A recording in which all is dealt."""
    row = acts.begin_recording(acting=hall.referee, sheet=hall.sheet)
    for place, cards in deal_of(text).items():
        if place != WALL or wall:
            row = acts.write_cards(
                acting=hall.referee, recording=row, seen=row.revision, place=place, text=cards
            )
    return acts.start_play(acting=hall.referee, recording=row, seen=row.revision)


def tap(hall: Hall, row: Recording, line: str, seen: int | None = None) -> Recording:
    seen = row.revision if seen is None else seen
    return acts.add_event(acting=hall.referee, recording=row, seen=seen, line=line)


def played(row: Recording) -> list[str]:
    return [line for step in row.steps for line in step]


@pytest.mark.django_db
def test_two_devices_do_not_double_an_event_and_the_slower_is_told(hall: Hall) -> None:
    """The same request is done once; another one on an older page is refused."""
    row = dealt(hall)
    first, *_ = events_of(PLAYED)
    other = next(
        str(event)
        for event in acts.draft_of(row, hall.board()).played.hand.legal()
        if str(event) != first
    )
    seen = row.revision
    after = tap(hall, row, first)
    assert tap(hall, row, first, seen).revision == after.revision
    with pytest.raises(acts.RecordingMoved, match=first):
        tap(hall, row, other, seen)
    row.refresh_from_db()
    assert played(row)[:1] == [first]
    assert len(row.steps) == 2
    assert acts.begin_recording(acting=hall.chief, sheet=hall.sheet) == row
    audits = AuditRow.objects.filter(subject=f"recording:{row.pk}")
    assert audits.count() == row.revision + 1


@pytest.mark.django_db
def test_a_note_behind_an_event_is_kept_nowhere(hall: Hall) -> None:
    """Audit rows hold ids and values, never what people write."""
    row = dealt(hall)
    first, *_ = events_of(PLAYED)
    seen = row.revision
    row = tap(hall, row, f"{first} {{莫象山看错了}}")
    assert (row.last, played(row)[0]) == (first, first)
    assert tap(hall, row, f"{first} {{莫象山看错了}}", seen).revision == row.revision
    assert AuditRow.objects.filter(action="recording.change").last().data["request"] == first
    assert stored_texts("莫象山") == set()


@pytest.mark.django_db
def test_only_legal_events_and_cards_are_taken(hall: Hall) -> None:
    """The engine's code answers, and nothing has changed."""
    row = acts.begin_recording(acting=hall.referee, sheet=hall.sheet, dealer=1)
    known: dict[str, Any] = {"acting": hall.referee, "recording": row}
    for seen in range(4):
        row = acts.lay_card(**known, seen=seen, place="乙", card="八")
    wrong = [
        (lambda: acts.lay_card(**known, seen=4, place="丙", card="八"), "deck"),
        (lambda: acts.lay_card(**known, seen=4, place="丁", card="七"), "unknown-seat"),
        (lambda: acts.write_cards(**known, seen=4, place="甲", text="ハ"), "unknown-card"),
        (lambda: acts.write_cards(**known, seen=4, place=SHOWN, text="一二"), "deal-count"),
        (lambda: acts.start_play(**known, seen=4), "deal-count"),
        (lambda: acts.add_event(**known, seen=4, line="乙 打 八"), "out-of-turn"),
        (lambda: acts.undo_event(**known, seen=4), "out-of-turn"),
    ]
    for act, code in wrong:
        with pytest.raises(acts.NotLegal) as caught:
            act()
        assert caught.value.code == code
    with pytest.raises(acts.NotLegal):
        acts.lay_card(**known, seen=4, place="乙", card="八八八八八")
    row = acts.take_card(**known, seen=4, place="乙")
    assert row.cards == {"乙": "八八八"}
    discard(acting=hall.referee, recording=row)
    row = dealt(hall)
    for line, code in (("甲 摸 一", "must-act"), ("甲 过", "out-of-turn"), ("乙", "syntax")):
        with pytest.raises(acts.NotLegal) as caught:
            tap(hall, row, line)
        assert caught.value.code == code


@pytest.mark.django_db
def test_undo_walks_back_to_the_deal_and_a_changed_deal_keeps_what_is_legal(hall: Hall) -> None:
    """Each undo gives the steps before it; after a changed deal all illegal events go at once."""
    row = dealt(hall)
    states = [row.steps]
    known: dict[str, Any] = {"acting": hall.referee, "recording": row}
    events = events_of(PLAYED)
    while len(row.steps) < 9:
        row = tap(hall, row, events[len(played(row))])
        states.append(row.steps)
    for before in reversed(states[:-1]):
        row = acts.undo_event(**known, seen=row.revision)
        assert row.steps == before
    for _ in range(8):
        row = tap(hall, row, events[len(played(row))])
    assert row.steps == states[-1]

    row = acts.reopen_deal(**known, seen=row.revision)
    first_flip = next(i for i, line in enumerate(events) if " 摸 " in line)
    wall = deal_of(PLAYED)[WALL]
    swapped = next(i for i, card in enumerate(wall) if card != wall[0])
    changed = wall[swapped] + wall[1:swapped] + wall[0] + wall[swapped + 1 :]
    row = acts.write_cards(**known, seen=row.revision, place=WALL, text=changed)
    row = acts.start_play(**known, seen=row.revision)
    draft = acts.draft_of(row, hall.board())
    assert draft.played.stray == len(played(row)) - first_flip
    with pytest.raises(acts.NotLegal) as caught:
        tap(hall, row, events[len(played(row))])
    assert caught.value.code == "wall-mismatch"
    row = acts.undo_event(**known, seen=row.revision)
    assert played(row) == events[:first_flip]

    while row.steps:
        row = acts.undo_event(**known, seen=row.revision)
    assert row.is_dealing


@pytest.mark.django_db
def test_record_takes_the_place_of_a_hand_that_was_entered(hall: Hall) -> None:
    """C6.2: as a new version, if what was there has been seen; an unfinished one is not saved."""
    row = dealt(hall)
    hall.enter(WIN, number=1)
    known: dict[str, Any] = {"acting": hall.referee, "recording": row}
    with pytest.raises(Conflict) as caught:
        finish_recording(**known, seen=row.revision)
    assert caught.value.code == "must-act"
    events = events_of(PLAYED)
    while played(row) != events:
        row = tap(hall, row, events[len(played(row))])
    with pytest.raises(HandTaken):
        finish_recording(**known, seen=row.revision)
    version = finish_recording(**known, seen=row.revision, instead=1)
    assert (version.version, version.evidence) == (2, Evidence.RECORD)
    assert finish_recording(**known, seen=row.revision, instead=1) == version
    (replayed,) = replay_all(version.payload["text"])
    assert replayed.status == VALID
    with pytest.raises(acts.RecordingClosed):
        acts.undo_event(**known, seen=row.revision)
    with pytest.raises(acts.RecordingClosed):
        discard(**known)


@pytest.mark.django_db
def test_recording_is_put_away_and_brought_back_unless_another_is_open(hall: Hall) -> None:
    row = acts.begin_recording(acting=hall.referee, sheet=hall.sheet)
    assert discard(acting=hall.referee, recording=row).done_at is not None
    assert restore(acting=hall.referee, recording=row).done_at is None
    discard(acting=hall.referee, recording=row)
    other = acts.begin_recording(acting=hall.referee, sheet=hall.sheet)
    assert other != row
    with pytest.raises(Conflict, match="另有一份"):
        restore(acting=hall.referee, recording=row)


@pytest.mark.django_db
def test_page_shows_the_rule_of_what_must_be_and_what_a_slower_device_missed(hall: Hall) -> None:
    """A compulsory claim stands first, with its rule; a stale tap is answered 409 and the table."""
    client = member(hall, Role.REFEREE)
    forced = next(
        (text, i, opens[0])
        for seed in range(40)
        for text in texts(1, "local", 3, seed)
        for i, line in enumerate(events_of(text))
        if " 胡" in line and (opens := [e for e in _legal_at(text, i) if "开舵" in e])
    )
    text, i, must = forced
    row = dealt(hall, text)
    page = Presser(client, url(hall, "recording", row.pk))
    slow = Presser(client, page.url)
    page.play(events_of(text)[:i])
    assert 'class="primary wide" name="do" value="' + must in page.page
    assert "(R5.6)" in page.page
    data = {"seen": slow.seen, "do": slow.buttons[0] + " ", "cards": ""}
    told = client.post(page.url, data, headers={"HX-Request": "true"})
    assert told.status_code == 409
    assert "刚刚在别处有改动" in told.content.decode()


def _legal_at(text: str, i: int) -> list[str]:
    draft = drafted(text.replace("\n庄:", "\n局: 7\n庄:"), wall=True)
    events = events_of(text)[:i]
    hand = replace(draft, steps=[events]).played.hand
    return [str(event) for event in hand.legal()]


@pytest.mark.django_db
def test_extra_card_is_asked_for_beside_two_long() -> None:
    """R2.4 `extra-card`: with two 龙 the seat wants one card more, the dealer's before the 亮张."""
    rules = preset("local")
    two = "一一一一二二二二三四五六七八九十壹贰叁肆"
    draft = Draft(rules, "local", 1, 0, {"乙": two}, ())
    assert (draft.wanted("乙"), draft.wanted("甲"), draft.wanted("丙")) == (21, 20, 20)
    with pytest.raises(ZipaiError, match="deal-count"):
        draft.start()
    assert Draft(preset("competition"), "competition", 1, 0, {"乙": two}, ()).wanted("乙") == 20
    dealer = Draft(rules, "local", 1, 0, {"甲": two[1:] + "伍", SHOWN: "一"}, ())
    assert dealer.wanted("甲") == 21
    assert dealer.deal()[0][-1] == 0


@pytest.mark.django_db
def test_a_tap_reads_and_writes_little(
    hall: Hall, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """Whatever the number of events: session and roles, the sheet, the draft, its audit row."""
    client = member(hall, Role.REFEREE)
    row = dealt(hall)
    hall.enter(WIN, number=2)
    page = Presser(client, url(hall, "recording", row.pk), htmx=True)
    events = events_of(PLAYED)
    page.play(events[: len(events) // 2])
    done = events_of(page.text)
    with django_assert_max_num_queries(26):
        page.press(events[len(done)])
    with django_assert_max_num_queries(14):
        client.get(page.url)


@pytest.mark.django_db(transaction=True)
def test_taps_at_the_same_instant_are_one_event() -> None:
    """On both databases: one recording of the hand, one card, one revision; a third is told."""
    hall = make_hall(12, event=LOCAL)

    def begin(_index: int) -> int:
        return acts.begin_recording(acting=hall.referee, sheet=hall.sheet).pk

    begun_ids = set(at_once(4, begin))
    assert len(begun_ids) == 1
    row = Recording.objects.get()

    def lay(index: int) -> int:
        card = "九" if index == 3 else "八"
        return acts.lay_card(
            acting=hall.referee, recording=row, seen=0, place="甲", card=card
        ).revision

    answers = at_once(4, lay)
    row.refresh_from_db()
    moved = [answer for answer in answers if isinstance(answer, acts.RecordingMoved)]
    assert row.cards in ({"甲": "八"}, {"甲": "九"})
    assert row.revision == 1
    assert len(moved) == (1 if row.cards == {"甲": "八"} else 3)
    assert [answer for answer in answers if answer == 1] == [1] * (4 - len(moved))


@pytest.mark.django_db
def test_record_of_a_confirmed_table_shows_its_effects_first(hall: Hall) -> None:
    """C9.1, as any other late hand; what was typed stays."""
    row = dealt(hall)
    hall.fill()
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    confirm_sheet(acting=hall.chief, sheet=hall.sheet, digest=hall.board().digest)
    known: dict[str, Any] = {"acting": hall.chief, "recording": row}
    events = events_of(PLAYED)
    while played(row) != events:
        line = events[len(played(row))]
        row = acts.add_event(**known, seen=row.revision, line=line)
    chief = member(hall, Role.CHIEF)
    data = {"seen": str(row.revision), "instead": "1", "reason": "录像"}
    save = url(hall, "recording_save", row.pk)
    assert chief.post(save, {**data, "seen": "0"}).content.decode().count('value="录像"') == 1
    effects = chief.post(save, data)
    assert effects.status_code == 409
    assert 'name="instead" value="1"' in effects.content.decode()
    assert chief.post(save, {**data, "effects_shown": "1"}).status_code == 302
    version = HandVersion.objects.get(hand__number=1, is_current=True)
    assert (version.version, version.evidence, version.reason) == (2, Evidence.RECORD, "录像")
