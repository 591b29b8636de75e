"""What can go wrong at a sheet, each with what the page needs to help on."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict, DomainError
from engine.errors import ZipaiError
from engine.faults import Fault
from scoring.enums import Evidence
from scoring.evidence import Counted, EntryError
from scoring.models import HandVersion
from scoring.ranking import OpenTie
from tournament.domain.results import Effects
from tournament.permissions import EffectsUnseen


def in_language(error: ZipaiError | Fault) -> str:
    """The engine's sentence in the user's language."""
    return error.zh if (get_language() or "zh").startswith("zh") else error.en


class BadEntry(DomainError):
    """What was entered cannot be (`entry` says why and which field it is about)."""

    code = "bad-entry"
    status = 422

    def __init__(self, entry: EntryError) -> None:
        super().__init__(in_language(entry), code=entry.code)
        self.entry = entry


class Differs(Conflict):
    """C6.3: the table said something else than the cards give; `counted` has both."""

    code = "claim-differs"

    def __init__(self, counted: Counted) -> None:
        super().__init__(_("报的和算的不一样：请改正，或按算的记，或标为待裁。"))
        self.counted = counted


class HandTaken(Conflict):
    """The hand's number is there already; `version` is what counts now (C6.2)."""

    code = "hand-taken"

    def __init__(self, version: HandVersion, who: str) -> None:
        super().__init__(
            (
                _("第 %(n)d 盘已由%(who)s记下。请核对：一样就不用再记；不一样请到那一盘更正。")
                if version.evidence == Evidence.GAME
                else _("第 %(n)d 局已由%(who)s记下。请核对：一样就不用再记；不一样请到那一局更正。")
            )
            % {"n": version.hand.number, "who": who}
        )
        self.version = version
        self.who = who


class VersionPassed(Conflict):
    """Somebody has corrected the hand since the page was shown."""

    code = "version-passed"


class SheetFull(Conflict):
    """C6.4: all planned hands are in."""

    code = "sheet-full"


class NotFull(Conflict):
    """C6.4: hands are missing, and the bell has not gone."""

    code = "sheet-not-full"


class FlagOpen(Conflict):
    """C6.3: a hand is still 待裁."""

    code = "flag-open"


class TieOpen(Conflict):
    """C8.2, C8.6: `ties` at a line that matters are open."""

    code = "tie-open"

    def __init__(self, message: str | Promise, ties: tuple[OpenTie, ...]) -> None:
        super().__init__(message)
        self.ties = ties


class SheetChanged(Conflict):
    """The sheet is another than the one that was shown for confirmation."""

    code = "sheet-changed"


class ShowEffects(EffectsUnseen):
    """C9.1: what a correction would change, to be seen before it is saved; `nets` is each
    seat's net 舵 after it."""

    def __init__(self, effects: Effects, nets: Sequence[int]) -> None:
        super().__init__(_("这一桌已经确认。请先看这次更正的影响，再保存。"))
        self.effects = effects
        self.nets = tuple(nets)
