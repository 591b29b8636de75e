"""When rounds begin (开始时间): planned as a draft, which `publications` publishes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.enums import BEFORE_PLAY, Role, StageKind
from tournament.models import Competition, Event, Round
from tournament.permissions import demand, leads


class RoundsOutOfOrder(DomainError):
    """A later round would begin before an earlier one. `round_id` is the later one."""

    code = "rounds-out-of-order"

    def __init__(self, later: Round, earlier: Round) -> None:
        super().__init__(
            _("“%(later)s”不能早于“%(earlier)s”，请改其中一个时间。")
            % {"later": later.title, "earlier": earlier.title}
        )
        self.round_id = later.pk


def in_order(event: Event) -> list[Round]:
    """The event's rounds as they are played: the preliminary's first. One query."""
    return sorted(
        Round.objects.filter(stage__event=event).select_related("stage"),
        key=lambda one: (one.stage.kind != StageKind.PRELIM, one.number),
    )


@transaction.atomic
def set_round_times(
    *,
    acting: Acting,
    competition: Competition,
    times: Mapping[int, datetime | None],
) -> list[Round]:
    """The planned start of rounds by their id, None for not known. Returns those changed.

    Nobody else sees it before `publish_schedule`. Rounds that are not named keep theirs, later
    batches stand as they are. Raises `NotAllowed`; `Conflict` (`round-has-begun`) for a round
    that is under way or done; `RoundsOutOfOrder`.
    """
    events = _locked(acting, competition)
    changed = [one for event in events for one in _set(event, times)]
    if changed:
        data = {
            str(one.pk): one.starts_at.isoformat() if one.starts_at else None for one in changed
        }
        audit(
            actor=acting, action="round.times", scope=acting.scope, subject=competition, data=data
        )
        bump(*(event.scope for event in events))
    return changed


def unpublished_times(competition: Competition) -> bool:
    """Whether a planned time differs from the public one. One query."""
    planned = F("starts_at")
    rounds = Round.objects.filter(stage__event__competition=competition)
    differing = rounds.filter(
        Q(public_starts_at__lt=planned)
        | Q(public_starts_at__gt=planned)
        | Q(public_starts_at=None, starts_at__isnull=False)
        | Q(public_starts_at__isnull=False, starts_at=None)
    )
    return differing.exists()


def _locked(acting: Acting, competition: Competition) -> list[Event]:
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    return list(lock(competition).events.select_for_update(no_key=True).order_by("pk"))


def _set(event: Event, times: Mapping[int, datetime | None]) -> list[Round]:
    rounds = in_order(event)
    changed = []
    for round_ in rounds:
        if round_.pk not in times or times[round_.pk] == round_.starts_at:
            continue
        if round_.state not in BEFORE_PLAY:
            raise Conflict(
                _("“%(round)s”已经开打，开始时间不能再改。") % {"round": round_.title},
                code="round-has-begun",
            )
        round_.starts_at = times[round_.pk]
        changed.append(round_)
    if changed:
        _check(rounds)
        Round.objects.bulk_update(changed, ["starts_at"])
    return changed


def _check(rounds: list[Round]) -> None:
    timed = [(one.starts_at, one) for one in rounds if one.starts_at is not None]
    for (before, earlier), (after, later) in pairwise(timed):
        if after < before:
            raise RoundsOutOfOrder(later, earlier)
