"""`python -m engine simulate`: plays hands and writes their records."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from engine import cli
from engine.errors import ZipaiError
from engine.melds import SOURCE_NAMES
from engine.record import export
from engine.replay import record_of
from engine.result import DRAW_KIND
from engine.rules import PRESETS, preset
from engine.simulate import play_hands

HELP = "模拟：随机打若干副，写成字牌谱 / play hands and write their records"
KINDS = dict(
    zip((*SOURCE_NAMES, DRAW_KIND), ("自摸", "别家摸牌", "点炮", "起手胡", "荒庄"), strict=True)
)


def add_parser(subparsers: argparse._SubParsersAction[cli.Parser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser("simulate", help=HELP, description=HELP)
    parser.add_argument("-n", type=int, default=1, metavar="N", help="how many hands (1)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed, the same hands (0)")
    parser.add_argument("--rules", default="competition", metavar="ID", help=", ".join(PRESETS))
    parser.add_argument("--out", metavar="DIR", help="a file a hand there, not on standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays the hands; exit status 0, 2 for arguments or a folder of no use.

    Without `--out` the records go to standard output, and the summary follows as a comment, so
    that the whole is a file of records.
    """
    try:
        return _simulate(args)
    except ZipaiError as error:
        unusable = cli.Unusable(error.zh, error.en)
    except cli.Unusable as error:
        unusable = error
    cli.print_unusable(None, unusable, False)
    return cli.UNUSABLE


def _simulate(args: argparse.Namespace) -> int:
    rules = preset(args.rules)
    if args.n < 0:
        raise cli.Unusable("-n 不能是负数", "-n cannot be negative")
    folder = None if args.out is None else _folder(args.out)
    ended: Counter[str] = Counter()
    width = max(4, len(str(args.n)))
    hands = play_hands(rules, args.n, random.Random(args.seed))
    for number, hand in enumerate(hands, 1):
        record = record_of(hand, args.rules, (("局", str(number)),))
        if folder is None:
            sys.stdout.write(export(record) + "\n")
        else:
            _write(folder / f"hand-{number:0{width}}.zpr", export(record))
        source = None if hand.result is None else hand.result.source
        ended[DRAW_KIND if source is None else SOURCE_NAMES[source]] += 1
    counts = "，".join(f"{KINDS[kind]} {kind} {ended[kind]}" for kind in KINDS)
    print(f"{'# ' if folder is None else ''}{args.n} 副 / hands: {counts}")
    return cli.OK


def _folder(path: str) -> Path:
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    return folder


def _write(file: Path, text: str) -> None:
    try:
        file.write_bytes(text.encode())
    except OSError as error:
        raise _unwritable(str(file), error) from None


def _unwritable(path: str, error: Exception) -> cli.Unusable:
    reason = getattr(error, "strerror", None) or str(error)
    return cli.Unusable(f"写不进 {path}（{reason}）", f"{path} cannot be written: {reason}")
