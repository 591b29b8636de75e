"""Every column of the database is said to hold personal data or not, and docs/privacy.md says so.

A new column fails here until it is in a list of its app's `privacy.py`; where people may type what
they like it is in `scoring.typed` too, so that erasing takes names out of it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from django.apps import apps
from django.db import models

import core.privacy
import scoring.privacy
import tournament.privacy
from core.models import User
from scoring.typed import TYPED

DOC = Path(__file__).parent.parent / "docs" / "privacy.md"
MODULES = (core.privacy, tournament.privacy, scoring.privacy)
PERSONAL = [one for module in MODULES for one in module.PERSONAL]
OTHERS = {model: columns for module in MODULES for model, columns in module.OTHERS.items()}
TITLES = ("Accounts and the site", "People and competitions", "Tables, hands, books")


def columns() -> dict[str, models.Field]:
    """Every column of the database, `app.Model.column`, numbers of rows and accounts aside."""
    found = {}
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            is_number = field.primary_key and not field.is_relation and model is not _session()
            of_account = field.is_relation and field.related_model is User
            if not is_number and not of_account:
                found[f"{model._meta.label}.{field.name}"] = field
    return found


def _session() -> type[models.Model]:
    return apps.get_model("sessions.Session")


def listed() -> Counter[str]:
    """What the lists name, each as often as they do."""
    found = Counter(f"{one.model}.{name}" for one in PERSONAL for name in one.columns.split())
    for model, names in OTHERS.items():
        found.update(f"{model}.{name}" for name in names.split())
    return found


def test_every_column_is_in_one_list_and_in_one_alone() -> None:
    known, named = set(columns()), listed()
    texts = {"core.Version.scope"}  # a key that is a text
    assert sorted(known - set(named)) == []
    assert sorted(set(named) - known - texts) == []
    assert [name for name, count in named.items() if count > 1] == []


def test_wherever_people_type_the_column_is_personal() -> None:
    personal = {f"{one.model}.{name}" for one in PERSONAL for name in one.columns.split()}
    typed = {f"{model}.{name}" for model, names in TYPED.items() for name in names.split()}
    assert sorted(typed - personal) == []


NOT_TYPED = {
    "tournament.Person.name", "tournament.Person.reading", "tournament.Person.phone",
    "tournament.Person.mail", "tournament.Person.note", "tournament.Entry.unit",
    "tournament.Entry.status", "tournament.ApartGroup.name", "tournament.Consent.text",
    "tournament.DeviceLink.token_hash", "tournament.Invitation.token_hash",
    "tournament.Membership.role", "tournament.ApiToken.label", "tournament.ApiToken.token_hash",
    "tournament.Draw.lines", "tournament.Draw.salt", "tournament.Draw.words",
    "scoring.BookEdition.body", "scoring.BookEdition.note", "scoring.Editing.actor",
    "scoring.Editing.device", "scoring.Protest.final_by", "scoring.VerdictSettings.committee",
    "scoring.Collection.name",
}  # fmt: skip
"""Personal texts for which erasing does something else, or which are their holder's or an
office's."""


def test_every_personal_text_of_a_competition_loses_names_or_says_what_else_happens() -> None:
    """From columns to `scoring.typed`: a new free text cannot be forgotten by erasing."""
    known = columns()
    typed = {f"{model}.{name}" for model, names in TYPED.items() for name in names.split()}
    personal = {
        f"{one.model}.{name}"
        for module in MODULES[1:]
        for one in module.PERSONAL
        for name in one.columns.split()
        if isinstance(known[f"{one.model}.{name}"], models.CharField | models.TextField)
    }
    assert sorted(personal - typed - NOT_TYPED) == []
    assert sorted(NOT_TYPED - personal) == []


def table(module_index: int) -> str:
    """The table of an app as docs/privacy.md has it."""
    rows = [
        f"| `{one.model}` | {', '.join(f'`{name}`' for name in one.columns.split())} | {one.what} |"
        f" {one.why} | {one.seen_by} | {one.until} |"
        for one in MODULES[module_index].PERSONAL
    ]
    head = "| model | columns | what | why | who sees it | until |\n|---|---|---|---|---|---|"
    return "\n".join([f"### {TITLES[module_index]}", "", head, *rows])


def test_the_document_has_every_row() -> None:
    text = DOC.read_text(encoding="utf-8")
    for index in range(len(MODULES)):
        assert table(index) in text, f"docs/privacy.md should have:\n\n{table(index)}"
