"""What the commands share: files, and how answers and faults are printed (cli.md)."""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from engine.faults import Fault

STDIN = "-"
RECORDS = "*.zpr"

OK, WRONG, UNUSABLE = 0, 1, 2
"""Exit statuses: all well; something was found wrong; command line or file of no use."""


class Unusable(Exception):
    """A file, or the command line, that cannot be used: why, and what to do."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.zh = zh
        self.en = en


class Parser(argparse.ArgumentParser):
    """An argument parser that takes no shortened options and raises `Unusable`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise Unusable(f"命令行不对，请看 {self.prog} --help", f"{message}; see {self.prog} --help")


def expand(paths: list[str]) -> Iterator[str]:
    """The files that the arguments mean: a folder stands for its `*.zpr`, sorted by name.

    Raises `Unusable` for a folder without any; a file that is not there is found out later.
    """
    for path in paths:
        if path == STDIN or not _is_folder(path):
            yield path
            continue
        found = sorted(str(file) for file in Path(path).glob(RECORDS))
        if not found:
            raise Unusable(f"文件夹里没有 {RECORDS}", f"there is no {RECORDS} in this folder")
        yield from found


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def read_bytes(file: str) -> bytes:
    """The bytes of a file, `-` for standard input; raises `Unusable`."""
    try:
        return sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Unusable(
            f"读不了这个文件（{reason}）", f"the file cannot be read: {reason}"
        ) from None


def dump(answer: dict[str, object]) -> str:
    """An answer as one line of JSON."""
    return json.dumps(answer, ensure_ascii=False)


def unreadable(file: str | None, error: Unusable) -> dict[str, object]:
    """The JSON answer for a file, or a command line (None), that cannot be used."""
    return {"file": file, "status": "unreadable", "error": {"zh": error.zh, "en": error.en}}


def print_unusable(file: str | None, error: Unusable, as_json: bool) -> None:
    """Reports a file or command line of no use: on standard output as JSON, else one line."""
    if as_json:
        print(dump(unreadable(file, error)))
    else:
        where = "" if file is None else f"{file}: "
        print(f"{where}{error.zh} / {error.en}", file=sys.stderr)


def one_line(file: str, fault: Fault) -> str:
    """A fault compiler-style: place, code, both sentences."""
    place = f"{file}:{fault.line}:{fault.column}"
    rule = "" if f"({fault.rule})" in fault.zh else f" ({fault.rule})"
    return f"{place}: {fault.code} {fault.zh} / {fault.en}{rule}"


def explained(file: str, fault: Fault, raw: str) -> str:
    """A fault for people: its line, the text with a caret under the column, what was legal.

    `raw` is the whole line; where it is empty, the fault's text stands for it, without a caret.
    """
    lines = [one_line(file, fault)]
    if raw:
        shown = "".join(char if char.isprintable() or char == "\t" else "�" for char in raw)
        lines += [f"    {shown}", f"    {_under(shown, fault.column)}^"]
    else:
        lines.append(f"    {fault.text}")
    if fault.legal:
        events = " | ".join(str(event) for event in fault.legal)
        lines.append(f"    合法的 / legal: {events}")
    return "\n".join(lines)


def _under(text: str, column: int) -> str:
    """Blanks as wide as the text before the column on a terminal."""
    return "".join(
        "\t" if char == "\t" else "  " if unicodedata.east_asian_width(char) in "WF" else " "
        for char in text[: column - 1]
    )
