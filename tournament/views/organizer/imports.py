"""A list is uploaded, its preview looked at and mended, confirmed, undone."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.acting import Acting
from tournament.domain.entries import free_places
from tournament.domain.import_events import offer_of
from tournament.domain.import_preview import layout_kept, preview_of, sheets_of
from tournament.domain.imports import (
    can_undo,
    confirm_import,
    discard_import,
    mend_row,
    set_layout,
    start_import,
    undo_import,
)
from tournament.domain.masks import masked_phone
from tournament.enums import ImportState
from tournament.forms.imports import ConfirmForm, LayoutForm, RowForm, UploadForm
from tournament.models import Competition, ImportBatch
from tournament.permissions import organizes
from tournament.queries.organizer import entries_of, main_stage
from tournament.sheets.entering import fields_of
from tournament.sheets.fields import Field
from tournament.sheets.judged import Choice, Judged, Verdict
from tournament.sheets.writing import TYPES, template, written
from tournament.views.organizer.common import attempt, page_of, tabs

PAGE = 200
MOST_IMPORTS = 20
EXPORTED = (Field.NUMBER, Field.NAME, Field.UNIT, Field.SEED)


@dataclass(frozen=True)
class Line:
    """A judged row as the page shows it."""

    judged: Judged
    cells: list[str]
    why: list[str]
    choices: list[tuple[Choice, str, bool]]


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """A file or a pasted table; nothing is written, the preview is next. Earlier imports below."""
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        event = main_stage(competition).event
        sheets = form.cleaned_data["sheets"]
        batch = attempt(form, lambda: start_import(acting=acting, event=event, sheets=sheets))
        if batch is not None:
            return redirect("manage_import_preview", competition.code, batch.pk)
    now = timezone.now()
    earlier = [
        {
            "batch": batch,
            "is_open": batch.state == ImportState.PREVIEW,
            "can_undo": can_undo(batch),
        }
        for batch in competition.imports.select_related("author").defer("sheets")[:MOST_IMPORTS]
        if batch.state != ImportState.PREVIEW or batch.expires_at > now
    ]
    context = _shared(competition, acting) | {"form": form, "earlier": earlier}
    return render(request, "organizer/import.html", context, status=400 if form.errors else 200)


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def preview(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Every row with what would become of it; POST confirms what was shown."""
    batch = _batch(competition, pk)
    form = ConfirmForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        done = attempt(
            form,
            lambda: confirm_import(
                acting=acting,
                batch=batch,
                digest=data["digest"],
                choices=form.choices(),
                rest=Choice(data["rest"] or Choice.SKIP),
            ),
        )
        if done is not None:
            return redirect("manage_import_preview", competition.code, pk)
        batch = _batch(competition, pk)
    if batch.state != ImportState.PREVIEW:
        context = _shared(competition, acting) | {"batch": batch, "can_undo": can_undo(batch)}
        return render(request, "organizer/import_done.html", context)
    context = _shared(competition, acting) | _preview_context(request, batch, form)
    status = 400 if form.errors else 200
    return render(request, "organizer/import_preview.html", context, status=status)


