"""Where the PDFs of an edition are kept, and that they go."""

from __future__ import annotations

from django.core.files.storage import default_storage

FOLDER = "books"


def stem(edition: int, *, mask: bool) -> str:
    """The beginning of the names of its files, with whole names or without."""
    return f"{edition}-{'masked' if mask else 'full'}-"


def forget_files(edition: int, *, mask: bool) -> None:
    """Deletes its PDFs."""
    if not default_storage.exists(FOLDER):
        return
    for name in default_storage.listdir(FOLDER)[1]:
        if name.startswith(stem(edition, mask=mask)):
            default_storage.delete(f"{FOLDER}/{name}")
