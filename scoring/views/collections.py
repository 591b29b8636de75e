"""An account's own collections of records: a file uploaded, shown to everybody, removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.models import User
from scoring.domain import collections as domain
from scoring.forms.library import CollectionForm
from scoring.models import Collection
from scoring.queries_library import collection_counts, own_collections
from scoring.views.referee.records import job_shown


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_collections(request: HttpRequest) -> HttpResponse:
    """One's collections, and the form for another."""
    assert isinstance(request.user, User)
    form, status = CollectionForm(), 200
    if request.method == "POST":
        form, status = CollectionForm(request.POST, request.FILES), 422
        if form.is_valid():
            given = form.cleaned_data
            try:
                made = domain.upload_collection(
                    user=request.user, name=given["name"], file=given["file"]
                )
            except DomainError as error:
                form.add_error("file", str(error))
                status = error.status
            else:
                messages.success(request, _("文件已收到，正在后台核验。"))
                return redirect(made)
    context = {"form": form, "collections": own_collections(request.user)}
    return render(request, "organizer/collections.html", context, status=status)


@never_cache
@login_required
@require_safe
def show_collection(request: HttpRequest, pk: int) -> HttpResponse:
    """One of them: how far its file is, what was found, what can be done. `?v=` asks for the
    region alone and gets 204 while nothing is new."""
    collection = _own(request, pk)
    job = collection.job
    version = f"{job.state}-{job.done}" if job else ""
    is_over = job is None or job.is_over
    asked = request.GET.get("v")
    if asked == version and not is_over:
        return HttpResponse(status=204)
    result: dict[str, Any] = job.result if job and isinstance(job.result, dict) else {}
    context: dict[str, Any] = {
        "collection": collection,
        "job": job_shown(job) if job else None,
        "is_over": is_over,
        "version": version,
        "twice": result.get("twice", 0),
        "over": result.get("over", 0),
        **collection_counts(collection),
    }
    if asked is not None:
        answer = render(request, "organizer/collection.html#progress", context)
        answer["X-Version"] = version
        answer.status_code = 286 if is_over else 200
        return answer
    return render(request, "organizer/collection.html", context)


@never_cache
@login_required
@require_POST
def publish(request: HttpRequest, pk: int) -> HttpResponse:
    """Everybody finds its records."""
    return _do(request, pk, domain.publish_collection, _("已公开，大家在牌谱库里找得到了。"))


@never_cache
@login_required
@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """It is one's own again."""
    return _do(request, pk, domain.withdraw_collection, _("已收回，只有您看得到。"))


@never_cache
@login_required
@require_POST
def again(request: HttpRequest, pk: int) -> HttpResponse:
    """Its file is verified again, after that failed."""
    return _do(request, pk, domain.retry_collection, _("正在重新核验。"))


@never_cache
@login_required
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """The collection is gone."""
    collection = _own(request, pk)
    assert isinstance(request.user, User)
    domain.remove_collection(user=request.user, collection=collection)
    messages.success(request, _("“%(name)s”已删除。") % {"name": collection.name})
    return redirect("collections")


def _own(request: HttpRequest, pk: int) -> Collection:
    """The collection where it is his own; else there is none."""
    return get_object_or_404(Collection.objects.select_related("job"), pk=pk, owner=request.user)


def _do(request: HttpRequest, pk: int, act: Callable[..., Collection], done: str) -> HttpResponse:
    collection = _own(request, pk)
    try:
        act(user=request.user, collection=collection)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, done)
    return redirect(collection)
