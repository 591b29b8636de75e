"""Forms of the draw: plan, words, reason, check; and of changes at drawn tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.enums import Way
from tournament.models import Seat
from tournament.models.people import numbered
from tournament.pairing.document import MAX_BYTES

SIZES = ("3-1", "2-1", "4-1", "4-2")


class PlanForm(forms.Form):
    """Table size, how many advance, and the way to a clean field."""

    size = forms.ChoiceField(choices=[(size, size) for size in SIZES])
    way = forms.ChoiceField(choices=Way.choices)

    def terms(self) -> tuple[int, int, Way]:
        """(p, a, way)."""
        size, advance = map(int, self.cleaned_data["size"].split("-"))
        return size, advance, Way(self.cleaned_data["way"])


class WordsForm(forms.Form):
    """What was thrown or called in the hall. Counted exactly as typed."""

    words = forms.CharField(
        label=_("现场的话"),
        max_length=200,
        strip=False,
        help_text=_("当众掷出的骰子、喊出的话，一字不差；写下就是抽签，不能再改。"),
        error_messages={"required": _("请写下现场掷出或喊出的话。")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ReasonForm(forms.Form):
    """Why another draw."""

    reason = forms.CharField(
        label=_("重抽原因"),
        max_length=200,
        help_text=_("会和以前的抽签一起公布。"),
        error_messages={"required": _("重新抽签要写明原因。")},
    )


class CheckForm(forms.Form):
    """A published draw to check: pasted or as a file."""

    text = forms.CharField(
        label=_("抽签文件的内容"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    file = forms.FileField(label=_("或选择抽签文件（JSON）"), required=False)

    def clean(self) -> dict[str, Any]:
        """The bytes to check, as `document`."""
        cleaned = super().clean() or {}
        upload = cleaned.get("file")
        if upload is not None and upload.size > MAX_BYTES:
            raise forms.ValidationError(_("文件超过 8 MB，不是公布的抽签文件。"))
        cleaned["document"] = upload.read() if upload is not None else cleaned.get("text", "")
        if not cleaned["document"] and not self.errors:
            raise forms.ValidationError(_("请粘贴抽签文件的内容，或选择文件。"))
        return cleaned


class SeatChoiceField(forms.ModelChoiceField):
    """Seats by table and who sits there."""

    def label_from_instance(self, obj: Seat) -> str:
        """`第 2 轮 3 桌甲 · 12 号 莫家骏 轮空`."""
        who = str(_("陪打"))
        if obj.entrant is not None:
            who = _("%(who)s 轮空") % {"who": numbered(obj.entrant.number, obj.entrant.name)}
        return _("第 %(round)d 轮 %(table)d 桌%(seat)s · %(who)s") % {
            "round": obj.table.round.number,
            "table": obj.table.number,
            "seat": obj.name,
            "who": who,
        }


class SwapForm(forms.Form):
    """Two entrants by their numbers, as they are written on the list."""

    first = forms.IntegerField(label=_("一名选手的编号"), min_value=1)
    second = forms.IntegerField(label=_("和他对换的编号"), min_value=1)


class LateForm(forms.Form):
    """Somebody late, and the filler's seat or the bye he gets."""

    seat = SeatChoiceField(
        label=_("座位"),
        queryset=Seat.objects.none(),
        error_messages={
            "required": _("请选座位。"),
            "invalid_choice": _("这个座位现在不能补入，请从列出的座位里选。"),
        },
    )
    name = forms.CharField(label=_("姓名"), max_length=60)
    unit = forms.CharField(label=_("代表单位"), max_length=60, required=False)

    def __init__(self, *args: Any, seats: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seat"].queryset = Seat.objects.filter(  # type: ignore[attr-defined]
            pk__in=seats
        ).select_related("table__round", "entrant__entry__person", "entrant__partner__person")


class ApartForm(forms.Form):
    """Numbers of people who should not meet early."""

    name = forms.CharField(label=_("名称"), max_length=60, help_text=_("例如“莫家”。"))
    numbers = forms.CharField(
        label=_("编号"),
        max_length=400,
        help_text=_("用空格或逗号隔开，至少两个，例如 3 7 12。"),
    )

    def clean_numbers(self) -> list[int]:
        """The numbers; anything else is named."""
        words = re.split(r"[\s,，、;；]+", str(self.cleaned_data["numbers"]).strip())
        bad = [word for word in words if not word.isdecimal() or len(word) > 6]
        if bad:
            raise forms.ValidationError(_("“%(word)s”不是编号。"), params={"word": bad[0]})
        return [int(word) for word in words]
