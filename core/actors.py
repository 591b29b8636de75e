"""Who acts: a user, a device link, or the site itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Actor:
    """A user or a device link by id; neither is the site itself (`SYSTEM`).

    `token_id`: the token by which a program acts for the user.
    """

    user_id: int | None = None
    link_id: int | None = None
    token_id: int | None = None

    @property
    def key(self) -> str:
        """`user:3`, `link:7` or `system`: the same for everything one actor does."""
        if self.user_id is not None:
            return f"user:{self.user_id}"
        return "system" if self.link_id is None else f"link:{self.link_id}"


SYSTEM = Actor()
