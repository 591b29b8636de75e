"""Every public function of `domain` that writes leaves an audit row, but for those listed with why.

Read from the source: a function writes where it, or a function of its module that it calls, saves,
creates, updates or deletes; it audits where one of them, or a function of another `domain` module
that it calls, calls `audit`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
APPS = ("core", "tournament", "scoring")
WRITES = frozenset(
    (
        "save", "create", "bulk_create", "bulk_update", "update", "delete", "get_or_create",
        "update_or_create", "add_to", "save_base",
    )
)  # fmt: skip
PART = "part of its callers' transactions, which audit"
SITE = "the site's own business, of no competition"
DERIVED = "repeats what is written elsewhere, or drops what nobody needs any more"

NOT_AUDITED: dict[str, str] = {
    "core.domain.audit.audit": "it is the row",
    "core.domain.backups.ask_for_backup": PART,
    "core.domain.restoring.restore": "it writes every audit row, of another time",
    "core.domain.forgetting.forget": DERIVED,
    "core.domain.idempotency.do_once": SITE,
    "core.domain.job_parts.make_parts": SITE,
    "core.domain.job_parts.parts_again": PART,
    "core.domain.job_parts.settle_part": SITE,
    "core.domain.job_parts.stop_parts": SITE,
    "core.domain.job_control.stop_job": PART,
    "core.domain.jobs.claim": SITE,
    "core.domain.jobs.drop_waiting": SITE,
    "core.domain.jobs.enqueue": SITE,
    "core.domain.jobs.run": SITE,
    "core.domain.jobs.sweep": SITE,
    "core.domain.jobs.wake": SITE,
    "core.domain.mails.ask_for_new_password": SITE,
    "core.domain.mails.send": "sends a mail; whoever asked for it audits",
    "core.domain.mails.send_new_password": "sends a mail",
    "core.domain.periodic.tick": SITE,
    "core.domain.throttle.forget_attempts": SITE,
    "core.domain.throttle.take_attempt": SITE,
    "scoring.domain.book_files.forget_files": DERIVED,
    "scoring.domain.closing.make_final": PART,
    "scoring.domain.closing.plan_finality": PART,
    "scoring.domain.closing.record_order": PART,
    "scoring.domain.editing.note_editing": "who has a sheet open just now; changes nothing",
    "scoring.domain.erasing.erase_everybody": PART,
    "scoring.domain.kept_records.keep_records": PART,
    "scoring.domain.library.drop_tables": DERIVED,
    "scoring.domain.library.index_all": DERIVED,
    "scoring.domain.library.index_tables": DERIVED,
    "scoring.domain.opening.sheet_for": "an empty sheet; what is done with it audits",
    "scoring.domain.rejudging.compute": "what a rejudge would change; nothing is changed by it",
    "scoring.domain.replays.take_finality": PART,
    "scoring.domain.sheets.drop_confirmations": PART,
    "scoring.domain.sheets.open_sheet": "an empty sheet; what is done with it audits",
    "scoring.domain.sheets.open_sheets": "empty sheets; what is done with them audits",
    "scoring.domain.uploads.end_naming": PART,
    "scoring.domain.uploads.forget_files": DERIVED,
    "scoring.domain.uploads.stored": PART,
    "scoring.domain.uploads.verify": "the upload audits; this only works it off",
    "tournament.domain.announcements.announce_due": "its time was audited when it was set",
    "tournament.domain.api_tokens.find_token": "notes when a token was last used",
    "tournament.domain.arranging.put_plan": PART,
    "tournament.domain.best_of.note_games": PART,
    "tournament.domain.bracket.add_third_redrawn": PART,
    "tournament.domain.bracket.add_third_table": PART,
    "tournament.domain.bracket.build_rounds": PART,
    "tournament.domain.bracket.clear_rounds": PART,
    "tournament.domain.deadlines.plan_turns": PART,
    "tournament.domain.entries.enter_late": PART,
    "tournament.domain.erasing.empty_entries": PART,
    "tournament.domain.erasing.empty_people": PART,
    "tournament.domain.erasing.forget_groups": PART,
    "tournament.domain.erasing.forget_lists": PART,
    "tournament.domain.erasing.forget_requests": PART,
    "tournament.domain.erasing.forget_salts": PART,
    "tournament.domain.erasing.forget_staff_labels": PART,
    "tournament.domain.erasing.leave_all": PART,
    "tournament.domain.erasing.rename_groups": PART,
    "tournament.domain.events.make_event": PART,
    "tournament.domain.fields.take_back_field": PART,
    "tournament.domain.finality.make_final": PART,
    "tournament.domain.handing_on.hand_on": PART,
    "tournament.domain.import_events.take_back_events": PART,
    "tournament.domain.import_events.write_events": PART,
    "tournament.domain.import_undo.restored": PART,
    "tournament.domain.import_undo.save_people": PART,
    "tournament.domain.imports.forget_expired": DERIVED,
    "tournament.domain.imports.run_forget_expired": DERIVED,
    "tournament.domain.links.give_entry_link": PART,
    "tournament.domain.mails.moved_up": "sends a mail; whoever gave the place audits",
    "tournament.domain.playing.choose": PART,
    "tournament.domain.playing.drop": PART,
    "tournament.domain.playing.enter": PART,
    "tournament.domain.seals.make_seal": "it seals the rows",
    "tournament.domain.seals.plan_seal": "it seals the rows",
    "tournament.domain.seals.run_seal": "it seals the rows",
    "tournament.domain.seating.exchange": PART,
    "tournament.domain.waiting.fill_places": PART,
    "tournament.domain.waiting.give_place": PART,
}
"""Function → why it writes without an audit row. Each of `PART` has no caller outside `domain`."""


@dataclass
class Function:
    """A function of a domain module: what it calls, whether it writes or audits by itself."""

    name: str
    is_public: bool
    writes: bool = False
    audits: bool = False
    calls: set[str] = field(default_factory=set)


def functions() -> dict[str, Function]:
    """`module.name` → function, methods by their class's name too."""
    found: dict[str, Function] = {}
    for app in APPS:
        for path in sorted((ROOT / app / "domain").glob("*.py")):
            module = f"{app}.domain.{path.stem}"
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = _imported(tree) | {
                node.name: f"{module}.{node.name}"
                for node in tree.body
                if isinstance(node, ast.FunctionDef | ast.ClassDef)
            }
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    one = _read(node, names)
                    found[f"{module}.{one.name}"] = one
                elif isinstance(node, ast.ClassDef):
                    # Whoever makes one may call any of its methods.
                    methods = [n for n in node.body if isinstance(n, ast.FunctionDef)]
                    whole = Function(node.name, is_public=False)
                    for method in methods:
                        one = _read(method, names)
                        whole.writes |= one.writes
                        whole.audits |= one.audits
                        whole.calls |= one.calls
                    found[f"{module}.{node.name}"] = whole
    return found


