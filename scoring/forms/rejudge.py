"""Deciding on a rejudge."""

from django import forms
from django.utils.translation import gettext_lazy as _


class DecisionForm(forms.Form):
    """Why it is applied or dismissed; everybody may read the reason."""

    reason = forms.CharField(
        label=_("理由"),
        max_length=200,
        help_text=_("采用后会写在对阵图的规则旁边，大家都看得到。"),
        error_messages={"required": _("请写明理由。")},
    )
