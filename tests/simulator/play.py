"""A whole competition by chance, through the public functions of `domain` alone.

A walk keeps nothing but ids: every step reads its objects anew, as a server that was just started
does. What it draws from is `random.Random(seed)`, so a seed is a walk.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from core import bodies, known
from core.domain import versions
from core.errors import DomainError
from scoring.domain.board import Board
from scoring.domain.closing import finalize_due, finalize_round
from scoring.domain.hands import Difference, Entered, clear_flag, enter_hand
from scoring.domain.leaving import proposals
from scoring.domain.preliminary import close_preliminary, open_tie_breaks
from scoring.domain.sheets import call_time, confirm_sheet, open_sheet, open_sheets, submit_sheet
from scoring.domain.verdicts import rule_on_hand, rule_on_table
from scoring.domain.walkovers import walk_over
from scoring.enums import Evidence
from scoring.games import ranked, shares_of
from scoring.models import Hand, HandVersion, Sheet
from tests.factories import make_acting, make_user
from tests.simulator import invariants
from tests.simulator.places import nets_of
from tests.simulator.rows import DONE, DRAFTS, Rows, Written, json_of
from tournament.acting import Acting
from tournament.domain.apart import keep_apart
from tournament.domain.competitions import create_competition, publish_competition
from tournament.domain.draws import (
    cancel_freeze,
    enter_words,
    freeze_draw,
    publish_draw,
    round_to_draw,
)
from tournament.domain.entries import add_pasted, change_entry
from tournament.domain.events import EventTerms, add_event, remove_event
from tournament.domain.formats import Format, set_format
from tournament.domain.gaps import fill_gap, gaps
from tournament.domain.leaving import stand_ins
from tournament.domain.links import issue_link
from tournament.domain.preliminary import stage_now
from tournament.domain.settings import set_plan, set_play
from tournament.enums import ConfirmationMode, CountedBy, DealerOption, Discipline, Role, Way
from tournament.models import Competition, Draw, Entrant, Event, Round, Seat, Stage, Table
from tournament.pairing.plan import ways
from tournament.pairing.planner import Cut as PlannedCut
from tournament.pairing.planner import Style as PlannedStyle

MOST_STEPS = 4000
SEATS = "甲乙丙丁"
FIELDS = {
    (2, 6): 60,
    (7, 9): 20,
    (10, 13): 12,
    (14, 20): 4,
    (21, 40): 1,
    (41, 60): 0.5,
    (81, 81): 0.5,
}
"""How many enter, and how often: small fields are cheap and hold every kind of plan."""
SHAPES = (*[(3, 1)] * 5, *[(2, 1)] * 2, (4, 1), (4, 2))


class Broken(AssertionError):
    """A sentence of competition.md that the rows do not keep."""


@dataclass(frozen=True)
class Step:
    """What a walk has done: what, on what, and what was answered."""

    name: str
    about: str
    answer: str

    def __str__(self) -> str:
        return f"{self.name} {self.about} → {self.answer}"


class Walk:
    """One competition from its first name to its prizes."""

    def __init__(self, seed: int, most_entrants: int = 60) -> None:
        self.seed, self.most_entrants = seed, most_entrants
        self.rng = random.Random(seed)
        self.steps: list[Step] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        self.error: DomainError | None = None
        self.competition_id = self.event_id = self.stage_id = 0
        self.shape, self.is_manual = (3, 1), False
        self.people: dict[str, Acting] = {}
        self.links: dict[tuple[str, int], Acting] = {}
        self.written = Written()
        self.rows = Rows()

    def reread(self) -> None:
        """The rows as they are now."""
        self.rows = Rows(self.rows, self.written)

    # What a step is.

    def do(
        self,
        name: str,
        act: Callable[[], object],
        *,
        about: object = "",
        lowers: str = "",
        must: bool = False,
    ) -> Any:
        """One step: done, or refused with a code and without a trace; then every invariant.

        `lowers` names what may go back in its states (`round table sheet`); with `must` the step
        has to succeed. What `act` returned, None where it was refused (then `error` says why).
        """
        self.forget()
        self._open_sheets()
        before, self.error, answer = self.rows, None, None
        shown = str(about)
        try:
            answer = act()
        except DomainError as error:
            self.error = error
            self._note(name, shown, error.code)
            if not error.code or not str(error):
                raise Broken("a refusal without code or sentence") from error
        except Exception as error:
            self._note(name, shown, repr(error))
            raise
        else:
            self._note(name, shown, "ok")
        self.reread()
        if self.error is not None:
            changed = self.rows.differing(before)
            if changed:
                raise Broken(f"refused and changed: {changed}")
            if must:
                raise Broken(f"{name} has to be possible here: {self.error}")
            return None
        found = [
            *invariants.of_change(before, self.rows, lowers=frozenset(lowers.split())),
            *invariants.of_state(self.rows),
        ]
        if found:
            raise Broken("\n".join(found))
        return answer

    def _open_sheets(self) -> None:
        """Who opens a table's page has its sheet made; here all are, so that no step does it."""
        visible = {pk for pk, table in self.rows.play.items() if table.state not in DRAFTS}
        if not visible <= self.rows.sheets.keys():
            open_sheets(Table.objects.filter(pk__in=visible).select_related("round"))
            self.reread()

    def _note(self, name: str, about: str, answer: str) -> None:
        self.steps.append(Step(name, about, answer))
        self.counts[name, answer if answer == "ok" else f"refused {answer}"] += 1

    @staticmethod
    def forget() -> None:
        """As after a restart: nothing is known but what the database says."""
        versions.forget()
        bodies.forget()
        known.forget()

    # Who acts, and on what.

    @property
    def competition(self) -> Competition:
        return Competition.objects.get(pk=self.competition_id)

    @property
    def event(self) -> Event:
        return Event.objects.get(pk=self.event_id)

    @property
    def knockout(self) -> Stage:
        return Stage.objects.get(pk=self.stage_id)

    @property
    def stage(self) -> Stage:
        """What is drawn and played now: the preliminary until it is closed."""
        return stage_now(self.event)

    @property
    def owner(self) -> Acting:
        return self.people["owner"]

    @property
    def chief(self) -> Acting:
        return self.people["chief"]

    @property
    def tables(self) -> list[int]:
        """The tables that everybody sees, by id."""
        return [pk for pk, table in self.rows.play.items() if table.state not in DRAFTS]

    def one(self, found: Any) -> Any:
        """One of these rows by chance, read anew; None where there is none."""
        ids = list(found.order_by("pk").values_list("pk", flat=True).distinct())
        return found.model.objects.get(pk=self.rng.choice(ids)) if ids else None

    def sheet(self, table: int) -> Sheet:
        """The table's sheet."""
        known = self.rows.sheets.get(table)
        if known is not None:
            return Sheet.objects.get(pk=known.id)
        return open_sheet(Table.objects.select_related("round").get(pk=table))

    def at_table(self, table: int) -> Acting:
        """Whoever holds the table's link."""
        return self._linked(Role.TABLE, table=Table.objects.get(pk=table))

    def entrant_link(self, entrant: int) -> Acting:
        """An entrant by his own link."""
        return self._linked(Role.ENTRANT, entrant=Entrant.objects.get(pk=entrant))

    def _linked(self, role: Role, **whose: Any) -> Acting:
        ((kind, one),) = whose.items()
        if (kind, one.pk) not in self.links:
            issued = issue_link(acting=self.owner, competition=self.competition, role=role, **whose)
            self.reread()
            self.links[kind, one.pk] = Acting(
                link_id=issued.link.pk,
                competition_id=self.competition_id,
                roles=frozenset({role}),
                table_ids=frozenset({one.pk} if role == Role.TABLE else ()),
                entrant_ids=frozenset({one.pk} if role == Role.ENTRANT else ()),
            )
        return self.links[kind, one.pk]

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def scorer(self, table: int) -> Acting:
        """Somebody who may enter at a table."""
        if self.chance(0.2):
            return self.at_table(table)
        return self.people[self.rng.choice(("chief", "chief", "referee", "other"))]

    # From nothing to a list.

    def open(self) -> None:
        """A competition with its people and its plan, nothing frozen yet."""
        rng = self.rng
        ((low, high),) = rng.choices(list(FIELDS), list(FIELDS.values()))
        count = min(rng.randint(low, high), self.most_entrants)
        user = make_user(f"walker{self.seed}")
        details = {"capacity": count if self.chance(0.2) else None, "mask_names": self.chance(0.2)}
        competition = create_competition(
            user=user, name="漓江杯", starts_on=date(2026, 12, 5), details=details
        )
        self.competition_id = competition.pk
        owner = Acting(
            user_id=user.pk, competition_id=competition.pk, roles=frozenset({Role.OWNER})
        )
        self.people = {
            "owner": owner,
            "chief": make_acting(competition, Role.CHIEF),
            "referee": make_acting(competition, Role.REFEREE),
            "other": make_acting(competition, Role.REFEREE),
            "stranger": Acting(competition_id=competition.pk),
        }
        self.is_manual = self.chance(0.12)
        if self.is_manual:
            self._play_another_game()
        self.event_id = competition.events.get().pk
        self.stage_id = competition.events.get().stages.get().pk
        self.reread()
        units = rng.choice((1, 2, 4, 60))
        lines = [f"选手{i}\t单位{i // units}" for i in range(1, count + 1 + 3 * self.chance(0.2))]
        text = "\n".join(lines)
        self.do(
            "paste", lambda: add_pasted(acting=self.owner, event=self.event, text=text),
            about=count, must=True,
        )  # fmt: skip
        if self.chance(0.15) and count > 3:
            numbers = sorted(rng.sample(range(1, count + 1), 3))
            self.do("apart", lambda: keep_apart(
                acting=self.owner, event=self.event, name="莫家", numbers=numbers))  # fmt: skip
        if self.chance(0.2):
            self._seed()
        values: dict[str, object] = {
            "hands": rng.choice((1, 1, 2, 3)), "final_hands": rng.choice((1, 2, 3)),
            "confirmation": rng.choice(list(ConfirmationMode)),
            "dealer": rng.choice(list(DealerOption)), "extra_hands": self.chance(0.6),
            "minutes": rng.choice((None, 50)),
        }  # fmt: skip
        if self.is_manual:
            values = {"confirmation": values["confirmation"], "extra_hands": values["extra_hands"]}
        self.do(
            "play", lambda: set_play(acting=self.owner, stage=self.knockout, values=values),
            about=values, must=True,
        )  # fmt: skip
        self.choose_format()
        if self.chance(0.7):
            self.do("show", lambda: publish_competition(
                acting=self.owner, competition=self.competition), must=True)  # fmt: skip

    def _play_another_game(self) -> None:
        """The one event is not of 字牌 (C10)."""
        competition = self.competition
        first = competition.events.get()
        terms = EventTerms(
            "象棋", Discipline.MANUAL, games=self.rng.choice((1, 3)),
            counted_by=self.rng.choice(list(CountedBy)), table_size=2,
        )  # fmt: skip
        add_event(acting=self.owner, competition=competition, terms=terms)
        remove_event(acting=self.owner, event=first)

    def choose_format(self) -> None:
        """A fixed knock-out mostly, else any format that the organizer can choose."""
        rng, count = self.rng, self._to_draw()
        self.shape = rng.choice(SHAPES)
        if self.is_manual:
            self.shape = (2, 1)
        if self.is_manual or self.chance(0.5):
            self.plan(Way(rng.choice(ways(count, *self.shape))) if self.chance(0.5) else None)
            return
        size, advance = self.shape
        style = rng.choice((PlannedStyle.USUAL, PlannedStyle.BYES, *[PlannedStyle.REDRAW] * 2))
        wanted = Format(
            table_size=size,
            advance=advance if style != PlannedStyle.REDRAW else 1,
            style=style,
            first_two=style == PlannedStyle.REDRAW and size == 3 and self.chance(0.3),
            third_table=size == 2 and self.chance(0.7),
            preliminary=rng.randint(1, 4) if count >= 6 and self.chance(0.5) else 0,
            cut=rng.choice(list(PlannedCut)),
            hands=rng.choice((1, 1, 2)),
            final_hands=rng.choice((1, 2)),
            prizes=rng.choice((1, 3, 9, 9)),
        )
        done = self.do(
            "format",
            lambda: set_format(
                acting=self.owner, stage=self.knockout, wanted=wanted, entrants=count
            ),
            about=wanted,
        )
        if done is None:
            self.plan(None)

    def _to_draw(self) -> int:
        return Entrant.objects.filter(status="in", entry__status="confirmed").count()

    def plan(self, way: Way | None) -> None:
        """So many at a table, so many of them go on."""
        size, advance = self.shape
        count = self._to_draw()
        self.do(
            "plan",
            lambda: set_plan(
                acting=self.owner, stage=self.knockout, table_size=size, advance=advance,
                way=way, entrants=count,
            ),
            about=f"{size}→{advance} {way or ''}", must=True,
        )  # fmt: skip

    def _seed(self) -> None:
        for seed in range(1, self.rng.randint(1, 3) + 1):
            entrant = self.one(Entrant.objects.filter(seed=None))
            if entrant is None:
                return
            self.do("seed", lambda: self._as_seed(entrant, seed), about=entrant.pk)  # noqa: B023

    def _as_seed(self, entrant: Entrant, seed: int) -> None:
        entry = entrant.entry
        change_entry(
            acting=self.owner, entrant=entrant, name=entry.person.name, unit=entry.unit,
            number=entry.number, seed=seed,
        )  # fmt: skip

    # One step nearer to the champion.

    @property
    def is_over(self) -> bool:
        return self.rows.competition.ended_at is not None

    def advance(self) -> None:
        """Does the next thing that has to be done, or one of them."""
        self._open_sheets()
        stage = self.stage
        rounds = [one for one in self.rows.rounds.values() if one.stage_id == stage.pk]
        open_tables = [pk for pk in self.tables if self.rows.play[pk].state not in DONE]
        able = [pk for pk in open_tables if not self._waits(pk)]
        if any(round_.state == "drawn" for round_ in rounds):
            self.do("publish", lambda: publish_draw(acting=self.owner, stage=self.stage), must=True)
        elif able:
            self.at(self.rng.choice(able))
        elif open_tables:
            raise Broken(f"stuck: no table of {open_tables} can go on")
        elif rounds and stage.kind == "prelim":
            self.close_preliminary()
        elif any(round_.is_last for round_ in rounds):
            self._finalize()
        else:
            self.draw()

    def close_preliminary(self) -> None:
        """Who goes on is declared, or the tie at the line is played."""
        self.do("close", lambda: close_preliminary(acting=self.owner, stage=self.stage))
        if self.error is not None:
            if self.error.code != "ties-wait":
                raise Broken(f"the preliminary cannot be closed: {self.error}")
            self.do("tie table", lambda: open_tie_breaks(acting=self.chief, stage=self.stage),
                    must=True)  # fmt: skip

    def draw(self, reason: str = "") -> None:
        """Freezes, or enters the words."""
        frozen = self.one(Draw.objects.filter(stage__event=self.event_id, number=None))
        if frozen is None:
            self.do(
                "freeze",
                lambda: freeze_draw(acting=self.owner, stage=self.stage, reason=reason),
            )
            if self.error is not None and self.error.code == "plan-way":
                self.plan(None)
            elif self.error is not None and self.error.code == "rotation-entrants":
                wanted = Format(table_size=self.shape[0], style=PlannedStyle.USUAL)
                count = self._to_draw()
                self.do(
                    "no preliminary",
                    lambda: set_format(
                        acting=self.owner, stage=self.knockout, wanted=wanted, entrants=count
                    ),
                    must=True,
                )
            elif self.error is not None and not reason:
                raise Broken(f"nothing can be frozen: {self.error}")
            return
        if frozen.round_number < round_to_draw(self.stage):
            self.do("thaw", lambda: cancel_freeze(acting=self.owner, draw=frozen), must=True)
            return
        words = self.rng.choice("红黑大小") * self.rng.randint(1, 4)
        drawn = self.do(
            "words", lambda: enter_words(acting=self.owner, draw=frozen, words=words), about=words,
            lowers="round table sheet",
        )  # fmt: skip
        if drawn is not None:
            found = [*invariants.of_draw(self.rows, drawn.pk), *invariants.of_drafts(self.event)]
            if found:
                raise Broken("\n".join(found))

    def _waits(self, pk: int) -> bool:
        """Whether a table waits for one before it."""
        rows = self.rows
        before = {seat.source_id for seat in rows.seats[pk] if seat.source_id}
        before |= invariants.tables_before(rows, pk)
        return any(rows.play[one].state not in DONE for one in before)

    def at(self, pk: int) -> None:
        """What comes next at a table that waits for no other."""
        table, seats = self.rows.play[pk], self.rows.seats[pk]
        if table.state == "published":
            able = [seat for seat in seats if seat.entrant_id and not seat.forfeits]
            goes_on = invariants.advance_of(self.rows, table)
            is_knockout = self.rows.stage_of(table).kind == "knockout"
            if is_knockout and len(able) <= max(goes_on, 1) and self.chance(0.6):
                self.walk_over(pk)
            elif any(seat.entrant_id is None and not seat.is_filler for seat in seats):
                self.fill(pk)
            else:
                self.enter(pk)
            return
        sheet = self.rows.sheets[pk]
        if sheet.state == "submitted":
            self.confirm(pk)
        elif self._left(pk) == 0 or table.called_at is not None:
            self.submit(pk)
        elif self.chance(0.06):
            who = self.scorer(pk)
            self.do(
                "call", lambda: call_time(acting=who, sheet=self.sheet(pk)), about=pk, must=True
            )
        else:
            self.enter(pk)

    def walk_over(self, pk: int) -> None:
        self.do(
            "walkover",
            lambda: walk_over(acting=self.chief, table=Table.objects.get(pk=pk), reason="无人可补"),
            about=pk,
            must=True,
        )

    def fill(self, pk: int) -> None:
        """Somebody who stands by, else a filler; else who is left goes on without play."""
        seat = gaps(Table.objects.get(pk=pk))[0]
        best = proposals(seat)
        instead = best[0].entrant if best and self.chance(0.8) else None
        done = self.do(
            "fill",
            lambda: fill_gap(acting=self.chief, seat=Seat.objects.get(pk=seat.pk), instead=instead),
            about=f"{seat.pk} by {instead.pk if instead else 'filler'}",
        )
        if done is None and not stand_ins(Seat.objects.get(pk=seat.pk)).exists():
            self.walk_over(pk)

    def points(self, seats: int) -> list[int]:
        """Small points, so that many are level; of games who has won one, or a draw."""
        (event,) = self.rows.all("tournament_event").values()
        if self.is_manual and event.counted_by == CountedBy.GAMES:
            return list(shares_of(ranked([self.rng.randint(1, 2) for _seat in range(seats)])))
        found = [self.rng.randint(-2, 2) for _seat in range(seats - 1)]
        return [*found, -sum(found)]

    def _left(self, pk: int) -> int:
        """How many of the planned hands are not in yet."""
        sheet = self.rows.sheets[pk]
        return sheet.hands_planned - nets_of(self.rows, sheet).played

    def _left_out(self, pk: int) -> int | None:
        """The first number without a hand, where the last one is taken already."""
        sheet = self.rows.sheets[pk]
        taken: set[int] = set()
        for hand in self.rows.hands.get(sheet.id, []):
            hands = json_of(self.rows.current(hand.id).payload).get("hands", 1)
            taken |= set(range(hand.number, hand.number + hands))
        free = [n for n in range(1, sheet.hands_planned) if n not in taken]
        return free[0] if free and max(taken, default=0) >= sheet.hands_planned else None

    def entered(self, table: Any, *, left: int = 1, plain: bool = False) -> Entered:
        """A result line or points alone, sometimes with another claim than what is computed."""
        rng, seats = self.rng, table.seat_count
        if self.is_manual:
            points = [rng.randint(0, 3) for _seat in range(seats)]
            return Entered(Evidence.GAME, {"points": points})
        if plain or seats == 4 or self.chance(0.5):
            hands = left if self.chance(0.5) else 1
            return Entered(Evidence.TOTALS, {"deltas": self.points(seats), "hands": hands})
        if self.chance(0.2):
            return Entered(Evidence.RESULT, {"source": "draw"})
        winner, payer = rng.sample(SEATS[:seats], 2)
        payload: dict[str, object] = {
            "source": "own-flip", "winner": winner, "hu": rng.choice((10, 15, 20)), "xing_count": 0,
        }  # fmt: skip
        if self.chance(0.6):
            payload |= {"source": "discard", "payer": payer}
        if self.chance(0.1):
            payload["claim"] = {"total": 9}
        difference = rng.choice((Difference.COMPUTED, Difference.COMPUTED, Difference.FLAG))
        return Entered(Evidence.RESULT, payload, difference)

    def enter(self, pk: int) -> None:
        """The next hand."""
        table = self.rows.play[pk]
        entered, who = self.entered(table, left=self._left(pk)), self.scorer(pk)
        key = str(self.rng.getrandbits(60)) if self.chance(0.1) else ""
        for one in (entered, self.entered(table, plain=True)):
            done = self.do(
                "enter",
                lambda one=one: enter_hand(
                    acting=who,
                    sheet=self.sheet(pk),
                    entered=one,
                    key=key,
                    number=None if one is entered else self._left_out(pk),
                ),
                about=f"{pk} {one.payload}",
                must=one is not entered and not self.is_manual,
            )
            if done is not None:
                break
            if self.is_manual and self.error is not None and self.error.code == "sheet-full":
                self.submit(pk)
                return
        else:
            return
        if key and done is not None:
            again = self.do(
                "enter again",
                lambda: enter_hand(acting=who, sheet=self.sheet(pk), entered=one, key=key),
                about=pk,
                must=True,
            )
            if again.pk != done.pk:
                raise Broken(f"sent twice: {done.pk}, {again.pk}")

    def submit(self, pk: int) -> None:
        """The full sheet is submitted; what is in its way is settled."""
        self.do("submit", lambda: submit_sheet(acting=self.chief, sheet=self.sheet(pk)), about=pk)
        self.settle(pk)

    def settle(self, pk: int) -> None:
        """Answers the refusal of a submission or a confirmation."""
        code = self.error.code if self.error else ""
        if code == "flag-open":
            self.unflag(pk)
        elif code == "tie-open":
            self.break_tie(pk)
        elif code:
            raise Broken(f"neither submitted nor confirmed: {self.error}")

    def unflag(self, pk: int) -> None:
        version = self.one(
            HandVersion.objects.filter(
                hand__sheet__table=pk, is_current=True, is_flagged=True, is_void=False
            ).exclude(hand__rulings__is_current=True)
        )
        hand = Hand.objects.get(pk=version.hand_id)
        if self.chance(0.5):
            self.do("unflag", lambda: clear_flag(acting=self.chief, hand=hand), about=pk, must=True)
            return
        points = self.points(Table.objects.get(pk=pk).seat_count)
        self.do(
            "rule hand",
            lambda: rule_on_hand(acting=self.chief, hand=hand, deltas=points, reason="录像"),
            about=f"{pk} {points}",
            must=True,
        )

    def break_tie(self, pk: int) -> None:
        """A 加赛, or the chief referee's word."""
        table = Table.objects.get(pk=pk)
        sheet = self.sheet(pk)
        if sheet.state == "open" and self.chance(0.8):
            done = self.do(
                "extra",
                lambda: enter_hand(
                    acting=self.chief, sheet=self.sheet(pk), extra=True,
                    entered=self.entered(table, plain=True),
                ),
                about=pk,
            )  # fmt: skip
            if done is not None:
                return
        self.rule_places(pk, must=True)

    def rule_places(self, pk: int, *, must: bool = False, **late: Any) -> None:
        positions = list(
            Seat.objects.filter(table=pk, entrant__isnull=False).values_list("position", flat=True)
        )
        places = list(range(1, len(positions) + 1))
        self.rng.shuffle(places)
        ruled = dict(zip(sorted(positions), places, strict=True))
        self.do(
            "rule places",
            lambda: rule_on_table(
                acting=self.chief, sheet=self.sheet(pk), places=ruled, reason="抽签", **late
            ),
            about=f"{pk} {ruled}",
            must=must,
            lowers="round table sheet",
        )

    def confirm(self, pk: int) -> None:
        """One who may confirms what he sees."""
        board = Board(self.sheet(pk))
        digest, position, who = board.digest, None, self.chief
        mode = board.stage.confirmation
        if mode == ConfirmationMode.PLAYERS and self.chance(0.6):
            seat = self.one(Seat.objects.filter(table=pk, entrant__isnull=False))
            position = seat.position
            who = self.at_table(pk) if self.chance(0.5) else self.entrant_link(seat.entrant_id)
        elif mode == ConfirmationMode.REFEREE and self.chance(0.6):
            who = self.people["other"]
        self.do(
            "confirm",
            lambda: confirm_sheet(
                acting=who, sheet=self.sheet(pk), digest=digest, position=position
            ),
            about=f"{pk} {position}",
            lowers="sheet",
        )
        if self.error is not None and self.error.code != "not-allowed":
            self.settle(pk)

    def _finalize(self) -> None:
        last = Round.objects.get(stage__event=self.event_id, is_last=True)
        if self.chance(0.5):
            later = timezone.now() + timedelta(minutes=31)
            self.do("time passes", lambda: finalize_due(later), about=last.pk)
        else:
            self.do(
                "final",
                lambda: finalize_round(acting=self.chief, round_=Round.objects.get(pk=last.pk)),
                about=last.pk,
                must=True,
            )
