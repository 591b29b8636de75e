"""Random tokens of device links: shown once, stored as a hash."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_BYTES = 20


def new_token() -> str:
    """160 random bits as 27 characters that are safe in an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """SHA-256 (hex) of a token: what the database keeps."""
    return hashlib.sha256(token.encode()).hexdigest()
