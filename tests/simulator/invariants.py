"""What competition.md promises, asked of raw rows by plain code that the site does not share.

Each function yields a sentence for everything that is not so.
"""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from scoring.queries_public import round_rows, seats_of
from tests.simulator.places import advance_of, nets_of, places_of, points_of, preliminary_of
from tests.simulator.rows import DONE, DRAFTS, GONE, Row, Rows, deltas, json_of
from tournament.domain.draws import document_of
from tournament.models import Draw, Event
from tournament.pairing.document import dump
from tournament.queries.public import rounds_of

SCRIPT = Path(__file__).parents[2] / "static" / "verify_draw.py"
WITH_SHEET = {
    "drawn": {None, "open"},
    "published": {None, "open"},
    "running": {"open", "submitted"},
    "confirmed": {"confirmed"},
    "final": {"final"},
}
ORDER = {
    "round": ("planned", "drawn", "published", "running", "confirmed", "final"),
    "table": ("planned", "drawn", "published", "running", "confirmed", "final"),
    "sheet": ("open", "submitted", "confirmed", "final"),
}
SHEET_ROWS = (
    "scoring_hand", "scoring_penalty", "scoring_ruling", "scoring_confirmation", "scoring_protest",
    "scoring_tiebreak",
)  # fmt: skip
EVENT_ROWS = ("tournament_round", "tournament_seat", "tournament_stage", "tournament_draw")
PEOPLE = (
    "tournament_entrant", "tournament_entry", "tournament_person", "tournament_competition",
)  # fmt: skip
KEPT = (
    "scoring_penalty", "scoring_ruling", "scoring_confirmation", "scoring_protest",
    "scoring_handversion", "scoring_hand", "core_auditrow", "tournament_entrant",
    "tournament_entry",
)  # fmt: skip
"""What is never deleted, whatever happens: it is marked."""
UNDONE = ("tournament_entrant", "tournament_entry")
"""But for who was entered late and is not after all."""


def of_state(rows: Rows) -> Iterator[str]:
    """Whatever happened before."""
    yield from _hands(rows)
    yield from _library(rows)
    yield from _sheets(rows)
    yield from _tables(rows)
    yield from _rounds(rows)
    yield from _places(rows)
    yield from _feeds(rows)
    yield from _entrants(rows)


def _hands(rows: Rows) -> Iterator[str]:
    """C6.2: zero sums, versions 1 … k of which the newest alone counts."""
    for hand, chain in rows.chains.items():
        expected = [(n, n == len(chain)) for n in range(1, len(chain) + 1)]
        if [(one.version, bool(one.is_current)) for one in chain] != expected:
            yield f"hand {hand}: versions {[(v.version, v.is_current) for v in chain]}"
    for name in ("scoring_handversion", "scoring_penalty", "scoring_ruling"):
        for pk, row in rows.all(name).items():
            if sum(deltas(row)) and not rows.is_manual:
                yield f"{name} {pk}: {deltas(row)} do not sum to zero"
    for sheet, hands in rows.hands.items():
        numbers = [hand.number for hand in hands]
        if len(set(numbers)) < len(numbers) or min(numbers) < 1:
            yield f"sheet {sheet}: hands {numbers}"
        if any(hand.id not in rows.chains for hand in hands):
            yield f"sheet {sheet}: a hand without versions"


def _library(rows: Rows) -> Iterator[str]:
    """The library has the hands of confirmed tables as they count now, and no others."""
    hands, sheets = rows.all("scoring_hand"), rows.all("scoring_sheet")
    ruled = {
        one.hand_id for one in rows.all("scoring_ruling").values() if one.is_current and one.hand_id
    }
    due = {}
    for pk, chain in rows.chains.items():
        hand, now = hands[pk], chain[-1]
        table = rows.play[sheets[hand.sheet_id].table_id]
        known = now.evidence in ("result", "slip", "record") and not now.is_void
        if known and hand.tie_break_id is None and table.state in DONE:
            bits = sum(1 << seat for seat in json_of(now.winners))
            due[pk] = (table.id, hand.number, bits, now.hu, now.total, pk in ruled)
    found = {
        one.hand_id: (one.table_id, one.number, one.winners, one.hu, one.total, bool(one.is_ruled))
        for one in rows.all("scoring_libraryhand").values()
    }
    if found != due:
        wrong = sorted(k for k in found.keys() | due.keys() if found.get(k) != due.get(k))
        yield f"library: hands {wrong}: {[(found.get(k), due.get(k)) for k in wrong[:3]]}"


