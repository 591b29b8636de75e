"""What a change at drawn tables would do, and what has been changed (C7.3, C9.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.models import AuditRow, User
from tournament.domain.fixed_tables import MARK, UNMARK
from tournament.domain.leaving import GONE
from tournament.domain.preliminary import later_fillers, later_pairs
from tournament.domain.seating import LATE_ENTRY, SWAP
from tournament.domain.seating_undo import LATE_ENTRY_UNDO, SWAP_UNDO, swap_stands, swapped
from tournament.enums import BEFORE_PLAY, State
from tournament.models import ApartGroup, DeviceLink, Entrant, Round, Seat, Stage, Table
from tournament.models.people import is_number, name_by_number, numbered
from tournament.queries.fixed_tables import is_fixed

MOST = 30


@dataclass(frozen=True)
class Page:
    """A public page that will show something else."""

    label: str
    url: str


@dataclass
class Preview:
    """What a change does: who moves where, what to mind, which public pages change.

    `pages` is empty where nobody but those who lead sees the draw.
    """

    lines: list[str]
    warnings: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)


@dataclass(frozen=True)
class Newcomer:
    """Who would sit down somewhere: name, unit, and his entry if he has one already."""

    name: str
    unit: str
    entry: int | None = None


def seat_title(seat: Seat) -> str:
    """`第 1 轮 3 桌甲`. Needs `table.round`."""
    words = {"round": seat.table.round.title, "n": seat.table.number, "seat": seat.name}
    return _("%(round)s %(n)d 桌%(seat)s") % words


def swap_preview(stage: Stage, first: Seat, second: Seat) -> Preview:
    """Of two entrants' seats with names, units and `table.round`; in a preliminary they change
    places in the later rounds too. At most seven queries."""
    preview = Preview([])
    pairs = [(first, second), *later_pairs(first, second)]
    meetings = Meetings(stage, [seat.table for pair in pairs for seat in pair])
    people = _holder(first), _holder(second)
    for at, moving in enumerate(people):
        for pair in pairs:
            seat, other = pair[at], pair[1 - at]
            words = {"who": numbered(moving.number, moving.name)}
            words |= {"from": seat_title(seat), "to": seat_title(other)}
            preview.lines.append(_("%(who)s：%(from)s → %(to)s") % words)
            if seat.table_id != other.table_id:
                who = Newcomer(moving.name, moving.unit, moving.entry_id)
                preview.warnings += meetings.told(who, other.table, without={other.pk})
        if moving.seed is not None:
            preview.warnings.append(
                _("%(name)s是 %(seed)d 号种子，换了座位就换了分区。")
                % {"name": moving.name, "seed": moving.seed}
            )
        if is_fixed(moving):
            preview.warnings.append(_("%(name)s行动不便，需要固定的桌。") % {"name": moving.name})
    preview.pages = public_pages(stage, [seat.table for pair in pairs for seat in pair], people)
    return preview


def late_preview(stage: Stage, seat: Seat, name: str, unit: str) -> Preview:
    """Of somebody late at a filler's seat or in a bye; the seat comes with its entrant's name,
    unit and `table.round`. At most five queries."""
    who = Newcomer(name, unit)
    if seat.is_filler:
        words = {"name": name, "seat": seat_title(seat)}
        preview = Preview([_("%(name)s 坐%(seat)s，陪打不用上场。") % words])
        later = later_fillers(seat) if seat.table.round.is_prelim else []
        if later:
            seats = _("、").join(seat_title(one) for one in later)
            preview.lines.append(_("以后各轮坐%(seats)s。") % {"seats": seats})
        tables = [seat.table, *(one.table for one in later)]
        meetings = Meetings(stage, tables)
        preview.warnings = [text for table in tables for text in meetings.told(who, table)]
        preview.pages = public_pages(stage, tables, [])
        return preview
    holder = _holder(seat)
    before = Round.objects.get(stage=stage, number=seat.table.round.number - 1)
    words = {"round": before.title, "n": str(before.tables.count() + 1)}
    words |= {"holder": holder.name, "name": name, "seat": seat_title(seat)}
    filler = _("，另由陪打补足三人") if min(stage.table_size, 3) == 3 else ""
    preview = Preview(
        [
            _("%(round)s加第 %(n)s 桌：%(holder)s 对 %(name)s%(filler)s。")
            % {**words, "filler": filler},
            _("%(holder)s 不再轮空；这一桌的胜者坐%(seat)s。") % words,
        ]
    )
    if unit and unit == holder.unit:
        words = {"unit": unit, "names": _("、").join([holder.name, name])}
        preview.warnings.append(_("两人同单位（%(unit)s）同桌：%(names)s。") % words)
    preview.pages = public_pages(stage, [seat.table], [holder])
    return preview


class Meetings:
    """Whom somebody would meet of his unit or of a further group at one of `tables` (C1.4).

    Three queries; needs `table.round`.
    """

    def __init__(self, stage: Stage, tables: Iterable[Table]) -> None:
        seats = Seat.objects.filter(table__in=[table.pk for table in tables])
        self.seats = list(
            seats.exclude(entrant=None).select_related(
                "entrant__entry__person", "entrant__partner__person"
            )
        )
        groups = ApartGroup.objects.filter(competition=stage.event.competition_id)
        self.groups = list(groups.prefetch_related("entries"))

    def told(self, who: Newcomer, table: Table, *, without: Collection[int] = ()) -> list[str]:
        """A sentence each; `without` are seats that are vacated."""
        sitting = [
            seat.entrant
            for seat in self.seats
            if seat.table_id == table.pk and seat.pk not in without and seat.entrant is not None
        ]
        where = _("%(round)s %(n)d 桌") % {"round": table.round.title, "n": table.number}
        mates = [one.name for one in sitting if who.unit and one.unit == who.unit]
        found = []
        if mates:
            words = {"unit": who.unit, "table": where, "names": _("、").join([who.name, *mates])}
            found.append(_("%(table)s有同单位（%(unit)s）的人：%(names)s。") % words)
        for group in self.groups:
            members = {entry.pk for entry in group.entries.all()}
            met = [one.name for one in sitting if one.entry_id in members]
            if who.entry in members and met:
                words = {"group": group.name, "table": where}
                words["names"] = _("、").join([who.name, *met])
                found.append(_("%(table)s有同一回避组（%(group)s）的人：%(names)s。") % words)
        return found


def public_pages(stage: Stage, tables: Iterable[Table], entrants: Iterable[Entrant]) -> list[Page]:
    """The pages that will change for everybody; none while the draw is a draft. No query; needs
    `table.round`."""
    tables = list({table.pk: table for table in tables}.values())
    if any(table.round.state in (State.PLANNED, State.DRAWN) for table in tables) or not tables:
        return []
    code = stage.event.competition.code
    args = [code, stage.event_id]
    if all(table.round.is_prelim for table in tables):
        pages = [Page(_("预赛"), reverse("preliminary", args=args))]
    else:
        pages = [Page(_("对阵图"), reverse("bracket", args=args))]
    pages += [
        Page(
            _("%(round)s %(n)d 桌") % {"round": table.round.title, "n": table.number},
            reverse("table", args=[code, table.pk]),
        )
        for table in tables
    ]
    return pages + [Page(one.name, reverse("entrant", args=[code, one.pk])) for one in entrants]


@dataclass(frozen=True)
class Change:
    """Something that was done: when, by whom, what, and how it is taken back.

    `undo` is the address that takes it back, `by_page` whether that is a page with a preview
    first; `why_not` a sentence where it cannot be taken back any more.
    """

    at: datetime
    who: str
    text: str
    undo: str = ""
    by_page: bool = False
    why_not: str = ""


TITLES: dict[str, str | Promise] = {
    SWAP: gettext_lazy("对换：%(who)s"),
    SWAP_UNDO: gettext_lazy("撤销对换：%(who)s"),
    LATE_ENTRY: gettext_lazy("补入：%(who)s"),
    LATE_ENTRY_UNDO: gettext_lazy("撤销补入：%(who)s"),
    "entry.withdraw": gettext_lazy("退赛：%(who)s"),
    "entry.reinstate": gettext_lazy("恢复参赛：%(who)s"),
    "entrant.withdrawn": gettext_lazy("退赛：%(who)s"),
    "entrant.absent": gettext_lazy("缺席：%(who)s"),
    "entrant.disqualified": gettext_lazy("取消资格：%(who)s"),
    "entrant.return": gettext_lazy("恢复参赛：%(who)s"),
    "entry.replace": gettext_lazy("换人：%(who)s"),
    "entry.replace-undo": gettext_lazy("换回：%(who)s"),
    MARK: gettext_lazy("固定桌：%(who)s"),
    UNMARK: gettext_lazy("取消固定桌：%(who)s"),
}
LEAVES = ("entry.withdraw", "entrant.withdrawn", "entrant.absent", "entrant.disqualified")


def changes_of(stage: Stage) -> list[Change]:
    """The newest changes before and after the draw, the newest first. Eight queries."""
    rows = list(
        AuditRow.objects.filter(
            scope=stage.event.competition.scope, action__in=list(TITLES)
        ).order_by("-pk")[:MOST]
    )
    return _Told(stage, rows).changes() if rows else []


class _Told:
    """Rows with all that they name."""

    def __init__(self, stage: Stage, rows: list[AuditRow]) -> None:
        self.code = stage.event.competition.code
        self.event = stage.event_id
        self.query = stage.event.competition.event_query
        self.rows = rows
        keys: dict[str, set[int]] = {"seat": set(), "entrant": set(), "entry": set()}
        for row in rows:
            kind, _colon, pk = row.subject.partition(":")
            keys[kind].add(int(pk))
            keys["seat"].update([row.data["with"]] if "with" in row.data else [])
            keys["entrant"].update(row.data.get("entrants", []))
            keys["entrant"].update([row.data["entrant"]] if "entrant" in row.data else [])
        self.seats = Seat.objects.select_related("table__round__stage").in_bulk(keys["seat"])
        here = Entrant.objects.filter(event=stage.event_id).select_related(
            "entry__person", "partner__person"
        )
        of_entries = here.filter(entry__in=keys["entry"])
        self.by_entry = {one.entry_id: one for one in of_entries}
        self.entrants = here.in_bulk(keys["entrant"]) | {one.pk: one for one in of_entries}
        made = {row.data["source"] for row in rows if row.data.get("source")}
        self.made = Table.objects.select_related("round").in_bulk(made)
        users = User.objects.in_bulk({row.user_id for row in rows if row.user_id})
        links = DeviceLink.objects.in_bulk({row.link_id for row in rows if row.link_id})
        self.names = {("user", pk): user.name for pk, user in users.items()}
        self.names |= {
            ("link", pk): link.label or str(link.get_role_display()) for pk, link in links.items()
        }
        self.undone = {row.data["undoes"] for row in rows if "undoes" in row.data}

    def changes(self) -> list[Change]:
        found, seen = [], set()
        for row in self.rows:
            if self._is_elsewhere(row):
                continue
            key = self._key(row)
            is_newest = key not in seen
            seen.add(key)
            undo, by_page, why_not = self._undo(row, is_newest)
            undo = undo and undo + self.query
            title = str(TITLES[row.action]) % {"who": self._who(row)}
            reason = row.word("reason")
            text = _("%(title)s（%(reason)s）") % {"title": title, "reason": reason}
            found.append(
                Change(row.at, self._author(row), text if reason else title, undo, by_page, why_not)
            )
        return found

    def _is_elsewhere(self, row: AuditRow) -> bool:
        """Whether it happened in another event."""
        kind, _colon, pk = row.subject.partition(":")
        if kind != "seat":
            return self._entrant(row) is None
        seat = self.seats.get(int(pk))
        return seat is not None and seat.table.round.stage.event_id != self.event

    def _author(self, row: AuditRow) -> str:
        kind = "user" if row.user_id else "link"
        return self.names.get((kind, row.user_id or row.link_id or 0), "")

    def _entrant(self, row: AuditRow) -> Entrant | None:
        kind, _colon, pk = row.subject.partition(":")
        return (self.by_entry if kind == "entry" else self.entrants).get(int(pk))

    def _key(self, row: AuditRow) -> object:
        """What a later change of the same thing hides."""
        if row.action.startswith("seat."):
            return row.pk
        entrant = self._entrant(row)
        part = row.action.removesuffix("-undo")
        part = part if part in (MARK, "entry.replace") else "left"
        return (entrant.pk if entrant else row.subject, part)

    def _who(self, row: AuditRow) -> str:
        if row.action in (SWAP, SWAP_UNDO):
            if row.action == SWAP:
                named = [self.entrants.get(pk) for pk in row.data["entrants"]]
                return " ↔ ".join(_named(one) for one in named)
            seats = [self.seats.get(pk) for pk in swapped(row)]
            return " ↔ ".join(seat_title(seat) if seat else "–" for seat in seats)
        if row.action in (LATE_ENTRY, LATE_ENTRY_UNDO):
            seat = self.seats.get(int(row.subject.partition(":")[2]))
            late = self.entrants.get(row.data.get("entrant", 0))
            who = _named(late) if late else name_by_number(row.data.get("number"))
            return f"{who} · {seat_title(seat)}" if seat else who
        return _named(self._entrant(row))

    def _undo(self, row: AuditRow, is_newest: bool) -> tuple[str, bool, str]:
        """Address, whether it is a page, why there is none."""
        if row.action in (SWAP, LATE_ENTRY):
            why_not = self._why_not(row)
            undo = reverse("manage_draw_change_undo", args=[self.code, row.pk])
            return ("", False, why_not) if why_not else (undo, False, "")
        entrant = self._entrant(row)
        if entrant is None or not is_newest:
            return "", False, ""
        if row.action in LEAVES and entrant.status in GONE:
            return reverse("manage_entrant_back", args=[self.code, entrant.pk]), True, ""
        if row.action == MARK and entrant.entry.needs_fixed_table:
            return reverse("manage_entrant_fixed", args=[self.code, entrant.pk]), True, ""
        if row.action == "entry.replace" and entrant.entry.person_before_id is not None:
            address = reverse("manage_entrant_replace_back", args=[self.code, entrant.pk])
            return address, False, ""
        return "", False, ""

    def _why_not(self, row: AuditRow) -> str:
        if row.pk in self.undone:
            return _("已撤销")
        pks = swapped(row) if row.action == SWAP else (int(row.subject.partition(":")[2]),)
        seats = [self.seats[pk] for pk in pks if pk in self.seats]
        if len(seats) < len(pks):
            return _("已重新抽签")
        tables = [seat.table for seat in seats]
        if row.action == LATE_ENTRY and row.data["source"] in self.made:
            tables.append(self.made[row.data["source"]])
        if any(table.state not in BEFORE_PLAY for table in tables):
            return _("那一桌已开打，不能再撤销")
        if row.action == SWAP and not swap_stands(row, seats):
            return _("座位后来又有变动")
        return ""


def _named(entrant: Entrant | None) -> str:
    if entrant is None:
        return "–"
    if is_number(entrant.name, entrant.number):
        return entrant.name
    return f"{entrant.number or '–'} {entrant.name}"


def _holder(seat: Seat) -> Entrant:
    assert seat.entrant is not None
    return seat.entrant
