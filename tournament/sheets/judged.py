"""What a row of a list is, beside the entries that are there."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.domain.masks import masked_phone
from tournament.sheets.cells import Row
from tournament.sheets.entering import BETWEEN
from tournament.sheets.fields import Field
from tournament.sheets.reasons import Reason


class Verdict(StrEnum):
    """What a row is."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"

    @property
    def label(self) -> Promise:
        """What pages call it."""
        return VERDICTS[self]


VERDICTS: dict[Verdict, Promise] = {
    Verdict.NEW: _("新增"),
    Verdict.SAME: _("不变"),
    Verdict.CHANGED: _("更新"),
    Verdict.DOUBTFUL: _("存疑"),
    Verdict.WRONG: _("有错"),
}


class Choice(StrEnum):
    """What becomes of a doubtful row."""

    SKIP = "skip"
    NEW = "new"
    UPDATE = "update"


@dataclass(frozen=True)
class Known:
    """An entry of the competition with its person. `seed` is that of its entrant in the event
    that the list is for, if any; `has_left` that it has withdrawn; `playing` the events it plays
    in, or waits for a place in; `pairs` in which of them with whom (event, entry, name)."""

    pk: int
    name: str
    unit: str = ""
    number: int | None = None
    phone: str = ""
    birth_year: int | None = None
    seed: int | None = None
    note: str = ""
    reading: str = ""
    has_left: bool = False
    playing: tuple[str, ...] = ()
    pairs: tuple[tuple[str, int, str], ...] = ()

    @property
    def events(self) -> str:
        """The events as a cell has them."""
        return BETWEEN.join(self.playing)

    @property
    def partner(self) -> str:
        """The names of his partners as a cell has them."""
        return BETWEEN.join(dict.fromkeys(name for _event, _pk, name in self.pairs))

    def value(self, field: Field) -> str | int | None:
        """The value of a column."""
        found: str | int | None = getattr(self, field)
        return found

    @property
    def shown(self) -> str:
        """`3 号覃小明`, or the name alone."""
        return (
            str(_("%(n)d 号%(name)s") % {"n": self.number, "name": self.name})
            if (self.number)
            else self.name
        )


@dataclass(frozen=True)
class Change:
    """A value that the list gives anew."""

    field: Field
    before: str | int | None
    after: str | int | None

    @property
    def text(self) -> str:
        """`代表单位：象山队 → 七星队`, phones masked."""
        return f"{self.field.label}：{self._shown(self.before)} → {self._shown(self.after)}"

    def _shown(self, value: str | int | None) -> str:
        if value in (None, ""):
            return str(_("无"))
        return masked_phone(str(value)) if self.field is Field.PHONE else str(value)


@dataclass(frozen=True)
class Mate:
    """A partner: an entry that is known, else the person of another row."""

    name: str
    entry: int | None = None
    line: int | None = None


@dataclass(frozen=True)
class Judged:
    """A row, what it is, why, the entry it is about, what may be chosen where it is doubtful,
    and with whom he is to play where two play together."""

    row: Row
    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    target: Known | None = None
    choices: tuple[Choice, ...] = ()
    mate: Mate | None = None

    @property
    def is_double(self) -> bool:
        """Whether it only repeats an earlier row."""
        return self.verdict is Verdict.SAME and self.target is None

    @property
    def sure_target(self) -> Known | None:
        """The entry that it is about without doubt."""
        return self.target if self.verdict in (Verdict.SAME, Verdict.CHANGED) else None

    @property
    def new_events(self) -> tuple[str, ...]:
        """The events that its person would come into."""
        playing = self.target.playing if self.target else ()
        return tuple(name for name in self.row.chosen if name not in playing)

    @property
    def changes(self) -> tuple[Change, ...]:
        """What an update of the target would change; empty cells change nothing."""
        if self.target is None:
            return ()
        said = {f: self.row.value(f) for f in Field} | {Field.EVENTS: "", Field.PARTNER: ""}
        if self.new_events:
            said[Field.EVENTS] = BETWEEN.join((*self.target.playing, *self.new_events))
        partners = [pk for _event, pk, _name in self.target.pairs]
        if self.mate is not None and self.mate.entry not in partners:
            said[Field.PARTNER] = self.mate.name
        pairs = [(f, self.target.value(f), said[f]) for f in Field]
        return tuple(
            Change(f, old, new) for f, old, new in pairs if new not in (None, "") and new != old
        )

    @property
    def shown_phone(self) -> str:
        """The phone number as pages show it."""
        return masked_phone(self.row.phone)


@dataclass(frozen=True)
class Preview:
    """Every row judged, and the lines that were passed over."""

    rows: tuple[Judged, ...]
    passed: tuple[int, ...] = ()

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many rows of each kind."""
        counted = Counter(one.verdict for one in self.rows)
        return {verdict: counted[verdict] for verdict in Verdict}

    @property
    def digest(self) -> str:
        """Of what would be written: equal as long as the preview is."""
        rows = [
            (one.row.line, one.verdict, one.target.pk if one.target else None, one.choices,
             *(one.row.value(f) for f in Field), one.row.chosen,
             *((change.field, change.before) for change in one.changes))
            for one in self.rows
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
