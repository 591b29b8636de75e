"""Links for all tables of a round at once, to print as cards (C7.3)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from core.domain.audit import audit
from core.domain.tokens import new_token, token_hash
from tournament.acting import Acting
from tournament.domain.links import Issued
from tournament.enums import Role
from tournament.models import Competition, DeviceLink, Round, Table
from tournament.permissions import demand, leads

BATCH = 500


@transaction.atomic
def issue_table_links(
    *, acting: Acting, competition: Competition, round_: Round, tables: Sequence[Table]
) -> list[Issued]:
    """A new link for each of these tables of `round_`, in order; their older ones stop working.

    Raises `NotAllowed`.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    ids = [table.pk for table in tables]
    DeviceLink.objects.filter(table__in=ids, revoked_at=None).update(revoked_at=timezone.now())
    tokens = [new_token() for _table in tables]
    links = DeviceLink.objects.bulk_create(
        [
            DeviceLink(
                competition=competition,
                role=Role.TABLE,
                table=table,
                token_hash=token_hash(token),
                created_by_id=acting.user_id,
            )
            for table, token in zip(tables, tokens, strict=True)
        ],
        batch_size=BATCH,
    )
    audit(
        actor=acting,
        action="link.issue-tables",
        scope=competition.scope,
        subject=round_,
        data={"tables": ids},
    )
    return [Issued(link, token) for link, token in zip(links, tokens, strict=True)]
