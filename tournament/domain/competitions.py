"""Competitions: made, described, published, with their regulations."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from core.models import User
from engine.rules import preset
from tournament.acting import Acting
from tournament.domain.entries import ListFrozen, demand_open_list
from tournament.domain.waiting import fill_places
from tournament.enums import Role, StageKind
from tournament.models import Competition, Entry, Event, Membership, Regulation, Stage
from tournament.permissions import demand, organizes

DEFAULT_PRESET = "competition"
DEFAULT_MINUTES = 50
DETAILS = (
    "name",
    "starts_on",
    "ends_on",
    "place",
    "about",
    "timezone",
    "mask_names",
    "capacity",
    "final_minutes",
)


@transaction.atomic
def create_competition(
    *,
    user: User,
    name: str,
    starts_on: date,
    also_chief: bool = False,
    details: Mapping[str, object] | None = None,
) -> Competition:
    """A competition with one event (个人赛) and its knock-out, all at their defaults (C2, C5.6).

    `user` becomes its owner, with `also_chief` its chief referee too; `details` are further
    fields of the form (`DETAILS`).
    """
    fields = {key: value for key, value in (details or {}).items() if key in DETAILS}
    competition = Competition.objects.create(
        **{**fields, "name": name, "starts_on": starts_on, "created_by": user}
    )
    for role in [Role.OWNER, Role.CHIEF] if also_chief else [Role.OWNER]:
        Membership.objects.create(user=user, competition=competition, role=role)
    rules = preset(DEFAULT_PRESET)
    event = Event.objects.create(
        competition=competition,
        name=gettext("个人赛"),
        preset=DEFAULT_PRESET,
        options=rules.as_json(),
        rules_digest=rules.digest,
    )
    Stage.objects.create(event=event, kind=StageKind.KNOCKOUT, minutes=DEFAULT_MINUTES)
    audit(
        actor=Acting(user_id=user.pk),
        action="competition.create",
        scope=competition.scope,
        subject=competition,
        data={"chief": also_chief},
    )
    bump(competition.scope)
    return competition


@transaction.atomic
def change_competition(
    *, acting: Acting, competition: Competition, details: Mapping[str, object]
) -> Competition:
    """Changes what is known of it (`DETAILS`); new places go to the waiting list (C1.2).

    Raises `NotAllowed`.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    changed = [
        key for key in DETAILS if key in details and getattr(competition, key) != details[key]
    ]
    for key in changed:
        setattr(competition, key, details[key])
    competition.save(update_fields=changed)
    moved = _fill(competition) if "capacity" in changed else ()
    audit(
        actor=acting,
        action="competition.change",
        scope=competition.scope,
        subject=competition,
        data={"fields": changed, **({"moved_up": [one.pk for one in moved]} if moved else {})},
    )
    bump(competition.scope, *[event.scope for event in competition.events.all()])
    return competition


def _fill(competition: Competition) -> tuple[Entry, ...]:
    event = competition.events.order_by("position", "pk").first()
    if event is not None:
        event = lock(event)
        with suppress(ListFrozen):
            demand_open_list(event)
            return fill_places(competition, event)
    return ()


@transaction.atomic
def publish_competition(*, acting: Acting, competition: Competition) -> Competition:
    """From now on everyone may see it. Raises `NotAllowed`; publishing twice changes nothing."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    if competition.published_at is None:
        competition.published_at = timezone.now()
        competition.save(update_fields=["published_at"])
        audit(
            actor=acting,
            action="competition.publish",
            scope=competition.scope,
            subject=competition,
        )
        bump(competition.scope)
    return competition


@transaction.atomic
def unpublish_competition(*, acting: Acting, competition: Competition) -> Competition:
    """Hides it again, while no draw of it is published (C9.5). Raises `NotAllowed`, `Conflict`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    if Stage.objects.filter(
        event__competition=competition, draws__published_at__isnull=False
    ).exists():
        raise Conflict(_("抽签已经公布，比赛不能再收回。"))
    if competition.published_at is not None:
        competition.published_at = None
        competition.save(update_fields=["published_at"])
        audit(
            actor=acting,
            action="competition.unpublish",
            scope=competition.scope,
            subject=competition,
        )
        bump(competition.scope)
    return competition


@transaction.atomic
def write_regulation(*, acting: Acting, competition: Competition, text: str) -> Regulation:
    """A new version of the 竞赛规程; the earlier ones stay. Equal text makes no new version.

    Raises `NotAllowed`, `DomainError` for an empty text.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise DomainError(_("请写上竞赛规程的内容。"), code="regulation-empty")
    competition = lock(competition)
    newest = competition.regulations.order_by("-version").first()
    if newest is not None and newest.text == text:
        return newest
    regulation = Regulation.objects.create(
        competition=competition,
        version=newest.version + 1 if newest else 1,
        text=text,
        author_id=acting.user_id,
    )
    audit(
        actor=acting,
        action="regulation.write",
        scope=competition.scope,
        subject=regulation,
        data={"version": regulation.version},
    )
    bump(competition.scope)
    return regulation
