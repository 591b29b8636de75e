"""The reckoning of a day: what was answered against what the database holds.

Each function returns sentences about what is amiss, none where all is well. They read rows by SQL
of their own and know of the site only its tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.load.database import Database, Row
from tests.load.notes import Fate, Note, Notes

CHANGES = {"correct": "hand.correct", "void": "hand.void", "restore": "hand.restore"}
SHEET = {"submit": "sheet.submit", "agree": "sheet.agree"}


@dataclass
class Books:
    """The rows of one competition's hands, as dictionaries by column."""

    hands: list[Row]
    versions: list[Row]
    keys: list[Row]
    audits: list[Row]


def read_books(database: Database, competition: int) -> Books:
    """All that is reckoned with."""
    of_ours = (
        " JOIN scoring_sheet s ON s.id = h.sheet_id JOIN tournament_table t ON t.id = s.table_id"
        " JOIN tournament_round r ON r.id = t.round_id JOIN tournament_stage g"
        " ON g.id = r.stage_id JOIN tournament_event e ON e.id = g.event_id"
        " WHERE e.competition_id = %s"
    )
    return Books(
        hands=database.rows(
            "SELECT h.id, h.number, s.table_id FROM scoring_hand h" + of_ours, competition
        ),
        versions=database.rows(
            "SELECT v.id, v.hand_id, v.version, v.is_current, v.is_void, v.payload, v.winners,"
            " v.delta_1, v.delta_2, v.delta_3, v.delta_4, h.number, h.tie_break_id, s.table_id"
            " FROM scoring_handversion v JOIN scoring_hand h ON h.id = v.hand_id" + of_ours,
            competition,
        ),
        keys=database.rows("SELECT scope, key, answer FROM core_idempotencykey"),
        audits=database.rows(
            "SELECT action, subject FROM core_auditrow WHERE scope = %s",
            f"competition:{competition}",
        ),
    )


