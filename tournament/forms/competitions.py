"""Forms of a competition: its data, how tables play, the regulations."""

from __future__ import annotations

import re
import zoneinfo
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Competition, Stage
from tournament.validators import check_timezone, is_lateness

ZONES = ("Asia/Shanghai", "Asia/Hong_Kong", "Asia/Taipei", "Asia/Singapore", "Asia/Tokyo", "UTC")


class DateInput(forms.DateInput):
    """The browser's own calendar."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class CompetitionForm(forms.ModelForm):
    """Everything that is known of a competition; name and date are enough."""

    timezone = forms.CharField(
        label=_("时区"),
        initial="Asia/Shanghai",
        max_length=40,
        help_text=_("页面上的时间都按这个时区显示，例如 Asia/Shanghai（北京时间）。"),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
    )

    class Meta:
        model = Competition
        fields = [
            "name",
            "starts_on",
            "ends_on",
            "place",
            "about",
            "timezone",
            "capacity",
            "final_minutes",
            "mask_names",
        ]
        widgets = {
            "starts_on": DateInput(),
            "ends_on": DateInput(),
            "about": forms.Textarea(attrs={"rows": 3}),
        }
        help_texts = {
            "capacity": _("满了以后再报名的进候补；不填就不限。"),
            "final_minutes": _("最后一轮全部确认后，过这么久自动定局，裁判长也可以提前定局。"),
        }

    def clean_timezone(self) -> str:
        """The zone's own spelling; an unknown one is told so here."""
        name = str(self.cleaned_data["timezone"]).strip()
        by_lower = {known.lower(): known for known in zoneinfo.available_timezones()}
        name = by_lower.get(name.lower(), name)
        check_timezone(name)
        return name


class NewCompetitionForm(CompetitionForm):
    """Makes one: name, date, and whether its maker is chief referee too."""

    also_chief = forms.BooleanField(
        label=_("我也当裁判长"),
        required=False,
        help_text=_("裁判长裁决争议、更正已确认的成绩；以后也可以另外指定。"),
    )

    class Meta(CompetitionForm.Meta):
        fields = ["name", "starts_on", "place", "timezone"]


class RegulationForm(forms.Form):
    """The 竞赛规程 as text."""

    text = forms.CharField(
        label=_("竞赛规程"),
        widget=forms.Textarea(attrs={"rows": 16}),
        help_text=_("每次保存都是一个新版本，以前的版本仍可查看。"),
        error_messages={"required": _("请写上竞赛规程的内容。")},
    )


class LatenessField(forms.CharField):
    """Steps of lateness (C9.2), a line each: minutes and 舵. Gives `[[10, 2], [15, 4]]`."""

    widget = forms.Textarea(attrs={"rows": 3, "inputmode": "numeric"})

    def prepare_value(self, value: Any) -> Any:
        """Steps as lines; what was typed stays."""
        if not isinstance(value, list):
            return value
        return "\n".join(f"{minutes} {points}" for minutes, points in value)

    def to_python(self, value: Any) -> Any:
        """Lines as steps."""
        lines = [re.findall(r"\d+", line) for line in str(value or "").splitlines()]
        steps = [[int(number) for number in line] for line in lines if line]
        if not is_lateness(steps):
            raise forms.ValidationError(
                _("一行写一步：几分钟以内、扣几舵，例如“10 2”。分钟要一行比一行多。")
            )
        return steps

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compared as lines."""
        return bool(self.prepare_value(initial) != data)


class PlayForm(forms.ModelForm):
    """How long a table plays, who confirms, who deals, what lateness costs."""

    lateness = LatenessField(
        label=_("迟到扣罚"),
        help_text=_(
            "一行一步：几分钟以内、扣几舵（0 是只警告）。比最后一行还晚就算缺席，由陪打坐下。"
        ),
    )

    class Meta:
        model = Stage
        fields = (
            "hands", "minutes", "final_hands", "confirmation", "dealer", "extra_hands", "lateness",
        )  # fmt: skip
        help_texts = {
            "minutes": _("到时响铃：打完手上这一局就停。不填就只按局数。"),
            "confirmation": _("选手确认：每名选手在桌链接或自己的链接上确认。"),
            "extra_hands": _("同分影响晋级或名次时加打一局，不计入成绩。"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("hands", "final_hands"):
            self.fields[name].widget.attrs["min"] = 1
            self.fields[name].min_value = 1  # type: ignore[attr-defined]
