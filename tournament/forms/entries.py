"""Forms of entries: pasted, added singly, corrected, come late."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.domain.masks import masked_phone
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
    drop_phone = forms.BooleanField(label=_("删去手机号"), required=False)
    field_order = ("name", "unit", "number", "seed", "phone", "drop_phone")
    is_another = None  # type: ignore[assignment]

    def __init__(self, *args: object, phone: str = "", **kwargs: object) -> None:
        """`phone` is the number there is; only its masked form is shown."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if phone:
            shown = masked_phone(phone)
            self.fields["phone"].help_text = _("现在是 %(phone)s；不改就空着。") % {"phone": shown}
        else:
            del self.fields["drop_phone"]

    def clean(self) -> dict[str, object]:
        """`phone` is None where it stays, empty where it goes."""
        data = super().clean() or {}
        is_dropped = data.pop("drop_phone", False)
        data["phone"] = data.get("phone") or ("" if is_dropped else None)
        return data
