"""The hall's screen: what rotates, what is held, and the ceremony of a published draw.

The words in the hall are the draw (C4.2); the ceremony only reveals, in the order of the deal,
what everybody may read already.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.enums import Role, ScreenPart
from tournament.models import Competition, Draw, ScreenSettings
from tournament.permissions import demand, leads

LONGEST_S = 300
"""The most seconds that a page may stand."""

Move = Literal["next", "back", "play", "pause", "all"]


def settings_of(competition: Competition) -> ScreenSettings:
    """The settings as they are, or the defaults. One query."""
    found = (
        ScreenSettings.objects.filter(competition=competition)
        .select_related("draw__stage__event")
        .first()
    )
    return found or ScreenSettings(competition=competition)


def steps_of(draw: Draw) -> int:
    """How many steps the deal of a draw has: its entrants in the order they were dealt."""
    return len(draw.log.get("order", [])) if isinstance(draw.log, dict) else 0


@transaction.atomic
def set_screen(
    *, acting: Acting, competition: Competition, parts: Mapping[str, int], pinned: str = ""
) -> ScreenSettings:
    """What rotates, part → seconds a page; and the part that is shown alone, "" for none.

    Raises `NotAllowed`; `DomainError` (`screen-parts`) for a part that is not known, none at all,
    or seconds outside 3 … `LONGEST_S`.
    """
    settings = _locked(acting, competition)
    known = all(part in ScreenPart.values for part in (*parts, *filter(None, [pinned])))
    if not known or not parts or not all(3 <= one <= LONGEST_S for one in parts.values()):
        raise DomainError(
            _("请至少选一项，每页 3 到 %(most)d 秒。") % {"most": LONGEST_S}, code="screen-parts"
        )
    settings.parts = {part: parts[part] for part in ScreenPart.values if part in parts}
    settings.pinned = pinned
    return _save(acting, settings, "screen.set", {"parts": settings.parts, "pinned": pinned})


@transaction.atomic
def begin_ceremony(
    *, acting: Acting, competition: Competition, draw: Draw, step_seconds: int, auto: bool
) -> ScreenSettings:
    """Every screen shows the draw's ceremony from its first step; `auto`: it goes on by itself.

    Raises `NotAllowed`; `Conflict` where the draw is not published; `DomainError`
    (`screen-seconds`) outside 1 … 60 seconds a step.
    """
    settings = _locked(acting, competition)
    draw = Draw.objects.get(pk=draw.pk, stage__event__competition=competition)
    if draw.published_at is None:
        raise Conflict(_("抽签还没有公布，公布以后才能在大屏幕上演示。"))
    if not 1 <= step_seconds <= 60:
        raise DomainError(_("每人请填 1 到 60 秒。"), code="screen-seconds")
    settings.draw, settings.step, settings.step_seconds = draw, 0, step_seconds
    settings.auto_since = timezone.now() if auto else None
    data = {"draw": draw.pk, "seconds": step_seconds, "auto": auto}
    return _save(acting, settings, "screen.ceremony", data)


@transaction.atomic
def move_ceremony(*, acting: Acting, competition: Competition, move: Move) -> ScreenSettings:
    """One step on or back (which pauses), on by itself, a pause, or all at once.

    Raises `NotAllowed`; `Conflict` where no ceremony is on.
    """
    settings = _locked(acting, competition)
    if settings.draw is None:
        raise Conflict(_("现在没有在演示抽签，请刷新后再看。"))
    total, now = steps_of(settings.draw), timezone.now()
    shown = settings.steps_at(now, total)
    at = {"next": min(shown + 1, total), "back": max(shown - 1, 0), "all": total}
    settings.step = at.get(move, shown)
    settings.auto_since = now if move == "play" else None
    return _save(acting, settings, "screen.step", {"move": move, "step": settings.step})


@transaction.atomic
def end_ceremony(*, acting: Acting, competition: Competition) -> ScreenSettings:
    """The screens rotate again. Raises `NotAllowed`; without a ceremony nothing changes."""
    settings = _locked(acting, competition)
    if settings.draw is None:
        return settings
    settings.draw, settings.step, settings.auto_since = None, 0, None
    return _save(acting, settings, "screen.ceremony-end", {})


def _locked(acting: Acting, competition: Competition) -> ScreenSettings:
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    return settings_of(lock(competition))


def _save(
    acting: Acting, settings: ScreenSettings, action: str, data: Mapping[str, object]
) -> ScreenSettings:
    settings.save()
    audit(actor=acting, action=action, scope=acting.scope, subject=settings, data=dict(data))
    bump(settings.competition.screen_scope)
    return settings
