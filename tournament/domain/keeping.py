"""How long people's data are kept after the competition: set, put off, told beforehand."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import SYSTEM, Actor
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.enums import Role
from tournament.keeping import LEAST_DAYS, MOST_DAYS, MOST_DELAY, is_soon, purge_day
from tournament.models import Competition
from tournament.permissions import demand, organizes, owns


def today_in(competition: Competition) -> date:
    """The day that it is where the competition is held."""
    return timezone.localdate(timezone=competition.tz)


def last_day(competition: Competition) -> date:
    """Its last day as it is planned."""
    last: date = competition.ends_on or competition.starts_on
    return last


def day_of(competition: Competition) -> date | None:
    """The day on which people's data go, as things are today; None where they are gone, or
    nothing has begun to count: no result book is public and it has not ended. A book that is
    public while it is still being played counts from its last day on."""
    if competition.purged_at is not None:
        return None
    base: date | None = None
    if competition.results_on is not None:
        base = max(competition.results_on, last_day(competition))
    elif competition.ended_at is not None:
        base = competition.ended_at.astimezone(competition.tz).date()
    return purge_day(
        base,
        days=competition.keep_days,
        until=competition.keep_until,
        told=competition.told_on,
        today=today_in(competition),
    )


@transaction.atomic
def set_keep_days(*, acting: Acting, competition: Competition, days: int) -> Competition:
    """So many days after the result book. Raises `NotAllowed`, `DomainError` (`keep-days`)."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    if not LEAST_DAYS <= days <= MOST_DAYS:
        raise DomainError(
            _("请填 %(least)d 到 %(most)d 天。") % {"least": LEAST_DAYS, "most": MOST_DAYS},
            code="keep-days",
        )
    competition = lock(competition)
    competition.keep_days = days
    competition.save(update_fields=["keep_days"])
    _note(acting, competition, "competition.keep-days", {"days": days})
    return competition


@transaction.atomic
def put_off(*, acting: Acting, competition: Competition, until: date | None) -> Competition:
    """The data stay until that day; None takes it back. For the owner.

    Raises `NotAllowed`, `Conflict` where they are gone, `DomainError` (`keep-until`) for a day
    that is not after today or further off than `MOST_DELAY`.
    """
    demand(owns(acting), Role.OWNER)
    competition = lock(competition)
    if competition.purged_at is not None:
        raise Conflict(_("这场比赛的个人信息已经清除。"))
    today = today_in(competition)
    if until is not None and not today < until <= today + MOST_DELAY:
        raise DomainError(_("请选今天以后一年以内的一天。"), code="keep-until")
    competition.keep_until = until
    competition.save(update_fields=["keep_until"])
    _note(acting, competition, "competition.keep-until", {"until": until and until.isoformat()})
    return competition


@transaction.atomic
def tell(competition: Competition) -> bool:
    """Notes that from today on its organizers are told of the day, where it is near; whether it
    was noted now."""
    competition = lock(competition)
    if competition.told_on is not None or not is_soon(day_of(competition), today_in(competition)):
        return False
    competition.told_on = today_in(competition)
    competition.save(update_fields=["told_on"])
    _note(SYSTEM, competition, "competition.keep-told", {})
    return True


def _note(acting: Actor, competition: Competition, action: str, data: dict[str, object]) -> None:
    audit(actor=acting, action=action, scope=competition.scope, subject=competition, data=data)
    bump(competition.scope)
