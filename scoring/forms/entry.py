"""Forms in which a hand is entered, one a level of evidence (C6.1).

They only read what was typed. What can be is decided by `scoring.evidence`, whose error names
the field it is about; the fields here have the names of its payloads.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from engine.errors import ZipaiError
from engine.events import SEATS
from engine.files import decode
from engine.result import DRAW_KIND
from engine.settle import playing_seats
from scoring.domain.board import Board
from scoring.domain.errors import BadEntry, in_language
from scoring.domain.hands import Difference, Entered, Late
from scoring.enums import Evidence
from scoring.evidence import MOST, MOST_TOTAL, RECORD_LIMIT
from scoring.models import HandVersion

SOURCES = (
    ("own-flip", _("自摸")),
    ("discard", _("点炮")),
    ("flip", _("别人翻")),
    ("deal", _("起手")),
    (DRAW_KIND, _("荒庄")),
)
SPECIALS = (
    ("", _("无")),
    ("天胡", _("天胡")),
    ("地胡", _("地胡")),
    ("三笼", _("三笼")),
    ("五坎", _("五坎")),
)
DIFFERENCES = (
    (str(Difference.COMPUTED), _("按算的记")),
    (str(Difference.FLAG), _("标为待裁，两个数都留着")),
)
RECORD_BYTES = 4 * RECORD_LIMIT


def names_of(board: Board) -> list[str]:
    """What the sheet calls its players, in seat order."""
    return [seat.entrant.name if seat.entrant else seat.word_for_nobody for seat in board.seats]


class CardsField(forms.CharField):
    """Cards, asked for without “（可不填）”: whether they may be missing is the engine's to say."""

    def validate(self, value: str) -> None:
        """Nothing is asked of the text itself."""


class EntryForm(forms.Form):
    """What all levels share: which hand, the request's key, what to do about a difference."""

    evidence: ClassVar[Evidence]
    use_required_attribute = False

    number = forms.IntegerField(label=_("第几局"), required=False, min_value=1, max_value=MOST)
    key = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    extra = forms.BooleanField(required=False, widget=forms.HiddenInput)
    difference = forms.ChoiceField(
        label=_("报的和算的不一样，怎样记"),
        required=False,
        choices=DIFFERENCES,
        widget=forms.RadioSelect,
    )
    effects_shown = forms.BooleanField(required=False, widget=forms.HiddenInput)
    as_played = forms.BooleanField(required=False, widget=forms.HiddenInput)
    replay = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.board = board
        self.fields["key"].initial = str(uuid.uuid4())
        if board.is_done:
            self.fields["reason"] = forms.CharField(
                label=_("更正的原因"), max_length=200, required=False
            )
        elif any(penalty.stop_from for penalty in board.penalties):
            self.fields["reason"] = forms.CharField(
                label=_("停和的人胡了：为什么算"), max_length=200, required=False
            )

    def payload(self) -> dict[str, Any]:
        """The payload of `scoring.evidence`."""
        raise NotImplementedError

    def entered(self) -> Entered:
        """What was entered, for `scoring.domain.hands`. The form is valid."""
        difference = Difference(self.cleaned_data["difference"] or Difference.ASK)
        return Entered(self.evidence, self.payload(), difference)

    def late(self) -> Late:
        """What comes with a change on a confirmed table."""
        return Late(
            reason=self.cleaned_data.get("reason", ""),
            effects_shown=self.cleaned_data["effects_shown"],
            as_played=self.cleaned_data["as_played"],
            replay=self.cleaned_data["replay"],
        )

    def blame(self, error: BadEntry) -> None:
        """Puts the error beside the field it is about."""
        field = error.entry.field
        self.add_error(field if field in self.fields else None, str(error))

    def renew_key(self) -> None:
        """A key of its own for what will be sent next from this form."""
        self._replace("key", str(uuid.uuid4()))

    def _replace(self, name: str, value: str) -> None:
        """Another value for a field that was sent."""
        data = cast(QueryDict, self.data).copy()
        data[name] = value
        self.data = data

    @classmethod
    def initial_of(cls, version: HandVersion) -> dict[str, Any]:
        """The fields of a form that corrects this version."""
        return {}


