"""An account goes with its collections: other people's public records take the place of its own."""

from __future__ import annotations

from django.db import transaction

from core.models import User
from scoring.domain.collections import remove_collection
from scoring.models import Collection
from tournament.domain.own_account import delete_account


@transaction.atomic
def close_account(*, user: User) -> None:
    """Its collections are removed, then the account. Raises what `delete_account` does."""
    for collection in Collection.objects.filter(owner=user).order_by("pk"):
        remove_collection(user=user, collection=collection)
    delete_account(user=user)
