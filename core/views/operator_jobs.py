"""The operator's pages of background jobs: what waits, runs, failed; again, or not at all.

They show what a job is about by its ids alone, never its payload or result.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_POST, require_safe

from core.actors import Actor
from core.domain.job_control import cancel_job, run_again, run_kind_again
from core.enums import JobState
from core.errors import DomainError
from core.job_words import title_of
from core.models import Job, User
from core.queries_jobs import GROUPS, counts, jobs_in, regular_work
from core.views.operator import PAGES, Page, operator_page

ON_A_PAGE = 50
PAGES.append(
    Page(
        "operator_jobs",
        gettext_lazy("后台任务"),
        gettext_lazy("什么在做、什么没有做成；再做一次，或者取消。"),
    )
)


@operator_page
@require_safe
def jobs(request: HttpRequest, user: User) -> HttpResponse:
    """One list of jobs (`state`), of one `kind` if told, and the site's regular work."""
    number, kinds = counts()
    group = request.GET.get("state") or next((g for g in GROUPS if number[g]), "done")
    kind = request.GET.get("kind", "")
    if group not in GROUPS or (kind and kind not in kinds):
        raise Http404(group)
    page = Paginator(jobs_in(group, kind), ON_A_PAGE).get_page(request.GET.get("page"))
    asked = {"state": group, **({"kind": kind} if kind else {})}
    context = {
        "tabs": [
            {
                "label": f"{_group_word(name)} {number[name]}",
                "url": f"?{urlencode({**asked, 'state': name})}",
                "current": name == group,
            }
            for name in GROUPS
        ],
        "tabs_label": _("后台任务"),
        "group": group,
        "kind": kind,
        "kind_title": title_of(kind),
        "kinds": [(one, title_of(one)) for one in kinds],
        "jobs": [_shown(job) for job in page],
        "page_obj": page,
        "query": f"&{urlencode(asked)}",
        "regular": regular_work(),
    }
    return render(request, "operator/jobs.html", context)


@operator_page
@require_safe
def job(request: HttpRequest, user: User, pk: int) -> HttpResponse:
    """One job: its times and attempts, and how it failed last."""
    found = get_object_or_404(Job.objects.defer("payload", "result"), pk=pk)
    parts = list(found.parts.defer("payload", "result").order_by("pk"))
    context = {
        "shown": _shown(found),
        "parts": parts,
        "parts_done": sum(part.state == JobState.DONE for part in parts),
    }
    return render(request, "operator/job.html", context)


@operator_page
@require_POST
def again(request: HttpRequest, user: User, pk: int) -> HttpResponse:
    """A failed job waits anew."""
    found = get_object_or_404(Job, pk=pk)
    try:
        run_again(actor=Actor(user_id=user.pk), job=found)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("已经排队，马上再做。"))
    return redirect("operator_job", pk)


@operator_page
@require_POST
def cancel(request: HttpRequest, user: User, pk: int) -> HttpResponse:
    """A job that is not over is cancelled."""
    found = get_object_or_404(Job, pk=pk)
    try:
        held = cancel_job(actor=Actor(user_id=user.pk), job=found)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("会在下一步停下。") if held.is_stopping else _("已取消。"))
    return redirect("operator_job", pk)


@operator_page
@require_POST
def kind_again(request: HttpRequest, user: User) -> HttpResponse:
    """Every failed job of a kind waits anew; where none has failed any more, it says so."""
    kind = request.POST.get("kind", "")
    number = run_kind_again(actor=Actor(user_id=user.pk), kind=kind)
    if not number:
        messages.error(request, _("没有失败的这种任务，可能已经又做过了，或者已经清掉。"))
        return redirect("operator_jobs")
    said = ngettext("%(n)d 项任务再做一次。", "%(n)d 项任务再做一次。", number) % {"n": number}
    messages.success(request, said)
    return redirect(f"{reverse('operator_jobs')}?{urlencode({'state': 'waiting', 'kind': kind})}")


def _group_word(group: str) -> str:
    return {
        "failed": pgettext("jobs", "失败"),
        "running": pgettext("jobs", "进行中"),
        "waiting": pgettext("jobs", "等待中"),
        "cancelled": pgettext("jobs", "已取消"),
        "done": pgettext("jobs", "已完成"),
    }[group]


def _shown(job: Job) -> dict[str, Any]:
    lines = job.last_error.splitlines()
    return {
        "row": job,
        "title": title_of(job.kind),
        "badge": {
            "label": job.get_state_display(),
            "kind": {JobState.FAILED: "bad", JobState.DONE: "ok"}.get(JobState(job.state), ""),
            "sign": {JobState.FAILED: "✕", JobState.DONE: "✓"}.get(JobState(job.state), ""),
        },
        "error": job.said or (lines[-1] if lines else ""),
        "trace": job.last_error if len(lines) > 1 else "",
    }
