"""What happened at a table, in order, read at once; how much has been played where."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import IntegerField, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from core.models import AuditRow, User
from scoring.models import HandVersion, Penalty, Protest, Ruling, Sheet
from tournament.models import DeviceLink, Entrant

UNKNOWN = "–"


def hands_at(tables: Collection[int]) -> dict[int, int]:
    """Table → hands played there, 加赛 and void ones left out. One query."""
    if not tables:
        return {}
    played = Sum(Coalesce(Cast(KT("payload__hands"), IntegerField()), 1))
    found = HandVersion.objects.filter(
        hand__sheet__table__in=tables,
        hand__tie_break__isnull=True,
        is_current=True,
        is_void=False,
    )
    return dict(found.order_by().values_list("hand__sheet__table_id").annotate(hands=played))


@dataclass(frozen=True)
class Happened:
    """All rows that tell what happened with a sheet."""

    versions: list[HandVersion]
    penalties: dict[int, Penalty]
    rulings: dict[int, Ruling]
    protests: dict[int, Protest]
    rows: list[AuditRow]
    names: dict[str, str]
    entrants: dict[int, str]

    def who(self, row: AuditRow) -> str:
        """The name of who did it: the account's, or the link's; "" for the site itself."""
        if row.user_id is not None:
            return self.names.get(f"user:{row.user_id}", "")
        return self.names.get(f"link:{row.link_id}", "")


def what_happened(sheet: Sheet) -> Happened:
    """Everything about a saved sheet and its table, oldest first. Nine queries, however much."""
    versions = list(
        HandVersion.objects.filter(hand__sheet=sheet)
        .select_related("hand", "author", "link")
        .order_by("hand__number", "version")
    )
    penalties = Penalty.objects.filter(sheet=sheet).select_related("hand").in_bulk()
    rulings = Ruling.objects.filter(sheet=sheet).select_related("hand").in_bulk()
    protests = Protest.objects.filter(sheet=sheet).select_related("hand").in_bulk()
    subjects = [
        f"sheet:{sheet.pk}",
        f"table:{sheet.table_id}",
        *{f"hand:{version.hand_id}" for version in versions},
        *(f"penalty:{pk}" for pk in penalties),
        *(f"ruling:{pk}" for pk in rulings),
        *(f"protest:{pk}" for pk in protests),
    ]
    rows = list(AuditRow.objects.filter(subject__in=subjects).order_by("pk"))
    users = User.objects.in_bulk({row.user_id for row in rows if row.user_id is not None})
    links = DeviceLink.objects.in_bulk({row.link_id for row in rows if row.link_id is not None})
    names = {f"user:{pk}": user.name for pk, user in users.items()}
    names |= {f"link:{pk}": link_name(link) for pk, link in links.items()}
    seated = {pk for row in rows for pk in row.data.get("seated", []) if pk is not None}
    return Happened(versions, penalties, rulings, protests, rows, names, entrants_named(seated))


def link_name(link: DeviceLink) -> str:
    """What a device link is called."""
    return link.label or str(link.get_role_display())


def entrants_named(pks: Collection[int]) -> dict[int, str]:
    """Entrant → name. One query."""
    found = Entrant.objects.filter(pk__in=pks).select_related("entry__person", "partner__person")
    return {entrant.pk: entrant.name for entrant in found}


def seated_at_replay(sheet: Sheet) -> list[str]:
    """The names of who sat at the table, in order, when what it had played was made void for the
    last time; empty where that has not happened. Two queries."""
    rows = AuditRow.objects.filter(subject=f"sheet:{sheet.pk}", action="sheet.replay")
    last = rows.order_by("-pk").first()
    if last is None:
        return []
    seated = last.data.get("seated", [])
    names = entrants_named([pk for pk in seated if pk is not None])
    return [names.get(pk, UNKNOWN) for pk in seated]
