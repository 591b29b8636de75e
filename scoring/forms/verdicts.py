"""Forms of penalties, rulings and protests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.events import SEATS
from scoring.domain.board import Board
from scoring.domain.verdicts import levels_of
from scoring.enums import PenaltyKind, PenaltyLevel, ProtestAbout, ProtestState
from scoring.forms.entry import names_of
from scoring.penalties import MOST_POINTS, Offence
from scoring.words import fitting

ASK_AMOUNT = _("罚几舵？写 1 到 999。")
ASK_POINTS = _("罚几分？写 1 到 999。")


class OffenceForm(forms.Form):
    """Who and what for: the first half of a penalty, sent as a query."""

    position = forms.TypedChoiceField(
        label=_("罚谁"), coerce=int, widget=forms.RadioSelect,
        error_messages={"required": _("请选罚哪一位。")},
    )  # fmt: skip
    code = forms.ChoiceField(
        label=_("为什么"), required=False, widget=forms.RadioSelect,
    )  # fmt: skip

    def __init__(
        self, *args: Any, board: Board, offences: Sequence[Offence], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        _choices(self, "position", _seats(board))
        found = [(offence.code, offence.name) for offence in offences]
        _choices(self, "code", [*found, ("", _("别的原因"))])


class PenaltyForm(forms.Form):
    """A penalty of a seat (C6.5): which step of the ladder, and what it costs."""

    position = forms.TypedChoiceField(
        label=_("罚谁"), coerce=int, widget=forms.RadioSelect,
        error_messages={"required": _("请选罚哪一位。")},
    )  # fmt: skip
    code = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    level = forms.ChoiceField(
        label=_("怎么罚"), required=False, choices=PenaltyLevel.choices, widget=forms.RadioSelect
    )
    kind = forms.ChoiceField(
        label=_("罚出的舵归谁"),
        required=False,
        choices=[
            (PenaltyKind.DEDUCTION.value, _("扣罚，不给任何人")),
            (PenaltyKind.OPPONENTS.value, _("赔给每位对手")),
            (PenaltyKind.NONE.value, _("不扣分")),
        ],
        initial=PenaltyKind.DEDUCTION.value,
        widget=forms.RadioSelect,
    )
    amount = forms.IntegerField(
        label=_("几舵"), required=False, min_value=1, max_value=MOST_POINTS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("赔给对手时，是赔给每一位的舵数。"),
        error_messages={"min_value": ASK_AMOUNT, "max_value": ASK_AMOUNT},
    )  # fmt: skip
    stop_from = forms.IntegerField(
        label=_("从第几局起停和"), required=False, min_value=1, max_value=MOST_POINTS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    stop_hands = forms.IntegerField(
        label=_("停几局"), required=False, min_value=1, max_value=MOST_POINTS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("不填：停到这一桌打完。"),
    )  # fmt: skip
    hand = forms.IntegerField(
        label=_("哪一局"), required=False, min_value=1,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    reason = forms.CharField(
        label=_("为什么罚"), max_length=200, widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("请写明为什么罚。")},
    )  # fmt: skip

    def __init__(self, *args: Any, board: Board, is_chief: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _choices(self, "position", _seats(board))
        steps = [
            one for one in levels_of(board) if is_chief or one is not PenaltyLevel.DISQUALIFIED
        ]
        _choices(self, "level", [(one.value, one.label) for one in steps])
        self.is_counted = board.is_counted
        if not board.is_counted:
            self._speak_of_games(takes_points=PenaltyLevel.POINTS in steps)

    def _speak_of_games(self, *, takes_points: bool) -> None:
        """What only 字牌 knows is not asked; where games are counted nothing is taken (C10)."""
        gone = ("stop_from", "stop_hands") if takes_points else (
            "stop_from", "stop_hands", "kind", "amount",
        )  # fmt: skip
        for name in gone:
            del self.fields[name]
        self.fields["hand"].label = _("哪一盘")
        if takes_points:
            self.fields["kind"].label = _("罚出的分归谁")
            self.fields["amount"].label = _("几分")
            self.fields["amount"].help_text = _("赔给对手时，是赔给每一位的分数。")
            self.fields["amount"].error_messages |= dict.fromkeys(
                ("min_value", "max_value"), ASK_POINTS
            )

    def clean(self) -> dict[str, Any]:
        """A warning costs nothing; points are asked for where there are some."""
        given = super().clean() or self.cleaned_data
        usual = PenaltyLevel.POINTS if "kind" in self.fields else PenaltyLevel.WARNING
        level = PenaltyLevel(given.get("level") or usual)
        kind = PenaltyKind(given.get("kind") or PenaltyKind.NONE)
        if level == PenaltyLevel.WARNING:
            kind = PenaltyKind.NONE
        elif level == PenaltyLevel.POINTS and kind == PenaltyKind.NONE:
            self.add_error(
                "kind", fitting(self.is_counted, _("请选罚出的舵归谁。"), _("请选罚出的分归谁。"))
            )
        if kind == PenaltyKind.NONE:
            given["amount"] = 0
        elif not given.get("amount") and "amount" not in self.errors:
            self.add_error("amount", fitting(self.is_counted, ASK_AMOUNT, ASK_POINTS))
        return {**given, "level": level, "kind": kind}


def _seats(board: Board) -> list[tuple[object, object]]:
    return [
        (position, f"{SEATS[position]} {name}") for position, name in enumerate(names_of(board))
    ]


def _choices(form: forms.Form, name: str, choices: Sequence[tuple[object, object]]) -> None:
    form.fields[name].choices = choices  # type: ignore[attr-defined]


class HandRulingForm(forms.Form):
    """The points that stand for a hand (C6.6), and the protest they answer."""

    protest = forms.IntegerField(required=False, widget=forms.HiddenInput)
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
    """The places of a table (C6.6), and the protest they answer."""

    protest = forms.IntegerField(required=False, widget=forms.HiddenInput)
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
    """A protest: what it is about in one tap, and what happened."""

    about = forms.ChoiceField(label=_("申诉什么"), required=False, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("申诉内容"), max_length=400, widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("写明发生了什么、您认为应怎样。裁判长会答复。"),
        error_messages={"required": _("请写明申诉什么。")},
    )  # fmt: skip

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = names_of(board)
        self.hands = {str(v.hand.number): v.hand for v in board.versions}
        self.penalties = {str(one.pk): one for one in board.penalties}
        choices: list[tuple[object, object]] = [
            (f"hand:{number}", _("第 %(n)s 局") % {"n": number}) for number in self.hands
        ]
        choices += [
            (f"penalty:{pk}", f"{names[one.position]} {one.get_level_display()}")
            for pk, one in self.penalties.items()
        ]
        choices += [(str(one), one.label) for one in (ProtestAbout.PLACES, ProtestAbout.OTHER)]
        _choices(self, "about", choices)

    def subject(self) -> dict[str, Any]:
        """What it is about, as `domain.protests.protest` takes it. The form is valid."""
        word, _colon, key = self.cleaned_data["about"].partition(":")
        return {
            "about": ProtestAbout(word or ProtestAbout.OTHER),
            "hand": self.hands[key] if word == ProtestAbout.HAND else None,
            "penalty": self.penalties[key] if word == ProtestAbout.PENALTY else None,
        }


class AppealForm(forms.Form):
    """Why the answer is not accepted."""

    text = forms.CharField(
        label=_("为什么上诉"), max_length=400, widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("每件申诉只能上诉一次，上诉的答复是最后的。"),
        error_messages={"required": _("请写明为什么上诉。")},
    )  # fmt: skip


class AnswerForm(forms.Form):
    """The answer to a protest or an appeal."""

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


class VerdictSettingsForm(forms.Form):
    """What each offence usually costs in this competition, and who decides appeals."""

    committee = forms.CharField(
        label=_("仲裁"), max_length=120, required=False,
        help_text=_("写仲裁几个人的姓名，上诉的答复会写上他们；不写由裁判长答复上诉。"),
    )  # fmt: skip

    def __init__(self, *args: Any, offences: Sequence[Offence], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offences = offences
        kinds = [
            (PenaltyKind.DEDUCTION.value, PenaltyKind.DEDUCTION.label),
            (PenaltyKind.OPPONENTS.value, PenaltyKind.OPPONENTS.label),
        ]
        for offence in offences:
            words = {"what": offence.name}
            self.fields[f"kind_{offence.code}"] = forms.ChoiceField(
                label=_("%(what)s：归谁") % words, choices=kinds, initial=str(offence.kind)
            )
            self.fields[f"amount_{offence.code}"] = forms.IntegerField(
                label=_("%(what)s：几舵") % words,
                min_value=1,
                max_value=MOST_POINTS,
                initial=offence.amount,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
                error_messages={
                    "required": ASK_AMOUNT, "min_value": ASK_AMOUNT, "max_value": ASK_AMOUNT,
                },
            )  # fmt: skip

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Each offence with its two fields."""
        return [
            {
                "offence": offence,
                "level": offence.level.label,
                "kind": self[f"kind_{offence.code}"],
                "amount": self[f"amount_{offence.code}"],
            }
            for offence in self.offences
        ]

    def amounts(self) -> dict[str, tuple[PenaltyKind, int]]:
        """Code → who gets the points, how many. The form is valid."""
        given = self.cleaned_data
        return {
            one.code: (PenaltyKind(given[f"kind_{one.code}"]), given[f"amount_{one.code}"])
            for one in self.offences
        }


class UploadForm(forms.Form):
    """A file of many records."""

    file = forms.FileField(
        label=_("牌谱文件"),
        help_text=_("一个文件里可以有很多副牌，最大 10 MB。"),
        allow_empty_file=True,
        error_messages={"required": _("请先选一个文件。")},
    )
