"""Seeds (种子): written down as a whole list, or none (C4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.versions import bump
from core.errors import DomainError
from tournament.acting import Acting
from tournament.domain.draws import to_draw
from tournament.domain.entries import open_list
from tournament.models import Entrant, Event


@transaction.atomic
def set_seeds(*, acting: Acting, event: Event, numbers: Sequence[int]) -> int:
    """The entrants of these numbers (编号) are seeds 1, 2, 3 … and nobody else is; [] clears.

    Says how many there are. Raises `NotAllowed`, `ListFrozen`, `DomainError`: `seed-twice`,
    `seed-number` for a number of nobody who would be drawn.
    """
    competition = open_list(acting, event)
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        raise DomainError(
            _("编号 %(n)s 写了两次，一个人只能是一个种子。") % {"n": twice[0]}, code="seed-twice"
        )
    found: dict[int, Entrant] = {
        one.entry.number: one
        for one in to_draw(event).filter(entry__number__in=numbers)
        if one.entry.number is not None
    }
    missing = [number for number in numbers if number not in found]
    if missing:
        raise DomainError(
            _("没有编号 %(n)s 的在赛选手，请改正。") % {"n": missing[0]}, code="seed-number"
        )
    event.entrants.filter(seed__isnull=False).update(seed=None)
    for seed, number in enumerate(numbers, 1):
        found[number].seed = seed
    Entrant.objects.bulk_update(found.values(), ["seed"], batch_size=500)
    audit(
        actor=acting,
        action="seeds.set",
        scope=competition.scope,
        subject=event,
        data={"numbers": list(numbers)},
    )
    bump(event.scope)
    return len(numbers)
