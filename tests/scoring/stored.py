"""Looking for words in everything that the database holds."""

from __future__ import annotations

import json

from django.apps import apps
from django.db import connection


def stored_texts(*words: str, but: str = "") -> set[str]:
    """`table.column` of every column in which one of these words stands, whatever its type: texts,
    JSON (where a word may be escaped) and the rest as text, tables of many-to-many among them.
    `but` is a longer name that may stay.
    """
    found = set()
    for model in apps.get_models(include_auto_created=True):
        table = model._meta.db_table
        for field in model._meta.concrete_fields:
            name = f"{table}.{field.column}"
            if any(word in text for text in _texts(table, field.column, but) for word in words):
                found.add(name)
    return found


def _texts(table: str, column: str, but: str) -> list[str]:
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT CAST({quote(column)} AS TEXT) FROM {quote(table)}")
        texts = [str(text) for (text,) in cursor.fetchall() if text]
    return [_plain(text).replace(but or "\0", "") for text in texts]


def _plain(text: str) -> str:
    """JSON with its characters as they are; other text unchanged."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text