def _sheets(rows: Rows) -> Iterator[str]:
    """C6.4, C6.5, C7.2: sums, no more hands than planned, nothing confirmed that was changed."""
    confirmed = Counter(
        row.sheet_id for row in rows.all("scoring_confirmation").values() if row.is_current
    )
    for table, sheet in rows.sheets.items():
        seats = len(rows.seats[table])
        net = nets_of(rows, sheet)
        if sum(net.nets) + sum(net.deducted) and not rows.is_manual:
            yield f"sheet {sheet.id}: Σ net {net.nets} + Σ 扣罚 {net.deducted} is not 0"
        if any(net.nets[seats:]):
            yield f"sheet {sheet.id}: points beyond its {seats} seats: {net.nets}"
        if net.played > sheet.hands_planned:
            yield f"sheet {sheet.id}: {net.played} of {sheet.hands_planned} hands"
        if sheet.state in DONE and net.flagged:
            yield f"sheet {sheet.id} is {sheet.state} with hands {net.flagged} 待裁"
        if sheet.state == "open" and confirmed[sheet.id]:
            yield f"sheet {sheet.id}: open, and confirmed by somebody"


def _tables(rows: Rows) -> Iterator[str]:
    """C1.3, C7.1: states go together, seats are whole, nobody sits twice in a round."""
    for pk, table in rows.play.items():
        seats = rows.seats.get(pk, [])
        if [seat.position for seat in seats] != list(range(table.seat_count)):
            yield f"table {pk}: {table.seat_count} seats, positions {[s.position for s in seats]}"
        if sum(bool(seat.is_filler) for seat in seats) > 1:
            yield f"table {pk}: more than one filler"
        if any(seat.is_filler and seat.entrant_id for seat in seats):
            yield f"table {pk}: a filler who is an entrant"
        sheet = rows.sheets.get(pk)
        if (sheet.state if sheet else None) not in WITH_SHEET[table.state]:
            yield f"table {pk} {table.state}, its sheet {sheet.state if sheet else None}"
        played = list(rows.hands.get(sheet.id, [])) if sheet else []
        alive = [hand for hand in played if not rows.current(hand.id).is_void]
        if alive and table.state in (*DRAFTS, "published"):
            yield f"table {pk} {table.state} with {len(alive)} hands"
        if table.state == "running" and not played:
            yield f"table {pk} runs without a hand"
        if table.state not in (*DRAFTS, "published"):
            feeders = [rows.play[s.source_id] for s in seats if s.source_id]
            before = [rows.play[one] for one in tables_before(rows, pk)]
            if rows.stage_of(table).kind == "prelim":
                if any(one.state not in DONE for one in before):
                    yield f"table {pk} {table.state} before {[(b.id, b.state) for b in before]}"
            elif any(one.state != "final" for one in (*feeders, *before)):
                yield f"table {pk} {table.state}, fed by {[(f.id, f.state) for f in feeders]}"
            is_walkover = table.state in DONE and table.started_at is None
            empty = [s.position for s in seats if not s.entrant_id and not s.is_filler]
            is_left = len(seats) - len(empty) == 3 and all(seats[at].gap_filled for at in empty)
            if empty and not is_walkover and not is_left:
                yield f"table {pk} {table.state} with empty seats {empty}"
    twice = Counter(
        (seat.round_id, seat.entrant_id)
        for seats in rows.seats.values()
        for seat in seats
        if seat.entrant_id
    )
    for (round_, entrant), count in twice.items():
        if count > 1:
            yield f"entrant {entrant} sits {count} times in round {round_}"


def tables_before(rows: Rows, pk: int) -> set[int]:
    """C7.1 where no seat names its table: all of the round before (redraw), in a preliminary the
    earlier tables of those who sit here."""
    table = rows.play[pk]
    round_, stage = rows.rounds[table.round_id], rows.stage_of(table)
    earlier = {
        one.id: one
        for one in rows.rounds.values()
        if one.stage_id == stage.id and one.number < round_.number
    }
    if stage.kind == "prelim":
        here = {seat.entrant_id for seat in rows.seats[pk] if seat.entrant_id and not seat.forfeits}
        return {
            other
            for other, seats in rows.seats.items()
            if rows.play[other].round_id in earlier and here & {seat.entrant_id for seat in seats}
        }
    if stage.style != "redraw":
        return set()
    return {
        one.id
        for number, before in ((one.number, one.id) for one in earlier.values())
        if number == round_.number - 1
        for one in rows.tables_of[before]
    }


