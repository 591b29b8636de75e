"""`python -m engine waits`: what a hand waits for."""

from __future__ import annotations

import argparse

from engine.cli import slips
from engine.melds import Source
from engine.slip_cards import check_cards
from engine.slip_json import read_waiting
from engine.waits import by_minimum, waits, waits_json

HELP = "听什么牌 / what a hand waits for"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser("waits", help=HELP, description=HELP)
    slips.add_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answers every slip; exit status 0, 1 where one is faulty, 2 for an unusable file."""
    return slips.answer_all(args, _answer)


def _answer(value: object) -> tuple[dict[str, object], str]:
    slip = read_waiting(value)
    check_cards(slip.hand, slip.table, None, Source.DISCARD, (), slip.rules, waiting=True)
    found, least = waits(slip.hand, slip.table, slip.rules), slip.rules.min_hu
    return waits_json(found, least), _show(*by_minimum(found, least), least)


def _show(
    reached: dict[str, dict[str, int | None]], short: dict[str, dict[str, int | None]], least: int
) -> str:
    lines = ["听牌 / ready" if reached else "没有听牌 / not ready"]
    lines += [f"  {card}  {_show_sources(points)}" for card, points in reached.items()]
    lines += [
        f"  {card}  {_show_sources(points)}  不足 {least} 胡 / below {least}"
        for card, points in short.items()
    ]
    return "\n".join(lines)


def _show_sources(points: dict[str, int | None]) -> str:
    names = {"own-flip": "自摸", "flip": "别家摸", "discard": "点炮"}
    return " ".join(f"{names[name]} {'–' if hu is None else hu}" for name, hu in points.items())
