"""Forms of mishaps (C9): who is late, the wrong people at the seats, who leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.events import SEATS
from scoring.domain.board import Board
from scoring.domain.lateness import MOST_MINUTES
from scoring.domain.leaving import Proposal
from scoring.finishes import decimal
from scoring.forms.entry import names_of
from tournament.enums import EntrantStatus
from tournament.models import Entrant, Entry

MOST_PROPOSED = 12
FILLER = "filler"


class LateForm(forms.Form):
    """Who is late, and by how much (C9.2)."""

    position = forms.TypedChoiceField(
        label=_("谁迟到"), coerce=int, widget=forms.RadioSelect,
        error_messages={"required": _("请选哪一位选手迟到。")},
    )  # fmt: skip
    minutes = forms.IntegerField(
        label=_("迟到几分钟"), min_value=1, max_value=MOST_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={"required": _("请写迟到几分钟。")},
    )  # fmt: skip

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["position"].choices = [  # type: ignore[attr-defined]
            (seat.position, f"{SEATS[seat.position]} {name}")
            for seat, name in zip(board.seats, names_of(board), strict=True)
            if seat.entrant_id is not None and not seat.forfeits
        ]


class SwapForm(forms.Form):
    """Which hands, and who really sat where (C9.4)."""

    first = forms.IntegerField(
        label=_("从第几局"), min_value=1, max_value=999,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={"required": _("请写从哪里起坐错。")},
    )  # fmt: skip
    last = forms.IntegerField(
        label=_("到第几局"), min_value=1, max_value=999,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={"required": _("请写到哪里为止。")},
    )  # fmt: skip
    reason = forms.CharField(
        label=_("原因"), max_length=200, error_messages={"required": _("对换要写明原因。")}
    )

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = names_of(board)
        if not board.is_counted:
            self.fields["first"].label = gettext("从第几盘")
            self.fields["last"].label = gettext("到第几盘")
        choices = [(position, f"{SEATS[position]} {name}") for position, name in self._seats()]
        seats: dict[str, forms.Field] = {
            f"seat_{position}": forms.TypedChoiceField(
                label=gettext("记在%(seat)s的，其实是") % {"seat": f"{SEATS[position]} {name}"},
                choices=choices,
                initial=position,
                coerce=int,
            )
            for position, name in self._seats()
        }
        reason = self.fields.pop("reason")
        self.fields = {**self.fields, **seats, "reason": reason}

    def _seats(self) -> list[tuple[int, str]]:
        return list(enumerate(self.names))

    def seating(self) -> tuple[int, ...]:
        """As `scoring.reseated` has it."""
        return tuple(self.cleaned_data[f"seat_{position}"] for position, _name in self._seats())


class LeaveForm(forms.Form):
    """An entrant leaves: how, why, and who takes the seat (C9.3)."""

    status = forms.ChoiceField(
        label=_("怎样离开"),
        choices=[
            (EntrantStatus.WITHDRAWN.value, _("退赛")),
            (EntrantStatus.ABSENT.value, _("缺席")),
            (EntrantStatus.DISQUALIFIED.value, _("取消资格")),
        ],
        initial=EntrantStatus.WITHDRAWN.value,
        widget=forms.RadioSelect,
    )
    instead = forms.TypedChoiceField(
        label=_("由谁坐下"),
        required=False,
        coerce=int,
        empty_value=None,
        widget=forms.RadioSelect,
        help_text=_("上一轮没有晋级的选手，每局净舵高的在前。"),
    )
    reason = forms.CharField(
        label=_("原因"), max_length=200, required=False, help_text=_("取消资格要写明原因。")
    )

    def __init__(
        self,
        *args: Any,
        proposed: Sequence[Proposal],
        before_draw: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if before_draw:
            status = self.fields["status"]
            status.choices = [  # type: ignore[attr-defined]
                choice
                for choice in status.choices  # type: ignore[attr-defined]
                if choice[0] != EntrantStatus.ABSENT.value
            ]
        if not proposed:
            del self.fields["instead"]
            return
        self.proposed = {one.entrant.pk: one for one in proposed[:MOST_PROPOSED]}
        field = self.fields["instead"]
        field.initial = proposed[0].entrant.pk
        field.choices = [  # type: ignore[attr-defined]
            *((pk, f"{one.entrant.name} · {why(one)}") for pk, one in self.proposed.items()),
            ("", _("陪打")),
        ]

    def chosen(self) -> Proposal | None:
        """Whom the form names for the seat."""
        pk = self.cleaned_data.get("instead")
        return self.proposed.get(pk) if pk else None


class GapForm(forms.Form):
    """Who sits down at a seat that nobody has won (C9.3)."""

    instead = forms.ChoiceField(
        label=_("由谁坐下"), widget=forms.RadioSelect,
        help_text=_("上一轮没有晋级的选手，每局净舵高的在前。"),
        error_messages={"required": _("请选由谁坐下。")},
    )  # fmt: skip

    def __init__(
        self,
        *args: Any,
        proposed: Sequence[Proposal],
        filler: bool,
        stays_empty: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.proposed = {str(one.entrant.pk): one.entrant for one in proposed[:MOST_PROPOSED]}
        field = self.fields["instead"]
        field.initial = next(iter(self.proposed), FILLER)
        field.choices = [  # type: ignore[attr-defined]
            *(
                (one.entrant.pk, f"{one.entrant.name} · {why(one)}")
                for one in proposed[:MOST_PROPOSED]
            ),
            *([(FILLER, _("陪打"))] if filler else []),
            *([(FILLER, _("空着，三人打"))] if stays_empty else []),
        ]

    def chosen(self) -> Entrant | None:
        """Whom the form names; None for a filler, or for nobody."""
        return self.proposed.get(self.cleaned_data["instead"])


class WalkoverForm(forms.Form):
    """Why a table is not played (C9.3)."""

    reason = forms.CharField(
        label=_("原因"), max_length=200,
        error_messages={"required": _("请写一句为什么不打，如“对手都退赛了”。")},
    )  # fmt: skip


PARTNER = "partner"


class ReplaceForm(forms.Form):
    """Who takes over an entrant's place (C7.3)."""

    name = forms.CharField(
        label=_("接替的人的姓名"), max_length=60, error_messages={"required": _("请写姓名。")}
    )

    def __init__(self, *args: Any, entrant: Entrant, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entrant = entrant
        if entrant.partner is not None:
            who = forms.ChoiceField(
                label=_("换谁"),
                choices=[("entry", entrant.entry.name), (PARTNER, entrant.partner.name)],
                initial="entry",
                widget=forms.RadioSelect,
            )
            self.fields = {"who": who, **self.fields}

    @property
    def is_partner(self) -> bool:
        """Whether it is the second member of a pair who is replaced. Needs a valid form."""
        return self.cleaned_data.get("who") == PARTNER

    @property
    def replaced(self) -> Entry:
        """The entry that is handed on. Needs a valid form."""
        partner = self.entrant.partner
        return partner if self.is_partner and partner is not None else self.entrant.entry


def why(proposal: Proposal) -> str:
    """What speaks for him (C8.4)."""
    if not proposal.table:
        return gettext("预赛第 %(rank)s 名") % {"rank": proposal.place or "–"}
    return gettext("上一轮 %(table)d 桌第 %(place)s 名，每局净舵 %(net)s") % {
        "table": proposal.table,
        "place": proposal.place or "–",
        "net": decimal(proposal.per_hand),
    }