def _rounds(rows: Rows) -> Iterator[str]:
    """C7: a round is done when its tables are."""
    tables: dict[int, set[str]] = {pk: set() for pk in rows.rounds}
    for table in rows.play.values():
        tables[table.round_id].add(table.state)
    for pk, round_ in rows.rounds.items():
        states = tables[pk]
        if not states:
            continue
        if states == {"final"}:
            due = "final"
        elif states <= set(DONE):
            due = "confirmed"
        elif len(states) == 1:
            due = next(iter(states))
        else:
            due = "running"
        if round_.state != due:
            yield f"round {round_.number} {round_.state}, its tables {states}"
        if (round_.state in DONE) != (round_.confirmed_at is not None):
            yield f"round {round_.number} {round_.state}, confirmed at {round_.confirmed_at}"
        if (round_.state == "final") != (round_.final_at is not None):
            yield f"round {round_.number} {round_.state}, final at {round_.final_at}"


def stays_as_played(rows: Rows) -> set[int]:
    """The tables whose winners stay although the places say otherwise (C9.1)."""
    found = set()
    for row in rows.audit().values():
        if row.action == "table.correct":
            pk = int(row.subject.partition(":")[2])
            (found.add if json_of(row.data)["as_played"] else found.discard)(pk)
        elif row.action in ("table.confirm", "table.reopen"):
            found.discard(int(row.subject.partition(":")[2]))
    return found


def _places(rows: Rows) -> Iterator[str]:
    """C8.1, C8.2, C8.6: the places are those of the rows, and who goes on is the best who can."""
    stay = stays_as_played(rows)
    for pk, table in rows.play.items():
        seats = rows.seats[pk]
        if table.state not in DONE:
            if any(seat.place is not None or seat.advances for seat in seats):
                yield f"table {pk} {table.state} has places"
            continue
        if any((seat.place is None) != (seat.entrant_id is None) for seat in seats):
            yield f"table {pk}: who has a place: {_short(seats)}"
        if any(seat.is_filler and seat.advances for seat in seats):
            yield f"table {pk}: a filler goes on"
        if rows.is_manual:
            yield from _places_of_games(rows, table)
            continue
        found = places_of(rows, table)
        if found is None:
            yield f"table {pk} {table.state} with an open tie at a line: {_short(seats)}"
            continue
        places = {seat.position: seat.place for seat in seats if seat.entrant_id}
        if places != found.places:
            yield f"table {pk}: places {places}, the rows give {found.places}"
        round_, stage = rows.rounds[table.round_id], rows.stage_of(table)
        if stage.kind == "prelim":
            if not round_.is_tie_break:
                points = {seat.position: seat.points for seat in seats if seat.entrant_id}
                if points != points_of(rows, table):
                    yield f"table {pk}: points {points}, the rows give {points_of(rows, table)}"
            continue
        going_on = {seat.position for seat in seats if seat.advances}
        is_redrawn = stage.style == "redraw" and not round_.is_last
        if is_redrawn:
            able = {at for at in found.going_on if not _has_left(rows, seats[at])}
            if pk not in stay and not going_on >= able:
                yield f"table {pk}: {going_on} go on, the rows give {able} at least"
            if round_.state not in DONE and len(going_on) > round_.advance:
                yield f"table {pk}: {going_on} go on before the round is done"
            continue
        if pk not in stay and going_on != found.going_on:
            yield f"table {pk}: {going_on} go on, the rows give {found.going_on}"
        ahead = [s for s in seats if s.entrant_id and s.place <= len(going_on) and not s.advances]
        if pk not in stay and ahead:
            yield f"table {pk}: {_short(ahead)} are not behind who goes on"
        if len(going_on) > advance_of(rows, table):
            yield f"table {pk}: {len(going_on)} go on"
        if pk not in stay and any(seat.forfeits and seat.advances for seat in seats):
            yield f"table {pk}: who has left goes on: {_short(seats)}"


