"""The form of a program's token."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.enums import ApiScope

SCOPES = (
    (ApiScope.ENTRANTS.value, _("报名：添加选手、确认报名")),
    (ApiScope.CHECKIN.value, _("签到")),
    (ApiScope.HANDS.value, _("记局：记下、更正，提交记分表")),
    (ApiScope.CONFIRM.value, _("确认或退回记分表")),
)


class TokenForm(forms.Form):
    """What a program is for, what it may do, and how long."""

    label = forms.CharField(
        label=_("做什么用"),
        max_length=40,
        help_text=_("以后好认、好收回，例如“报名表同步”。"),
        error_messages={"required": _("请写这个令牌做什么用。")},
    )
    scopes = forms.MultipleChoiceField(
        label=_("可以做什么"),
        choices=SCOPES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("请至少选一样它可以做的事。")},
    )
    days = forms.TypedChoiceField(
        label=_("几天内有效"),
        coerce=int,
        initial=7,
        choices=[(1, _("1 天")), (7, _("7 天")), (30, _("30 天")), (90, _("90 天"))],
    )
