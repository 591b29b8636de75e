"""Canonical JSON: what digests are taken of. Pure."""

from __future__ import annotations

import json

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canonical(value: object) -> str:
    """JSON with sorted keys and no spaces: equal values, and only they, give equal text."""
    return _ENCODER.encode(value)
