"""Each row of a list beside the entries that are there: new, same, changed, doubtful or wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tournament.domain.readings import reading_of
from tournament.sheets.cells import Row
from tournament.sheets.entering import Offer, chosen_in, refused
from tournament.sheets.fields import Field
from tournament.sheets.judged import Choice, Judged, Known, Verdict
from tournament.sheets.partners import with_partners
from tournament.sheets.reasons import Code, Reason


def judge(
    rows: Iterable[Row], known: Iterable[Known], offer: Offer | None = None
) -> tuple[Judged, ...]:
    """Each row in order; `offer` are the events that it may name.

    Nobody is taken for another without a word of the organizer: the same person is who has the
    same name and unit, or name and number, or name and phone.
    """
    judge_one = _Judge(known, offer)
    judged = [judge_one(row) for row in chosen_in(rows, offer)]
    while True:
        checked = with_partners(_check_unique(judged, judge_one.known), judge_one.known, offer)
        if checked == judged:
            return tuple(checked)
        judged = checked


@dataclass
class _Judge:
    """What was seen so far, and the known entries by all that may make two the same."""

    entries: Iterable[Known]
    offer: Offer | None = None
    known: list[Known] = field(default_factory=list)
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    rows_by_name: dict[str, Row] = field(default_factory=dict)
    rows_by_phone: dict[str, Row] = field(default_factory=dict)
    targets: dict[int, Row] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known = list(self.entries)
        self.here = [one for one in self.known if not one.has_left]
        self.by_name: dict[str, list[Known]] = {}
        self.by_likeness: dict[str, list[Known]] = {}
        for one in self.known:
            self.by_name.setdefault(one.name, []).append(one)
        for one in self.here:
            for key in likeness(one.name, one.reading):
                self.by_likeness.setdefault(key, []).append(one)
        self.by_phone = {one.phone: one for one in reversed(self.here) if one.phone}

    def __call__(self, row: Row) -> Judged:
        if row.faults:
            return Judged(row, Verdict.WRONG, row.faults)
        earlier = self.rows.get((row.name, row.unit))
        judged = self._beside_row(row, earlier) if earlier else self._beside_known(row)
        if self.offer is not None and not judged.is_double and judged.verdict is not Verdict.WRONG:
            playing = judged.target.playing if judged.target else ()
            reason = refused(row, self.offer, playing)
            if reason is not None:
                return Judged(row, Verdict.WRONG, (reason,))
        if judged.verdict in (Verdict.SAME, Verdict.CHANGED) and judged.target:
            first = self.targets.setdefault(judged.target.pk, row)
            if first is not row:
                reason = Reason(Code.SAME_ENTRY, {"line": first.line, "name": row.name})
                return Judged(row, Verdict.WRONG, (reason,))
        if earlier is None and judged.verdict is not Verdict.WRONG:
            self.rows[row.name, row.unit] = row
            self.rows_by_name.setdefault(row.name, row)
            if row.phone:
                self.rows_by_phone.setdefault(row.phone, row)
        return judged

    def _beside_row(self, row: Row, earlier: Row) -> Judged:
        """Again the name and unit of an earlier row."""
        pairs = [(row.value(f), earlier.value(f)) for f in Field]
        if all(value in (None, "", other) for value, other in pairs):
            return Judged(row, Verdict.SAME, (Reason(Code.DOUBLE, {"line": earlier.line}),))
        reason = Reason(Code.OTHER_ROW, {"line": earlier.line})
        return _doubt(row, reason)

    def _beside_known(self, row: Row) -> Judged:
        namesakes = self.by_name.get(row.name, [])
        here = [one for one in namesakes if not one.has_left]
        twins = [one for one in here if one.unit == row.unit]
        numbered = [one for one in namesakes if row.number and one.number == row.number]
        phoned = [one for one in here if row.phone and one.phone == row.phone]
        if len(twins) > 1:
            sure = [one for one in twins if one in numbered or one in phoned]
            if len(sure) != 1:
                return _doubt(row, Reason(Code.SEVERAL, {"n": len(twins)}))
            return _sure(row, sure[0])
        if twins:
            (twin,) = twins
            if row.phone and twin.phone and row.phone != twin.phone:
                return _doubt(row, Reason(Code.OTHER_PHONE, {"known": twin.shown}), twin)
            return _sure(row, twin)
        left = [
            one for one in namesakes if one.has_left and (one.unit == row.unit or one in numbered)
        ]
        if left:
            return Judged(row, Verdict.WRONG, (Reason(Code.HAS_LEFT, {"name": left[0].shown}),))
        sure = numbered or phoned
        if len(sure) == 1:
            return _sure(row, sure[0])
        return self._doubts(row, here)

    def _doubts(self, row: Row, namesakes: list[Known]) -> Judged:
        """Nobody known for sure; who it might be."""
        if namesakes:
            target = namesakes[0] if len(namesakes) == 1 else None
            return _doubt(row, Reason(Code.SAME_NAME, {"known": namesakes[0].shown}), target)
        phoned = self.by_phone.get(row.phone)
        if phoned is not None:
            return _doubt(row, Reason(Code.SAME_PHONE, {"known": phoned.shown}), phoned)
        alike = self._alike(row)
        if alike is not None:
            return _doubt(row, Reason(Code.ALIKE, {"known": alike.shown}), alike)
        other = self.rows_by_name.get(row.name)
        if other is not None:
            return _doubt(row, Reason(Code.SAME_NAME_ROW, {"line": other.line}))
        other = self.rows_by_phone.get(row.phone)
        if other is not None:
            named = {"line": other.line, "name": other.name}
            return _doubt(row, Reason(Code.SAME_PHONE_ROW, named))
        return Judged(row, Verdict.NEW)

    def _alike(self, row: Row) -> Known | None:
        """Somebody known of the same unit, or where one has none, whose name is very like."""
        if not self.by_likeness:
            return None
        for key in likeness(row.name):
            for one in self.by_likeness.get(key, ()):
                if one.unit == row.unit or not one.unit or not row.unit:
                    return one
        return None


def likeness(name: str, reading: str = "") -> set[str]:
    """Names that share one of these are very like: read alike (张晓明, 张小明), the same
    characters in another order, differing in marks or capitals only."""
    letters = "".join(c for c in name.casefold() if unicodedata.category(c)[0] in "LMN")
    spoken = (reading or reading_of(name)).split()
    keys = [text for text in spoken if len(text) > len(letters)]
    if not any(map(str.isdecimal, letters)):
        keys.append("".join(sorted(letters)))
    return {f"{len(letters)} {key}" for key in keys}


def _sure(row: Row, target: Known) -> Judged:
    judged = Judged(row, Verdict.CHANGED, target=target)
    return judged if judged.changes else replace(judged, verdict=Verdict.SAME)


def _doubt(row: Row, reason: Reason, target: Known | None = None) -> Judged:
    choices = (Choice.SKIP, Choice.NEW, *([Choice.UPDATE] if target else []))
    return Judged(row, Verdict.DOUBTFUL, (reason,), target, choices)


def _check_unique(judged: Sequence[Judged], known: Sequence[Known]) -> list[Judged]:
    """The rows again, wrong where a number or seed is another row's or a known entry's that
    keeps it. A doubtful row whose number its own target holds cannot be somebody new."""
    moving = {
        (change.field, one.target.pk)
        for one in judged
        if one.verdict is Verdict.CHANGED and one.target
        for change in one.changes
    }
    result = list(judged)
    for column, doubled, taken in (
        (Field.NUMBER, Code.DOUBLE_NUMBER, Code.NUMBER_TAKEN),
        (Field.SEED, Code.DOUBLE_SEED, Code.SEED_TAKEN),
    ):
        holders = {
            one.value(column): one
            for one in known
            if one.value(column) and (column, one.pk) not in moving
        }
        first: dict[int | str, int] = {}
        for index, one in enumerate(result):
            value = one.row.value(column)
            if not value or one.verdict is Verdict.WRONG or one.is_double:
                continue
            holder = holders.get(value)
            if first.setdefault(value, one.row.line) != one.row.line:
                reason = Reason(doubled, {"n": value, "line": first[value]})
            elif holder and (one.target is None or holder.pk != one.target.pk):
                reason = Reason(taken, {"n": value, "name": holder.name})
            elif holder and Choice.NEW in one.choices:
                rest = tuple(choice for choice in one.choices if choice is not Choice.NEW)
                result[index] = replace(one, choices=rest)
                continue
            else:
                continue
            result[index] = Judged(one.row, Verdict.WRONG, (reason,))
    return result
