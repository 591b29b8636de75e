"""Mails that the site writes by itself: jobs, in Chinese and English at once."""

from __future__ import annotations

from typing import cast

from django.utils import translation
from django.utils.translation import gettext as _

from core.domain.jobs import Running
from core.domain.mails import send
from tournament.enums import EntryStatus
from tournament.models import Entry


def moved_up(job: Running) -> dict[str, bool]:
    """Tells somebody that he has a place now (payload: `entry`, its id).

    Nothing is sent where he has left meanwhile or his address is gone.
    """
    entry = (
        Entry.objects.select_related("person", "competition")
        .filter(pk=cast(int, job.payload["entry"]), status=EntryStatus.CONFIRMED)
        .first()
    )
    if entry is None or not entry.person.mail:
        return {"sent": False}
    texts, subjects = [], []
    for language in ("zh-hans", "en"):
        with translation.override(language):
            words = {"name": entry.name, "competition": entry.competition.name}
            subjects.append(_("候补转正：%(competition)s") % words)
            texts.append(
                _(
                    "%(name)s，您好：\n\n%(competition)s 有人退出，您已从候补转为正式选手，"
                    "编号 %(number)s。\n要看座位或退出，请用报名时得到的链接。"
                )
                % {**words, "number": entry.number}
            )
    text = "\n\n—\n\n".join(texts)
    send(job, subject=" / ".join(subjects), text=text, to=entry.person.mail)
    return {"sent": True}
