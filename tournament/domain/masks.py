"""What is left to see of a phone number (no database)."""

from __future__ import annotations

SHORTEST = 7
MOBILE = 11


def masked_phone(phone: str) -> str:
    """13800138000 → 138****8000; of other numbers the first two and last two are left."""
    if len(phone) == MOBILE and phone.isdecimal():
        return f"{phone[:3]}****{phone[-4:]}"
    if len(phone) < SHORTEST:
        return "****" if phone else ""
    return f"{phone[:2]}****{phone[-2:]}"
