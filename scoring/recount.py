"""A hand that counts already, counted again under other rules (C11): plain values in and out."""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.rules import Rules
from scoring.counted import Counted
from scoring.enums import Evidence
from scoring.evidence import Terms, count
from scoring.models import HandVersion
from scoring.record_evidence import recount_record
from scoring.reseated import reseated, seats_of

FIELDS = (
    "payload", "computed", "deltas", "dealer", "winners", "source", "special", "payer", "hu",
    "xing", "total", "is_flagged",
)  # fmt: skip
"""What of a version a rejudge may change."""


def is_recounted(version: HandVersion) -> bool:
    """Whether the engine has a say: points from paper and void hands stay as they are."""
    return version.evidence != Evidence.TOTALS and not version.is_void


def values(version: HandVersion) -> dict[str, object]:
    """What the version says, by field, as JSON."""
    found = {name: getattr(version, name) for name in FIELDS}
    return found | {"deltas": list(version.deltas)}


def recount(
    version: HandVersion, rules: Rules, rules_id: str, *, is_flagged: bool
) -> dict[str, object]:
    """What the version would say under `rules` (a variant of the preset `rules_id`, with the
    table's seats), by field.

    The dealer stays who it was; a claim is kept only where the hand is 待裁 (`is_flagged`), as it
    was made under the old rules. Raises `EntryError` where the hand is not legal any more.
    """
    counted = _count(version, Terms(rules, version.dealer or 0), rules_id)
    payload = {**version.payload, **counted.payload}
    if not is_flagged:
        payload.pop("claim", None)
    found = {
        "payload": payload,
        "computed": counted.computed,
        "deltas": (*counted.deltas, 0, 0, 0, 0)[:4],
        "dealer": counted.dealer,
        "winners": counted.winners,
        "source": counted.source,
        "special": counted.special,
        "payer": counted.payer,
        "hu": counted.hu,
        "xing": counted.xing,
        "total": counted.total,
        "is_flagged": is_flagged,
    }
    plain: dict[str, object] = json.loads(json.dumps(found))
    return plain


def _count(version: HandVersion, terms: Terms, rules_id: str) -> Counted:
    if version.evidence == Evidence.RECORD:
        counted = recount_record(version.payload, terms, rules_id)
        return reseated(counted, seats_of(version.payload, terms.seats))
    unclaimed = {name: value for name, value in version.payload.items() if name != "claim"}
    return count(version.evidence, unclaimed, terms)


def says_the_same(before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    """Whether nothing that counts differs: what was entered may be written otherwise."""
    return all(before[name] == after[name] for name in FIELDS if name != "payload")
