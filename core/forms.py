"""Forms of accounts."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ResetPasswordForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from core.entrance import let_in
from core.models import User


class LoginForm(AuthenticationForm):
    """Logging in by user name, phone or mail, one field for all three."""

    error_messages = {
        "invalid_login": _("名称或密码不对，请再输入一次。密码区分大小写。"),
        "inactive": _("这个账号已停用，请联系主办人。"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("用户名、手机号或邮箱")

    def clean(self) -> dict[str, Any]:
        """The account, or one error for name and password; another while tries are refused."""
        username = self.cleaned_data.get("username")
        password = self.cleaned_data.get("password")
        if username and password:
            adapter = get_adapter(self.request)
            user = adapter.authenticate(self.request, username=username, password=password)
            if user is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(user)
            self.user_cache = user
        return self.cleaned_data

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        """Lets the account in, or asks for its second lock first."""
        return let_in(request, self.get_user(), redirect_url=redirect_url)


class ProfileForm(forms.ModelForm):
    """What people call the account, and what else it logs in with."""

    class Meta:
        model = User
        fields = ["display_name", "phone", "email"]
        help_texts = {
            "display_name": _("记分表和日志里显示的名字。"),
            "phone": _("填了就能用它登录，不会公开。"),
            "email": _("填了就能用它登录，不会公开。"),
        }
        error_messages = {
            "phone": {"unique": _("别的账号已经用了这个手机号。")},
            "email": {"unique": _("别的账号已经用了这个邮箱。")},
        }
        widgets = {
            "display_name": forms.TextInput(attrs={"autocomplete": "name"}),
            "phone": forms.TextInput(attrs={"autocomplete": "tel", "inputmode": "tel"}),
        }

    def clean_email(self) -> str | None:
        """Mail addresses are one whatever their case."""
        email: str | None = self.cleaned_data["email"]
        others = User.objects.exclude(pk=self.instance.pk)
        if email and others.filter(email__iexact=email).exists():
            raise forms.ValidationError(_("别的账号已经用了这个邮箱。"))
        return email


class NewAccountForm(forms.Form):
    """An account made by whoever holds an invitation."""

    display_name = forms.CharField(
        label=_("称呼"),
        max_length=40,
        help_text=_("记分表和日志里显示的名字。"),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    username = forms.CharField(
        label=_("用户名"),
        max_length=150,
        help_text=_("登录时用。汉字、字母、数字和 @ . + - _ 都可以，手机号也可以。"),
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    password = forms.CharField(
        label=_("密码"),
        strip=False,
        help_text=_("至少 8 个字，不要全是数字，也不要和用户名差不多。"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_username(self) -> str:
        """A name that no other account logs in with."""
        name: str = self.cleaned_data["username"]
        taken = Q(username__iexact=name) | Q(phone=name) | Q(email__iexact=name)
        if User.objects.filter(taken).exists():
            raise forms.ValidationError(_("已经有人用了这个名字。请换一个；如果就是您，请先登录。"))
        return name

    def clean(self) -> dict[str, Any]:
        """A password that is good for this name."""
        cleaned = super().clean() or {}
        if "password" in cleaned:
            user = User(
                username=cleaned.get("username", ""),
                display_name=cleaned.get("display_name", ""),
            )
            try:
                validate_password(cleaned["password"], user)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


class ResetForm(ResetPasswordForm):
    """Asking for a new password by mail; `users` are those whose mail it is, in whatever case."""

    def clean_email(self) -> str:
        """The address; databases call more characters equal than mail servers do."""
        email: str = super().clean_email()
        found = User.objects.filter(email__iexact=email, is_active=True)
        self.users = [user for user in found if (user.email or "").lower() == email.lower()]
        return email


class PasskeyForm(AddWebAuthnForm):
    """A new passkey: its name, and whether it lets in without the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("给它起个名字")
        self.fields["name"].help_text = _("例如“我的手机”，以后好认。")
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].label = _("用它登录不再要密码")
        self.fields["passwordless"].help_text = _("不勾，它就只是密码之外的第二道锁。")