def _has_left(rows: Rows, seat: Row) -> bool:
    return rows.entrants[seat.entrant_id].status in GONE


def _places_of_games(rows: Rows, table: Row) -> Iterator[str]:
    """C10: of two who play on, the one with more games or points is not behind the other."""
    sheet = rows.sheets[table.id]
    if any(ruling.places is not None for ruling in rows.rulings.get(sheet.id, [])):
        return
    net = nets_of(rows, sheet).nets
    able = [seat for seat in rows.seats[table.id] if seat.entrant_id and not seat.forfeits]
    for one in able:
        for other in able:
            if net[one.position] > net[other.position] and one.place >= other.place:
                yield f"table {table.id}: {net}, places {_short(able)}"


def _short(seats: Iterable[Row]) -> list[tuple[Any, ...]]:
    return [(s.position, s.entrant_id, s.place, s.advances, bool(s.forfeits)) for s in seats]


def _feeds(rows: Rows) -> Iterator[str]:
    """C7.1, C9.3: who has won a seat sits there, or gave it up, or nobody has won it."""
    stay = stays_as_played(rows)
    for seats in rows.seats.values():
        for seat in seats:
            if seat.source_id is None:
                continue
            source = rows.play[seat.source_id]
            if source.state not in DONE:
                if seat.entrant_id or seat.is_filler or seat.stands_for_id or seat.gap_filled:
                    yield f"seat {seat.id} is taken, table {source.id} is {source.state}"
                continue
            table = rows.play[seat.table_id]
            if table.is_third:
                continue
            winners = {s.place: s.entrant_id for s in rows.seats[source.id] if s.advances}
            if source.id in stay:
                if len(winners) == 1 == rows.rounds[source.round_id].advance:
                    winner = next(iter(winners.values()))
                else:
                    continue
            else:
                winner = winners.get(seat.source_place)
            holds = None if seat.gap_filled else seat.stands_for_id or seat.entrant_id
            if holds != winner:
                yield (
                    f"seat {seat.id}: {winner} has won it at table {source.id}, "
                    f"{holds} holds it, {seat.entrant_id} sits there"
                )


def _entrants(rows: Rows) -> Iterator[str]:
    """C1.2, C3.4: who is in has a table before him or has won his last one; the others are out."""
    drawn = {round_.stage_id for round_ in rows.rounds.values()}
    closed = {stage.id for stage in rows.stages.values() if stage.closed_at is not None}
    for pk, entrant in rows.entrants.items():
        seat = rows.last_seats.get(pk)
        if entrant.status in GONE:
            is_open = seat is not None and rows.play[seat.table_id].state not in DONE
            if is_open and not seat.forfeits:
                yield f"entrant {pk} {entrant.status} plays on at table {seat.table_id}"
            continue
        if seat is None:
            if drawn:
                yield f"entrant {pk} {entrant.status} sits nowhere"
            continue
        table = rows.play[seat.table_id]
        stage, is_open = rows.stage_of(table), table.state not in DONE
        # Who comes back to an earlier round of a preliminary has lost a later table already begun.
        plays_earlier = stage.kind == "prelim" and table.state == "running"
        if is_open and seat.forfeits and entrant.status == "in" and not plays_earlier:
            yield f"entrant {pk} is in and forfeits table {seat.table_id}"
        if stage.kind == "prelim" and stage.id in closed:
            continue
        is_in = is_open or stage.kind == "prelim" or _may_go_on(rows, seat)
        due = "in" if is_in else "out"
        if entrant.status != due:
            yield f"entrant {pk} is {entrant.status}, should be {due}: seat {_short([seat])}"


def _may_go_on(rows: Rows, seat: Row) -> bool:
    """Whether who sits there goes on, or still may as one of the best behind the winners (C3.2)."""
    if seat.advances:
        return True
    table = rows.play[seat.table_id]
    round_, stage = rows.rounds[table.round_id], rows.stage_of(table)
    if stage.style != "redraw" or round_.is_last or seat.forfeits:
        return False
    if round_.state not in DONE:
        return bool(seat.place == round_.advance + 1)
    return bool(stage.third_table and _plays_for_third(rows, round_))


