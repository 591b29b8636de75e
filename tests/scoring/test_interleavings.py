"""Random interleavings of what a desk does, by parallel connections, against invariants.

The invariants are written from competition.md alone, on rows as plain values. The seed is
printed; DUOZHU_INTERLEAVINGS says how many, DUOZHU_SEED from which seed.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from core.domain.versions import fresh
from core.errors import DomainError
from core.models import AuditRow
from scoring.domain.board import Board
from scoring.domain.closing import finalize_round
from scoring.domain.hands import Late, correct_hand, enter_hand, void_hand
from scoring.domain.sheets import (
    call_time,
    confirm_sheet,
    open_sheet,
    send_back,
    submit_sheet,
)
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import PenaltyKind
from scoring.models import Confirmation, Hand, HandVersion, Penalty, Ruling, Sheet
from tests.concurrency import at_once
from tests.factories import (
    make_acting,
    make_entrant,
    make_event,
    make_round,
    make_stage,
    make_table,
)
from tests.scoring.sheets import result, totals
from tournament.acting import Acting
from tournament.domain.links import issue_link
from tournament.enums import ConfirmationMode, Role, State
from tournament.models import Competition, Round, Seat, Table

COUNT = int(os.environ.get("DUOZHU_INTERLEAVINGS", "10"))
SEED = int(os.environ.get("DUOZHU_SEED", "20261205"))
THREADS, STEPS, HANDS = 3, 10, 2
DELTAS = ("delta_1", "delta_2", "delta_3", "delta_4")
PLACES = "甲乙"


@dataclass
class Hall:
    """Two tables of two whose winners meet at a third, and who acts there."""

    competition: Competition
    tables: list[Table]
    sheets: list[Sheet]
    actors: list[Acting]
    seed: int


@dataclass
class Done:
    """What a connection was told: changes by audit action, versions with their points."""

    actions: Counter[str] = field(default_factory=Counter)
    versions: dict[int, tuple[int, ...]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    stays: bool = False


def build(seed: int) -> Hall:
    rng = random.Random(seed)
    mode = rng.choice(list(ConfirmationMode))
    event = make_event(frozen_at=None)
    stage = make_stage(
        event, table_size=2, hands=HANDS, confirmation=mode, extra_hands=rng.random() < 0.3
    )
    first = make_round(stage, state=State.PUBLISHED, hands=HANDS)
    last = make_round(stage, number=2, state=State.PUBLISHED, hands=HANDS, is_last=True)
    tables = [
        make_table(first, entrants=[make_entrant(event), make_entrant(event)]) for _n in range(2)
    ]
    final = Table.objects.create(round=last, number=1, seat_count=2, state=State.PUBLISHED)
    for position, table in enumerate(tables):
        Seat.objects.create(table=final, position=position, source=table, source_place=1)
    tables.append(final)
    competition = event.competition
    chief = make_acting(competition, Role.CHIEF)
    actors = [*[chief] * 5, make_acting(competition, Role.REFEREE)]
    actors.append(make_acting(competition, Role.REFEREE))
    for table in tables:
        link = issue_link(acting=chief, competition=competition, role=Role.TABLE, table=table).link
        actors.append(
            Acting(
                link_id=link.pk,
                competition_id=competition.pk,
                roles=frozenset({Role.TABLE}),
                table_ids=frozenset({table.pk}),
            )
        )
    return Hall(competition, tables, [open_sheet(table) for table in tables], actors, seed)


class Connection:
    """One of the parallel connections with its own chance."""

    def __init__(self, hall: Hall, index: int) -> None:
        self.hall = hall
        self.rng = random.Random(f"{hall.seed}-{index}")
        self.done = Done()

    def run(self) -> Done:
        acts: list[Callable[[Acting, Sheet], str]] = [
            *[self.enter] * 4, *[self.submit] * 4, *[self.confirm] * 4, *[self.correct] * 2,
            self.void, self.back, self.rule, self.rule, self.penalize, self.call, self.close,
        ]  # fmt: skip
        for _step in range(STEPS):
            sheet = self.rng.choice(self.hall.sheets)
            act, acting = self.rng.choice(acts), self.rng.choice(self.hall.actors)
            if self.rng.random() < 0.6:
                act, acting = self.fitting(sheet), self.hall.actors[0]
            (before,) = fresh([sheet.scope])
            try:
                action = act(acting, sheet)
            except DomainError:
                (after,) = fresh([sheet.scope])
                if after < before:
                    self.done.faults.append(f"{sheet.scope}: {before} → {after}")
                continue
            if not action:
                continue
            self.done.actions[action] += 1
            (after,) = fresh([sheet.scope])
            if after <= before:
                self.done.faults.append(f"{sheet.scope} after {action}: {before} → {after}")
        return self.done

    def fitting(self, sheet: Sheet) -> Callable[[Acting, Sheet], str]:
        """What brings the sheet on, so that chance alone does not keep every table open."""
        state = Sheet.objects.values_list("state", flat=True).get(pk=sheet.pk)
        if state == "submitted":
            return self.confirm
        if state == "open":
            is_full = Hand.objects.filter(sheet=sheet).count() >= HANDS
            return self.submit if is_full else self.enter
        return self.rng.choice((self.correct, self.rule, self.void, self.close))

    def late(self) -> Late:
        stays = self.rng.random() < 0.5
        self.done.stays |= stays
        return Late(reason="录像", effects_shown=self.rng.random() < 0.9, as_played=stays)

    def entered(self) -> Any:
        if self.rng.random() < 0.3:
            points = self.rng.randint(-9, 9)
            return totals(points, -points)
        winner = self.rng.choice(PLACES)
        payer = PLACES[1 - PLACES.index(winner)]
        hu = self.rng.choice((10, 15, 20))
        how = {"source": "discard", "winner": winner, "payer": payer}
        return result({**how, "hu": hu, "xing_count": 0})

    def keep(self, version: HandVersion) -> None:
        self.done.versions[version.pk] = tuple(version.deltas)

    def enter(self, acting: Acting, sheet: Sheet) -> str:
        key = f"{self.rng.getrandbits(64)}" if self.rng.random() < 0.5 else ""
        given = {
            "entered": self.entered(),
            "number": self.rng.choice((None, None, None, None, 1, 2)),
        }
        late = self.late()
        version = enter_hand(acting=acting, sheet=sheet, key=key, late=late, **given)
        if key:
            again = enter_hand(acting=acting, sheet=sheet, key=key, late=late, **given)
            if again.pk != version.pk:
                self.done.faults.append(f"sent twice: {version.pk}, {again.pk}")
        self.keep(version)
        return "hand.enter"

    def hand(self, sheet: Sheet) -> Hand | None:
        found = list(Hand.objects.filter(sheet=sheet).order_by("number"))
        return self.rng.choice(found) if found else None

    def correct(self, acting: Acting, sheet: Sheet) -> str:
        hand = self.hand(sheet)
        if hand is None:
            return ""
        seen = self.rng.choice((None, 1, 2))
        self.keep(
            correct_hand(
                acting=acting, hand=hand, entered=self.entered(), seen=seen, late=self.late()
            )
        )
        return "hand.correct"

    def void(self, acting: Acting, sheet: Sheet) -> str:
        hand = self.hand(sheet)
        if hand is None:
            return ""
        self.keep(void_hand(acting=acting, hand=hand, reason="重复", late=self.late()))
        return "hand.void"

    def submit(self, acting: Acting, sheet: Sheet) -> str:
        submit_sheet(acting=acting, sheet=sheet)
        return "sheet.submit"

    def confirm(self, acting: Acting, sheet: Sheet) -> str:
        digest = Board(Sheet.objects.get(pk=sheet.pk)).digest
        position = self.rng.choice((0, 1))
        confirm_sheet(acting=acting, sheet=sheet, digest=digest, position=position)
        return "sheet.agree"

    def back(self, acting: Acting, sheet: Sheet) -> str:
        send_back(acting=acting, sheet=sheet, word="第二局反了")
        return "sheet.send-back"

    def call(self, acting: Acting, sheet: Sheet) -> str:
        if Table.objects.filter(pk=sheet.table_id, called_at__isnull=False).exists():
            return ""
        call_time(acting=acting, sheet=sheet)
        return ""

    def close(self, acting: Acting, sheet: Sheet) -> str:
        last = Round.objects.get(stage__event__competition=self.hall.competition, is_last=True)
        finalize_round(acting=acting, round_=last)
        self.done.actions["round.final"] += 1
        return ""

    def rule(self, acting: Acting, sheet: Sheet) -> str:
        hand = self.hand(sheet)
        if hand is None:
            return ""
        points = self.rng.randint(-5, 5)
        rule_on_hand(
            acting=acting, hand=hand, deltas=[points, -points], reason="录像", late=self.late()
        )
        return "ruling.give"

    def penalize(self, acting: Acting, sheet: Sheet) -> str:
        penalize(
            acting=acting,
            sheet=sheet,
            position=self.rng.choice((0, 1)),
            kind=self.rng.choice(list(PenaltyKind)),
            amount=self.rng.randint(1, 3),
            reason="迟到",
            late=self.late(),
        )
        return "penalty.give"


def broken(hall: Hall, answers: list[Done | Exception]) -> Iterator[str]:
    """The sentences of competition.md that the rows do not keep."""
    dones = [answer for answer in answers if isinstance(answer, Done)]
    for answer in answers:
        if not isinstance(answer, Done):
            yield f"not a DomainError: {answer!r}"
    for done in dones:
        yield from done.faults
    stays = any(done.stays for done in dones)
    yield from _acknowledged(hall, dones)
    for sheet in Sheet.objects.filter(table__in=hall.tables).order_by("pk"):
        yield from _hands(sheet)
        yield from _sums(sheet)
        yield from _confirmations(sheet)
    yield from _states(hall)
    yield from _places(hall, stays=stays)


def _acknowledged(hall: Hall, dones: list[Done]) -> Iterator[str]:
    """No acknowledged hand is lost; every change has its audit row."""
    rows = {
        pk: deltas
        for pk, *deltas in HandVersion.objects.filter(
            hand__sheet__table__in=hall.tables
        ).values_list("pk", *DELTAS)
    }
    told = {pk: deltas for done in dones for pk, deltas in done.versions.items()}
    for pk, deltas in told.items():
        if tuple(rows.get(pk, ())) != deltas:
            yield f"version {pk} was acknowledged with {deltas} and is {rows.get(pk)}"
    if set(rows) != set(told):
        yield f"versions nobody was told of: {set(rows) - set(told)}"
    audited = Counter(
        AuditRow.objects.filter(scope=hall.competition.scope).values_list("action", flat=True)
    )
    acted = sum((done.actions for done in dones), Counter())
    for action, count in acted.items():
        if audited[action] != count:
            yield f"{action}: {count} acknowledged, {audited[action]} audited"


def _hands(sheet: Sheet) -> Iterator[str]:
    """C6.2: a number once, versions 1 … n, the newest alone counts, every one sums to zero."""
    numbers = Counter(Hand.objects.filter(sheet=sheet).values_list("number", flat=True))
    if any(count > 1 for count in numbers.values()):
        yield f"hands {numbers}"
    chains: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    found = HandVersion.objects.filter(hand__sheet=sheet)
    for hand, version, is_current, *deltas in found.values_list(
        "hand_id", "version", "is_current", *DELTAS
    ):
        chains[hand].append((version, is_current))
        if sum(deltas):
            yield f"hand {hand} version {version}: {deltas}"
    if len(chains) != sum(numbers.values()):
        yield f"{sheet.scope}: a hand without versions"
    for hand, chain in chains.items():
        chain.sort()
        expected = [(n, n == len(chain)) for n in range(1, len(chain) + 1)]
        if chain != expected:
            yield f"hand {hand}: {chain}"


def _sums(sheet: Sheet) -> Iterator[str]:
    """C6.5: Σ net + Σ 扣罚 = 0, a ruling in place of its hand."""
    counts = HandVersion.objects.filter(hand__sheet=sheet, is_current=True, is_void=False)
    points = {hand: deltas for hand, *deltas in counts.values_list("hand_id", *DELTAS)}
    rulings = Ruling.objects.filter(sheet=sheet, is_current=True)
    for hand, *deltas in rulings.values_list("hand_id", *DELTAS):
        if hand in points:
            points[hand] = deltas
    lines = list(points.values())
    penalties = Penalty.objects.filter(sheet=sheet, voided_at=None)
    taken = 0
    for position, deducted, *deltas in penalties.values_list("position", "deducted", *DELTAS):
        deltas[position] -= deducted
        taken += deducted
        lines.append(deltas)
    nets = [sum(column) for column in zip(*lines, strict=True)]
    if sum(nets) + taken:
        yield f"{sheet.scope}: {nets} and {taken}"
    shown = [seat.net for seat in Board(sheet).sums.seats]
    if (nets or [0, 0])[:2] != shown:
        yield f"{sheet.scope}: {nets}, shown {shown}"


def _confirmations(sheet: Sheet) -> Iterator[str]:
    """C7.2: who has confirmed has seen what stands, unless it was corrected since (C9.1)."""
    if sheet.state == "open":
        if Confirmation.objects.filter(sheet=sheet, is_current=True).exists():
            yield f"{sheet.scope}: an open sheet is confirmed by somebody"
        return
    if sheet.confirmed_at is not None:
        rows = (
            HandVersion.objects.filter(hand__sheet=sheet),
            Ruling.objects.filter(sheet=sheet),
            Penalty.objects.filter(sheet=sheet),
        )
        if any(found.filter(created_at__gt=sheet.confirmed_at).exists() for found in rows):
            return
    digest = Board(sheet).digest
    for confirmed in Confirmation.objects.filter(sheet=sheet, is_current=True):
        if confirmed.digest != digest:
            yield f"{sheet.scope}: confirmed {confirmed.digest}, is {digest}"


WITH_SHEET = {
    "published": {"open"},
    "running": {"open", "submitted"},
    "confirmed": {"confirmed"},
    "final": {"final"},
}


def _states(hall: Hall) -> Iterator[str]:
    """C7.1: table and sheet go together, a round is done when its tables are."""
    for table in Table.objects.filter(pk__in=[t.pk for t in hall.tables]).select_related("sheet"):
        if table.sheet.state not in WITH_SHEET[table.state]:
            yield f"table {table.pk} {table.state}, sheet {table.sheet.state}"
        has_hands = Hand.objects.filter(sheet=table.sheet).exists()
        if has_hands != (table.state != "published"):
            yield f"table {table.pk} {table.state}, hands {has_hands}"
    for round_ in Round.objects.filter(stage__event__competition=hall.competition):
        states = set(round_.tables.values_list("state", flat=True))
        if states == {"final"}:
            due = {"final"}
        elif states <= {"confirmed", "final"}:
            due = {"confirmed"}
        else:
            due = {"published"} if states == {"published"} else {"running"}
        if round_.state not in due:
            yield f"round {round_.number} {round_.state}, tables {states}"


def _places(hall: Hall, *, stays: bool) -> Iterator[str]:
    """C7.1, C8.6: places 1 … k, one goes on and sits at the next table, nobody sits twice."""
    *feeders, final = hall.tables
    begun = Table.objects.get(pk=final.pk).state != "published"
    for table in Table.objects.filter(pk__in=[t.pk for t in hall.tables]):
        seats = list(table.seats.values("entrant_id", "place", "advances", "position"))
        if table.state not in ("confirmed", "final"):
            if any(seat["place"] or seat["advances"] for seat in seats):
                yield f"table {table.pk} {table.state}: {seats}"
            continue
        places = sorted(seat["place"] or 0 for seat in seats)
        going_on = [seat for seat in seats if seat["advances"]]
        if places != [1, 2] or len(going_on) != 1:
            yield f"table {table.pk}: {seats}"
            continue
        if going_on[0]["place"] != 1 and not (stays and begun):
            yield f"table {table.pk}: not the first goes on: {seats}"
    for table in feeders:
        sitting = Seat.objects.get(table=final, source=table).entrant_id
        going = set(table.seats.filter(advances=True).values_list("entrant_id", flat=True))
        if {sitting} - {None} != going:
            yield f"the final has {sitting} from table {table.pk}, not {going}"
    twice = Counter(
        Seat.objects.filter(table__in=hall.tables, entrant__isnull=False).values_list(
            "table__round_id", "entrant_id"
        )
    )
    if any(count > 1 for count in twice.values()):
        yield f"sits twice: {twice}"


@pytest.mark.django_db(transaction=True)
def test_whatever_the_interleaving_the_rows_keep_what_they_promise() -> None:
    """C6–C9 by three connections at once: enter, correct, void, submit, confirm, send back …"""
    sys.stdout.write(f"{COUNT} interleavings from seed {SEED}\n")
    acted: Counter[str] = Counter()
    for seed in range(SEED, SEED + COUNT):
        hall = build(seed)
        answers = at_once(THREADS, lambda index, hall=hall: Connection(hall, index).run())  # type: ignore[misc]
        wrong = list(broken(hall, answers))
        assert not wrong, f"seed {seed}:\n" + "\n".join(wrong)
        acted += sum((done.actions for done in answers if isinstance(done, Done)), Counter())
        acted.update(
            Table.objects.filter(pk__in=[t.pk for t in hall.tables]).values_list("state", flat=True)
        )
    sys.stdout.write(f"{dict(acted)}\n")
    assert acted["hand.enter"] >= COUNT
    assert acted["confirmed"] + acted["final"] > 0
