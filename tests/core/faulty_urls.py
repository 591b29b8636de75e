"""The site's addresses and some that fail in every way that a page can."""

from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _

from config.urls import handler400, handler403, handler404, handler429, handler500, urlpatterns
from core.errors import Conflict, DomainError
from core.views.errors import too_often

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500"]

TOKEN = "Zk9-secret_token-0123456789abcdef"
SECRETS = (TOKEN, "13912345678", "zhang@mail.example", "张三丰", "hunter2hunter2")
"""What the fault below tells, and no log may."""


def broken(request: HttpRequest) -> HttpResponse:
    """A fault whose message quotes what is nobody's business."""
    link, phone, mail, name, password = f"/l/{TOKEN}/", *SECRETS[1:]
    raise RuntimeError(f"{link} of {name} <{mail}> {phone} password={password}")


def forbidden(request: HttpRequest) -> HttpResponse:
    """What the viewer may not do."""
    raise PermissionDenied


def asking(request: HttpRequest) -> HttpResponse:
    """A page that asks the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok")


def wrong(request: HttpRequest) -> HttpResponse:
    """A statement that is wrong whatever the database does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
    return HttpResponse("never")


def taken(request: HttpRequest) -> HttpResponse:
    """Somebody was faster."""
    raise Conflict(_("请刷新页面再试。"), code="tested-conflict")


def reused(request: HttpRequest) -> HttpResponse:
    """A key that came with something else."""
    raise DomainError(_("请刷新页面再试。"), code="key-reused", status=422)


urlpatterns = [
    path("fail/broken/", broken, name="broken"),
    path("api/v1/fail/broken/", broken, name="api_broken"),
    path("fail/forbidden/", forbidden, name="forbidden"),
    path("fail/often/", too_often, name="often"),
    path("fail/asking/", asking, name="asking"),
    path("api/v1/fail/asking/", asking, name="api_asking"),
    path("fail/wrong/", wrong, name="wrong"),
    path("fail/taken/", taken, name="taken"),
    path("fail/reused/", reused, name="reused"),
    *urlpatterns,
]
