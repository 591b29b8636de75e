"""What the pages of a sheet share: finding it, who is asking, errors and effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from core.errors import DomainError
from scoring.domain.board import Board
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import Late
from scoring.domain.opening import sheet_for
from scoring.forms.entry import names_of
from scoring.models import Sheet
from scoring.queries import find_table, read_board
from scoring.queries_history import hands_at
from scoring.shown import ShownSheet
from scoring.shown_games import event_word
from tournament.acting import Acting
from tournament.domain.reopening import dependents
from tournament.domain.results import Effects
from tournament.domain.tables import Depends
from tournament.enums import Role
from tournament.finality import finality
from tournament.models import Competition, Entrant
from tournament.permissions import Action, demand, leads, referees, require
from tournament.views.access import get_competition

P = ParamSpec("P")


@dataclass
class Page:
    """A request about one sheet."""

    request: HttpRequest
    competition: Competition
    acting: Acting
    board: Board

    @property
    def args(self) -> list[Any]:
        """The arguments of the sheet's addresses."""
        return [self.competition.code, self.board.table.pk]

    @property
    def url(self) -> str:
        """The sheet's address."""
        return reverse("sheet", args=self.args)

    @property
    def actor_name(self) -> str:
        """What the page calls who is asking: his account's name, or his link."""
        return who(self.acting, self.board) or str(self.request.user)

    def hand_url(self, number: int) -> str:
        """The page of a hand."""
        return reverse("hand", args=[*self.args, number])

    def saved_sheet(self, action: Action) -> Sheet:
        """The sheet's row, made where nobody has touched the table yet. Raises `NotAllowed`
        first where the action is refused, so that a refusal leaves no row behind."""
        return sheet_for(acting=self.acting, board=self.board, action=action)

    def fresh(self) -> Page:
        """The same page with everything read again."""
        table = find_table(self.competition, self.board.table.pk, self.acting)
        if table is None:
            raise Http404
        return Page(self.request, self.competition, self.acting, read_board(table))

    def need(self, action: Action) -> None:
        """Raises `NotAllowed` where the form of this page could not be saved anyway (C7.4)."""
        require(self.acting, action, self.board.met(reason="-", effects_shown=True))

    def context(self, **more: Any) -> dict[str, Any]:
        """What every template of a sheet's page gets."""
        table, round_ = self.board.table, self.board.round
        return {
            "competition": self.competition,
            "board": self.board,
            "table": table,
            "round": round_,
            "sheet": self.board.sheet,
            "sheet_url": self.url,
            "finality": finality(table.state, round_, self.competition),
            "title": table.label or _("第 %(n)d 桌") % {"n": table.number},
            "where": " · ".join(
                filter(None, (self.competition.name, event_word(self.board.event), round_.title))
            ),
            "who": who(self.acting, self.board),
            "actor": self.acting.key,
            "actor_name": self.actor_name,
            "is_chief": self.acting.is_any(Role.CHIEF),
            "is_referee": referees(self.acting),
            **more,
        }

    def render(self, template: str, *, status: int = 200, **more: Any) -> HttpResponse:
        """The page, in the competition's time zone."""
        with timezone.override(self.competition.tz):
            return render(self.request, template, self.context(**more), status=status)


def who(acting: Acting, board: Board) -> str:
    """In whose name somebody without an account acts: “桌链接 · 第 3 桌”."""
    if acting.user_id is not None:
        return ""
    if board.table.pk in acting.table_ids:
        return _("桌链接 · 第 %(n)d 桌") % {"n": board.table.number}
    mine = [
        seat.entrant.name
        for seat in board.seats
        if seat.entrant is not None and seat.entrant_id in acting.entrant_ids
    ]
    if mine:
        return _("选手链接 · %(name)s") % {"name": _("、").join(mine)}
    return _("裁判链接")


SheetView = Callable[Concatenate[Page, P], HttpResponse]


def sheet_page(view: SheetView[P]) -> Callable[..., HttpResponse]:
    """A view of one sheet: finds it, refuses who has nothing to do with the table (C7.4)."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, code: str, pk: int, **kwargs: Any) -> HttpResponse:
        competition, acting = get_competition(request, code)
        table = find_table(competition, pk, acting)
        if table is None:
            raise Http404(pk)
        board = read_board(table)
        demand(sees(acting, board), Role.CHIEF, Role.REFEREE, Role.TABLE)
        return view(Page(request, competition, acting, board), **kwargs)  # type: ignore[call-arg]

    return wrapped


def sees(acting: Acting, board: Board) -> bool:
    """Whether he has to do with the table (C7.4)."""
    if referees(acting) or leads(acting) or board.table.pk in acting.table_ids:
        return True
    return any(seat.entrant_id in acting.entrant_ids for seat in board.seats if seat.entrant_id)


@dataclass(frozen=True)
class Problem:
    """An action that could not be done: which, why, and what was typed for it."""

    at: str
    error: DomainError
    typed: str = ""


def shown_sheet(page: Page) -> dict[str, Any]:
    """The ledger with each hand's row leading to its page."""
    ledger = ShownSheet(page.board, mask=False, urls={}).ledger()
    for row, version in zip(ledger["rows"], page.board.versions, strict=False):
        row["url"] = page.hand_url(version.hand.number)
    for row in ledger["rows"][len(page.board.versions) :]:
        row["url"] = ""
    return ledger


