"""Forms of penalties, rulings and protests."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.events import SEATS
from scoring.domain.board import Board
from scoring.domain.verdicts import MOST_POINTS
from scoring.enums import PenaltyKind, ProtestState
from scoring.forms.entry import names_of


class PenaltyForm(forms.Form):
    """Points taken from a seat (C6.5)."""

    position = forms.TypedChoiceField(
        label=_("罚谁"), coerce=int, widget=forms.RadioSelect,
        error_messages={"required": _("请选罚哪一位。")},
    )  # fmt: skip
    kind = forms.ChoiceField(
        label=_("罚出的舵归谁"),
        choices=[
            (PenaltyKind.OPPONENTS.value, _("赔给每位对手")),
            (PenaltyKind.DEDUCTION.value, _("扣罚，不给任何人")),
        ],
        initial=PenaltyKind.DEDUCTION.value,
        widget=forms.RadioSelect,
    )
    amount = forms.IntegerField(
        label=_("几舵"), min_value=1, max_value=MOST_POINTS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("赔给对手时，是赔给每一位的舵数。"),
        error_messages={"required": _("罚几舵？写 1 到 999。")},
    )  # fmt: skip
    hand = forms.IntegerField(label=_("哪一局"), required=False, min_value=1)
    reason = forms.CharField(
        label=_("为什么罚"), max_length=200, error_messages={"required": _("请写明为什么罚。")}
    )

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["position"].choices = [  # type: ignore[attr-defined]
            (position, f"{SEATS[position]} {name}") for position, name in enumerate(names_of(board))
        ]


class HandRulingForm(forms.Form):
    """The points that stand for a hand (C6.6)."""

    reason = forms.CharField(
        label=_("理由"), max_length=400, widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("裁决要写明理由。")},
    )  # fmt: skip

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.positions = [seat.position for seat in board.seats]
        seats: dict[str, forms.Field] = {
            f"delta_{position}": forms.IntegerField(
                label=f"{SEATS[position]} {name}",
                required=False,
                min_value=-MOST_POINTS,
                max_value=MOST_POINTS,
            )
            for position, name in enumerate(names_of(board))
        }
        self.fields = {**seats, **self.fields}

    def deltas(self) -> list[int]:
        """One number a seat; empty is 0."""
        return [self.cleaned_data[f"delta_{position}"] or 0 for position in self.positions]


class TableRulingForm(forms.Form):
    """The places of a table (C6.6)."""

    reason = forms.CharField(
        label=_("理由"), max_length=400, widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("裁决要写明理由。")},
    )  # fmt: skip

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.positions = [seat.position for seat in board.seats if seat.entrant_id]
        names = names_of(board)
        ranked = [row.key for row in board.ranking.rows if row.place is not None]
        seats: dict[str, forms.Field] = {
            f"place_{position}": forms.IntegerField(
                label=f"{SEATS[position]} {names[position]}",
                min_value=1,
                max_value=len(self.positions),
                initial=ranked.index(position) + 1,
                error_messages={"required": _("请写名次。")},
            )
            for position in self.positions
        }
        self.fields = {**seats, **self.fields}

    def places(self) -> dict[int, int]:
        """Position → place."""
        return {position: self.cleaned_data[f"place_{position}"] for position in self.positions}


class ProtestForm(forms.Form):
    """A protest, about a hand or the table."""

    hand = forms.IntegerField(label=_("哪一局"), required=False, min_value=1)
    text = forms.CharField(
        label=_("申诉内容"), max_length=400, widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("写明发生了什么、您认为应怎样。裁判长会答复。"),
        error_messages={"required": _("请写明申诉什么。")},
    )  # fmt: skip


class AnswerForm(forms.Form):
    """The chief referee's answer to a protest."""

    state = forms.ChoiceField(
        label=_("答复"),
        choices=[
            (ProtestState.UPHELD.value, ProtestState.UPHELD.label),
            (ProtestState.REJECTED.value, ProtestState.REJECTED.label),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("请选成立还是驳回。")},
    )
    answer = forms.CharField(
        label=_("说明"), max_length=400, widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("请写明答复。")},
    )  # fmt: skip


class UploadForm(forms.Form):
    """A file of many records."""

    file = forms.FileField(
        label=_("牌谱文件"),
        help_text=_("一个文件里可以有很多副牌，最大 10 MB。"),
        allow_empty_file=True,
        error_messages={"required": _("请先选一个文件。")},
    )
