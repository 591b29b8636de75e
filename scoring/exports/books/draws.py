"""What books print of draws: digests, words, seed; and whether they redraw exactly (C4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.exports.books.parts import Part, titled
from tournament.domain.draws import document_of
from tournament.models import Draw, Event
from tournament.pairing.document import dump, verify
from tournament.queries.draws import split_units, together


def draw_parts(event: Event, events: Sequence[Event], *, check: bool = False) -> list[Part]:
    """The record of the event's published draws, or with `check` what redrawing them gave; no
    part where none is published. One query."""
    published = (
        Draw.objects.filter(stage__event=event, published_at__isnull=False, number__isnull=False)
        .select_related("stage__event__competition")
        .order_by("id")
    )
    has_both = len({draw.stage.kind for draw in published}) > 1
    rows = [_row(draw, check=check, has_both=has_both) for draw in published]
    if not rows:
        return []
    title = _("抽签核对") if check else _("抽签记录")
    template = "draw_check.html" if check else "draw.html"
    return [Part(titled(title, event, events), template, {"draws": rows})]


def _row(draw: Draw, *, check: bool, has_both: bool) -> dict[str, Any]:
    document = document_of(draw)
    faults = verify(dump(document)) if check else []
    is_chinese = (get_language() or "zh").startswith("zh")
    return {
        "title": f"{draw.stage.get_kind_display()} · {draw.title}" if has_both else draw.title,
        "drawn_at": draw.drawn_at,
        "published_at": draw.published_at,
        "entrants": len(draw.lines.splitlines()),
        "list_digest": draw.list_digest,
        "secret_hash": draw.secret_hash,
        "secret": draw.secret,
        "words": draw.words,
        "seed": draw.seed,
        "digest": document["digest"],
        "reason": draw.reason,
        "said": [*together(draw), *split_units(draw)],
        "faults": [fault.zh if is_chinese else fault.en for fault in faults],
    }
