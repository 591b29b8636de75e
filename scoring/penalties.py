"""The catalogue of offences (C6.5, R9.6): what each is, where it is said, what it usually costs.

Plain values. The referee decides; the catalogue only proposes: a step of the ladder 警告 → 罚分 →
停和 → 取消资格, a kind and an amount in 舵. An organizer may set other amounts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.enums import PenaltyKind, PenaltyLevel

Words = str | Promise
MOST_POINTS: Final = 999


@dataclass(frozen=True)
class Offence:
    """An offence: `what` says it in a sentence, `source` is the rule number or text it is from.

    `level` is the step it begins with; `kind` and `amount` (舵) are proposed wherever points are
    taken, `stop_hands` where 停和 is (None: the rest of the table). `is_ours`: no source names
    the amount, so it is this site's proposal.
    """

    code: str
    name: Words
    what: Words
    source: Words
    level: PenaltyLevel
    kind: PenaltyKind = PenaltyKind.DEDUCTION
    amount: int = 2
    stop_hands: int | None = None
    is_ours: bool = True


CATALOGUE: Final[tuple[Offence, ...]] = (
    Offence(
        "late", _("迟到"), _("开打后 10 分钟内才入座"), "C9.2",
        PenaltyLevel.POINTS, amount=2, is_ours=False,
    ),
    Offence(
        "late-15", _("迟到过 10 分钟"), _("开打后 10 到 15 分钟才入座"), "C9.2",
        PenaltyLevel.POINTS, amount=4, is_ours=False,
    ),
    Offence(
        "false-hu", _("误胡"), _("牌型不全或胡数不够，喊胡并摊了牌"), "R7.4",
        PenaltyLevel.POINTS, PenaltyKind.OPPONENTS, 2,
    ),
    Offence(
        "fake-hu", _("诈胡"), _("明知不能胡，仍喊胡或报假胡数"), "R7.4",
        PenaltyLevel.POINTS, PenaltyKind.OPPONENTS, 4,
    ),
    Offence(
        "xianggong", _("相公"), _("手里多牌或少牌，这一局不能再胡"), "R2.1",
        PenaltyLevel.NO_HU, stop_hands=1,
    ),
    Offence(
        "missed-sao", _("漏扫"), _("该扫、扫穿或开舵没有做（这三样是强制的）"),
        "R5.4–R5.6", PenaltyLevel.POINTS,
    ),
    Offence(
        "no-bi", _("不下比"), _("有比不比：这次吃整体取消"), "R5.2", PenaltyLevel.WARNING,
    ),
    Offence(
        "wrong-eat", _("错吃错碰"), _("吃碰了臭牌，或吃了自己打过的牌：收回"),
        _("R5.7、R5.8"), PenaltyLevel.WARNING,
    ),
    Offence(
        "no-win", _("能胡不胡"), _("规则要求胡的牌没有胡（放炮必胡）"), "R6", PenaltyLevel.POINTS,
    ),
    Offence(
        "kept-card", _("摸牌入手"), _("把摸到的牌放进手里，没有放在右边"),
        _("竞赛规则 第五条 3"), PenaltyLevel.WARNING,
    ),
    Offence(
        "signals", _("传递信息"), _("用话、手势或眼色告诉别人牌，或接受别人的提示"),
        "R9.6", PenaltyLevel.POINTS, amount=4,
    ),
    Offence(
        "away", _("离席"), _("没有裁判同意，打牌时离开座位"), "R9.6", PenaltyLevel.WARNING,
    ),
    Offence(
        "disturbing", _("干扰比赛"), _("大声喧哗、催促、拖延，或评论别人的牌"),
        "R9.6", PenaltyLevel.WARNING,
    ),
    Offence(
        "phone", _("用手机"), _("打牌时用手机，记分用的除外"), "R9.6", PenaltyLevel.WARNING,
    ),
    Offence(
        "insult", _("辱骂、不敬"), _("辱骂或不尊重对手、裁判、观众"),
        "R9.6", PenaltyLevel.POINTS, amount=4,
    ),
    Offence(
        "cheating", _("作弊"), _("换牌、藏牌、偷看墩里的牌、串通"),
        "R9.6", PenaltyLevel.DISQUALIFIED, amount=8,
    ),
)  # fmt: skip
"""In the order in which the form offers them."""

BY_CODE: Final[Mapping[str, Offence]] = {offence.code: offence for offence in CATALOGUE}

Amounts = Mapping[str, Mapping[str, object]]
"""Code → `{"kind": …, "amount": …}`: what an organizer has set in place of the defaults."""


def offences(amounts: Amounts) -> tuple[Offence, ...]:
    """The catalogue with an organizer's amounts in place of the defaults."""
    return tuple(_changed(offence, amounts.get(offence.code)) for offence in CATALOGUE)


def _changed(offence: Offence, values: Mapping[str, object] | None) -> Offence:
    if values is None:
        return offence
    kind, amount = PenaltyKind(str(values["kind"])), int(str(values["amount"]))
    return replace(offence, kind=kind, amount=amount)


def differing(amounts: Mapping[str, tuple[PenaltyKind, int]]) -> dict[str, dict[str, object]]:
    """What is to be kept of these amounts: those that are not the catalogue's own.

    Raises `ValueError` for a code that the catalogue has not, for points to nobody in
    particular, and for an amount that is not 1 … 999 舵.
    """
    kept: dict[str, dict[str, object]] = {}
    for code, (kind, amount) in amounts.items():
        offence = BY_CODE.get(code)
        if offence is None or kind == PenaltyKind.NONE or not 1 <= amount <= MOST_POINTS:
            raise ValueError(code)
        if (kind, amount) != (offence.kind, offence.amount):
            kept[code] = {"kind": str(kind), "amount": amount}
    return kept


@dataclass(frozen=True)
class Earlier:
    """A penalty that somebody already has in this competition."""

    code: str
    level: PenaltyLevel


ANY_GAME: Final = frozenset(
    {"late", "late-15", "signals", "away", "disturbing", "phone", "insult", "cheating"}
)
"""The offences that are not of 字牌 alone (C10)."""


def ladder(*, is_counted: bool, by_games: bool) -> tuple[PenaltyLevel, ...]:
    """The steps that a table's game knows: 停和 is of 字牌 (`is_counted`), and where games are
    counted (`by_games`) there is no sum that points could be taken from (C10)."""
    without = set() if is_counted else {PenaltyLevel.NO_HU}
    if by_games:
        without.add(PenaltyLevel.POINTS)
    return tuple(level for level in PenaltyLevel if level not in without)


def next_level(
    offence: Offence,
    earlier: Iterable[Earlier],
    among: Sequence[PenaltyLevel] = tuple(PenaltyLevel),
) -> PenaltyLevel:
    """The step to propose: the offence's own, the one after the highest he has had for the same
    offence, or points instead of a second warning for whatever it was. A step that is not `among`
    those of the table (`ladder`) gives way to the one below."""
    steps = [offence.level.step]
    for one in earlier:
        if one.code == offence.code:
            steps.append(one.level.step + 1)
        elif one.level == PenaltyLevel.WARNING:
            steps.append(PenaltyLevel.POINTS.step)
    return [level for level in among if level.step <= max(steps)][-1]
