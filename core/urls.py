"""Addresses of accounts, language and health."""

from django.contrib.auth import views as auth
from django.urls import path

from core import views
from core.forms import LoginForm

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("language/<str:code>/", views.language, name="language"),
    path("accounts/login/", auth.LoginView.as_view(authentication_form=LoginForm), name="login"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/password/", auth.PasswordChangeView.as_view(), name="password_change"),
    path(
        "accounts/password/done/",
        auth.PasswordChangeDoneView.as_view(),
        name="password_change_done",
    ),
]
