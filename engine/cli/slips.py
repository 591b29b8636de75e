"""What `score` and `waits` share: reading JSON objects and printing answers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine import cards, cli
from engine.errors import ZipaiError
from engine.explain import Nearest
from engine.melds import Meld
from engine.result import meld_json
from engine.slip import SlipError


class Given(NamedTuple):
    """One object of the input: the line it begins in, from 1, and the object or its fault."""

    line: int
    value: object


def read_objects(file: str) -> Iterator[Given]:
    """The JSON objects of a file, `-` for standard input; raises `cli.Unusable`.

    One object a line; one that runs over several lines is read too. What cannot be read is
    given as a `ZipaiError` with code `syntax`, and reading goes on at the next line.
    """
    try:
        text = cli.read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise cli.Unusable(
            "文件不是 UTF-8，请另存为 UTF-8", "the file is not UTF-8; save it as UTF-8"
        ) from None
    decoder = json.JSONDecoder()
    at, line = 0, 1
    while True:
        start = _skip_blanks(text, at)
        line += text.count("\n", at, start)
        if start == len(text):
            return
        try:
            value, at = decoder.raw_decode(text, start)
            yield Given(line, value)
        except (ValueError, RecursionError):
            newline = text.find("\n", start)
            at = len(text) if newline < 0 else newline
            yield Given(line, _not_json())
        line += text.count("\n", start, at)


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _not_json() -> ZipaiError:
    return ZipaiError(
        "syntax",
        "cli",
        '这一行不是 JSON；每行写一个对象，如 {"rules": …}',
        'this line is no JSON; write one object a line, like {"rules": …}',
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments both commands take."""
    parser.add_argument(
        "file", nargs="?", default=cli.STDIN, help="a file, or - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def answer_all(
    args: argparse.Namespace,
    answer: Callable[[object], tuple[dict[str, object], str]],
) -> int:
    """Answers every object of `args.file`; the exit status of cli.md.

    `answer` makes the JSON answer of one object and the same for people, or raises `ZipaiError`.
    """
    status = cli.OK
    try:
        for line, value in read_objects(args.file):
            try:
                if isinstance(value, ZipaiError):
                    raise value
                found, text = answer(value)
                print(cli.dump(found) if args.json else text)
            except ZipaiError as error:
                status = cli.WRONG
                print(
                    cli.dump(failure(error)) if args.json else show_failure(args.file, line, error)
                )
    except cli.Unusable as error:
        cli.print_unusable(args.file, error, args.json)
        return cli.UNUSABLE
    return status


def failure(error: ZipaiError) -> dict[str, object]:
    """The JSON answer for a slip that does not win."""
    answer: dict[str, object] = {"status": "no-win", "error": error_json(error)}
    close = error.nearest if isinstance(error, SlipError) else None
    if close is not None:
        answer["best"] = {
            "hu": close.hu,
            "melds": [meld_json(meld) for meld in close.melds],
            "left": cards.text(close.left),
        }
    return answer


def error_json(error: ZipaiError) -> dict[str, object]:
    """An error's code, rule and sentences."""
    return {"code": error.code, "rule": error.rule, "zh": error.zh, "en": error.en}


def show_failure(file: str, line: int, error: ZipaiError) -> str:
    """A slip's fault for people, compiler-style."""
    text = f"{file}:{line}: {error.code} {error.zh} ({error.rule})\n    {error.en}"
    close = error.nearest if isinstance(error, SlipError) else None
    if close is not None:
        text += f"\n    {show_nearest(close)}"
    return text


def show_nearest(close: Nearest) -> str:
    """The grouping that fell short, for people."""
    left = f" · 余 {cards.text(close.left)}" if close.left else ""
    return f"最接近 {close.hu} 胡：{show_melds(close.melds)}{left}"


def show_melds(melds: tuple[Meld, ...]) -> str:
    """Melds in one line, each with its 胡 where it has any."""
    return " · ".join(f"{meld} {meld.hu}" if meld.hu else str(meld) for meld in melds)
