"""Which columns hold personal data: what, why, who sees it, how long. Plain values.

Each app has its lists here or in its own `privacy.py`; docs/privacy.md shows them and
tests/test_privacy.py asks every column of the database whether it is in one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Personal:
    """Columns of one model with the same answers, in English: docs/privacy.md has them as rows."""

    model: str
    columns: str
    what: str
    why: str
    seen_by: str
    until: str


HOLDER = "the account's holder"
OPERATOR = "nobody but who runs the site"
ACCOUNT = "the account is deleted by its holder"

PERSONAL = (
    Personal("core.User", "username display_name", "user name and what people call him",
             "logging in; who did what", "members of his competitions", ACCOUNT),
    Personal("core.User", "phone email", "phone and mail of an account",
             "logging in, resetting the password", HOLDER, ACCOUNT),
    Personal("core.User", "password last_login date_joined",
             "the password's hash, when it was used", "logging in", OPERATOR, ACCOUNT),
    Personal("sessions.Session", "session_data", "a log-in: the account's id, signed",
             "staying logged in", OPERATOR, "two weeks after the log-in, or log-out"),
    Personal("usersessions.UserSession", "ip last_seen_at session_key user_agent created_at",
             "a device that is logged in: address and browser", "seeing foreign log-ins", HOLDER,
             "a day after the log-in ends"),
    Personal("account.EmailAddress", "email verified primary", "a confirmed address",
             "resetting the password", HOLDER, ACCOUNT),
    Personal("account.EmailConfirmation", "email_address created sent key",
             "an address being confirmed", "resetting the password", OPERATOR, ACCOUNT),
    Personal("mfa.Authenticator", "type data created_at last_used_at",
             "a passkey or the secret of one-time codes", "a second lock", HOLDER, ACCOUNT),
    Personal("core.AuditRow", "said", "what was typed with an action, such as a reason",
             "telling later why", "organizers and chief referee",
             "whoever it names is erased, or the purge"),
    Personal("core.IdempotencyKey", "request_hash",
             "SHA-256 of a form, a registration's among them", "doing a repeated request once",
             OPERATOR, "30 days, or erasure"),
    Personal("core.Job", "payload result last_error sentence",
             "an uploaded file's name, what was wrong in it", "telling who uploaded it",
             "who asked for it", "30 to 90 days, or erasure"),
)  # fmt: skip
"""Columns with personal data, of this app and of packages."""

OTHERS = {
    "auth.Permission": "name content_type codename",
    "auth.Group_permissions": "group permission",
    "auth.Group": "name",
    "contenttypes.ContentType": "app_label model",
    "sessions.Session": "session_key expire_date",
    "usersessions.UserSession": "data",
    "core.Attempts": "key tries since until",
    "core.AuditRow": "at link_id scope action subject data seal",
    "core.IdempotencyKey": "scope key status answer created_at",
    "core.Job": "kind scope parent is_slow state lease leased_until run_after attempts"
    " max_attempts stop_asked done total created_at started_at finished_at",
    "core.Schedule": "name due_at",
    "core.User": "is_superuser is_staff is_active",
    "core.User_groups": "group",
    "core.User_user_permissions": "permission",
    "core.Version": "scope number",
}
"""Model → its columns that say nothing of a person beyond ids and numbers."""
