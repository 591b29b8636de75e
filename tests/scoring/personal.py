"""A competition of nine people, played to the end, in which every place that can hold a name, a
phone or an address holds one."""

from __future__ import annotations

from core.domain.audit import audit
from core.domain.idempotency import do_once
from core.models import Job
from scoring.archive.parts import PARTS
from scoring.domain.books import make_edition, publish_edition
from scoring.domain.hands import Entered, enter_hand
from scoring.domain.protests import protest
from scoring.domain.sheets import call_time, open_sheet, submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import BookKind, Evidence, PenaltyKind
from scoring.exports.books.render import render_book
from scoring.typed import TYPED
from tests.factories import make_acting
from tests.scoring.public_pages import play_sheet, publish, seat_of
from tests.scoring.records import result_of, won
from tests.tournament.competitions import Made, draw, make
from tournament.domain.announcements import announce
from tournament.domain.apart import keep_apart
from tournament.domain.draws import publish_draw
from tournament.domain.entries import add_pasted
from tournament.domain.finality import finalize_round
from tournament.domain.links import issue_link
from tournament.domain.settings import set_plan
from tournament.enums import ConfirmationMode, ImportState, Role
from tournament.models import (
    Competition,
    Consent,
    Entrant,
    Entry,
    ImportBatch,
    Person,
    Table,
)
from tournament.models.access import Invitation

NAMES = ("秦漓一", "秦漓", "莫象山", "阳朔生", "李七星", "唐叠彩", "蒋伏波", "诸葛独秀", "韦靖江")
"""The second name is the beginning of the first."""
HALF = (2, 4, 6, 8)
"""The numbers of those who are erased in most tests."""


def phone_of(number: int) -> str:
    return f"1387771234{number}"


def mail_of(number: int) -> str:
    return f"seat{number}@lijiang.example"


def words_of(*numbers: int) -> list[str]:
    """Everything by which these people can be known."""
    words = [NAMES[number - 1] for number in numbers]
    return [*words, *map(phone_of, numbers), *map(mail_of, numbers)]


def entry_of(competition: Competition, number: int) -> Entry:
    return Entry.objects.select_related("person", "competition").get(
        competition=competition, number=number
    )


def filled() -> Made:
    """Nine people at three tables and a final, over, its result book public; names everywhere."""
    made = make()
    lines = "\n".join(f"{name}\t单位{index % 3}" for index, name in enumerate(NAMES))
    add_pasted(acting=made.owner, event=made.event, text=lines)
    _fill_people(made)
    set_plan(
        acting=made.owner, stage=made.stage, table_size=3, advance=1, way=None, entrants=9
    )  # fmt: skip
    keep_apart(acting=made.owner, event=made.event, name=f"{NAMES[1]}的家人", numbers=[2, 4])
    draw(made)
    publish_draw(acting=made.owner, stage=made.stage)
    publish(made.competition)
    made.stage.refresh_from_db()
    made.stage.confirmation = ConfirmationMode.NONE
    made.stage.save()
    made.stage.rounds.update(hands=3)
    first = made.tables(1)[0]
    _record_at(made, first)
    for table in [*made.tables(1)[1:], *made.tables(2)]:
        play_sheet(made, table)
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(is_last=True))
    book = make_edition(
        acting=made.owner, competition=made.competition, kind=BookKind.RESULTS,
        note=f"{NAMES[1]}看过", render=render_book,
    )  # fmt: skip
    publish_edition(acting=made.owner, edition=book)
    _fill_texts(made)
    made.competition.refresh_from_db()
    return made


