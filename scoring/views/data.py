"""The organizer's page 数据: lists and archives to download; an archive read in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import quote

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.models import User
from scoring.domain.archives import import_archive, note_export
from scoring.exports.archive import archive, is_open_to_all
from scoring.exports.hands import has_records
from scoring.exports.lists import preliminary_lists, sheets_list, standings_lists, units_lists
from scoring.forms.archive import ArchiveForm
from scoring.queries_public import has_bracket
from tournament.acting import Acting
from tournament.domain.preliminary import preliminary_of
from tournament.enums import Role
from tournament.exports.lists import Listing, as_csv, as_xlsx, entrants_list, schedule_list
from tournament.models import Competition, Event
from tournament.permissions import demand, organizes
from tournament.queries.organizer import main_stage
from tournament.sheets.writing import TYPES
from tournament.views.organizer.common import page_of, tabs

ZIP = "application/zip"
LISTS: dict[str, Callable[[Event], Sequence[Listing]]] = {
    "entrants": lambda event: [entrants_list(event)],
    "schedule": lambda event: [schedule_list(event.competition)],
    "sheets": lambda event: [sheets_list(event)],
    "standings": standings_lists,
    "preliminary": preliminary_lists,
    "units": lambda event: units_lists(event.competition),
}


@page_of(organizes)
@require_safe
def show_data(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """What can be downloaded, and by whom."""
    event = main_stage(competition).event
    lists = [
        ("entrants", _("选手名单"), _("编号、姓名、单位、种子、状态、签到；没有手机号。")),
        ("schedule", _("日程"), _("每一桌的时间、房间、台、裁判和座位，按现在的计划。")),
        ("sheets", pgettext("page", "记分表"), _("每一局和每一次判罚，每桌一行合计。")),
        ("standings", pgettext("page", "名次"), _("最后或目前的名次，每一步的原因。")),
    ]
    if preliminary_of(event) is not None:
        lists.append(("preliminary", _("预赛名次"), _("预赛的名次，每一步的原因。")))
    if competition.events_to_choose:
        text = _("全部项目合起来，各单位得了几个什么奖；Excel 里另有一页得奖名单。")
        lists.append(("units", _("团体名次"), text))
    context = {
        "competition": competition,
        "event": event,
        "lists": lists,
        "is_owner": Role.OWNER in acting.roles,
        "is_open": is_open_to_all(competition),
        "has_bracket": competition.is_published and has_bracket(event),
        "has_records": competition.is_published and has_records(competition),
        "tabs": tabs(competition, acting, "manage_data"),
    }
    return render(request, "organizer/data.html", context)


@page_of(organizes)
@require_safe
def list_file(
    request: HttpRequest, competition: Competition, acting: Acting, name: str, kind: str
) -> HttpResponse:
    """One list as xlsx, or as CSV, which holds the first of its sheets alone."""
    if name not in LISTS or kind not in TYPES:
        raise Http404(name)
    listings = LISTS[name](main_stage(competition).event)
    if not listings:
        raise Http404(name)
    title = f"{competition.name}-{listings[0].title}.{kind}"
    if kind == "xlsx":
        return _attached(HttpResponse(as_xlsx(listings), content_type=TYPES[kind]), title)
    # Read at once: the rows are in the zone and language of this request.
    return _attached(HttpResponse(b"".join(as_csv(listings[0])), content_type=TYPES[kind]), title)


@page_of(organizes)
@require_POST
def full_archive(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The archive with personal data, for the owner alone; who took it is noted."""
    demand(Role.OWNER in acting.roles, Role.OWNER)
    data = archive(competition, is_full=True)
    note_export(acting=acting, competition=competition)
    return _attached(HttpResponse(data, content_type=ZIP), f"{competition.code}-full.zip")


@page_of(organizes)
@require_safe
def open_archive(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The archive as everybody may have it."""
    data = archive(competition, is_full=False)
    return _attached(HttpResponse(data, content_type=ZIP), f"{competition.code}-public.zip")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def read_archive(request: HttpRequest) -> HttpResponse:
    """An archive becomes a competition of whoever brings it; what is wrong is said at the file."""
    is_sent = request.method == "POST"
    form = ArchiveForm(request.POST, request.FILES) if is_sent else ArchiveForm()
    if is_sent and form.is_valid():
        assert isinstance(request.user, User)
        try:
            made = import_archive(
                user=request.user,
                file=form.cleaned_data["file"].file,
                new_address=form.cleaned_data["new_address"],
            )
        except DomainError as error:
            form.add_error("file", str(error.message))
        else:
            with timezone.override(made.tz):
                return redirect("manage", made.code)
    return render(
        request, "organizer/archive_import.html", {"form": form}, status=400 if form.errors else 200
    )


def _attached(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return response