@page_of(organizes)
@require_POST
def columns(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Says what the columns hold, and shows the preview anew."""
    batch = _batch(competition, pk, state=ImportState.PREVIEW)
    form = _layout_form(batch, request.POST)
    if form.is_valid():
        data = form.cleaned_data
        attempt(
            form,
            lambda: set_layout(
                acting=acting,
                batch=batch,
                sheet=data.get("sheet", batch.sheet),
                start=data["start"],
                columns=form.columns(),
            ),
        )
    if not form.errors:
        return redirect("manage_import_preview", competition.code, pk)
    context = _shared(competition, acting) | _preview_context(request, batch, ConfirmForm())
    context |= {"layout_form": form}
    return render(request, "organizer/import_preview.html", context, status=400)


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def row(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int, line: int
) -> HttpResponse:
    """One line typed anew."""
    batch = _batch(competition, pk, state=ImportState.PREVIEW)
    cells = dict(sheets_of(batch)[batch.sheet].lines).get(line)
    if cells is None:
        raise Http404(line)
    texts = {
        field: text
        for field, text in zip(layout_kept(batch).columns, cells, strict=False)
        if field is not None
    }
    phone = texts.pop(Field.PHONE, "")
    form = RowForm(
        request.POST or None,
        initial={str(f): text for f, text in texts.items()},
        offer=offer_of(competition, batch.event),
    )
    if phone:
        shown = masked_phone(phone)
        form.fields["phone"].help_text = _("现在是 %(phone)s；不改就空着。") % {"phone": shown}
    if request.method == "POST" and form.is_valid():
        values = form.values()
        attempt(form, lambda: mend_row(acting=acting, batch=batch, line=line, values=values))
        if not form.errors:
            return redirect("manage_import_preview", competition.code, pk)
    context = _shared(competition, acting) | {"form": form, "batch": batch, "line": line}
    return render(request, "organizer/import_row.html", context, status=400 if form.errors else 200)


@page_of(organizes)
@require_POST
def discard(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Forgets an upload."""
    discard_import(acting=acting, batch=_batch(competition, pk))
    messages.success(request, _("已放弃，名单没有变化。"))
    return redirect("manage_import", competition.code)


@page_of(organizes)
@require_POST
def undo(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """Takes a whole import back."""
    undo_import(acting=acting, batch=_batch(competition, pk))
    messages.success(request, _("已撤销整批导入，名单和导入前一样。"))
    return redirect("manage_import", competition.code)


@page_of(organizes)
@require_safe
def empty_list(
    request: HttpRequest, competition: Competition, acting: Acting, kind: str
) -> HttpResponse:
    """The template to fill in."""
    offer = offer_of(competition, main_stage(competition).event)
    return _file(template(kind, fields_of(offer)), kind, _("报名表"))


@page_of(organizes)
@require_safe
def export(
    request: HttpRequest, competition: Competition, acting: Acting, kind: str
) -> HttpResponse:
    """The entries as a list that can be imported again; without phones, which are shown singly."""
    entries = entries_of(main_stage(competition).event)
    rows = [
        (one.number, one.person.name, one.unit, one.here[0].seed if one.here else None)  # type: ignore[attr-defined]
        for one in entries
    ]
    return _file(written(kind, rows, EXPORTED), kind, _("选手名单"))


def _preview_context(
    request: HttpRequest, batch: ImportBatch, form: ConfirmForm
) -> dict[str, object]:
    shown = preview_of(batch)
    counts = shown.counts
    layout = layout_kept(batch)
    usable = fields_of(offer_of(batch.competition, batch.event))
    fields = [field for field in usable if field in layout.columns]
    chosen = request.GET.get("only", Verdict.WRONG if counts[Verdict.WRONG] else "")
    only = chosen if chosen in set(Verdict) else ""
    rows = [one for one in shown.rows if only in ("", one.verdict)]
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    choices = form.choices() if form.is_bound else {}
    places = free_places(batch.competition)
    comes = counts[Verdict.NEW]
    return {
        "batch": batch,
        "form": form,
        "has_names": layout.has_names,
        "fields": [field.label for field in fields],
        "page_obj": page,
        "query": f"&only={only}",
        "lines": [_line(one, fields, None) for one in page],
        "doubtful": [
            _line(one, fields, choices.get(one.row.line))
            for one in shown.rows
            if one.verdict is Verdict.DOUBTFUL
        ],
        "filters": [
            {"label": _("全部"), "key": "all", "count": len(shown.rows), "current": not only},
            *(
                {"label": v.label, "key": v, "count": counts[v], "current": v == only}
                for v in Verdict
            ),
        ],
        "counts": counts,
        "ready": comes + counts[Verdict.CHANGED],
        "can_confirm": comes + counts[Verdict.CHANGED] + counts[Verdict.DOUBTFUL] > 0,
        "passed": len(shown.passed),
        "waiting": max(0, comes - places) if places is not None else 0,
        "digest": shown.digest,
        "rest": form["rest"].value() or Choice.SKIP,
        "layout_form": _layout_form(batch),
    }


def _line(one: Judged, fields: list[Field], chosen: Choice | None) -> Line:
    values = {field: one.row.value(field) for field in fields}
    values |= {Field.PHONE: one.shown_phone} if Field.PHONE in values else {}
    why = [reason.text for reason in one.reasons]
    if one.verdict in (Verdict.CHANGED, Verdict.DOUBTFUL):
        why += [change.text for change in one.changes]
    labels = {
        Choice.SKIP: _("不导入"),
        Choice.NEW: _("作为新选手"),
        Choice.UPDATE: _("更新%(known)s") % {"known": one.target.shown if one.target else ""},
    }
    return Line(
        one,
        ["" if value is None else str(value) for value in values.values()],
        why,
        [(choice, labels[choice], choice == chosen) for choice in one.choices],
    )


def _layout_form(batch: ImportBatch, data: object = None) -> LayoutForm:
    return LayoutForm(
        data,
        sheets=sheets_of(batch),
        sheet=batch.sheet,
        layout=layout_kept(batch),
        offer=offer_of(batch.competition, batch.event),
    )


def _batch(competition: Competition, pk: int, state: ImportState | None = None) -> ImportBatch:
    """A batch of the competition; an upload whose day is over is not found any more."""
    found = competition.imports.select_related("event").filter(pk=pk).first()
    if (
        found is None
        or (state is not None and found.state != state)
        or (found.state == ImportState.PREVIEW and found.expires_at <= timezone.now())
    ):
        raise Http404(pk)
    found.competition = found.event.competition = competition
    return found


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type=TYPES[kind],
        headers={"Content-Disposition": _disposition(f"{name}.{kind}")},
    )


def _disposition(name: str) -> str:
    return content_disposition_header(True, name) or "attachment"


def _shared(competition: Competition, acting: Acting) -> dict[str, object]:
    return {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
