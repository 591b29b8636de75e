"""`python -m engine rules`: the presets and their options."""

from __future__ import annotations

import argparse
import sys
import unicodedata

from engine import cli
from engine.cli import slips
from engine.errors import ZipaiError
from engine.options import CONFIRM, CONFIRM_MARK, CONFIRM_NOTES, OPTIONS, Option
from engine.rules import PRESET_TITLES, PRESETS, preset

HELP = "规则和选项 / the presets and their options"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser("rules", help=HELP, description=HELP)
    parser.add_argument("id", nargs="?", help=", ".join(PRESETS))
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints one preset or all; exit status 0, 2 for an id that there is none of."""
    try:
        found = PRESETS if args.id is None else {args.id: preset(args.id)}
    except ZipaiError as error:
        if args.json:
            wrong = slips.error_json(error)
            print(cli.dump({"file": None, "status": "unreadable", "error": wrong}))
        else:
            print(f"{error.code}: {error.zh} / {error.en}", file=sys.stderr)
        return 2
    if args.json:
        print(cli.dump({name: rules.as_json() for name, rules in found.items()}))
    elif args.id is None:
        print(_table())
    else:
        print(_one(args.id))
    return 0


def _table() -> str:
    """All presets side by side, the doubtful values marked."""
    rows = [["", *PRESETS], ["", *(title for title, _ in PRESET_TITLES.values())]]
    rows += [[o.name, *(_value(name, o) for name in PRESETS)] for o in OPTIONS.values()]
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(_pad(cell, w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    notes = [note for name in PRESETS for note in _notes(name)]
    return "\n".join(line.rstrip() for line in [*lines, "", *notes, _foot()])


def _one(rules_id: str) -> str:
    """One preset, every option and its value explained in both languages."""
    zh, en = PRESET_TITLES[rules_id]
    lines = [f"{rules_id}  {zh} / {en}"]
    for option in OPTIONS.values():
        value = getattr(PRESETS[rules_id], option.name)
        lines += [
            "",
            f"{option.name}: {_value(rules_id, option)}  ({option.rule})",
            f"  {option.zh}：{option.describe(value)[0]}",
            f"  {option.en}: {option.describe(value)[1]}",
        ]
    if CONFIRM[rules_id]:
        lines += ["", *_notes(rules_id), _foot()]
    return "\n".join(lines)


def _notes(rules_id: str) -> list[str]:
    return [f"* {rules_id} {rule}: {zh} / {en}" for rule, zh, en in CONFIRM_NOTES[rules_id]]


def _value(rules_id: str, option: Option) -> str:
    mark = "*" if option.name in CONFIRM[rules_id] else ""
    return option.write(getattr(PRESETS[rules_id], option.name)) + mark


def _foot() -> str:
    return f"* {CONFIRM_MARK[0]} / {CONFIRM_MARK[1]}"


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
