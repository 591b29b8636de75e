"""`python -m engine replay`: replays records strictly."""

from __future__ import annotations

import argparse

from engine import cards, cli, files
from engine.errors import ZipaiError
from engine.events import SEATS
from engine.faults import TEXT_LIMIT, Fault
from engine.melds import Source
from engine.reading import Reading
from engine.replay import INVALID, UNFINISHED, Replay, replay
from engine.result import Result

HELP = "复盘：严格检查字牌谱 / replay records strictly"
KINDS = {
    Source.OWN_FLIP: "自摸 / own flip",
    Source.FLIP: "别家摸牌 / flip",
    Source.DISCARD: "点炮 / discard",
    Source.DEAL: "起手 / deal",
}


def add_parser(subparsers: argparse._SubParsersAction[cli.Parser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser("replay", help=HELP, description=HELP)
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a file, a folder, or - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a hand")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replays every hand of every file; exit status 0, 1 for a fault, 2 for an unusable file."""
    status = cli.OK
    for path in args.files:
        try:
            for file in cli.expand([path]):
                status = max(status, _replay_file(file, args.json))
        except cli.Unusable as error:
            cli.print_unusable(path, error, args.json)
            status = cli.UNUSABLE
    return status


def _replay_file(file: str, as_json: bool) -> int:
    status = cli.OK
    try:
        data = cli.read_bytes(file)
        readings = files.read(data)
    except cli.Unusable as error:
        cli.print_unusable(file, error, as_json)
        return cli.UNUSABLE
    except ZipaiError as error:
        cli.print_unusable(file, cli.Unusable(error.zh, error.en), as_json)
        return cli.UNUSABLE
    for reading in readings:
        found = replay(reading)
        if found.status == INVALID:
            status = cli.WRONG
        print(cli.dump(found.as_json(file)) if as_json else _show(file, found, reading))
    return status


def _show(file: str, found: Replay, reading: Reading) -> str:
    """The answer for people."""
    lines = []
    if found.error is not None:
        lines = [
            cli.explained(file, fault, _raw(fault, reading)) for fault in (found.error, *found.more)
        ]
    if found.result is not None:
        status = "算得 / computed" if found.error else "有效 / valid"
        lines.append(f"{file}: 第 {found.hand} 副 {status}: {_summary(found.result)}")
    elif found.status == UNFINISHED:
        lines.append(f"{file}: 第 {found.hand} 副 未完 / unfinished: {found.events} 手 / events")
    return "\n".join(lines)


def _raw(fault: Fault, reading: Reading) -> str:
    """The fault's whole line, or "" where its column means nothing there."""
    if reading.where is not None or not 0 < fault.line <= len(reading.source):
        return ""
    raw = reading.raw(fault.line)
    return raw if len(raw) <= TEXT_LIMIT else ""


def _summary(result: Result) -> str:
    """A result in one line: who won how, 胡, 醒, total, deltas, next dealer."""
    dealer = f"下一庄 / next dealer {SEATS[result.next_dealer]}"
    if result.source is None:
        return f"荒庄 / drawn · {dealer}"
    winners = " ".join(SEATS[seat] for seat in result.winners)
    card = "" if result.card is None else f" {cards.NAMES[result.card]}"
    special = f" {result.special}" if result.special else ""
    payer = "" if result.payer is None else f" ({SEATS[result.payer]})"
    deltas = " ".join(f"{SEATS[seat]}{points:+d}" for seat, points in enumerate(result.deltas))
    xing = f" · 醒{result.xing}" if result.xing_cards else ""
    return (
        f"{winners} 胡{card}{special} · {KINDS[result.source]}{payer}"
        f" · 胡{result.hu}{xing} · 计{result.total} · {deltas} · {dealer}"
    )