def _plays_for_third(rows: Rows, round_: Row) -> bool:
    """C8.5: two tables of two, of which both losers are there."""
    tables = rows.tables_of[round_.id]
    going = [s for table in tables for s in rows.seats[table.id] if s.advances]
    return len(tables) == 2 == len(going) and not any(
        seat.is_filler for table in tables for seat in rows.seats[table.id]
    )


def of_change(before: Rows, after: Rows, *, lowers: frozenset[str]) -> Iterator[str]:
    """What a change leaves behind: an audit row, higher versions, nothing deleted."""
    changed = after.differing(before)
    if not changed.keys() - {"core_version", "core_job", "core_idempotencykey"}:
        return
    old, new = before.audit(), after.audit()
    if not new.keys() - old.keys():
        yield f"changed without an audit row: {changed}"
    for name in KEPT:
        gone = before.all(name).keys() - after.all(name).keys()
        if gone and not ("entrant" in lowers and name in UNDONE):
            yield f"{name}: {sorted(gone)} are gone"
    if any(new.get(pk) != row for pk, row in old.items()):
        yield "an audit row was changed"
    scope = f"competition:{after.competition.id}"
    strange = {row.scope for pk, row in new.items() if pk not in old} - {scope, "accounts"}
    if strange:
        yield f"audited under {strange}"
    for pk in changed.get("scoring_handversion", ()):
        was, row = before.all("scoring_handversion").get(pk), after.all("scoring_handversion")[pk]
        if was is not None and was._replace(is_current=row.is_current) != row:
            yield f"version {pk} was rewritten"
        if was is not None and not was.is_current:
            yield f"version {pk} came back to life"
    for pk in changed.get("tournament_stage", ()):
        was, row = before.stages.get(pk), after.stages.get(pk)
        if was is not None and row is not None and was.closed_at is None and row.closed_at:
            yield from of_preliminary(after, row)
    yield from _versions(before, after, changed)
    yield from _monotone(before, after, lowers)


def of_preliminary(rows: Rows, stage: Row) -> Iterator[str]:
    """C5.5, C8.3 as it is closed: the ranks are those of the rows, the best who can go on."""
    rank = 1
    for level in preliminary_of(rows, stage):
        due = list(range(rank, rank + len(level)))
        rank += len(level)
        ranks = {pk: rows.entrants[pk].prelim_rank for pk in level}
        if sorted(ranks.values()) != due:
            yield f"stage {stage.id}: ranks {ranks}, the rows give {due}"
    ranked = {pk: one for pk, one in rows.entrants.items() if one.prelim_rank is not None}
    able = sorted(
        (pk for pk, one in ranked.items() if one.status not in GONE),
        key=lambda pk: ranked[pk].prelim_rank,
    )
    going = [pk for pk in able if ranked[pk].status == "in"]
    if going != able[: len(going)]:
        yield f"stage {stage.id}: {going} go on, in order are {able}"


def _versions(before: Rows, after: Rows, changed: dict[str, list[Any]]) -> Iterator[str]:
    old = {pk: row.number for pk, row in before.all("core_version").items()}
    new = {pk: row.number for pk, row in after.all("core_version").items()}
    for scope, number in old.items():
        if new.get(scope, 0) < number:
            yield f"version of {scope} fell from {number} to {new.get(scope)}"
    raised = {scope for scope, number in new.items() if number > old.get(scope, 0)}
    sheets = {
        (after.all(name).get(pk) or before.all(name)[pk]).sheet_id
        for name in SHEET_ROWS
        for pk in changed.get(name, ())
    }
    hands = after.all("scoring_hand")
    versions = after.all("scoring_handversion")
    sheets |= {
        hands[versions[pk].hand_id].sheet_id for pk in changed.get("scoring_handversion", ())
    }
    sheets |= {
        pk
        for pk in changed.get("scoring_sheet", ())
        if pk in before.all("scoring_sheet") and pk in after.all("scoring_sheet")
    }
    of_sheets = after.all("scoring_sheet") | before.all("scoring_sheet")
    for pk in sorted(sheets):
        if f"table:{of_sheets[pk].table_id}" not in raised:
            yield f"sheet {pk} was changed and has no new version: {changed}"
    whole = {f"event:{pk}" for pk in after.all("tournament_event")}
    seats = after.all("tournament_seat") | before.all("tournament_seat")
    tables = set(changed.get("tournament_table", ()))
    tables |= {seats[pk].table_id for pk in changed.get("tournament_seat", ())}
    for pk in sorted(tables):
        if f"table:{pk}" not in raised and not raised & whole:
            yield f"table {pk} was changed and its page has no new version: {changed}"
    events = whole | {f"{scope}:play" for scope in whole}
    if any(changed.get(name) for name in EVENT_ROWS) and not raised & events:
        yield f"the event was changed and has no new version: {changed}"
    about = (
        "tournament_entrant",
        "tournament_entry",
        "tournament_person",
        "tournament_competition",
    )
    scope = f"competition:{after.competition.id}"
    if any(changed.get(name) for name in about) and not raised & {scope, *events}:
        yield f"the competition was changed and has no new version: {changed}"


