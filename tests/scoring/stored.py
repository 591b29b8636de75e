"""Looking for words in everything that the database holds."""

from __future__ import annotations

from django.apps import apps
from django.db import connection, models


def stored_texts(*words: str) -> set[str]:
    """`table.column` of every column in which one of these words stands, whatever its type: texts,
    JSON (where a word may be escaped) and the rest as text, tables of many-to-many among them."""
    found = set()
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            if any(_has(field, word) for word in words):
                found.add(f"{model._meta.db_table}.{field.column}")
    return found


def _has(field: models.Field, word: str) -> bool:
    table, column = field.model._meta.db_table, field.column
    escaped = word.encode("unicode_escape").decode()
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*) FROM {quote(table)} WHERE CAST({quote(column)} AS TEXT) LIKE %s"
            f" OR CAST({quote(column)} AS TEXT) LIKE %s",
            [f"%{word}%", "%" + escaped.replace("\\", "\\\\") + "%"],
        )
        return bool(cursor.fetchone()[0])
