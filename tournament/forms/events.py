"""Forms of a competition's events, and of who plays in which (C10)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.domain.events import EventTerms
from tournament.enums import CountedBy, Discipline
from tournament.models import Entrant, Event, Stage

TABLES = ((2, _("2 人对局")), (3, _("3 人一桌")), (4, _("4 人一桌")))


class EventForm(forms.Form):
    """An event: what is played, by how many, and what decides a table."""

    name = forms.CharField(
        label=_("项目名称"),
        max_length=60,
        error_messages={"required": _("请写项目的名称。")},
        help_text=_("例如：字牌、象棋、双升、跑胡子、麻将。"),
    )
    discipline = forms.ChoiceField(
        label=_("打什么"), choices=Discipline.choices, widget=forms.RadioSelect
    )
    is_pairs = forms.BooleanField(
        label=_("两人一组（如双升）"),
        required=False,
        help_text=_("两个人算一个参赛单位，名字写成“甲/乙”。"),
    )
    table_size = forms.TypedChoiceField(
        label=_("几方一桌"), choices=TABLES, coerce=int, initial=2, widget=forms.RadioSelect
    )
    games = forms.IntegerField(
        label=_("每桌几盘"),
        min_value=1,
        max_value=99,
        initial=1,
        help_text=_("看胜局时：一盘填 1，三盘两胜填 3，五盘三胜填 5。"),
    )
    counted_by = forms.ChoiceField(
        label=_("胜负看什么"),
        choices=CountedBy.choices,
        initial=CountedBy.GAMES,
        widget=forms.RadioSelect,
        help_text=_("胜局：先赢够的胜；总分：各盘得分相加。"),
    )
    prizes = forms.IntegerField(label=_("奖到第几名"), min_value=1, max_value=99, initial=9)

    def terms(self) -> EventTerms:
        """The event that was described. 字牌 is at tables of three and counted in 舵."""
        given = self.cleaned_data
        discipline = Discipline(given["discipline"])
        is_manual = discipline == Discipline.MANUAL
        return EventTerms(
            name=given["name"].strip(),
            discipline=discipline,
            is_pairs=given["is_pairs"],
            games=given["games"] if is_manual else 1,
            counted_by=CountedBy(given["counted_by"]) if is_manual else CountedBy.GAMES,
            table_size=given["table_size"] if is_manual else 3,
            prizes=given["prizes"],
        )


class ChangeEventForm(EventForm):
    """The same for an event that is there; what its discipline has not is not asked."""

    def __init__(self, *args: Any, event: Event, stage: Stage, **kwargs: Any) -> None:
        initial = {
            "name": event.name,
            "is_pairs": event.is_pairs,
            "table_size": stage.table_size,
            "games": event.games,
            "counted_by": event.counted_by,
            "prizes": event.prizes,
        }
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        self.event, self.stage = event, stage
        del self.fields["discipline"]
        if event.discipline == Discipline.ZIPAI:
            for name in ("table_size", "games", "counted_by"):
                del self.fields[name]

    def terms(self) -> EventTerms:
        """What is not asked stays."""
        given = self.cleaned_data
        return EventTerms(
            name=given["name"].strip(),
            discipline=Discipline(self.event.discipline),
            is_pairs=given["is_pairs"],
            games=given.get("games", self.event.games),
            counted_by=CountedBy(given.get("counted_by", self.event.counted_by)),
            table_size=given.get("table_size", self.stage.table_size),
            prizes=given["prizes"],
        )


class LimitForm(forms.Form):
    """In how many events one may play."""

    limit = forms.IntegerField(
        label=_("每人最多报几项"),
        required=False,
        min_value=1,
        max_value=99,
        help_text=_("不填就不限。"),
    )


class EventsField(forms.ModelMultipleChoiceField):
    """Events as a row of boxes, each called by its name."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Any) -> str:
        """Its name."""
        return str(obj.name)


class EntryEventsForm(forms.Form):
    """In which events an entry plays."""

    events = EventsField(
        label=_("参加的项目"),
        queryset=Event.objects.none(),
        error_messages={"required": _("请至少选一个项目。")},
    )

    def __init__(self, *args: Any, events: Any, limit: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["events"].queryset = events  # type: ignore[attr-defined]
        if limit is not None:
            self.fields["events"].help_text = _("每人最多报 %(n)d 项。") % {"n": limit}


class PairForm(forms.Form):
    """Who plays together."""

    def __init__(self, *args: Any, lone: list[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "—")] + [
            (str(one.pk), f"{one.number or '–'} {one.name} {one.unit}".strip()) for one in lone
        ]
        for name, label in (("first", _("第一人")), ("second", _("搭档"))):
            self.fields[name] = forms.TypedChoiceField(
                label=label,
                choices=choices,
                coerce=int,
                error_messages={"required": _("请选一个人。")},
            )
