"""How a name is read, where the pinyin found by itself is wrong."""

from __future__ import annotations

import re
import unicodedata

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.versions import bump
from core.errors import DomainError
from tournament.acting import Acting
from tournament.domain.private import held_person
from tournament.domain.readings import MOST_LETTERS, reading_of
from tournament.enums import Role
from tournament.models import Entry
from tournament.permissions import demand, organizes

_SYLLABLES = re.compile(r"[a-z]+(?: [a-z]+)*")


def spoken(text: str) -> str:
    """`Qín  Zēng` → `qin zeng`: small letters without tones, ü as v, one blank between syllables.

    Raises `DomainError` (`not-pinyin`).
    """
    text = text.lower().replace("ü", "v").replace("u\u0308", "v")
    plain = unicodedata.normalize("NFD", text).replace("u\u0308", "v")
    plain = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    plain = " ".join(plain.replace("'", " ").replace("-", " ").split())
    if not _SYLLABLES.fullmatch(plain) or len(plain) > MOST_LETTERS // 2:
        raise DomainError(
            _("请用拉丁字母写拼音，音节之间空一格，例如 qin xiao ming。"), code="not-pinyin"
        )
    return plain


@transaction.atomic
def set_reading(*, acting: Acting, entry: Entry, reading: str) -> Entry:
    """Says by hand how the name is read; an empty `reading` goes back to what is found by itself.

    Raises `NotAllowed`, `PersonErased`, `DomainError` (`not-pinyin`).
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    person = held_person(entry)
    if reading.strip():
        syllables = spoken(reading).split()
        person.reading = " ".join(
            ["".join(syllables), "".join(syllable[0] for syllable in syllables)]
        )
    else:
        person.reading = reading_of(person.name)
    person.save(update_fields=["reading"])
    entry.person = person
    audit(actor=acting, action="entry.reading", scope=acting.scope, subject=entry)
    bump(entry.competition.scope)
    return entry
