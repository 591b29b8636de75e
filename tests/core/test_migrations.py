"""Migrations fit the models and can be taken back, on whichever database the tests run."""

import pytest
from django.core.management import call_command
from django.db import connection

APPS = ("core", "tournament", "scoring")


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_every_migration_can_be_taken_back_and_done_again() -> None:
    def tables() -> set[str]:
        names = connection.introspection.table_names()
        return {name for name in names if name.startswith(tuple(f"{app}_" for app in APPS))}

    before = tables()
    call_command("migrate", "core", "zero", verbosity=0)
    assert tables() == set()
    call_command("migrate", verbosity=0)
    assert tables() == before
