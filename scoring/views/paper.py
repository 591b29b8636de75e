"""Paper of a round: sheets blank and filled, call sheets; certificates of an event."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.domain.boards import load_boards
from scoring.exports.books.certificates import certificates_of
from scoring.exports.books.sheets import blank_sheet, full_sheet
from scoring.forms.books import CertificateForm
from scoring.queries_books import boards_of
from scoring.shown import ShownSheet
from tournament.acting import Acting
from tournament.models import Competition, Round
from tournament.permissions import leads
from tournament.views.organizer.common import page_of

KINDS = ("blank", "filled", "calls")


@page_of(leads)
@require_safe
def round_paper(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int, kind: str
) -> HttpResponse:
    """Sheets of every table of a round, to be filled in or as they are; or who sits where, by
    table and by name."""
    round_ = (
        Round.objects.filter(stage__event__competition=competition, pk=pk)
        .select_related("stage__event")
        .first()
    )
    if round_ is None or kind not in KINDS:
        raise Http404(pk)
    round_.stage.event.competition = competition
    titles = {"blank": _("空白记分表"), "filled": _("记分表"), "calls": _("点名表")}
    context: dict[str, Any] = {
        "competition": competition,
        "round": round_,
        "event": round_.stage.event,
        "title": titles[kind],
        "edition": f"{competition.name} · {round_.stage.event.name} · {round_.title}",
        "printed_at": timezone.now(),
    }
    if kind == "calls":
        return render(request, "print/calls.html", context | _calls(round_))
    if kind == "blank":
        context["sheets"] = [blank_sheet(board) for board in boards_of(round_)]
    else:
        boards = load_boards(round_.stage.event, round_)
        context["sheets"] = [full_sheet(board) for board in boards]
    return render(request, "print/sheets.html", context)


def _calls(round_: Round) -> dict[str, Any]:
    """The tables with their seats, and everybody by name with table and seat."""
    tables: list[dict[str, Any]] = []
    people: list[dict[str, Any]] = []
    for board in boards_of(round_):
        shown = ShownSheet(board, mask=False, urls={})
        players = shown.players()
        tables.append({"table": board.table, "players": players})
        people += [
            {"number": seat.entrant.number, "who": player, "table": board.table, "key": key}
            for seat, player in zip(board.seats, players, strict=True)
            if seat.entrant is not None
            for key in [seat.entrant.entry.person.reading or player["name"]]
        ]
    people.sort(key=lambda one: (one["key"], one["number"] or 0))
    return {
        "tables": tables,
        "people": people,
        "seats": range(max((len(one["players"]) for one in tables), default=0)),
    }


@page_of(leads)
@require_safe
def certificates(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """A certificate for each prize of an event; the words are typed above and sent by GET."""
    event = competition.events.filter(pk=pk).first()
    if event is None:
        raise Http404(pk)
    event.competition = competition
    usual = {name: field.initial or "" for name, field in CertificateForm.base_fields.items()}
    usual |= {"sign": competition.name, "date": timezone.localdate().strftime("%Y-%m-%d")}
    form = CertificateForm(request.GET if "title" in request.GET else None, initial=usual)
    words = form.cleaned_data if form.is_bound and form.is_valid() else usual
    context = {
        "competition": competition,
        "event": event,
        "form": form,
        "words": words,
        "found": certificates_of(competition, event),
        "edition": competition.name,
        "printed_at": timezone.now(),
    }
    return render(request, "print/certificates.html", context)
