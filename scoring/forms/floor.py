"""Forms of the floor: the round's clock, extra time, a call for a referee."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.domain.clock import LONGEST
from tournament.enums import CallKind
from tournament.models import Table

EVERY = "all"


def _minutes(label: object) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,  # type: ignore[arg-type]
        min_value=1,
        max_value=LONGEST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={"required": _("几分钟？写 1 到 600。")},
    )


class ClockForm(forms.Form):
    """How long the round's clock goes."""

    minutes = _minutes(_("打几分钟"))


class ExtraTimeForm(forms.Form):
    """Which tables play longer, how long, and why."""

    table = forms.ChoiceField(label=_("哪一桌"))
    extra = _minutes(_("加几分钟"))
    reason = forms.CharField(
        label=_("为什么加时"), max_length=200, error_messages={"required": _("请写为什么加时。")}
    )

    def __init__(self, *args: Any, tables: Iterable[Table], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ids = [table.pk for table in tables]
        self.fields["table"].choices = [  # type: ignore[attr-defined]
            *((str(one.pk), gettext("第 %(n)d 桌") % {"n": one.number}) for one in tables),
            (EVERY, gettext("每一桌")),
        ]

    def tables(self) -> list[int]:
        """The ids of the tables that were chosen. The form is valid."""
        chosen = self.cleaned_data["table"]
        return self.ids if chosen == EVERY else [int(chosen)]


class CallForm(forms.Form):
    """What a table calls a referee for."""

    kind = forms.ChoiceField(
        label=_("为了什么"),
        choices=CallKind.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("请选一项，裁判好有准备。")},
    )
    text = forms.CharField(label=_("补充一句"), max_length=100, required=False)