def effects_page(
    page: Page, error: ShowEffects | Depends, data: QueryDict, *, stopped: str = ""
) -> HttpResponse:
    """What a change on a confirmed table would do, and the same request once more (C9.1).
    `stopped` names those who would win although they may not (停和)."""
    fields = [
        (name, value) for name in data if name not in ANSWERED for value in data.getlist(name)
    ]
    return page.render(
        "referee/effects.html",
        status=error.status,
        lines=effect_lines(page.board, error.effects),
        stopped=stopped,
        totals=_totals(page.board, error.nets) if isinstance(error, ShowEffects) else [],
        tables=_dependents(error.effects),
        blocked=error.effects.is_blocked,
        reason=data.get("reason", ""),
        action=page.request.path,
        fields=fields,
    )


ANSWERED = ("csrfmiddlewaretoken", "effects_shown", "as_played", "replay", "file", "reason")
"""What the page of effects asks itself, or cannot send once more."""


def _totals(board: Board, after: Sequence[int]) -> list[dict[str, Any]]:
    """Each seat's net 舵 before and after."""
    return [
        {"name": name, "before": before.net, "after": net}
        for name, before, net in zip(names_of(board), board.sums.seats, after, strict=True)
    ]


def _dependents(effects: Effects) -> list[dict[str, Any]]:
    """The tables that have played on, with how many hands each."""
    tables = dependents(effects) if effects.is_blocked else []
    hands = hands_at([table.pk for table in tables])
    return [
        {
            "title": f"{table.round.title} {_('第 %(n)d 桌') % {'n': table.number}}",
            "hands": hands.get(table.pk, 0),
        }
        for table in tables
    ]


def effect_lines(board: Board, effects: Effects) -> list[str]:
    """The effects in sentences (C9.1)."""
    names = {seat.entrant_id: seat.entrant.name for seat in board.seats if seat.entrant is not None}
    moving = (pk for move in effects.moves for pk in (move.feed.entrant_id, move.after))
    others = {pk for pk in moving if pk is not None}
    for entrant in Entrant.objects.filter(pk__in=others - names.keys()).select_related(
        "entry__person", "partner__person"
    ):
        names[entrant.pk] = entrant.name
    return effect_sentences(names, effects) or [_("名次和晋级都不变，只改分数。")]


def effect_sentences(names: Mapping[int | None, str], effects: Effects) -> list[str]:
    """The effects with these names by entrant id; none where only points change."""
    lines = [
        _("%(name)s：第 %(before)s 名 → 第 %(after)s 名")
        % {
            "name": names[change.entrant_id],
            "before": change.before or "–",
            "after": change.after or "–",
        }
        for change in effects.places
    ]
    for move in effects.moves:
        words = {
            "before": names.get(move.feed.entrant_id, "–"),
            "after": names.get(move.after, "–"),
        }
        if not move.feed.seat_id:
            lines.append(
                _("晋级的不再是%(before)s，而是%(after)s；下一轮如果已经冻结或抽签，要重新抽。")
                % words
            )
            continue
        lines.append(
            _("晋级的不再是%(before)s，而是%(after)s；下一轮那一桌已经开打。") % words
            if move.feed.has_begun
            else _("晋级的不再是%(before)s，而是%(after)s；下一轮那一桌换人。") % words
        )
    if effects.champion is not None:
        before, after = effects.champion
        lines.append(
            _("冠军由%(before)s变为%(after)s。")
            % {"before": names.get(before, "–"), "after": names.get(after, "–")}
        )
    return lines


def late_of(data: Mapping[str, Any]) -> Late:
    """What came with a change on a confirmed table."""
    return Late(
        reason=data.get("reason", ""),
        effects_shown=data.get("effects_shown") == "1",
        as_played=data.get("as_played") == "1",
        replay=data.get("replay") == "1",
    )


def seat_choices(board: Board, positions: Sequence[int]) -> list[dict[str, Any]]:
    """Positions with the names of who sits there."""
    names = names_of(board)
    return [{"position": p, "name": names[p]} for p in positions]
