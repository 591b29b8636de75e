"""The recorder (牌谱记录): a hand written tap by tap, the table shown as it lies."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from engine.errors import ZipaiError
from scoring import recorder_shown as shown
from scoring.domain import recording as acts
from scoring.domain.errors import HandTaken, ShowEffects, in_language
from scoring.domain.recording_end import discard, finish_recording, restore
from scoring.forms.entry import names_of
from scoring.forms.recording import BeginForm
from scoring.models import HandVersion, Recording
from scoring.queries import recording_of, recordings_of
from scoring.shown import ShownSheet
from scoring.views.referee.pages import Page, effects_page, late_of, sheet_page
from tournament.domain.tables import Depends
from tournament.permissions import Action, NotAllowed


def _url(page: Page, recording: Recording, place: str = "") -> str:
    url = reverse("recording", args=[*page.args, recording.pk])
    return f"{url}?{urlencode({'place': place})}" if place else url


def _get(page: Page, recording_id: int) -> Recording:
    """A recording of this sheet. Raises `Http404`."""
    found = recording_of(page.board.sheet, recording_id) if page.board.sheet.pk else None
    if found is None:
        raise Http404(recording_id)
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def recorder(page: Page) -> HttpResponse:
    """The recordings of a sheet; POST begins one, or goes on with the one of that hand."""
    page.need(Action.ENTER_HAND)
    board = page.board
    if page.request.method == "POST":
        form = BeginForm(page.request.POST, board=board)
        if form.is_valid():
            try:
                row = acts.begin_recording(
                    acting=page.acting,
                    sheet=page.saved_sheet(Action.ENTER_HAND),
                    number=form.cleaned_data["number"],
                    dealer=int(form.cleaned_data["dealer"]),
                )
            except NotAllowed:
                raise
            except DomainError as error:
                form.add_error(None, str(error))
            else:
                return redirect(_url(page, row))
    else:
        number = board.next_number
        asked = page.request.GET.get("number", "")
        if asked.isdigit() and 0 < int(asked) < number:
            number = int(asked)
        dealer = board.terms(number).dealer if board.is_counted else 0
        form = BeginForm(board=board, initial={"number": number, "dealer": str(dealer)})
    rows = recordings_of(board.sheet) if board.sheet.pk else []
    return page.render(
        "referee/recorder.html",
        status=422 if form.is_bound else 200,
        form=form,
        running=[row for row in rows if row.done_at is None],
        away=[row for row in rows if row.done_at is not None],
        counted=board.is_counted,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def recording(page: Page, recording_id: int) -> HttpResponse:
    """The table of a recording; POST does what one button says."""
    page.need(Action.ENTER_HAND)
    row = _get(page, recording_id)
    if page.request.method != "POST":
        return show(page, row, place=page.request.GET.get("place", ""))
    data = page.request.POST
    verb, place, card = (*data.get("do", "").split(" "), "", "")[:3]
    at = place if verb in ("发", "退", "写") else ""
    try:
        row = _act(page, row, verb, place, card)
    except NotAllowed:
        raise
    except DomainError as error:
        row = _get(page, recording_id)
        return show(page, row, place=at, status=error.status, error=error)
    if verb in ("发", "写") and _is_full(page, row, place):
        at = ""
    if page.request.headers.get("HX-Request"):
        return show(page, row, place=at)
    return redirect(_url(page, row, at))


def _act(page: Page, row: Recording, verb: str, place: str, card: str) -> Recording:
    data = page.request.POST
    seen = data.get("seen", "")
    known: dict[str, Any] = {
        "acting": page.acting,
        "recording": row,
        "seen": int(seen) if seen.isdigit() else -1,
    }
    match verb:
        case "发":
            return acts.lay_card(**known, place=place, card=card)
        case "退":
            return acts.take_card(**known, place=place)
        case "写":
            return acts.write_cards(**known, place=place, text=data.get("cards", ""))
        case "开打":
            return acts.start_play(**known)
        case "改发牌":
            return acts.reopen_deal(**known)
        case "撤回":
            return acts.undo_event(**known)
        case _:
            return acts.add_event(**known, line=data.get("do", ""))


def _is_full(page: Page, row: Recording, place: str) -> bool:
    draft = acts.draft_of(row, page.board)
    return place in draft.places and len(draft.held(place)) >= draft.wanted(place)


def show(
    page: Page,
    row: Recording,
    *,
    place: str = "",
    status: int = 200,
    error: DomainError | None = None,
) -> HttpResponse:
    """The recording's page; for a tap only the part that changes."""
    draft = acts.draft_of(row, page.board)
    names = names_of(page.board)
    taken = next((v for v in page.board.versions if v.hand.number == row.number), None)
    more: dict[str, Any] = {
        "recording": row,
        "url": _url(page, row),
        "is_closed": row.done_at is not None,
        "error": str(error) if error else "",
        "late": page.board.is_done,
        "reason": page.request.POST.get("reason", ""),
        "taken": _taken(page, taken) if taken is not None else None,
        "dealing": None,
        "lies": None,
    }
    try:
        if row.is_dealing:
            more["dealing"] = shown.dealing(draft, names, place)
        else:
            more |= {
                "lies": shown.table(draft, names),
                "offers": shown.offers(draft, names),
                "log": shown.log(draft),
                "ended": shown.ended(draft, names),
            }
    except ZipaiError as wrong:
        more["error"] = more["error"] or in_language(wrong)
        more["dealing"] = shown.dealing(draft, names, place)
    part = page.request.headers.get("HX-Request") and page.request.method == "POST"
    template = "referee/recording_body.html" if part else "referee/recording.html"
    return page.render(template, status=status, **more)


