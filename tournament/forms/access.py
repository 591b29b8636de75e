"""Forms of links and members."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.enums import Role
from tournament.models.access import INVITED_ROLES, MEMBER_ROLES

LINK_ROLES = (Role.REFEREE, Role.CHIEF, Role.OWNER)


class LinkForm(forms.Form):
    """A link for a person's device."""

    role = forms.ChoiceField(label=_("身份"))
    label = forms.CharField(
        label=_("给谁"),
        max_length=40,
        help_text=_("写名字，以后好认、好收回，例如“李裁判的手机”。"),
        error_messages={"required": _("请写这个链接给谁。")},
    )

    def __init__(self, *args: Any, is_owner: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        roles = LINK_ROLES if is_owner else LINK_ROLES[:2]
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (role.value, role.label) for role in roles
        ]


class MemberForm(forms.Form):
    """An account gets a role."""

    username = forms.CharField(
        label=_("用户名、手机号或邮箱"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.ChoiceField(
        label=_("身份"), choices=[(role.value, role.label) for role in MEMBER_ROLES]
    )


class InvitationForm(forms.Form):
    """A link by which one person makes an account and gets a role."""

    role = forms.ChoiceField(
        label=_("身份"), choices=[(role.value, role.label) for role in INVITED_ROLES]
    )
    label = forms.CharField(
        label=_("给谁"),
        max_length=40,
        help_text=_("写名字，以后好认、好收回。"),
        error_messages={"required": _("请写这个邀请给谁。")},
    )
    days = forms.TypedChoiceField(
        label=_("几天内有效"),
        coerce=int,
        initial=7,
        choices=[(1, _("1 天")), (7, _("7 天")), (30, _("30 天"))],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """The page has another form with a role, so the ids are this form's own."""
        kwargs.setdefault("auto_id", "id_invitation_%s")
        super().__init__(*args, **kwargs)


class TablesForm(forms.Form):
    """Which tables of a round get new links."""

    first = forms.IntegerField(label=_("从第几桌"), min_value=1, initial=1)
    last = forms.IntegerField(label=_("到第几桌"), min_value=1, initial=60)

    def clean(self) -> dict[str, Any]:
        """At most 60 tables a sheet of cards."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and not 0 <= last - first < 60:
            raise forms.ValidationError(_("一次最多印 60 桌，桌号从小到大。"))
        return cleaned
