"""`python -m engine score`: checks slips and result lines and settles them."""

from __future__ import annotations

import argparse

from engine.cli import slips
from engine.events import SEATS
from engine.slip import Scored, score
from engine.slip_json import read_slip

HELP = "结算单：算胡数和舵数 / check and settle slips"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser("score", help=HELP, description=HELP)
    slips.add_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Scores every slip; exit status 0, 1 where one does not win, 2 for an unusable file."""
    return slips.answer_all(args, _answer)


def _answer(value: object) -> tuple[dict[str, object], str]:
    slip = read_slip(value)
    scored = score(slip)
    return scored.as_json(), _show(scored, slip.rules.unit)


def _show(scored: Scored, unit: str) -> str:
    """A win for people: its melds, its arithmetic, who gets what."""
    lines = []
    if scored.melds:
        lines.append(f"胡 {scored.hu} = {slips.show_melds(scored.melds)}")
    if unit == "hu":
        sum_line = f"胡 {scored.hu} → {scored.total} 分"
    else:
        sum_line = f"胡 {scored.hu} → {scored.base} 舵"
        sum_line += f" + 醒 {scored.xing}" if scored.xing else ""
        sum_line += f" + 加 {scored.bonus}" if scored.bonus else ""
        sum_line = f"({sum_line}) × {scored.times}" if scored.times > 1 else sum_line
        sum_line += f" = {scored.total} 舵"
    lines.append(sum_line)
    if scored.deltas is not None:
        lines.append(" ".join(f"{SEATS[i]}{delta:+d}" for i, delta in enumerate(scored.deltas)))
    return "\n".join(lines)
