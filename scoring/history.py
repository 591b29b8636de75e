"""What happened with a sheet, in order, from its chains and the audit rows (C6.2, C9.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from core.models import AuditRow
from core.templatetags.look import signed
from scoring.differences import differences, points
from scoring.domain.board import Board
from scoring.enums import ProtestState
from scoring.models import HandVersion, Penalty
from scoring.queries_history import UNKNOWN, Happened
from scoring.shown import ShownSheet
from scoring.shown_games import is_game
from scoring.words import amount, fitting


@dataclass
class Step:
    """One thing that happened. `number` is the hand it is about; `is_void` where a replay has made
    it count for nothing."""

    at: datetime
    who: str
    title: str
    lines: list[str] = field(default_factory=list)
    number: int | None = None
    mark: str = ""
    is_void: bool = False


TITLES: dict[str, str | Promise] = {
    "table.start": gettext_lazy("开打"),
    "table.call-time": gettext_lazy("到点"),
    "table.uncall-time": gettext_lazy("撤销到点"),
    "table.replay": "",
    "table.confirm": "",
    "table.reopen": "",
    "table.unplayed": "",
    "table.walkover": gettext_lazy("不打，直接算赢"),
    "sheet.submit": gettext_lazy("提交记分表"),
    "sheet.unsubmit": gettext_lazy("撤回提交"),
    "sheet.send-back": gettext_lazy("退回更正"),
    "sheet.agree": gettext_lazy("确认"),
    "sheet.disagree": gettext_lazy("收回确认"),
    "sheet.confirm": gettext_lazy("这一桌已确认"),
    "sheet.reopen": gettext_lazy("重新打开"),
    "sheet.replay": gettext_lazy("重打：以上都作废"),
    "sheet.swap-seats": gettext_lazy("座位坐错，对换记录"),
    "sheet.rejudge": gettext_lazy("按新规则重算"),
    "penalty.give": pgettext_lazy("step", "判罚"),
    "penalty.void": gettext_lazy("撤销判罚"),
    "ruling.give": gettext_lazy("裁决"),
    "ruling.drop": gettext_lazy("撤销裁决"),
    "protest.make": gettext_lazy("申诉"),
    "protest.withdraw": gettext_lazy("撤回申诉"),
    "protest.answer": gettext_lazy("答复申诉"),
    "protest.unanswer": gettext_lazy("收回答复"),
    "protest.appeal": gettext_lazy("上诉"),
    "protest.appeal-answer": gettext_lazy("答复上诉"),
    "protest.appeal-withdraw": gettext_lazy("撤回上诉"),
    "protest.appeal-unanswer": gettext_lazy("收回上诉的答复"),
    "table.correct": gettext_lazy("名次随更正重排"),
}
"""Action → what people call it; "" where another row of the same moment says it."""

HANDS: dict[str, str | Promise] = {
    "hand.enter": gettext_lazy("记第 %(n)d 局"),
    "hand.correct": gettext_lazy("更正第 %(n)d 局"),
    "hand.void": gettext_lazy("作废第 %(n)d 局"),
    "hand.restore": gettext_lazy("恢复第 %(n)d 局"),
    "hand.flag": gettext_lazy("第 %(n)d 局标为待裁"),
    "hand.clear-flag": gettext_lazy("第 %(n)d 局不再待裁"),
}
GAMES: dict[str, str | Promise] = {
    "hand.enter": gettext_lazy("记第 %(n)d 盘"),
    "hand.correct": gettext_lazy("更正第 %(n)d 盘"),
    "hand.void": gettext_lazy("作废第 %(n)d 盘"),
    "hand.restore": gettext_lazy("恢复第 %(n)d 盘"),
    "hand.flag": gettext_lazy("第 %(n)d 盘标为待裁"),
    "hand.clear-flag": gettext_lazy("第 %(n)d 盘不再待裁"),
}
"""The same of a game that is not 字牌 (C10)."""


class SheetHistory:
    """The steps of a sheet for a page. `board` gives the names, `happened` the rows."""

    def __init__(self, board: Board, happened: Happened) -> None:
        self.board = board
        self.happened = happened
        self.shown = ShownSheet(board, mask=False, urls={})
        self.chains: dict[int, list[HandVersion]] = {}
        for version in happened.versions:
            self.chains.setdefault(version.hand_id, []).append(version)
        self.entrants = happened.entrants | {
            seat.entrant_id: seat.entrant.name
            for seat in board.seats
            if seat.entrant is not None and seat.entrant_id is not None
        }
        self.now = self.shown.names
        self.replays = [row for row in happened.rows if row.action == "sheet.replay"]

    def steps(self) -> list[Step]:
        """Oldest first; those before a replay are void."""
        found = []
        for row in self.happened.rows:
            self.shown.names = self._seated(row)
            step = self._step(row)
            if step is not None:
                found.append(step)
        final_at = self.board.sheet.final_at
        if final_at is not None:
            found.append(Step(final_at, "", _("定局")))
            found.sort(key=lambda step: step.at)
        replays = [i for i, step in enumerate(found) if step.mark == "replay"]
        for step in found[: replays[-1] if replays else 0]:
            step.is_void = True
        return found

    def _seated(self, row: AuditRow) -> list[str]:
        """The names by seat at that time: a replay may have sat others down since."""
        for replay in self.replays:
            if row.pk < replay.pk:
                return [
                    name if pk is None else self.entrants.get(pk, UNKNOWN)
                    for pk, name in zip(replay.data["seated"], self.now, strict=True)
                ]
        return self.now

    def _step(self, row: AuditRow) -> Step | None:
        if row.action in HANDS:
            return self._hand(row)
        title = TITLES.get(row.action, row.action)
        if not title:
            return None
        step = Step(row.at, self.happened.who(row), str(title))
        tell: dict[str, Callable[[Step, AuditRow], None]] = {
            "sheet": self._sheet,
            "penalty": self._penalty,
            "ruling": self._ruling,
            "protest": self._protest,
        }
        kind = row.action.partition(".")[0]
        if kind in tell:
            tell[kind](step, row)
        elif row.action == "table.correct":
            step.lines = self._moved(row.data)
        return step

    def _hand(self, row: AuditRow) -> Step | None:
        chain = self.chains.get(_pk(row), [])
        number = row.data.get("version")
        version = next((one for one in chain if one.version == number), None)
        if version is None:
            return None
        is_of_games = is_game(version)
        titles = GAMES if is_of_games else HANDS
        title = str(titles[row.action]) % {"n": version.hand.number}
        step = Step(row.at, self.happened.who(row), title, number=version.hand.number)
        before = next((one for one in chain if one.version == version.version - 1), None)
        if before is None:
            count = len(self.board.seats)
            outcome = self.shown.outcome(version)
            step.lines = [
                outcome if is_of_games else f"{outcome} · {points(version.deltas[:count])}"
            ]
        else:
            step.lines = differences(before, version, self.shown.names)
        if version.reason:
            step.lines.append(_("原因：%(reason)s") % {"reason": version.reason})
        if version.is_after_final:
            step.mark = "after-final"
        return step

    def _sheet(self, step: Step, row: AuditRow) -> None:
        data = row.data
        position = data.get("position")
        if position is not None:
            step.lines.append(self.shown.names[position])
        if row.action == "sheet.confirm":
            step.mark = "confirmed"
            nets = zip(self.shown.names, data.get("net", []), strict=False)
            step.lines.append(_("，").join(f"{name} {self._net(net)}" for name, net in nets))
        elif row.action == "sheet.replay":
            step.mark = "replay"
        for key in ("word", "reason"):
            if row.word(key):
                step.lines.append(row.word(key))

    def _net(self, net: int) -> str:
        """What the seat came to: 舵, games won or points."""
        return signed(self.board.figure(net))

    def _penalty(self, step: Step, row: AuditRow) -> None:
        penalty = self.happened.penalties.get(_pk(row))
        if penalty is not None:
            step.lines = [self._penalty_line(penalty), penalty.reason]

    def _penalty_line(self, penalty: Penalty) -> str:
        taken = penalty.deducted or -penalty.deltas[penalty.position]
        words = [self.shown.names[penalty.position], str(penalty.get_level_display())]
        if taken:
            words.append(amount(taken, is_counted=self.board.is_counted))
        return " · ".join(words)

    def _ruling(self, step: Step, row: AuditRow) -> None:
        ruling = self.happened.rulings.get(_pk(row))
        if ruling is None:
            return
        if ruling.hand is not None:
            step.number = ruling.hand.number
            count = len(self.board.seats)
            deltas = ruling.deltas[:count]
            said = fitting(
                self.board.is_counted,
                _("第 %(n)d 局按 %(points)s 记"),
                _("第 %(n)d 盘判为 %(points)s"),
            )
            counted = self.board.is_counted
            shown = points(deltas) if counted else _("：").join(self._net(one) for one in deltas)
            step.lines = [said % {"n": ruling.hand.number, "points": shown}]
        elif ruling.places:
            ordered = sorted(ruling.places.items(), key=lambda pair: pair[1])
            step.lines = [" › ".join(self.shown.names[int(position)] for position, _n in ordered)]
        step.lines.append(ruling.reason)

    def _protest(self, step: Step, row: AuditRow) -> None:
        protest = self.happened.protests.get(_pk(row))
        if protest is None:
            return
        text: dict[str, str] = {
            "protest.make": protest.text,
            "protest.answer": protest.answer,
            "protest.appeal": protest.appeal,
            "protest.appeal-answer": protest.final_answer,
        }
        state = row.data.get("state")
        if row.action in ("protest.answer", "protest.appeal-answer") and state:
            step.lines.append(str(ProtestState(state).label))
        if text.get(row.action):
            step.lines.append(text[row.action])

    def _moved(self, data: dict[str, Any]) -> list[str]:
        lines = [
            _("%(name)s：第 %(before)s 名 → 第 %(after)s 名")
            % {
                "name": self.entrants.get(entrant, "–"),
                "before": before or "–",
                "after": after or "–",
            }
            for entrant, before, after in data.get("places", [])
        ]
        for _table, before, after in data.get("moves", []):
            words = {
                "before": self.entrants.get(before, "–"),
                "after": self.entrants.get(after, "–"),
            }
            lines.append(
                _("晋级的应是%(after)s；维持已打的结果，%(before)s不换。") % words
                if data.get("as_played")
                else _("晋级的由%(before)s换为%(after)s。") % words
            )
        return lines or [_("名次和晋级都不变，只改分数。")]


def _pk(row: AuditRow) -> int:
    return int(row.subject.partition(":")[2])
