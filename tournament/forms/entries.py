"""Forms of entries: pasted, added singly, corrected, come late."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.domain.pasting import clean_name
from tournament.validators import check_phone

HAS_NO_NAME = _("请写姓名。")


class PasteForm(forms.Form):
    """Many at once, a line each."""

    lines = forms.CharField(
        label=_("名单"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "placeholder": "莫家骏\t灵川县\n阳秀英，临桂区"}),
        help_text=_("每行一人：姓名、单位，用制表符、逗号、顿号或空格隔开；可以直接从表格里粘贴。"),
        error_messages={"required": _("请粘贴名单，每行一人。")},
    )


class EntryForm(forms.Form):
    """One more."""

    name = forms.CharField(label=_("姓名"), max_length=60, error_messages={"required": HAS_NO_NAME})
    unit = forms.CharField(label=_("代表单位"), max_length=60, required=False)
    is_another = forms.BooleanField(label=_("与已有选手同名同单位，但是另一个人"), required=False)

    def clean_name(self) -> str:
        """One spelling; nothing but blanks is no name."""
        name = clean_name(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(HAS_NO_NAME)
        return name


class EntrantForm(EntryForm):
    """What can be corrected."""

    number = forms.IntegerField(label=_("编号"), min_value=1, max_value=999_999)
    seed = forms.IntegerField(
        label=_("种子"),
        min_value=1,
        max_value=9999,
        required=False,
        help_text=_("1 号最强；种子先分到不同的区。"),
    )
    phone = forms.CharField(
        label=_("手机号"),
        max_length=20,
        required=False,
        validators=[check_phone],
        help_text=_("只有组织者看得到。"),
    )
    field_order = ("name", "unit", "number", "seed", "phone")
    is_another = None  # type: ignore[assignment]
