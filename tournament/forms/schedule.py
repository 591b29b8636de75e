"""Forms of the schedule: rooms, sessions, referees; a batch's time; a table's place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.domain.sittings import Schedule
from tournament.domain.venue import MOST_EACH
from tournament.forms.registration import MomentInput
from tournament.models import Membership, Room, Session, Table
from tournament.pairing.venue import Sitting

NONE = ""


class RoomForm(forms.Form):
    """A room of the hall."""

    name = forms.CharField(label=_("房间"), max_length=40)
    places = forms.IntegerField(label=_("几张台"), min_value=1, max_value=500)
    first_place = forms.IntegerField(
        label=_("第一张台的号"),
        min_value=1,
        max_value=9999,
        initial=1,
        help_text=_("台上贴的号；全馆连着编号时，第二个房间接着往下编。"),
    )
    is_step_free = forms.BooleanField(label=_("不用上楼梯"), required=False, initial=True)


class SessionForm(forms.Form):
    """A session, in the active time zone."""

    name = forms.CharField(label=_("场次"), max_length=40, help_text=_("例如“5 日上午”。"))
    begins_at = forms.DateTimeField(label=_("开始"), widget=MomentInput())
    ends_at = forms.DateTimeField(label=_("结束"), widget=MomentInput())


class EachForm(forms.Form):
    """How many tables a referee judges at once."""

    tables = forms.IntegerField(label=_("一名裁判同时看几桌"), min_value=1, max_value=MOST_EACH)


class UnitsForm(forms.Form):
    """The units of a referee."""

    units = forms.CharField(
        label=_("所属单位"),
        required=False,
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("一行一个，和选手的代表单位写得一样；能避开就不判本单位的桌。"),
    )


class AwayForm(forms.Form):
    """A time in which a referee cannot judge, in the active time zone."""

    begins_at = forms.DateTimeField(label=_("从"), widget=MomentInput())
    ends_at = forms.DateTimeField(label=_("到"), widget=MomentInput())


class PublishForm(forms.Form):
    """What everybody is told of the new version; `seen` is asked where tables clash."""

    note = forms.CharField(
        label=_("给大家的说明"),
        max_length=200,
        required=False,
        help_text=_("例如“第 2 轮推迟半小时”。"),
    )
    seen = forms.BooleanField(label=_("有冲突，我看过了，仍然公布"), required=False)

    def __init__(self, *args: Any, has_severe: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_severe:
            del self.fields["seen"]


class BatchForm(forms.Form):
    """Session and start of a batch."""

    session = forms.ModelChoiceField(
        label=_("场次"), queryset=Session.objects.none(), required=False
    )
    starts_at = forms.DateTimeField(label=_("开始时间"), required=False, widget=MomentInput())

    def __init__(self, *args: Any, sessions: Sequence[Session], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pks = [one.pk for one in sessions]
        field: Any = self.fields["session"]
        field.queryset = Session.objects.filter(pk__in=pks)
        field.choices = [(NONE, "–"), *((one.pk, one.name) for one in sessions)]


class TableForm(forms.Form):
    """Where a table is played, in which batch, and who judges it. What is taken then says so."""

    batch = forms.TypedChoiceField(label=_("批"), coerce=int)
    spot = forms.ChoiceField(label=_("台"), required=False)
    referee = forms.ChoiceField(label=_("裁判"), required=False)

    def __init__(self, *args: Any, schedule: Schedule, table: Table, **kwargs: Any) -> None:
        own = schedule.by_table[table.pk]
        kwargs.setdefault(
            "initial",
            {
                "batch": table.batch,
                "spot": f"{table.room_id}-{table.place}" if table.place else NONE,
                "referee": table.referee_id or NONE,
            },
        )
        super().__init__(*args, **kwargs)
        self.schedule = schedule
        fields: Any = self.fields
        batches = sorted({one.batch for one in schedule.sittings if one.round == own.round})
        words = [(number, _("第 %(n)d 批") % {"n": number}) for number in batches]
        fields["batch"].choices = [*words, (batches[-1] + 1, _("新的一批"))]
        at_once = [one for one in schedule.sittings if _at_once(one, own)]
        fields["spot"].choices = [(NONE, "–"), *_spots(schedule, at_once)]
        fields["referee"].choices = [(NONE, "–"), *_referees(schedule, at_once)]

    @property
    def chosen_room(self) -> Room | None:
        """The room chosen. The form is valid."""
        chosen = self.cleaned_data["spot"].partition("-")[0]
        return next((one for one in self.schedule.rooms if str(one.pk) == chosen), None)

    @property
    def chosen_place(self) -> int | None:
        """The physical table chosen. The form is valid."""
        chosen = self.cleaned_data["spot"].partition("-")[2]
        return int(chosen) if chosen else None

    @property
    def chosen_referee(self) -> Membership | None:
        """The referee chosen. The form is valid."""
        chosen = self.cleaned_data["referee"]
        return next((one for one in self.schedule.referees if str(one.pk) == chosen), None)


def _at_once(one: Sitting, own: Sitting) -> bool:
    if one.table == own.table or one.begins is None or own.begins is None:
        return False
    return one.span[0] < own.span[1] and own.span[0] < one.span[1]


def _spots(
    schedule: Schedule, at_once: Sequence[Sitting]
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every physical table by room; one that is taken then says by which table."""
    numbers = {table.pk: table.number for table in schedule.tables}
    taken = {(one.room, one.place): numbers[one.table] for one in at_once}
    groups = []
    for room in schedule.rooms:
        spots = []
        for place in range(room.first_place, room.last_place + 1):
            holder = taken.get((room.pk, place))
            word = str(_("%(n)d 台") % {"n": place})
            if holder is not None:
                word = str(_("%(n)d 台（与第 %(table)d 桌换）") % {"n": place, "table": holder})
            spots.append((f"{room.pk}-{place}", word))
        groups.append((room.name, spots))
    return groups


def _referees(schedule: Schedule, at_once: Sequence[Sitting]) -> list[tuple[int, str]]:
    """Every referee; one who judges as many as he may then says so."""
    counts: dict[int, int] = {}
    for one in at_once:
        if one.referee is not None:
            counts[one.referee] = counts.get(one.referee, 0) + 1
    found = []
    for referee in schedule.referees:
        word = referee.user.name
        if counts.get(referee.pk, 0) >= schedule.venue.each:
            word = str(_("%(name)s（有桌，换）") % {"name": word})
        found.append((referee.pk, word))
    return found
