"""What goes amiss between the steps of a competition (C9), each with its undo, all by chance.

A mishap may be refused, then it has to leave no trace; `Walk.do` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from core.domain import jobs
from core.models import AuditRow
from scoring.domain.bells import call_time_everywhere, uncall_time_everywhere
from scoring.domain.closing import finalize_due, finalize_round
from scoring.domain.hands import (
    Late,
    clear_flag,
    correct_hand,
    enter_hand,
    flag_hand,
    restore_hand,
    void_hand,
)
from scoring.domain.lateness import mark_late
from scoring.domain.leaving import come_back, leave, proposals
from scoring.domain.preliminary import (
    cancel_tie_breaks,
    close_preliminary,
    open_tie_breaks,
    reopen_preliminary,
)
from scoring.domain.protests import (
    answer_appeal,
    answer_protest,
    appeal,
    protest,
    withdraw_protest,
)
from scoring.domain.rejudge_decisions import apply_rejudge, dismiss_rejudge
from scoring.domain.rejudging import propose_rejudge
from scoring.domain.reseating import swap_seats
from scoring.domain.sheets import call_time, confirm_sheet, send_back, submit_sheet
from scoring.domain.undo import (
    reopen_sheet,
    take_back_answer,
    uncall_time,
    unfinalize_round,
    unsubmit_sheet,
    withdraw_confirmation,
)
from scoring.domain.verdicts import drop_ruling, penalize, rule_on_hand, void_penalty
from scoring.domain.walkovers import walk_over
from scoring.enums import PenaltyKind, PenaltyLevel, ProtestState
from scoring.models import Hand, HandVersion, Penalty, Protest, Rejudge, Ruling
from scoring.models.rejudge import OPEN
from tests.simulator.pages import look
from tests.simulator.play import MOST_STEPS, Broken, Walk
from tournament.acting import Acting
from tournament.domain.attendance import mark_attendance
from tournament.domain.calls import answer_call, call_referee, reopen_call, take_call_back
from tournament.domain.clock import give_time, start_clock, stop_clock, take_time_back
from tournament.domain.competitions import publish_competition, unpublish_competition
from tournament.domain.draws import cancel_freeze, freeze_draw, publish_draw
from tournament.domain.entries import (
    add_entry,
    check_in,
    reinstate,
    withdraw_before_draw,
)
from tournament.domain.gaps import fill_gap, gaps, open_gap
from tournament.domain.leaving import GONE, current_seat, stand_ins
from tournament.domain.replacing import replace_person, take_back_replacement
from tournament.domain.seating import LATE_ENTRY, SWAP, seat_late_entry, swap_entrants
from tournament.domain.seating_undo import take_back_late_entry, take_back_swap
from tournament.domain.settings import set_plan, set_play, set_rules
from tournament.enums import CallKind, EntrantStatus
from tournament.models import Call, Draw, Entrant, Entry, ExtraTime, Round, Seat, Stage, Table

ALL = "round table sheet"


def late(w: Walk) -> tuple[Late, str]:
    """What comes with a change after the table is confirmed, and what it may lower."""
    replay = w.chance(0.25)
    return (
        Late(
            reason="录像" if w.chance(0.9) else "",
            effects_shown=w.chance(0.85),
            as_played=not replay and w.chance(0.4),
            replay=replay,
        ),
        ALL if replay else "",
    )


def about(one: Late) -> str:
    """The options in short."""
    flags = ("reason", "effects_shown", "as_played", "replay")
    return ",".join(name for name in flags if getattr(one, name))


def any_table(w: Walk) -> int | None:
    """One of the tables that everybody sees, those with hands first."""
    found = w.tables
    begun = [pk for pk in found if w.rows.play[pk].state != "published"]
    if begun and w.chance(0.8):
        return w.rng.choice(begun)
    return w.rng.choice(found) if found else None


def anybody(w: Walk) -> Acting:
    """The chief referee mostly."""
    names = ("chief", "chief", "chief", "chief", "owner", "referee", "stranger")
    return w.people[w.rng.choice(names)]


def any_hand(w: Walk, *, void: bool | None = False) -> Hand | None:
    """A hand of one of the tables."""
    found = Hand.objects.filter(sheet__table__round__stage__event=w.event_id)
    if void is not None:
        found = found.filter(versions__is_current=True, versions__is_void=void)
    hand: Hand | None = w.one(found)
    return hand


# Before the draw.


def enter_somebody(w: Walk) -> None:
    name = f"选手{w.rng.randint(1, 99)}"
    another = w.chance(0.8)
    w.do(
        "add",
        lambda: add_entry(acting=w.owner, event=w.event, name=name, is_another=another),
        about=name,
    )


def withdraw_early(w: Walk) -> None:
    found = Entrant.objects.filter(event=w.event_id, status=EntrantStatus.IN)
    if found.count() > 3:
        one = w.one(found)
        w.do("withdraw early", lambda: withdraw_before_draw(acting=w.chief, entrant=one),
             about=one.pk)  # fmt: skip


def come_early(w: Walk) -> None:
    one = w.one(Entrant.objects.filter(status=EntrantStatus.WITHDRAWN))
    if one is not None:
        w.do("reinstate", lambda: reinstate(acting=w.owner, entrant=one), about=one.pk)


def arrive(w: Walk) -> None:
    here = w.chance(0.9)
    entry = w.one(Entry.objects.all())
    w.do("check in", lambda: check_in(acting=w.people["referee"], entry=entry, here=here),
         about=f"{entry.pk} {here}")  # fmt: skip


def freeze_those_here(w: Walk) -> None:
    if Round.objects.exists() or Draw.objects.exists():
        return
    for entry in Entry.objects.order_by("pk"):
        if w.chance(0.8):
            w.do("check in", lambda entry=entry: check_in(acting=w.chief, entry=entry))
    here = Entrant.objects.filter(status="in", entry__checked_in_at__isnull=False).count()
    if here > 2:
        w.do("freeze those here", lambda: freeze_draw(
            acting=w.owner, stage=w.stage, marks_absent=True))  # fmt: skip


def thaw(w: Walk) -> None:
    draw = w.one(Draw.objects.filter(number=None))
    if draw is not None:
        w.do("thaw", lambda: cancel_freeze(acting=w.owner, draw=draw))


def draw_again(w: Walk) -> None:
    if Round.objects.exists():
        w.draw("有人没到")
        is_frozen = Draw.objects.filter(number=None).exists()
        if w.error is None and is_frozen and w.chance(0.8):
            w.draw()


def publish_again(w: Walk) -> None:
    w.do("publish again", lambda: publish_draw(acting=anybody(w), stage=w.stage))


def show_or_hide(w: Walk) -> None:
    act = w.rng.choice((publish_competition, unpublish_competition))
    w.do(act.__name__, lambda: act(acting=w.owner, competition=w.competition))


def set_again(w: Walk) -> None:
    rng = w.rng
    match rng.randrange(3):
        case 0:
            size, advance = rng.choice(((2, 1), (3, 1), (4, 2)))
            count = Entrant.objects.filter(status="in").count()
            w.do("plan again", lambda: set_plan(
                acting=w.owner, stage=w.knockout, table_size=size, advance=advance, way=None,
                entrants=count))  # fmt: skip
        case 1:
            values = {"hands": rng.randint(1, 3), "extra_hands": w.chance(0.5)}
            w.do("play again", lambda: set_play(acting=w.owner, stage=w.knockout, values=values))
        case _:
            name = rng.choice(("competition", "cards"))
            w.do("rules", lambda: set_rules(
                acting=w.owner, event=w.event, preset_id=name, options={}), about=name)  # fmt: skip


# Who sits where.


def come_late(w: Walk) -> None:
    table = any_table(w)
    if table is None:
        return
    minutes, position = w.rng.randint(1, 25), w.rng.randint(0, 3)
    more, lowers = late(w)
    who = anybody(w)
    w.do(
        "late",
        lambda: mark_late(
            acting=who, table=Table.objects.select_related("round").get(pk=table),
            position=position, minutes=minutes, late=more,
        ),
        about=f"{table} {position} {minutes} min {about(more)}", lowers=lowers,
    )  # fmt: skip


def go(w: Walk) -> None:
    """Somebody leaves; not the last one of a final, as then nobody could win."""
    found = Entrant.objects.filter(event=w.event_id)
    if w.chance(0.85):
        found = found.filter(status=EntrantStatus.IN)
    one = w.one(found)
    if one is None or not Round.objects.exists():
        return
    status = w.rng.choice(GONE)
    seat = current_seat(one)
    instead = None
    if seat is not None and w.chance(0.5):
        best = [proposal.entrant for proposal in proposals(seat)]
        instead = best[0] if best else None
    if w.chance(0.03):
        instead = w.one(Entrant.objects.all())
    keeps, who = w.chance(0.15), anybody(w)
    more, lowers = late(w)
    w.do(
        "leave",
        lambda: leave(
            acting=who, entrant=one, status=status, instead=instead, keeps_seat=keeps,
            reason="身体不适" if w.chance(0.9) else "", late=more,
        ),
        about=f"{one.pk} {status} instead={instead and instead.pk} keeps={keeps} {about(more)}",
        lowers=lowers,
    )  # fmt: skip


def be_back(w: Walk) -> None:
    one = w.one(Entrant.objects.filter(status__in=GONE))
    if one is None:
        return
    more, lowers = late(w)
    w.do("come back", lambda: come_back(acting=w.chief, entrant=one, late=more),
         about=f"{one.pk} {about(more)}", lowers=lowers)  # fmt: skip


def replace_somebody(w: Walk) -> None:
    one = w.one(Entrant.objects.all())
    who = anybody(w)
    if w.chance(0.6):
        w.do("replace", lambda: replace_person(acting=who, entrant=one, name="替补"), about=one.pk)
        return
    w.do("take back", lambda: take_back_replacement(acting=who, entrant=one), about=one.pk)


def enter_late(w: Walk) -> None:
    found = Seat.objects.all()
    if w.chance(0.8):
        bye = Q(round__number=2, source=None, entrant__isnull=False)
        found = found.filter(Q(is_filler=True) | bye)
    seat, who = w.one(found), w.rng.choice((w.owner, w.chief))
    if seat is not None:
        w.do(
            "late entry", lambda: seat_late_entry(acting=who, seat=seat, name="迟来"), about=seat.pk
        )


def swap(w: Walk) -> None:
    first, second = w.one(Seat.objects.all()), w.one(Seat.objects.all())
    who = w.rng.choice((w.owner, w.chief))
    if first is not None:
        w.do("swap", lambda: swap_entrants(acting=who, first=first, second=second),
             about=f"{first.pk} {second.pk}")  # fmt: skip


def take_seating_back(w: Walk) -> None:
    """A swap or a late entry is undone, while nothing depends on it (C9.5)."""
    change = w.one(AuditRow.objects.filter(action__in=(SWAP, LATE_ENTRY)))
    if change is None:
        return
    who = w.rng.choice((w.owner, w.chief))
    if change.action == SWAP:
        w.do("swap back", lambda: take_back_swap(acting=who, event=w.event, change=change),
             about=change.pk)  # fmt: skip
        return
    w.do("no late entry", lambda: take_back_late_entry(acting=who, event=w.event, change=change),
         about=change.pk, lowers=f"{ALL} entrant")  # fmt: skip


def fill_or_open(w: Walk) -> None:
    filled = w.one(Seat.objects.filter(gap_filled=True))
    if filled is not None and w.chance(0.7):
        w.do("open gap", lambda: open_gap(acting=w.chief, seat=filled), about=filled.pk)
        return
    empty = [seat for pk in w.tables for seat in gaps(Table.objects.get(pk=pk))]
    if w.chance(0.1):
        empty = [w.one(Seat.objects.all())]
    seat = w.rng.choice(empty) if empty else None
    if seat is None:
        return
    stand_by = list(stand_ins(seat)) if w.chance(0.6) else []
    instead = w.rng.choice(stand_by) if stand_by else None
    w.do("fill gap", lambda: fill_gap(acting=w.chief, seat=seat, instead=instead), about=seat.pk)


def go_on_without_play(w: Walk) -> None:
    table = any_table(w)
    if table is not None:
        who = anybody(w)
        w.do("walkover?", lambda: walk_over(
            acting=who, table=Table.objects.get(pk=table), reason="无人"), about=table)  # fmt: skip


# At the tables.


def punish(w: Walk) -> None:
    table = any_table(w)
    if table is None:
        return
    level, kind = w.rng.choice(list(PenaltyLevel)), w.rng.choice(list(PenaltyKind))
    if level == PenaltyLevel.DISQUALIFIED and w.chance(0.6):
        level = PenaltyLevel.POINTS
    amount = 0 if kind == PenaltyKind.NONE else w.rng.randint(1, 3)
    position, who = w.rng.randint(0, 3), anybody(w)
    stop = w.rng.choice((None, 1)) if level == PenaltyLevel.NO_HU else None
    more, lowers = late(w)
    w.do(
        "penalty",
        lambda: penalize(
            acting=who, sheet=w.sheet(table), position=position, reason="诈胡", level=level,
            kind=kind, amount=amount, stop_hands=stop, late=more,
        ),
        about=f"{table} {position} {level} {kind} {amount} {about(more)}", lowers=lowers,
    )  # fmt: skip


def forgive(w: Walk) -> None:
    one = w.one(Penalty.objects.all())
    if one is not None:
        more, lowers = late(w)
        w.do("no penalty", lambda: void_penalty(acting=w.chief, penalty=one, late=more),
             about=f"{one.pk} {about(more)}", lowers=lowers)  # fmt: skip


def rule(w: Walk) -> None:
    hand = any_hand(w)
    if hand is None:
        return
    more, lowers = late(w)
    if w.chance(0.3):
        w.rule_places(hand.sheet.table_id, late=more)
        return
    points = w.points(hand.sheet.table.seat_count)
    who = anybody(w)
    w.do(
        "rule hand?",
        lambda: rule_on_hand(acting=who, hand=hand, deltas=points, reason="录像", late=more),
        about=f"{hand.sheet.table_id}/{hand.number} {points} {about(more)}",
        lowers=lowers,
    )


def unrule(w: Walk) -> None:
    one = w.one(Ruling.objects.filter(is_current=True))
    if one is not None:
        more, lowers = late(w)
        w.do("no ruling", lambda: drop_ruling(acting=w.chief, ruling=one, late=more),
             about=f"{one.pk} {about(more)}", lowers=lowers)  # fmt: skip


def flag(w: Walk) -> None:
    hand = any_hand(w)
    if hand is None:
        return
    who = anybody(w)
    if w.chance(0.7):
        w.do("flag", lambda: flag_hand(acting=who, hand=hand, reason="有争议"), about=hand.pk)
    else:
        w.do("unflag?", lambda: clear_flag(acting=who, hand=hand), about=hand.pk)


def correct(w: Walk) -> None:
    hand = any_hand(w, void=None)
    if hand is None:
        return
    entered, (more, lowers) = w.entered(hand.sheet.table), late(w)
    seen, who = w.rng.choice((None, None, 1, 2)), anybody(w)
    w.do(
        "correct",
        lambda: correct_hand(acting=who, hand=hand, entered=entered, seen=seen, late=more),
        about=f"{hand.sheet.table_id}/{hand.number} {entered.payload} {about(more)}",
        lowers=lowers,
    )


def void(w: Walk) -> None:
    hand = any_hand(w)
    if hand is not None:
        more, lowers = late(w)
        w.do("void", lambda: void_hand(acting=w.chief, hand=hand, reason="重复", late=more),
             about=f"{hand.sheet.table_id}/{hand.number} {about(more)}", lowers=lowers)  # fmt: skip


def restore(w: Walk) -> None:
    versions = HandVersion.objects.filter(is_current=False)
    one = w.one(versions)
    if one is not None:
        more, lowers = late(w)
        hand = Hand.objects.get(pk=one.hand_id)
        w.do(
            "restore",
            lambda: restore_hand(acting=w.chief, hand=hand, version=one.version, late=more),
            about=f"{hand.sheet.table_id}/{hand.number} v{one.version} {about(more)}",
            lowers=lowers,
        )


def enter_more(w: Walk) -> None:
    """A hand where there may be none any more."""
    table = any_table(w)
    if table is None:
        return
    row = Table.objects.get(pk=table)
    entered, (more, lowers), who = w.entered(row), late(w), anybody(w)
    number, extra = w.rng.choice((None, None, 1, 2, 5)), w.chance(0.2)
    w.do(
        "enter?",
        lambda: enter_hand(
            acting=who, sheet=w.sheet(table), entered=entered, number=number, extra=extra,
            late=more,
        ),
        about=f"{table} {number} {extra} {about(more)}", lowers=lowers,
    )  # fmt: skip


def swap_columns(w: Walk) -> None:
    hand = any_hand(w)
    if hand is None:
        return
    seating = list(range(hand.sheet.table.seat_count))
    w.rng.shuffle(seating)
    last = hand.number + w.rng.randint(0, 2)
    more, lowers = late(w)
    w.do(
        "columns",
        lambda: swap_seats(
            acting=w.chief, sheet=w.sheet(hand.sheet.table_id), seating=seating,
            first=hand.number, last=last, reason="坐错", late=more,
        ),
        about=f"{hand.sheet.table_id} {seating} {about(more)}", lowers=lowers,
    )  # fmt: skip


def sheet_forth_and_back(w: Walk) -> None:
    """A sheet's step at a time that is chance's."""
    table = any_table(w)
    if table is None:
        return
    who = w.rng.choice((anybody(w), w.at_table(table)))
    position = w.rng.randint(0, 2)
    round_ = Table.objects.get(pk=table).round_id
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "send back": (lambda: send_back(acting=who, sheet=w.sheet(table), word="再看"), "sheet"),
        "unsubmit": (lambda: unsubmit_sheet(acting=who, sheet=w.sheet(table)), "sheet"),
        "disagree": (
            lambda: withdraw_confirmation(acting=who, sheet=w.sheet(table), position=position), "",
        ),
        "reopen": (lambda: reopen_sheet(acting=who, sheet=w.sheet(table), reason="看错"), ALL),
        "submit?": (lambda: submit_sheet(acting=who, sheet=w.sheet(table)), ""),
        "confirm?": (lambda: confirm_sheet(acting=who, sheet=w.sheet(table), digest="-"), ""),
        "call?": (lambda: call_time(acting=who, sheet=w.sheet(table)), ""),
        "uncall": (lambda: uncall_time(acting=who, sheet=w.sheet(table)), ""),
        "bell": (
            lambda: call_time_everywhere(acting=who, round_=Round.objects.get(pk=round_)), "",
        ),
        "no bell": (
            lambda: uncall_time_everywhere(acting=who, round_=Round.objects.get(pk=round_)), "",
        ),
    }  # fmt: skip
    name = w.rng.choice(("reopen", "reopen", *acts))
    act, lowers = acts[name]
    w.do(name, act, about=table, lowers=lowers)


def object_(w: Walk) -> None:
    """A protest, or what becomes of one."""
    one = w.one(Protest.objects.all())
    if one is None or w.chance(0.4):
        table = any_table(w)
        if table is not None:
            who = w.rng.choice((w.at_table(table), w.people["referee"], w.chief))
            w.do(
                "protest",
                lambda: protest(acting=who, sheet=w.sheet(table), text="不对"),
                about=table,
            )
        return
    state = w.rng.choice((ProtestState.UPHELD, ProtestState.REJECTED))
    own = w.at_table(one.sheet.table_id) if one.link_id else w.people["referee"]
    acts: dict[str, Callable[[], Any]] = {
        "answer": lambda: answer_protest(acting=w.chief, protest=one, state=state, answer="看过"),
        "withdraw protest": lambda: withdraw_protest(acting=own, protest=one),
        "unanswer": lambda: take_back_answer(acting=w.chief, protest=one),
        "appeal": lambda: appeal(acting=own, protest=one, text="不服"),
        "answer appeal": lambda: answer_appeal(
            acting=w.chief, protest=one, state=state, answer="再看过"
        ),
    }
    name = w.rng.choice(list(acts))
    w.do(name, acts[name], about=one.pk)


def on_the_floor(w: Walk) -> None:
    """Clock, extra time, calls, the roll."""
    table = any_table(w)
    if table is None:
        return
    row = Table.objects.get(pk=table)
    who, at = anybody(w), w.at_table(table)
    round_ = Round.objects.get(pk=row.round_id)
    call, extra = w.one(Call.objects.all()), w.one(ExtraTime.objects.all())
    seats = list(Seat.objects.filter(table=table).values_list("pk", flat=True))
    here = w.rng.choice((True, False, None))
    acts: dict[str, Callable[[], Any]] = {
        "clock": lambda: start_clock(acting=who, round_=round_, minutes=50),
        "no clock": lambda: stop_clock(acting=who, round_=round_),
        "more time": lambda: give_time(
            acting=who, round_=round_, tables=[table], minutes=5, reason="停电"
        ),
        "roll": lambda: mark_attendance(acting=who, round_=round_, seats=seats, here=here),
        "call referee": lambda: call_referee(acting=at, table=row, kind=CallKind.CARDS),
    }
    if call is not None:
        acts |= {
            "answer call": lambda: answer_call(acting=who, call=call),
            "reopen call": lambda: reopen_call(acting=who, call=call),
            "take call back": lambda: take_call_back(acting=at, call=call),
        }
    if extra is not None:
        acts["no more time"] = lambda: take_time_back(acting=who, extra=extra)
    name = w.rng.choice(list(acts))
    w.do(name, acts[name], about=table)


def finality(w: Walk) -> None:
    """The end declared too early, or taken back."""
    last = w.one(Round.objects.filter(is_last=True))
    if last is None:
        return
    who = anybody(w)
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "final?": (lambda: finalize_round(acting=who, round_=last), ""),
        "unfinal": (lambda: unfinalize_round(acting=w.chief, round_=last), ALL),
    }
    name = w.rng.choice(list(acts))
    act, lowers = acts[name]
    w.do(name, act, lowers=lowers)


def time_passes(w: Walk) -> None:
    later = timezone.now() + timedelta(minutes=w.rng.choice((1, 40)))
    w.do("time passes?", lambda: finalize_due(later))


def judge_again(w: Walk) -> None:
    """Other rules for all hands, applied as a whole or dismissed (C11)."""
    one = w.one(Rejudge.objects.filter(state__in=OPEN))
    if one is None:
        name, who = w.rng.choice(("competition", "cards")), anybody(w)

        def proposed() -> None:
            propose_rejudge(acting=who, event=w.event, preset_id=name, options={})
            jobs.sweep()

        w.do("rejudge", proposed, about=name)
        return
    acts: dict[str, Callable[[], Any]] = {
        "apply rejudge": lambda: apply_rejudge(acting=w.chief, rejudge=one, reason="规程"),
        "no rejudge": lambda: dismiss_rejudge(acting=w.chief, rejudge=one, reason="不改"),
    }
    name = w.rng.choice(("apply rejudge", "apply rejudge", "no rejudge"))
    w.do(name, acts[name], about=one.pk)


def open_again(w: Walk) -> None:
    """The preliminary, or its 加赛."""
    stage = w.one(Stage.objects.filter(kind="prelim"))
    if stage is None:
        return
    extra = w.one(Round.objects.filter(is_tie_break=True))
    if extra is not None and w.chance(0.5):
        w.do("no tie table", lambda: cancel_tie_breaks(acting=w.chief, round_=extra), lowers=ALL)
    elif w.chance(0.5):
        w.do("open prelim", lambda: reopen_preliminary(acting=w.chief, stage=stage))
    else:
        act = w.rng.choice((close_preliminary, open_tie_breaks))
        w.do(f"{act.__name__}?", lambda: act(acting=w.owner, stage=stage))


EARLY: tuple[Callable[[Walk], None], ...] = (
    enter_somebody, withdraw_early, withdraw_early, come_early, arrive, freeze_those_here, thaw,
    set_again, show_or_hide, go, replace_somebody,
)  # fmt: skip
"""Before anything is drawn."""

SEATING: tuple[Callable[[Walk], None], ...] = (
    go, go, go, come_late, come_late, be_back, be_back, replace_somebody, enter_late, enter_late,
    swap, swap, take_seating_back, fill_or_open, fill_or_open, go_on_without_play,
)  # fmt: skip
TABLES: tuple[Callable[[Walk], None], ...] = (
    punish, punish, forgive, rule, rule, unrule, flag, correct, correct, correct, void, restore,
    enter_more, swap_columns, sheet_forth_and_back, sheet_forth_and_back, object_, on_the_floor,
    finality, time_passes, open_again, open_again, judge_again,
)  # fmt: skip
RARE: tuple[Callable[[Walk], None], ...] = (
    draw_again, draw_again, thaw, publish_again, show_or_hide, set_again, arrive, enter_somebody,
    withdraw_early, come_early,
)  # fmt: skip


def amiss(w: Walk) -> None:
    """One mishap that may happen now."""
    if not w.rows.rounds:
        w.rng.choice(EARLY)(w)
        return
    kind = w.rng.choices((SEATING, TABLES, RARE), (5, 6, 1))[0]
    w.rng.choice(kind)(w)


def wander(w: Walk) -> None:
    """The whole competition, its mishaps, and what is done to it after its end."""
    with connection.execute_wrapper(w.written):
        _wander(w)


def _wander(w: Walk) -> None:
    w.open()
    left = w.rng.choice((0, 6, 12, 24, 40))
    share = w.rng.choice((0.15, 0.4, 0.65))
    after = w.rng.choice((0, 0, 1, 4))
    while not w.is_over:
        if len(w.steps) > MOST_STEPS:
            raise Broken("no end")
        if left and w.chance(share):
            left -= 1
            amiss(w)
        else:
            w.advance()
        if w.chance(0.015):
            look(w)
        if w.is_over and after:
            after -= 1
            amiss(w)
    look(w, at_end=True)
