"""The engine's command line (cli.md): `python -m engine COMMAND …`."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from engine import cli
from engine.cli import convert, replay, rules, score, simulate, waits

COMMANDS = (replay, score, waits, simulate, convert, rules)

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status of cli.md.

    0 all well, 1 something was found wrong, 2 the command line or a file could not be used.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # Nothing can be written any more, not even by the interpreter on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"写不出去 / cannot write: {error.strerror}", file=sys.stderr)
        return cli.UNUSABLE
    return status


def _run(words: list[str]) -> int:
    parser = cli.Parser(prog="python -m engine", description=__doc__)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    try:
        args = parser.parse_args(words)
    except cli.Unusable as error:
        cli.print_unusable(None, error, "--json" in words)
        return cli.UNUSABLE
    except SystemExit:
        return cli.OK
    status: int = args.run(args)
    return status


if __name__ == "__main__":
    sys.exit(main())