class Reckoning:
    """What was noted against what is there."""

    def __init__(self, books: Books, notes: Notes) -> None:
        self.notes = notes
        self.hands, self.versions, self.keys = books.hands, books.versions, books.keys
        self.audits = books.audits

    def amiss(self) -> list[str]:
        """Everything that is amiss."""
        parts = (
            self._answers, self._entries, self._changes, self._chains, self._numbers, self._points,
            self._audits,
        )  # fmt: skip
        return [sentence for part in parts for sentence in part()]

    def _answers(self) -> Iterator[str]:
        """Nothing strange was answered, and something was done at all."""
        yield from sorted(set(self.notes.strange))
        if not self.notes.of("enter", fate=Fate.ACKED):
            yield "no hand was entered"

    @property
    def lost(self) -> int:
        """Acknowledged entries and changes that are not there."""
        return len(list(self._entries(only_acked=True))) + len(list(self._changes(missing=True)))

    @property
    def doubled(self) -> int:
        """Hands and versions that nobody's one request explains."""
        return len(list(self._unsent())) + len(list(self._changes(missing=False)))

    def _entries(self, *, only_acked: bool = False) -> Iterator[str]:
        """Each acknowledged entry is one hand with its values; every hand is somebody's."""
        first = {row["id"]: row for row in self.versions if row["version"] == 1}
        by_key = defaultdict(list)
        for row in self.keys:
            by_key[row["key"]].append(row)
        for note in self.notes.of("enter", fate=Fate.ACKED):
            rows = by_key[note.key]
            version = first.get((rows[0]["answer"] or {}).get("version")) if rows else None
            if len(rows) != 1 or version is None:
                yield f"lost: {note} has {len(rows)} keys"
            elif not _is(version, note):
                yield f"changed: {note} is {version}"
        if not only_acked:
            yield from self._unsent()

    def _unsent(self) -> Iterator[str]:
        """Hands that no entry made, and keys of entries that were refused."""
        made = Counter((row["answer"] or {}).get("version") for row in self.keys)
        sent = {note.key: note for note in self.notes.of("enter")}
        for row in self.versions:
            if row["version"] == 1 and made[row["id"]] != 1:
                yield f"doubled: {row} was made by {made[row['id']]} keys"
        for row in self.keys:
            note = sent.get(row["key"])
            if note is None:
                yield f"nobody sent {row}"
            elif note.fate == Fate.REFUSED:
                yield f"refused and done: {note}"
            elif row["scope"] != f"table:{note.table}":
                yield f"at another table: {note}, {row}"

    def _changes(self, *, missing: bool | None = None) -> Iterator[str]:
        """Each acknowledged change is one version; every later version is somebody's."""
        made: dict[tuple[int, int, int], list[Note]] = defaultdict(list)
        for note in self.notes.of(*CHANGES):
            if note.fate != Fate.REFUSED:
                made[note.table, note.number, note.version].append(note)
        there = {(v["table_id"], v["number"], v["version"]): v for v in self.versions}
        if missing is not False:
            for place, notes in made.items():
                acked = [note for note in notes if note.fate == Fate.ACKED]
                if len(acked) > 1:
                    yield f"the same version was acknowledged twice: {acked}"
                if acked and place not in there:
                    yield f"lost: {acked[0]}"
        if missing is not True:
            for place, version in there.items():
                if version["version"] > 1 and not any(_is(version, n) for n in made[place]):
                    yield f"nobody made {version}, but {made[place]}"

    def _chains(self) -> Iterator[str]:
        """Versions from 1 without a gap, the newest and no other is current."""
        chains: dict[int, list[Row]] = defaultdict(list)
        for row in self.versions:
            chains[row["hand_id"]].append(row)
        for hand in self.hands:
            chain = sorted(chains[hand["id"]], key=lambda row: row["version"])
            numbers = [row["version"] for row in chain]
            current = [row["version"] for row in chain if row["is_current"]]
            if numbers != list(range(1, len(chain) + 1)) or current != numbers[-1:]:
                yield f"hand {hand} has versions {numbers}, current {current}"

    def _numbers(self) -> Iterator[str]:
        """The hands of a sheet are numbered from 1 without a gap."""
        found: dict[int, list[int]] = defaultdict(list)
        for hand in self.hands:
            found[hand["table_id"]].append(hand["number"])
        for table, numbers in found.items():
            if sorted(numbers) != list(range(1, len(numbers) + 1)):
                yield f"table {table} has hands {sorted(numbers)}"

    def _points(self) -> Iterator[str]:
        """Points sum to zero; who won a hand has gained, who drew or voided has not."""
        for row in self.versions:
            deltas = _deltas(row)
            if sum(deltas):
                yield f"points of {row} sum to {sum(deltas)}"
            winners = row["winners"] or []
            gained = [seat for seat, delta in enumerate(deltas) if delta > 0]
            if gained != ([] if row["is_void"] else sorted(winners)):
                yield f"points of {row} are not its winner's"

    def _audits(self) -> Iterator[str]:
        """One audit row a change, under its name."""
        found = Counter((row["action"], row["subject"]) for row in self.audits)
        names = {
            (note.table, note.number, note.version): CHANGES[note.kind]
            for note in self.notes.of(*CHANGES)
            if note.fate != Fate.REFUSED
        }
        expected: Counter[tuple[str, str]] = Counter()
        for row in self.versions:
            place = (row["table_id"], row["number"], row["version"])
            name = "hand.enter" if row["version"] == 1 else names.get(place, "?")
            expected[name, f"hand:{row['hand_id']}"] += 1
        hands = Counter({what: n for what, n in found.items() if what[0].startswith("hand.")})
        for what, count in sorted((hands - expected).items()):
            yield f"{count} audit rows too many: {what}"
        for what, count in sorted((expected - hands).items()):
            yield f"{count} audit rows are missing: {what}"
        for kind, action in SHEET.items():
            count = sum(n for (name, _subject), n in found.items() if name == action)
            acked = len(self.notes.of(kind, fate=Fate.ACKED))
            tries = sum(n.tries for n in self.notes.of(kind) if n.fate != Fate.REFUSED)
            if not acked <= count <= tries:
                yield f"{count} audit rows {action} for {acked} that were acknowledged"

    def nets(self) -> dict[int, list[int]]:
        """Each table's sums by seat from its current hands, 加赛 aside."""
        found: dict[int, list[int]] = {}
        for row in self.versions:
            if row["is_current"] and row["tie_break_id"] is None:
                sums = found.setdefault(row["table_id"], [0, 0, 0])
                for seat, delta in enumerate(_deltas(row)[:3]):
                    sums[seat] += delta
        return found


def _deltas(row: Row) -> list[int]:
    return [row[f"delta_{seat}"] for seat in (1, 2, 3, 4)]


def _is(version: Row, note: Note) -> bool:
    """Whether a version says what somebody sent."""
    if (version["number"], version["version"]) != (note.number, note.version):
        return False
    if note.values is None:
        return bool(version["is_void"])
    payload = version["payload"]
    return not version["is_void"] and all(
        payload.get(name) == value for name, value in note.values.items()
    )