def _imported(tree: ast.Module) -> dict[str, str]:
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _read(node: ast.FunctionDef, names: dict[str, str]) -> Function:
    one = Function(node.name, is_public=not node.name.startswith("_"))
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in names:
            one.calls.add(names[inner.id])
        if not isinstance(inner, ast.Call):
            continue
        called = inner.func
        if isinstance(called, ast.Attribute):
            if isinstance(called.value, ast.Name) and called.value.id in names:
                one.calls.add(f"{names[called.value.id]}.{called.attr}")
            # `digest.update(…)`, `values.update(…)` are of no row.
            of_rows = called.attr != "update" or inner.keywords
            one.writes |= called.attr in WRITES and bool(of_rows)
        elif isinstance(called, ast.Name) and names.get(called.id) == "core.domain.audit.audit":
            one.audits = True
    return one


def reached(name: str, every: dict[str, Function]) -> list[Function]:
    """The function and all that it may call."""
    seen, waiting = {name}, [name]
    while waiting:
        for called in every[waiting.pop()].calls & set(every):
            if called not in seen:
                seen.add(called)
                waiting.append(called)
    return [every[one] for one in seen]


def unaudited() -> set[str]:
    """Public functions that write, by themselves or through others, and nobody audits it."""
    every = functions()
    return {
        name
        for name, one in every.items()
        if one.is_public
        and any(other.writes for other in reached(name, every))
        and not any(other.audits for other in reached(name, every))
    }


def test_every_function_that_writes_audits_but_those_listed() -> None:
    found = unaudited()
    assert sorted(found - set(NOT_AUDITED)) == []
    assert sorted(set(NOT_AUDITED) - found) == []


def test_parts_of_a_transaction_are_called_by_audited_functions_alone() -> None:
    every = functions()
    for part in (name for name, why in NOT_AUDITED.items() if why == PART):
        callers = [name for name, one in every.items() if part in one.calls and name != part]
        assert callers, part
        for caller in callers:
            is_audited = any(one.audits for one in reached(caller, every))
            assert is_audited or NOT_AUDITED.get(caller) == PART or not every[caller].is_public, (
                part, caller
            )  # fmt: skip


def test_parts_of_a_transaction_are_not_called_by_pages_or_commands() -> None:
    parts = {name for name, why in NOT_AUDITED.items() if why == PART}
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            if path.parent.name == "domain":
                continue
            used = set(_imported(ast.parse(path.read_text(encoding="utf-8"))).values())
            assert not used & parts, (path.name, used & parts)
