"""A page of audit rows as plain sentences, with the seals between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from core.actors import Actor
from core.models import AuditRow
from scoring.audit_words import KINDS, WORDS
from scoring.history import SheetHistory, Step
from scoring.queries_audit import Told
from tournament.models import Seal, Table
from tournament.models.people import numbered


@dataclass
class Line:
    """A row for a page. `where` is its table, `title` what was done there or to what; `code` is
    the action where nobody has given it a name; `seals` those made after it and before the row
    above it."""

    at: datetime
    who: str
    title: str
    pk: int
    where: str = ""
    table: Table | None = None
    code: str = ""
    lines: list[str] = field(default_factory=list)
    seals: list[Seal] = field(default_factory=list)


def lines_of(
    rows: Sequence[AuditRow], told: Told, seals: Iterable[Seal], *, is_first: bool, several: bool
) -> list[Line]:
    """The rows in their order, newest first. `is_first`: nothing newer stands on another page;
    `several`: tables are told with their event."""
    tell = _Teller(told, several=several)
    waiting = sorted(seals, key=lambda seal: -seal.number)
    if not is_first:
        newest = next((row.seal for row in rows if row.seal is not None), 0)
        waiting = [seal for seal in waiting if seal.number <= newest]
    lines = []
    for row in rows:
        line = tell.line(row)
        while row.seal is not None and waiting and waiting[0].number >= row.seal:
            line.seals.append(waiting.pop(0))
        lines.append(line)
    return lines


class _Sheet(SheetHistory):
    """What single rows of a sheet say."""

    def tell(self, row: AuditRow) -> Step | None:
        """None where the history of a sheet does not tell it."""
        self.shown.names = self._seated(row)
        return self._step(row)


class _Teller:
    def __init__(self, told: Told, *, several: bool) -> None:
        self.told = told
        self.several = several
        self.sheets: dict[int, _Sheet] = {}

    def line(self, row: AuditRow) -> Line:
        """One row, with the token of the program that did it."""
        line = self._line(row)
        if "token" in row.data:
            label = self.told.tokens.get(row.data["token"], "")
            said = _("用接口令牌“%(label)s”") if label else _("用接口令牌")
            line.lines.append(said % {"label": label})
        return line

    def _line(self, row: AuditRow) -> Line:
        who = self.told.names.get(Actor(row.user_id, row.link_id).key, "")
        if not who:
            gone = row.user_id is not None or row.link_id is not None
            who = _("已删除的账号") if gone else _("网站")
        line = Line(row.at, who, "", row.pk)
        kind = row.action.partition(".")[0]
        step = self._of_sheet(row, line)
        if step is not None and step.title and step.title != row.action:
            line.title, line.lines = step.title, [one for one in step.lines if one]
            return line
        if row.action in WORDS:
            line.title = str(WORDS[row.action])
        else:
            line.title, line.code = str(KINDS.get(kind, "")), row.action
        about = "" if line.where else self._subject(row)
        if about:
            line.lines.append(about)
        for key in ("word", "reason"):
            if row.word(key):
                line.lines.append(row.word(key))
        return line

    def _of_sheet(self, row: AuditRow, line: Line) -> Step | None:
        pk = self.told.sheets.get(row.subject)
        if pk is None or pk not in self.told.boards:
            return None
        board = self.told.boards[pk]
        line.table = board.table
        words = [board.event.name] if self.several else []
        words += [board.round.title, _("%(n)d 桌") % {"n": board.table.number}]
        line.where = " · ".join(words)
        if pk not in self.sheets:
            self.sheets[pk] = _Sheet(board, self.told.happened[pk])
        return self.sheets[pk].tell(row)

    def _subject(self, row: AuditRow) -> str:
        """What it was done to, in words where there are some."""
        kind, _colon, text = row.subject.partition(":")
        pk = int(text) if text.isdecimal() else 0
        if kind == "competition":
            return ""
        if kind == "entry" and pk in self.told.entries:
            entry = self.told.entries[pk]
            if entry.number is None:
                return entry.person.name
            return numbered(entry.number, entry.name)
        if kind == "entrant" and pk in self.told.entrants:
            return self.told.entrants[pk]
        if kind == "round" and pk in self.told.rounds:
            return self.told.rounds[pk].title
        return row.subject