class WinForm(EntryForm):
    """What result lines and slips share: how it was won, by whom, who paid."""

    source = forms.ChoiceField(
        label=_("怎样胡的"), required=False, choices=SOURCES, widget=forms.RadioSelect
    )
    winner = forms.ChoiceField(label=_("谁胡"), required=False, widget=forms.RadioSelect)
    payer = forms.ChoiceField(label=_("谁点炮"), required=False, widget=forms.RadioSelect)
    special = forms.ChoiceField(
        label=_("特殊胡"), required=False, choices=SPECIALS, widget=forms.RadioSelect
    )
    last_card = forms.BooleanField(label=_("海底（墩已摸完，没有牌可翻醒）"), required=False)
    dealer = forms.ChoiceField(label=_("庄家"), required=False, widget=forms.RadioSelect)
    claim_total = forms.IntegerField(
        label=_("桌上报几舵"), required=False, min_value=0, max_value=MOST
    )

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, board=board, **kwargs)
        seats = [
            (SEATS[position], f"{SEATS[position]} {name}")
            for position, name in enumerate(names_of(board))
        ]
        for field in ("winner", "payer", "dealer"):
            self.fields[field].choices = seats  # type: ignore[attr-defined]

    @property
    def sits_out(self) -> str:
        """Who sits out this hand at a table of four (坐醒, R2.2), a sentence; "" at others."""
        count = len(self.board.seats)
        given = self["dealer"].value()
        dealer = SEATS.index(given) if given and given in SEATS else self.board.terms().dealer
        if dealer is None or not 0 <= dealer < count:
            return ""
        out = sorted(set(range(count)) - set(playing_seats(count, dealer)))
        if not out:
            return ""
        names = names_of(self.board)
        return _("%(dealer)s 坐庄，%(out)s 坐醒，这一局不打。") % {
            "dealer": f"{SEATS[dealer]} {names[dealer]}",
            "out": f"{SEATS[out[0]]} {names[out[0]]}",
        }

    def payload(self) -> dict[str, Any]:
        """Without what the way of winning makes needless: hidden keys are sent all the same."""
        given = self.cleaned_data
        payload: dict[str, Any] = {"source": given["source"], "dealer": given["dealer"]}
        if given["source"] == DRAW_KIND:
            return payload
        payload |= {
            "winner": given["winner"],
            "payer": given["payer"] if given["source"] == "discard" else None,
            "special": given["special"] or None,
            "last_card": given["last_card"],
            "claim": self.claim(),
        }
        return payload

    def claim(self) -> dict[str, int]:
        """What the table said."""
        total = self.cleaned_data["claim_total"]
        return {} if total is None else {"total": total}

    @classmethod
    def initial_of(cls, version: HandVersion) -> dict[str, Any]:
        """The seats and the way of winning, from whatever level the version has."""
        claim = version.payload.get("claim") or {}
        return {
            "source": version.source,
            "winner": SEATS[version.winners[0]] if version.winners else "",
            "payer": "" if version.payer is None else SEATS[version.payer],
            "special": version.special,
            "last_card": version.payload.get("last_card", False),
            "dealer": "" if version.dealer is None else SEATS[version.dealer],
            "claim_total": claim.get("total"),
            "claim_hu": claim.get("hu"),
        }


