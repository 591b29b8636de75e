"""Forms of accounts."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class LoginForm(AuthenticationForm):
    """Logging in by user name, phone or mail, one field for all three."""

    error_messages = {
        "invalid_login": _("名称或密码不对，请再输入一次。密码区分大小写。"),
        "inactive": _("这个账号已停用，请联系主办人。"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("用户名、手机号或邮箱")
