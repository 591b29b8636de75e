"""Several people at one sheet: each is told of the others, nobody is locked out."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from scoring.domain.board import Board
from scoring.models import Editing
from tournament.acting import Acting
from tournament.permissions import Action, require

FRESH = timedelta(seconds=60)
"""For how long somebody counts as being at the sheet after he was last seen."""

SEEN_EVERY = timedelta(seconds=20)
"""How much time lies at least between two writes for one device."""


@transaction.atomic
def note_editing(*, acting: Acting, board: Board, device: str) -> Editing:
    """He has the sheet open for entering on this device, now. Raises what `require` does.

    Changes nothing of the competition: so no lock, no audit row and no version. Whoever was not
    seen for `FRESH` has left, and comes anew.
    """
    require(acting, Action.ENTER_HAND, board.met(reason="-", effects_shown=True))
    now = timezone.now()
    Editing.objects.filter(table=board.table, seen_at__lt=now - FRESH).delete()
    noted, _is_new = Editing.objects.update_or_create(
        table=board.table,
        actor=acting.key,
        device=device,
        defaults={"seen_at": now, "author_id": acting.user_id, "link_id": acting.link_id},
    )
    return noted
