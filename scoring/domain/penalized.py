"""Tables at which somebody was penalized before a hand was played, which another draw keeps."""

from __future__ import annotations

from django.db.models import QuerySet

from scoring.enums import PenaltyLevel
from scoring.models import Penalty
from tournament.models import Table


def penalized(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Those of the tables with a penalty in force; who was disqualified there is out whatever is
    drawn, so that is none."""
    given = Penalty.objects.filter(voided_at=None).exclude(level=PenaltyLevel.DISQUALIFIED)
    return tables.filter(pk__in=given.values("sheet__table"))
