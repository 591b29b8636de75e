"""Forms about personal data: that it goes for good, and when it goes by itself."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.competitions import DateInput
from tournament.keeping import LEAST_DAYS, MOST_DAYS


class SureForm(forms.Form):
    """What cannot be taken back has to be ticked."""

    sure = forms.BooleanField(
        label=_("我知道删除以后不能恢复"),
        error_messages={"required": _("请先勾选：删除以后不能恢复。")},
    )


class KeepDaysForm(forms.Form):
    """So many days after the result book; how many may be is `set_keep_days`' to say."""

    keep_days = forms.IntegerField(
        label=_("成绩册公布以后保留几天"),
        widget=forms.NumberInput(attrs={"min": LEAST_DAYS, "max": MOST_DAYS}),
        help_text=_("到时自动清除姓名、手机号等；编号、单位和成绩留着。30 到 1095 天。"),
    )


class PutOffForm(forms.Form):
    """A day until which the data stay; empty takes it back."""

    until = forms.DateField(
        label=_("推迟到"),
        required=False,
        widget=DateInput(),
        help_text=_("最多推迟到一年以后；清空再保存，就按原来的日子。"),
    )
