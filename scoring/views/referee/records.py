"""Files of many records: uploaded, and how far their verification is."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.models import Job
from scoring.domain.uploads import cancel_upload, may_decide, retry_upload, upload_records
from scoring.forms.verdicts import UploadForm
from scoring.queries import records_jobs
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition
from tournament.permissions import NotAllowed, demand, leads, referees
from tournament.views.access import get_competition

SHOWN = 20


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest, code: str) -> HttpResponse:
    """Upload a file; the newest uploads."""
    competition, acting = _get(request, code)
    form = UploadForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST":
        status = 422
        form = UploadForm(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            try:
                job = upload_records(
                    acting=acting, competition=competition, name=file.name, file=file
                )
            except NotAllowed:
                raise
            except DomainError as error:
                form.add_error("file", str(error))
                status = error.status
            else:
                messages.success(request, _("文件已收到，正在后台核验。"))
                return redirect("records_job", code, job.pk)
    return _render(
        request,
        competition,
        acting,
        "referee/records.html",
        status=status,
        form=form,
        jobs=[job_shown(job) for job in records_jobs(competition)[:SHOWN]],
    )


@never_cache
@require_safe
def records_job(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """One upload: progress while it runs, then what was found. `?v=` asks for the region alone
    and gets 204 while nothing is new."""
    competition, acting = _get(request, code)
    job = records_jobs(competition).filter(pk=pk).first()
    if job is None:
        raise Http404(pk)
    version = f"{job.state}-{job.done}{'-stop' * job.is_stopping}"
    asked = request.GET.get("v")
    if asked == version and not job.is_over:
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "job": job_shown(job),
        "version": version,
        "may_decide": may_decide(acting, job),
    }
    if asked is not None:
        context["competition"] = competition
        answer = render(request, "referee/records_job.html#progress", context)
        answer["X-Version"] = version
        answer.status_code = 286 if job.is_over else 200
        return answer
    return _render(request, competition, acting, "referee/records_job.html", **context)


@never_cache
@require_POST
def records_job_change(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Stops an upload's verification, or has one that failed tried again (`do`)."""
    competition, acting = _get(request, code)
    job = records_jobs(competition).filter(pk=pk).first()
    act = {"cancel": cancel_upload, "again": retry_upload}.get(request.POST.get("do", ""))
    if job is None or act is None:
        raise Http404(pk)
    try:
        act(acting=acting, job=job)
    except NotAllowed:
        raise
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("records_job", code, pk)


def _get(request: HttpRequest, code: str) -> tuple[Competition, Acting]:
    competition, acting = get_competition(request, code)
    demand(referees(acting) or leads(acting), Role.OWNER, Role.CHIEF, Role.REFEREE)
    return competition, acting


def _render(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    template: str,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    context |= {
        "competition": competition,
        "who": "" if acting.user_id else _("裁判链接"),
    }
    with timezone.override(competition.tz):
        return render(request, template, context, status=status)


def job_shown(job: Job) -> dict[str, Any]:
    """A job's row with its result in the user's language."""
    result: dict[str, Any] = job.result if isinstance(job.result, dict) else {}
    language = "zh" if (get_language() or "zh").startswith("zh") else "en"
    statuses = result.get("statuses", {})
    return {
        "row": job,
        "name": job.payload.get("name", ""),
        "hands": result.get("hands", 0),
        "valid": statuses.get("valid", 0),
        "invalid": statuses.get("invalid", 0),
        "unfinished": statuses.get("unfinished", 0),
        "unreadable": result.get("unreadable", {}).get(language, ""),
        "faults": [
            {**fault, "sentence": fault[language], "where": _where(fault)}
            for fault in result.get("faults", [])
        ],
    }


def _where(fault: dict[str, Any]) -> str:
    return _("第 %(hand)d 副，第 %(line)d 行第 %(column)d 字") % fault