def _taken(page: Page, version: HandVersion) -> dict[str, Any]:
    """What the sheet has of this hand already."""
    ledger = ShownSheet(page.board, mask=False, urls={})
    return {
        "version": version.version,
        "outcome": ledger.outcome(version),
        "evidence": version.get_evidence_display(),
        "url": page.hand_url(version.hand.number),
    }


@require_POST
@sheet_page
def save(page: Page, recording_id: int) -> HttpResponse:
    """The record becomes the hand it is of."""
    row = _get(page, recording_id)
    data = page.request.POST
    seen, instead = data.get("seen", ""), data.get("instead", "")
    try:
        version = finish_recording(
            acting=page.acting,
            recording=row,
            seen=int(seen) if seen.isdigit() else -1,
            instead=int(instead) if instead.isdigit() else None,
            late=late_of(data),
        )
    except NotAllowed:
        raise
    except (ShowEffects, Depends) as error:
        return effects_page(page, error, data)
    except DomainError as error:
        page = page.fresh()
        return show(page, _get(page, recording_id), status=error.status, error=_told(error))
    messages.success(page.request, _("第 %(n)d 局的牌谱已保存。") % {"n": row.number})
    return redirect(page.hand_url(version.hand.number))


def _told(error: DomainError) -> DomainError:
    """A hand that came meanwhile is shown beside the save button, with what to do."""
    if isinstance(error, HandTaken):
        return DomainError(_("这一局刚刚有人记下了，请看下面再决定是否用牌谱代替。"))
    return error


@require_POST
@sheet_page
def put_away(page: Page, recording_id: int) -> HttpResponse:
    """The recording is put away, or brought back with `back`."""
    row = _get(page, recording_id)
    back = page.request.POST.get("back") == "1"
    try:
        (restore if back else discard)(acting=page.acting, recording=row)
    except NotAllowed:
        raise
    except DomainError as error:
        return show(page, _get(page, recording_id), status=error.status, error=error)
    if back:
        return redirect(_url(page, row))
    messages.success(page.request, _("牌谱已收起，可以在这里恢复。"))
    return redirect("recorder", *page.args)
