"""`python -m engine convert`: the same hands in export form or as the JSON twin."""

from __future__ import annotations

import argparse
import sys

from engine import cli, files, jsonl, record
from engine.errors import ZipaiError

HELP = "转换：字牌谱和 JSON 互换 / convert records to their export form or JSON twin"


def add_parser(subparsers: argparse._SubParsersAction[cli.Parser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser("convert", help=HELP, description=HELP)
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    parser.add_argument("--to", choices=("zpr", "json"), default="zpr", help="default: zpr")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints all hands of the file, or all its faults and none; exit status 0, 1 or 2."""
    try:
        readings = list(files.read(cli.read_bytes(args.file)))
    except cli.Unusable as error:
        cli.print_unusable(args.file, error, False)
        return cli.UNUSABLE
    except ZipaiError as error:
        cli.print_unusable(args.file, cli.Unusable(error.zh, error.en), False)
        return cli.UNUSABLE
    status = cli.OK
    for reading in readings:
        for fault in reading.located(reading.faults):
            status = cli.WRONG
            print(cli.one_line(args.file, fault), file=sys.stderr)
    records = [reading.record for reading in readings if reading.record is not None]
    if status == cli.OK:
        export = record.export if args.to == "zpr" else jsonl.export
        sys.stdout.write(export(*records))
    return status