class ResultForm(WinForm):
    """The result line (结果行): eight taps at most."""

    evidence = Evidence.RESULT

    hu = forms.IntegerField(
        label=_("胡数"), required=False, min_value=0, max_value=MOST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    xing_count = forms.IntegerField(
        label=_("醒数"), required=False, min_value=0, max_value=MOST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip

    def payload(self) -> dict[str, Any]:
        """A 醒 that is left out is none."""
        payload = super().payload()
        if payload["source"] != DRAW_KIND:
            payload["hu"] = self.cleaned_data["hu"]
            payload["xing_count"] = self.cleaned_data["xing_count"] or 0
        return payload

    @classmethod
    def initial_of(cls, version: HandVersion) -> dict[str, Any]:
        """Whatever the engine knows of the hand."""
        found = super().initial_of(version)
        if version.winners:
            found |= {"hu": version.hu, "xing_count": version.xing}
        return found


class SlipForm(WinForm):
    """The slip (结算单): the winner's cards."""

    evidence = Evidence.SLIP

    hand = CardsField(
        label=_("手牌"),
        max_length=80,
        help_text=_("不含胡的那张，例如 四四四捌捌八。"),
    )
    table = forms.CharField(
        label=_("桌上的牌"),
        required=False,
        max_length=200,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("一行一组：吃 二七十，碰 九，扫 壹。"),
    )
    card = CardsField(label=_("胡牌"), max_length=4)
    xing = CardsField(label=_("翻醒"), max_length=40)
    claim_hu = forms.IntegerField(
        label=_("桌上报几胡"), required=False, min_value=0, max_value=MOST
    )

    def payload(self) -> dict[str, Any]:
        """The cards in cli.md's words."""
        payload = super().payload()
        if payload["source"] != DRAW_KIND:
            given = self.cleaned_data
            payload |= {
                "hand": given["hand"],
                "table": [line.strip() for line in given["table"].splitlines() if line.strip()],
                "card": given["card"] if given["source"] != "deal" else "",
                "xing": given["xing"],
            }
        return payload

    def claim(self) -> dict[str, int]:
        """What the table said, 胡 and 舵."""
        hu = self.cleaned_data["claim_hu"]
        return super().claim() | ({} if hu is None else {"hu": hu})

    @classmethod
    def initial_of(cls, version: HandVersion) -> dict[str, Any]:
        """The cards where they were a slip's."""
        found = super().initial_of(version)
        if version.evidence == Evidence.SLIP:
            payload = version.payload
            found |= {name: payload.get(name) or "" for name in ("hand", "card", "xing")}
            found["table"] = "\n".join(payload.get("table") or [])
        return found


class RecordForm(EntryForm):
    """The record (牌谱): pasted, or a file."""

    evidence = Evidence.RECORD

    text = forms.CharField(
        label=_("牌谱"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "off", "class": "zpr"}
        ),
        help_text=_("粘贴一副牌的字牌谱，或在下面选文件。"),
    )
    file = forms.FileField(label=_("文件"), required=False)

    def clean(self) -> dict[str, Any]:
        """A file's text takes the place of the typed one, and stays in the form."""
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        if file is None:
            return cleaned
        if file.size > RECORD_BYTES:
            self.add_error("file", _("文件太大。这里只收一副牌；很多副请到“核验牌谱”上传。"))
            return cleaned
        try:
            text = decode(file.read())
        except ZipaiError as error:
            self.add_error("file", in_language(error))
            return cleaned
        cleaned["text"] = text
        self._replace("text", text)
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The text, lines ended as in a file."""
        return {"text": self.cleaned_data["text"].replace("\r\n", "\n")}

    @classmethod
    def initial_of(cls, version: HandVersion) -> dict[str, Any]:
        """The text where there is one."""
        return {"text": version.payload.get("text", "")}


class TotalsForm(EntryForm):
    """Totals (总分): each player's ± from paper, for one hand or several."""

    evidence = Evidence.TOTALS

    hands = forms.IntegerField(label=_("共几局"), required=False, min_value=1, max_value=MOST)

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, board=board, **kwargs)
        for position, name in enumerate(names_of(board)):
            self.fields[f"delta_{position}"] = forms.IntegerField(
                label=f"{SEATS[position]} {name}",
                required=False,
                min_value=-MOST_TOTAL,
                max_value=MOST_TOTAL,
            )

    @property
    def delta_fields(self) -> list[forms.BoundField]:
        """The seats' fields in order."""
        return [self[f"delta_{position}"] for position in range(len(self.board.seats))]

    def payload(self) -> dict[str, Any]:
        """A seat left empty has won and lost nothing."""
        return {
            "deltas": [
                self.cleaned_data[f"delta_{position}"] or 0
                for position in range(len(self.board.seats))
            ],
            "hands": self.cleaned_data["hands"] or 1,
        }

    def blame(self, error: BadEntry) -> None:
        """A sum that is not zero is about the last seat's field."""
        if error.entry.field == "deltas":
            self.add_error(f"delta_{len(self.board.seats) - 1}", str(error))
        else:
            super().blame(error)

    @classmethod
    def initial_of(cls, version: HandVersion) -> dict[str, Any]:
        """The points of whatever level."""
        return {
            "hands": version.payload.get("hands", 1),
            **{f"delta_{position}": delta for position, delta in enumerate(version.deltas)},
        }
