"""The demo's tables, played hand by hand through the functions that the referees' pages call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.play import Hand as Played
from scoring.demo_hands import Hands, payload, result_line, result_of, slip
from scoring.domain.board import Board
from scoring.domain.hands import Difference, Entered, correct_hand, enter_hand
from scoring.domain.protests import answer_protest, protest
from scoring.domain.sheets import call_time, confirm_sheet, must_confirm, open_sheet, submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import Evidence, PenaltyKind, ProtestState
from scoring.models import HandVersion, Sheet
from tournament.acting import Acting
from tournament.models import Table

MIX = (Evidence.RESULT,) * 14 + (Evidence.SLIP,) * 4 + (Evidence.RECORD,) * 3
"""How a hand is entered, each equally likely: mostly a result line."""


@dataclass(frozen=True)
class Crew:
    """Who acts at the tables: the chief referee, the referees, the tables' own links by table."""

    chief: Acting
    referees: tuple[Acting, ...]
    links: Mapping[int, Acting]

    def writer(self, table: Table) -> Acting:
        """Who enters the table's hands: a referee, at every fourth table its own device."""
        if table.number % 4 == 0:
            return self.links[table.pk]
        return self.referees[table.number % len(self.referees)]


@dataclass
class Sitting:
    """A table in play: its sheet, where its hands come from, who enters them."""

    table: Table
    hands: Hands
    crew: Crew

    def __post_init__(self) -> None:
        self.sheet: Sheet = open_sheet(self.table)
        self.writer = self.crew.writer(self.table)

    @property
    def link(self) -> Acting:
        """The table's own device."""
        return self.crew.links[self.table.pk]

    def board(self) -> Board:
        """The sheet as it stands."""
        self.sheet.refresh_from_db()
        return Board(self.sheet)

    def play(self, count: int | None = None) -> None:
        """Plays and enters `count` hands, or as many as the sheet still wants."""
        board = self.board()
        if count is None:
            count = self.sheet.hands_planned - board.sums.played
        dealer = board.terms().dealer
        for _hand in range(count):
            hand = self.hands.deal(board.rules, dealer)
            self.enter(hand)
            dealer = result_of(hand).next_dealer

    def enter(self, hand: Played, evidence: Evidence | None = None) -> HandVersion:
        """Enters a finished hand, at a level of evidence by chance unless told."""
        evidence = self._fitting(hand, evidence or self.hands.rng.choice(MIX))
        entered = Entered(evidence, payload(hand, evidence, self.hands.preset))
        return enter_hand(acting=self.writer, sheet=self.sheet, entered=entered)

    def enter_as_totals(self) -> None:
        """The whole sheet from paper: only the sums of all hands are known."""
        board = self.board()
        rules, dealer = board.rules, board.terms().dealer
        sums = [0] * len(board.seats)
        for _hand in range(self.sheet.hands_planned):
            result = result_of(self.hands.deal(rules, dealer))
            dealer = result.next_dealer
            sums = [net + delta for net, delta in zip(sums, result.deltas, strict=True)]
        paper = {"deltas": sums, "hands": self.sheet.hands_planned}
        enter_hand(acting=self.writer, sheet=self.sheet, entered=Entered(Evidence.TOTALS, paper))

    def enter_wrong_then_right(self) -> None:
        """A hand typed with one 醒 too many, and corrected at once."""
        hand = self._deal_won()
        right = result_line(hand)
        wrong = {**right, "xing_count": result_of(hand).xing + 1}
        first = enter_hand(
            acting=self.writer, sheet=self.sheet, entered=Entered(Evidence.RESULT, wrong)
        )
        correct_hand(
            acting=self.writer, hand=first.hand, entered=Entered(Evidence.RESULT, right), seen=1
        )

    def enter_flagged(self) -> None:
        """A slip for which the table claims 3 胡 and 1 舵 more than it is worth: 待裁 (C6.3)."""
        while True:
            hand = self._deal_won()
            if self._fitting(hand, Evidence.SLIP) is Evidence.SLIP:
                break
        result = result_of(hand)
        claim = {"hu": result.hu + 3, "total": result.total + 1}
        entered = Entered(Evidence.SLIP, {**slip(hand), "claim": claim}, Difference.FLAG)
        enter_hand(acting=self.writer, sheet=self.sheet, entered=entered)

    def punish_late(self) -> None:
        """乙 came eight minutes late: 扣 2 (C9.2)."""
        penalize(
            acting=self.crew.referees[0],
            sheet=self.sheet,
            position=1,
            kind=PenaltyKind.DEDUCTION,
            amount=2,
            code="late",
            reason="迟到 8 分钟，警告并扣 2 舵",
        )

    def protest(self) -> None:
        """The table asks for the chief referee about its last hand."""
        last = self.board().versions[-1]
        protest(
            acting=self.link,
            sheet=self.sheet,
            hand=last.hand,
            text="这一局翻醒时碰乱了墩，请裁判长来看。",
        )

    def enter_and_rule(self) -> None:
        """A hand in which one card too many was turned: protest, ruling, answer (C6.6)."""
        version = self.enter(self._deal_won(), Evidence.RESULT)
        made = protest(
            acting=self.link,
            sheet=self.sheet,
            hand=version.hand,
            text="翻醒多翻了一张，应少算一个醒。",
        )
        total = version.total or 0
        fair = [delta // total * (total - 1) for delta in version.deltas]
        ruling = rule_on_hand(
            acting=self.crew.chief,
            hand=version.hand,
            deltas=fair[: self.table.seat_count],
            reason="经核对，多翻的一张不作数，减一个醒",
        )
        answer_protest(
            acting=self.crew.chief,
            protest=made,
            state=ProtestState.UPHELD,
            answer="申诉成立，本局按少一个醒计。",
            ruling=ruling,
        )

    def ring(self) -> None:
        """The bell: no new hand."""
        call_time(acting=self.crew.referees[0], sheet=self.sheet)

    def submit(self) -> None:
        """加赛 while somebody is level at the line that matters, then the sheet is submitted."""
        board = self.board()
        while any(tie.hand is not None for tie in board.open_ties):
            hand = self.hands.deal(board.rules, board.terms().dealer)
            evidence = self._fitting(hand, Evidence.RESULT)
            entered = Entered(evidence, payload(hand, evidence, self.hands.preset))
            enter_hand(acting=self.writer, sheet=self.sheet, entered=entered, extra=True)
            board = self.board()
        submit_sheet(acting=self.writer, sheet=self.sheet)

    def confirm(self, count: int | None = None) -> None:
        """The players confirm on the table's device: the first `count` of them, or all."""
        board = self.board()
        for position in must_confirm(board)[:count]:
            confirm_sheet(
                acting=self.link, sheet=self.sheet, digest=board.digest, position=position
            )

    def finish(self) -> None:
        """All that is left to do until the sheet is confirmed; no new hand after the bell."""
        if not self.board().is_called:
            self.play()
        self.submit()
        self.confirm()

    def _deal_won(self) -> Played:
        board = self.board()
        return self.hands.deal_won(board.rules, board.terms().dealer)

    def _fitting(self, hand: Played, evidence: Evidence) -> Evidence:
        """A record for what a slip or result line cannot say: shared wins, 醒 to the last card."""
        shared = len(result_of(hand).winners) > 1
        to_the_last = evidence is Evidence.SLIP and not hand.wall_left
        return Evidence.RECORD if shared or to_the_last else evidence
