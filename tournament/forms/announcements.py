"""The form of an announcement."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.registration import MomentInput
from tournament.models import Announcement


class AnnouncementForm(forms.ModelForm):
    """Title, text, where and from when it is shown."""

    publish_at = forms.DateTimeField(
        label=_("发布时间"),
        required=False,
        widget=MomentInput(),
        help_text=_("按比赛的时区。不填就马上发布。"),
    )

    class Meta:
        model = Announcement
        fields = ("title", "text", "is_public", "for_entrants", "on_screen", "publish_at")
        widgets = {"text": forms.Textarea(attrs={"rows": 6})}
        help_texts = {
            "is_public": _("人人可看。"),
            "for_entrants": _("每名选手的页面。那些页面也是公开的，请不要写私事。"),
            "on_screen": _("现场的大屏幕，和其他内容轮换。"),
        }

    def clean(self) -> dict[str, object]:
        """It is shown somewhere."""
        data = super().clean() or {}
        if not (data.get("is_public") or data.get("for_entrants") or data.get("on_screen")):
            self.add_error("is_public", _("请至少选一处显示的地方。"))
        return data