def _fill_people(made: Made) -> None:
    for entry in Entry.objects.filter(competition=made.competition):
        number = entry.number or 0
        Person.objects.filter(pk=entry.person_id).update(
            phone=phone_of(number), mail=mail_of(number), birth_year=1900 + number, note="住八里街"
        )
        Consent.objects.create(entry=entry, text="同意公布成绩。")
        Entry.objects.filter(pk=entry.pk).update(needs_fixed_table=True)
        do_once(
            scope=f"{made.competition.scope}:register", key=f"key-{number}",
            request={"name": entry.name}, act=lambda pk=entry.pk: (200, {"entry": pk}),
        )  # fmt: skip
        issue_link(
            acting=made.owner, competition=made.competition, role=Role.ENTRANT,
            entrant=entry.entrants.get(), label=entry.name,
        )  # fmt: skip
    everybody = [[number, [name, phone_of(number)]] for number, name in enumerate(NAMES, 1)]
    entries = Entry.objects.filter(competition=made.competition).order_by("number")
    batch = {"competition": made.competition, "event": made.event,
             "expires_at": "2030-01-01T00:00Z"}  # fmt: skip
    ImportBatch.objects.create(**batch, sheets=[{"name": "表", "lines": everybody}])
    traces = [{"entry": one.pk, "digest": "", "before": {"name": one.name}} for one in entries]
    ImportBatch.objects.create(
        **batch, state=ImportState.DONE, undo=traces, ids=[one.pk for one in entries]
    )


def _record_at(made: Made, table: Table) -> None:
    """The first hand is a record that names its players; then a penalty, a ruling, a protest."""
    sheet = open_sheet(table)
    head, _blank, rest = won().partition("\n\n")
    names = [seat_of(table, at).entrant for at in range(3)]
    players = "\n".join(
        f"{seat}: {one.entry.name}" for seat, one in zip("甲乙丙", names, strict=True) if one
    )
    keys = [line for line in head.splitlines() if line.startswith("庄")]
    kept = [line for line in head.splitlines() if line not in keys]
    text = "\n".join([*kept, f"裁判: {NAMES[1]}", players, *keys]) + "\n\n" + rest
    assert result_of(text).winners
    version = enter_hand(
        acting=made.owner, sheet=sheet, entered=Entered(Evidence.RECORD, {"text": text})
    )
    penalize(acting=made.owner, sheet=sheet, position=2, kind=PenaltyKind.DEDUCTION, amount=1,
             reason=f"{NAMES[1]}迟到")  # fmt: skip
    rule_on_hand(acting=made.owner, hand=version.hand, deltas=[4, -2, -2], reason="录像")
    referee = make_acting(made.competition, Role.REFEREE)
    protest(acting=referee, sheet=sheet, text=f"{NAMES[3]}说{NAMES[0]}出错了")
    call_time(acting=made.owner, sheet=sheet)
    submit_sheet(acting=made.owner, sheet=sheet)


def _fill_texts(made: Made) -> None:
    """Names in every column in which people type."""
    announce(
        acting=made.owner,
        competition=made.competition,
        values={
            "title": f"{NAMES[3]}请到台前",
            "text": f"{NAMES[0]}、{NAMES[1]}已到，电话 {phone_of(2)}。",
            "is_public": True,
        },
    )
    Invitation.objects.create(
        competition=made.competition, role=Role.REFEREE, label=NAMES[1], token_hash="i",
        expires_at="2030-01-01T00:00Z",
    )  # fmt: skip
    audit(
        actor=made.owner, action="entrant.withdrawn", scope=made.competition.scope,
        subject=Entrant.objects.filter(event=made.event)[0],
        said={"reason": f"{NAMES[5]}有事", "word": "没有名字"},
    )  # fmt: skip
    Job.objects.create(
        kind="verify-records", scope=made.competition.scope, run_after="2026-12-01T00:00Z",
        payload={"name": f"{NAMES[1]}.zpr"}, result={"faults": [NAMES[3]]}, last_error=NAMES[5],
        state="done",
    )  # fmt: skip
    for part in PARTS:
        for column in TYPED.get(part.model, "").split():
            for row in part.model_class._default_manager.filter(
                **{part.path[0]: made.competition.pk}
            ):
                if getattr(row, column):
                    setattr(row, column, f"{NAMES[7]}、{NAMES[1]}、{NAMES[0]}")
                    row.save(update_fields=[column])
