"""The PDF of an edition, made by a job where WeasyPrint is installed, and kept as a file.

A file's name tells the edition and the digest of the very text that is in it, so a text from which
somebody has been erased since is another file; the older one is removed when it is made.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec

from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from core.domain import jobs
from core.domain.patience import patiently
from scoring.domain.book_files import FOLDER, forget_files, stem
from scoring.exports.books.shown import shown_body
from scoring.models import BookEdition

INK = ":root { --ink: #000; --ink-2: #4a4a4a; --line: #8c8c8c; --paper: #fff; }"
"""The colours of paper, as the site's own are in layers that WeasyPrint does not know."""


def has_weasyprint() -> bool:
    """Whether PDFs can be made here."""
    return find_spec("weasyprint") is not None


def title_of(edition: BookEdition) -> str:
    """“漓江杯 · 成绩册 第 2 版”."""
    words = {"kind": edition.get_kind_display(), "n": edition.number}
    book = _("%(kind)s 第 %(n)d 版") % words
    return f"{edition.competition.name} · {book}"


def pdf_of(html: str) -> bytes:
    """The PDF of a page that book.css prints. Takes seconds for a large one."""
    from weasyprint import CSS, HTML

    path = finders.find("css/book.css")
    if path is None:
        from django.contrib.staticfiles.storage import staticfiles_storage

        path = staticfiles_storage.path("css/book.css")
    sheets = [CSS(string=INK), CSS(filename=str(path))]
    for chatty in ("weasyprint", "weasyprint.progress", "fontTools"):
        logging.getLogger(chatty).setLevel(logging.ERROR)
    data = HTML(string=html, url_fetcher=_nothing).write_pdf(stylesheets=sheets)
    assert isinstance(data, bytes)
    return data


def _nothing(url: str, *_args: object, **_more: object) -> dict[str, object]:
    """No page of paper fetches anything."""
    raise ValueError(url)


def page_of(edition: BookEdition, body: str) -> str:
    """The page that is printed, in the edition's language and the competition's zone."""
    tz = edition.competition.tz
    with translation.override(edition.language), timezone.override(tz):
        context = {
            "book": edition,
            "body": mark_safe(body),
            "edition": title_of(edition),
            "made": timezone.localtime(edition.created_at, tz).strftime("%Y-%m-%d %H:%M"),
        }
        return render_to_string("print/book/pdf.html", context)


def file_name(edition: BookEdition, body: str, *, mask: bool) -> str:
    """Where the PDF of this text is kept."""
    digest = hashlib.sha256(body.encode()).hexdigest()[:32]
    return f"{FOLDER}/{stem(edition.pk, mask=mask)}{digest}.pdf"


def kept(edition: BookEdition, *, mask: bool) -> bytes | None:
    """The PDF of the edition as it may be seen now; None where no job has made it yet."""
    name = file_name(edition, shown_body(edition, mask=mask), mask=mask)
    if not default_storage.exists(name):
        return None
    with default_storage.open(name, "rb") as file:
        return bytes(file.read())


def make(job: jobs.Running) -> Mapping[str, object]:
    """The job: renders the PDF and keeps it; the files of the same edition's older text go, also
    where somebody was erased while it was rendered."""
    mask = bool(job.payload["is_masked"])
    edition, body = _now(job, mask=mask)
    while True:
        data = patiently(partial(pdf_of, page_of(edition, body)), job)
        forget_files(edition.pk, mask=mask)
        default_storage.save(file_name(edition, body, mask=mask), ContentFile(data))
        made_of = body
        edition, body = _now(job, mask=mask)
        if body == made_of:
            return {"bytes": len(data)}


def _now(job: jobs.Running, *, mask: bool) -> tuple[BookEdition, str]:
    """The edition as it is, and its text as it may be seen."""
    edition = BookEdition.objects.select_related("competition").get(pk=str(job.payload["edition"]))
    return edition, shown_body(edition, mask=mask)
