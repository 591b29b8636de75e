"""A sheet with all that counts on it, read at once: sums, ranking, next dealer, rights."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cached_property
from typing import cast

from engine.rules import Rules, preset
from scoring.criteria import GAMES, HANDS, POINTS, Order
from scoring.enums import SheetState
from scoring.evidence import Terms
from scoring.games import GameTerms, among_shares, figure, is_decided, second_of
from scoring.models import HandVersion, Penalty, Ruling, Sheet
from scoring.models.base import Authored
from scoring.preliminary import table_points
from scoring.ranking import OpenTie, TableRanking, rank_table
from scoring.reseated import moved
from scoring.sums import (
    HandLine,
    PenaltyLine,
    Sitter,
    Sums,
    extras,
    next_dealer,
    players,
    running,
    sum_up,
)
from tournament.domain.results import SeatResult
from tournament.enums import (
    BEFORE_PLAY,
    DONE,
    ConfirmationMode,
    CountedBy,
    DealerOption,
    Discipline,
    State,
)
from tournament.models import Draw, Event, Round, Seat, Stage, Table
from tournament.permissions import Met

FINAL_PRIZES = (1, 2, 3)
"""The places after which a prize line runs in the final (C8.5)."""


class Board:
    """A sheet as it stands. Eight queries at most, whatever the number of hands.

    `sheet.table.round.stage.event.competition` is loaded unless the caller has done it. What is
    not asked is not read. The sheet may be one that is not saved yet.
    """

    def __init__(self, sheet: Sheet, table: Table | None = None) -> None:
        self.sheet = sheet
        self.table = table or load_table(sheet.table_id)
        self.round: Round = self.table.round
        self.stage: Stage = self.round.stage
        self.event: Event = self.stage.event

    @cached_property
    def seats(self) -> list[Seat]:
        """The seats in order, with entrants and their names."""
        found = self.table.seats.select_related(
            "entrant__entry__person", "entrant__partner__person", "source"
        ).order_by("position")
        return list(found)

    @cached_property
    def versions(self) -> list[HandVersion]:
        """What counts of each hand, in order of number, 加赛 and void hands too."""
        if self.sheet.pk is None:
            return []
        return list(
            HandVersion.objects.filter(hand__sheet=self.sheet, is_current=True)
            .select_related("hand", "author", "link")
            .order_by("hand__number")
        )

    @cached_property
    def rulings(self) -> dict[int | None, Ruling]:
        """Rulings in force by hand id; under None that about the table."""
        if self.sheet.pk is None:
            return {}
        found = Ruling.objects.filter(sheet=self.sheet, is_current=True)
        return {ruling.hand_id: ruling for ruling in found}

    @cached_property
    def penalties(self) -> list[Penalty]:
        """Penalties in force."""
        if self.sheet.pk is None:
            return []
        return list(Penalty.objects.filter(sheet=self.sheet, voided_at=None).select_related("hand"))

    def stopped(self, number: int) -> frozenset[int]:
        """The seats that may not win the hand with this number (停和)."""
        return frozenset(p.position for p in self.penalties if p.stops(number))

    @cached_property
    def lots(self) -> dict[int, int]:
        """Public lots by entry number, 1 is best: from the words stream of the newest draw that
        made this round (C8.1)."""
        found = (
            Draw.objects.filter(
                stage=self.stage, number__isnull=False, round_number__lte=self.round.number
            )
            .order_by("-round_number", "-number")
            .values_list("result__lots", flat=True)
            .first()
        )
        numbers = cast("list[int]", found or [])
        return {number: lot for lot, number in enumerate(numbers, 1)}

    @cached_property
    def lines(self) -> list[HandLine]:
        """The hands as they count, in order."""
        count = len(self.seats)
        return [self._line(version, count) for version in self.versions]

    def _line(self, version: HandVersion, count: int) -> HandLine:
        ruling = self.rulings.get(version.hand_id)
        payload = version.payload
        among = payload.get("among") if version.hand.is_extra else None
        deltas = version.deltas[:count]
        if among is not None and self.order is GAMES:
            shares = among_shares(self._places(version), among)
            deltas = tuple(shares.get(seat, 0) for seat in range(count))
        return HandLine(
            number=version.hand.number,
            deltas=deltas,
            winners=None if version.winners is None else tuple(version.winners),
            payer=version.payer,
            dealer=version.dealer,
            hands=int(payload.get("hands", 1)),
            is_void=version.is_void,
            ruled=None if ruling is None or version.is_void else ruling.deltas[:count],
            among=None if among is None else frozenset(among),
            is_game=not self.is_counted,
            second=None if self.is_counted else self._second(version),
        )

    def _places(self, version: HandVersion) -> list[int]:
        """The places of a game by seat, none for a void one."""
        count = len(self.seats)
        places = version.payload.get("places") or [1] * count
        return list(moved(places, version.payload.get("seats") or range(count)))

    def _second(self, version: HandVersion) -> tuple[int, ...] | None:
        found = second_of(version.payload, self.game_terms)
        seats = version.payload.get("seats")
        return found if found is None or seats is None else moved(found, seats)

    @cached_property
    def sums(self) -> Sums:
        """Net 舵, hands won and 点炮 of each seat; or games won and points (C10)."""
        found = sum_up(len(self.seats), self.lines, self.penalty_lines)
        if self.is_counted:
            return found
        seats = tuple(replace(one, net=self.figure(one.net)) for one in found.seats)
        return replace(found, seats=seats)

    def figure(self, value: int) -> int:
        """What counts here, so that pages write it as it is meant: 舵, games won or points."""
        if self.is_counted:
            return value
        return figure(value, by_points=self.event.counted_by == CountedBy.POINTS)

    @property
    def penalty_lines(self) -> list[PenaltyLine]:
        """The penalties as they count."""
        count = len(self.seats)
        return [PenaltyLine(p.position, p.deltas[:count], p.deducted) for p in self.penalties]

    @cached_property
    def running(self) -> list[tuple[int, ...]]:
        """The totals after each hand of `versions`."""
        return running(len(self.seats), self.lines)

    @cached_property
    def rules(self) -> Rules:
        """The event's rules with this table's seats."""
        options = {**self.event.options, "seats": self.table.seat_count}
        return preset(self.event.preset).with_options(options)

    @property
    def is_counted(self) -> bool:
        """Whether the engine knows the game; else the referee types who won each game (C10)."""
        return self.event.discipline == Discipline.ZIPAI

    @property
    def game_terms(self) -> GameTerms:
        """What a game is counted under where the engine does not know it (C10)."""
        by_points = self.event.counted_by == CountedBy.POINTS
        return GameTerms(self.table.seat_count, by_points)

    @property
    def order(self) -> Order:
        """By what the table ranks (C8.1, C10)."""
        if self.is_counted:
            return HANDS
        return POINTS if self.event.counted_by == CountedBy.POINTS else GAMES

    def asked(self, before: int | None = None) -> Terms | GameTerms:
        """What an entry for the hand or game numbered `before` is counted under."""
        return self.terms(before) if self.is_counted else self.game_terms

    def terms(self, before: int | None = None) -> Terms:
        """What the hand numbered `before` (the next one unless told) is counted under. Only where
        `is_counted`."""
        lines = [line for line in self.lines if before is None or line.number < before]
        dealer = next_dealer(
            lines,
            first=self.table.first_dealer,
            rotate=self.stage.dealer == DealerOption.ROTATE,
            seats=self.table.seat_count,
            rules=self.rules,
        )
        return Terms(self.rules, dealer)

    @property
    def next_number(self) -> int:
        """The number of the next hand."""
        return max((line.number + line.hands for line in self.lines), default=1)

    @property
    def is_full(self) -> bool:
        """C6.4: the planned hands are in, or what they decide is decided (C10)."""
        return self.sums.played >= self.sheet.hands_planned or self.is_decided

    @property
    def is_decided(self) -> bool:
        """Best of k (C10): whether the games still to come cannot change who wins a table of two;
        at any table of games also that nobody is left to play against. A first game must be in,
        as it starts the table."""
        if self.is_counted or not self.sums.played:
            return False
        playing = [seat for seat in self.seats if not seat.forfeits and not seat.is_filler]
        if len(playing) < 2:
            return True
        left = self.sheet.hands_planned - self.sums.played
        by_games = self.event.counted_by == CountedBy.GAMES
        nets = [one.net for one in self.sums.seats]
        return by_games and len(nets) == 2 and is_decided(nets, left)

    @property
    def is_called(self) -> bool:
        """Whether the bell has gone."""
        return self.table.called_at is not None

    @property
    def flagged(self) -> list[HandVersion]:
        """Hands that are 待裁 and not ruled on yet (C6.3)."""
        return [
            version
            for version in self.versions
            if version.is_flagged and not version.is_void and version.hand_id not in self.rulings
        ]

    @cached_property
    def ranking(self) -> TableRanking:
        """C8.1, keyed by position."""
        return rank_table(
            players(self.sums, [self._sitter(seat) for seat in self.seats]),
            advance=self.table.advance,
            prizes=self.prize_lines,
            extra_option=self.stage.extra_hands,
            extras=extras(self.lines),
            order=self.order,
            shares=self.round.is_prelim,
        )

    @property
    def points(self) -> dict[int, int]:
        """A preliminary table's points by position, in twelfths (C5.4)."""
        sitting = players(self.sums, [self._sitter(seat) for seat in self.seats])
        return table_points(sitting, self.ruled_places)

    @property
    def prize_lines(self) -> tuple[int, ...]:
        """The places at this table after which a prize line runs (C8.5): the final's first three,
        so far as there are prizes; third place at its own table."""
        if not self.round.is_last:
            return ()
        if self.table.is_third:
            return FINAL_PRIZES[:1]
        return FINAL_PRIZES[: self.event.prizes]

    def _sitter(self, seat: Seat) -> Sitter:
        entrant = seat.entrant
        if entrant is None:
            return Sitter(seat.position, filler=True)
        return Sitter(
            seat.position,
            forfeit=seat.forfeits,
            prelim=entrant.prelim_rank,
            lot=self.lots.get(entrant.number or 0),
        )

    @property
    def ruled_places(self) -> dict[int, int] | None:
        """Places by position where the chief referee has fixed them (C6.6)."""
        ruling = self.rulings.get(None)
        if ruling is None or not ruling.places:
            return None
        return {int(position): place for position, place in ruling.places.items()}

    @property
    def open_ties(self) -> tuple[OpenTie, ...]:
        """Ties at a line that matters, none where the chief referee has fixed the places."""
        return () if self.ruled_places is not None else self.ranking.open_ties

    @property
    def results(self) -> list[SeatResult]:
        """What `finish_table` wants; only good without open ties."""
        places = self.ruled_places
        if places is None:
            advancing = self.ranking.advancing
            placed = [(row.key, row.place, row.key in advancing) for row in self.ranking.rows]
        else:
            ordered = sorted(places, key=places.__getitem__)
            can = [p for p in ordered if self._sitter(self.seats[p]).forfeit is False]
            going_on = can[: self.table.advance]
            # Who has left goes on by no ruling, so he does not keep the place of who does.
            ordered = [*going_on, *(p for p in ordered if p not in going_on)]
            fillers = [seat.position for seat in self.seats if seat.position not in places]
            placed = [(p, place, p in going_on) for place, p in enumerate(ordered, 1)]
            placed += [(position, None, False) for position in fillers]
        found = []
        first = 1
        for position, place, advances in placed:
            found.append(SeatResult(position, first if advances else place, advances))
            first += advances
        if self.round.is_prelim and not self.round.is_tie_break:
            points = self.points
            found = [replace(result, points=points[result.position]) for result in found]
        return sorted(found, key=lambda result: result.position)

    @cached_property
    def authors(self) -> frozenset[str]:
        """Keys of those who entered hands or penalties here (C7.2)."""
        rows: list[Authored] = [
            *HandVersion.objects.filter(hand__sheet=self.sheet).only("author_id", "link_id"),
            *Penalty.objects.filter(sheet=self.sheet).only("author_id", "link_id"),
        ]
        return frozenset(row.written_by.key for row in rows)

    def met(self, *, reason: str = "", effects_shown: bool = False) -> Met:
        """What an action meets here (C7.3)."""
        mode = ConfirmationMode(self.stage.confirmation)
        submitted = self.sheet.state == SheetState.SUBMITTED
        ask_authors = submitted and mode == ConfirmationMode.REFEREE
        return Met(
            state=State(self.table.state),
            table_id=self.table.pk,
            seated=frozenset(seat.entrant_id for seat in self.seats if seat.entrant_id),
            has_hands=self.table.state not in BEFORE_PLAY,
            is_submitted=submitted,
            confirmation=mode,
            authors=self.authors if ask_authors else frozenset(),
            reason=reason,
            effects_shown=effects_shown,
        )

    @property
    def is_done(self) -> bool:
        """Whether the table is confirmed or final."""
        return self.table.state in DONE

    @property
    def is_walkover(self) -> bool:
        """Whether the table was closed without play, as nobody was left to play against."""
        return self.is_done and self.table.started_at is None

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of all that counts on the sheet, which a confirmation confirms."""
        gone = [seat.position for seat in self.seats if seat.forfeits]
        content = {
            **({"gone": gone} if gone else {}),
            "hands": [
                [v.hand.number, v.version, v.is_void, v.is_flagged, list(v.deltas), v.evidence]
                for v in self.versions
            ],
            "rulings": [[r.pk, list(r.deltas), r.places] for r in self.rulings.values()],
            "penalties": [
                [p.pk, list(p.deltas), p.deducted] for p in self.penalties if p.has_points
            ],
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def load_table(pk: int) -> Table:
    """A table with round, stage, event and competition."""
    return Table.objects.select_related("round__stage__event__competition").get(pk=pk)
