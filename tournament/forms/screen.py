"""What the hall's screen shows, and how fast the ceremony goes."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournament.domain.screen import LONGEST_S
from tournament.enums import ScreenPart
from tournament.models import Draw, ScreenSettings
from tournament.models.screen import SECONDS


class ScreenForm(forms.Form):
    """Each part with the seconds that a page of it stands, empty: it is left out; one held."""

    pinned = forms.ChoiceField(
        label=_("只放一项"),
        required=False,
        choices=[("", _("不，轮换")), *ScreenPart.choices],
        help_text=_("选了就一直放这一项，直到改回轮换。"),
    )

    def __init__(self, data: QueryDict | None = None, *, settings: ScreenSettings) -> None:
        """`settings` fill the form where nothing was sent."""
        initial = {name: settings.parts.get(name) for name in ScreenPart.values}
        super().__init__(data, initial={**initial, "pinned": settings.pinned})
        for part in ScreenPart:
            self.fields[part.value] = forms.IntegerField(
                label=part.label,
                required=False,
                min_value=3,
                max_value=LONGEST_S,
                widget=forms.NumberInput(attrs={"placeholder": SECONDS, "inputmode": "numeric"}),
            )
        self.order_fields([*ScreenPart.values, "pinned"])

    @property
    def part_fields(self) -> list[forms.BoundField]:
        """The fields of seconds, in the order of the parts."""
        return [self[name] for name in ScreenPart.values]

    def parts(self) -> dict[str, int]:
        """Part → seconds, of those that rotate. The form is valid."""
        given = {name: self.cleaned_data[name] for name in ScreenPart.values}
        return {name: seconds for name, seconds in given.items() if seconds}


class DrawField(forms.ModelChoiceField):
    """A draw by its event and number. Needs `stage.event`."""

    def label_from_instance(self, obj: Draw) -> str:
        """`字牌 · 第 1 次抽签`."""
        return f"{obj.stage.event.name} · {obj.title}"


class CeremonyForm(forms.Form):
    """Which published draw, how many seconds an entrant, by itself or by tapping."""

    draw = DrawField(label=_("抽签"), queryset=Draw.objects.none(), empty_label=None)
    step_seconds = forms.IntegerField(label=_("每人几秒"), min_value=1, max_value=60)
    auto = forms.BooleanField(
        label=_("自动往下"), required=False, help_text=_("不勾就由您按“下一位”。")
    )

    def __init__(
        self, data: QueryDict | None = None, *, draws: Sequence[Draw], settings: ScreenSettings
    ) -> None:
        """`draws`: the published ones that may be shown."""
        first = {"draw": draws[0] if draws else None, "auto": True}
        super().__init__(data, initial={**first, "step_seconds": settings.step_seconds})
        field = self.fields["draw"]
        assert isinstance(field, DrawField)
        shown = Draw.objects.filter(pk__in=[draw.pk for draw in draws])
        field.queryset = shown.select_related("stage__event")
