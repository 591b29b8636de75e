"""Addresses of accounts, language and health."""

from allauth.account import views as allauth
from allauth.usersessions.views import list_usersessions
from django.urls import include, path, re_path

from core.views import accounts, api, operator, operator_backups, operator_jobs, probes, site

# django-allauth reverses its own names, the site's templates the short ones.
log_in = accounts.LogIn.as_view()
change = accounts.with_password(allauth.password_change)
reset = accounts.with_mail(allauth.password_reset)
reset_sent = accounts.with_mail(allauth.password_reset_done)
reset_by_key = accounts.with_mail(allauth.password_reset_from_key)
reset_done = accounts.with_mail(allauth.password_reset_from_key_done)

urlpatterns = [
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
    path("metrics", probes.metrics, name="metrics"),
    path("sheets.js", site.sheets_worker, name="sheets_worker"),
    path("api/", api.api, name="api"),
    path("language/<str:code>/", site.language, name="language"),
    path("operator/", operator.index, name="operator"),
    path("operator/jobs/", operator_jobs.jobs, name="operator_jobs"),
    path("operator/jobs/again/", operator_jobs.kind_again, name="operator_jobs_again"),
    path("operator/jobs/<int:pk>/", operator_jobs.job, name="operator_job"),
    path("operator/jobs/<int:pk>/again/", operator_jobs.again, name="operator_job_again"),
    path("operator/jobs/<int:pk>/cancel/", operator_jobs.cancel, name="operator_job_cancel"),
    path("operator/backups/", operator_backups.backups, name="operator_backups"),
    path("operator/backups/<str:name>", operator_backups.download, name="operator_backup"),
    path("accounts/", accounts.account, name="account"),
    path("accounts/login/", log_in, name="login"),
    path("accounts/login/", log_in, name="account_login"),
    path("accounts/logout/", allauth.logout, name="logout"),
    path("accounts/logout/", allauth.logout, name="account_logout"),
    path("accounts/inactive/", allauth.account_inactive, name="account_inactive"),
    path("accounts/confirm/", allauth.reauthenticate, name="account_reauthenticate"),
    path("accounts/password/", change, name="password_change"),
    path("accounts/password/", change, name="account_change_password"),
    path("accounts/password/reset/", reset, name="account_reset_password"),
    path("accounts/password/reset/sent/", reset_sent, name="account_reset_password_done"),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        reset_by_key,
        name="account_reset_password_from_key",
    ),
    path(
        "accounts/password/reset/done/",
        reset_done,
        name="account_reset_password_from_key_done",
    ),
    path("accounts/locks/", include("allauth.mfa.urls")),
    path("accounts/devices/", list_usersessions, name="usersessions_list"),
]