def _monotone(before: Rows, after: Rows, lowers: frozenset[str]) -> Iterator[str]:
    for kind, name in (
        ("round", "tournament_round"),
        ("table", "tournament_table"),
        ("sheet", "scoring_sheet"),
    ):
        order = ORDER[kind]
        for pk, row in before.all(name).items():
            now = after.all(name).get(pk)
            if kind in lowers:
                continue
            if now is None:
                if row.state not in DRAFTS:
                    yield f"{kind} {pk} is gone"
            elif order.index(now.state) < order.index(row.state):
                yield f"{kind} {pk} went from {row.state} back to {now.state}"


@cache
def _script() -> Any:
    """The stand-alone script that everybody may download (C4.5)."""
    spec = importlib.util.spec_from_file_location("verify_draw", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def of_draw(rows: Rows, pk: int) -> Iterator[str]:
    """C4.5: the document redraws, and the rows are what it says."""
    document = json.loads(dump(document_of(Draw.objects.get(pk=pk))))
    for fault in _script().check(document):
        yield f"draw {pk}: {fault}"
    numbers = rows.numbers
    draw, drawn = rows.all("tournament_draw")[pk], set()
    for one, entrant in rows.entrants.items():
        seats = [seat for seats in rows.seats.values() for seat in seats if seat.entrant_id == one]
        before = [
            seat
            for seat in seats
            if rows.rounds[seat.round_id].stage_id == draw.stage_id
            and rows.rounds[seat.round_id].number == draw.round_number - 1
        ]
        if entrant.status == "in" and (draw.round_number == 1 or (before and before[0].advances)):
            drawn.add(numbers[one])
    listed = {int(line.split("\t")[0]) for line in document["list"]}
    if drawn != listed:
        yield f"draw {pk}: in are {sorted(drawn)}, drawn {sorted(listed)}"


def of_drafts(event: Event) -> Iterator[str]:
    """C7.4: what is drawn and not published is in no public query."""
    hidden = {
        (number, state)
        for number, state in event.stages.values_list("rounds__number", "rounds__state")
        if state in DRAFTS
    }
    shown = [(row.number, row.state) for row in (*round_rows(event), *rounds_of(event))]
    if hidden & set(shown) or seats_of(event).filter(table__state__in=DRAFTS).exists():
        yield f"drafts are shown: {shown}"


def of_end(rows: Rows) -> Iterator[str]:
    """C3.4: n − 1 are eliminated, one is champion; the last round is final."""
    last = [round_ for round_ in rows.rounds.values() if round_.is_last]
    if len(last) != 1 or last[0].state != "final":
        yield f"the last round: {[(one.number, one.state) for one in last]}"
        return
    champions = [
        seat.entrant_id
        for table in rows.play.values()
        if table.round_id == last[0].id and not table.is_third
        for seat in rows.seats[table.id]
        if seat.advances
    ]
    if len(champions) != 1:
        finals = [t for t in rows.play.values() if t.round_id == last[0].id and not t.is_third]
        able = [s for t in finals for s in rows.seats[t.id] if s.entrant_id and not s.forfeits]
        if champions or able:
            yield f"champions: {champions}"
        return
    others = {pk for pk in rows.last_seats if pk != champions[0]}
    still_in = [pk for pk in others if rows.entrants[pk].status == "in"]
    if still_in:
        yield f"not eliminated: {still_in}"
    if any(round_.state not in DONE for round_ in rows.rounds.values()):
        yield f"rounds at the end: {[round_.state for round_ in rows.rounds.values()]}"
