"""The form of a game that is not 字牌 (C10)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.domain.board import Board
from scoring.domain.errors import BadEntry
from scoring.enums import Evidence
from scoring.forms.entry import EntryForm, names_of
from scoring.forms.verdicts import HandRulingForm
from scoring.games import MOST_GAME_POINTS, shares_of
from scoring.models import HandVersion
from scoring.shown_games import places_of, points_of

PAIR, LEVEL = 2, "level"
"""How many sit where one wins against the other, and what is sent for a draw."""


def winner_choices(board: Board) -> list[tuple[str, Any]]:
    """Who of two wins, or a draw between them."""
    first, second = (_("%(name)s 胜") % {"name": name} for name in names_of(board))
    return [("0", first), (LEVEL, _("和")), ("1", second)]


class GameRulingForm(HandRulingForm):
    """Who is given a game where games count: one, or several who share it (C6.6)."""

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, board=board, **kwargs)
        won = forms.TypedMultipleChoiceField(
            label=_("判谁赢（判和就都选）"),
            coerce=int,
            choices=[(str(seat), name) for seat, name in enumerate(names_of(board))],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": _("请选这一盘判谁赢，或判和。")},
        )
        kept = {name: self.fields[name] for name in ("protest", "reason")}
        self.fields = {"won": won, **kept}

    def deltas(self) -> list[int]:
        """The shares of the game."""
        won = self.cleaned_data["won"]
        return list(shares_of([1 if seat in won else 2 for seat in self.positions]))


class GameForm(EntryForm):
    """A game that is not 字牌 (C10): who won, or each one's place; points where they are kept."""

    evidence = Evidence.GAME

    def __init__(self, *args: Any, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, board=board, **kwargs)
        names, count = names_of(board), len(board.seats)
        if count == PAIR:
            self.fields["winner"] = forms.ChoiceField(
                label=_("谁赢"),
                required=False,
                choices=winner_choices(board),
                widget=forms.RadioSelect,
            )
        else:
            choices = [(str(n), _("第 %(n)d") % {"n": n}) for n in range(1, count + 1)]
            for position, name in enumerate(names):
                self.fields[f"place_{position}"] = forms.ChoiceField(
                    label=name, required=False, choices=choices, widget=forms.RadioSelect
                )
        for position, name in enumerate(names):
            self.fields[f"points_{position}"] = forms.IntegerField(
                label=name,
                required=False,
                min_value=-MOST_GAME_POINTS,
                max_value=MOST_GAME_POINTS,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    @property
    def place_fields(self) -> list[forms.BoundField]:
        """Each seat's place, in order; none at a table of two."""
        return [field for field in self if field.name.startswith("place_")]

    @property
    def points_fields(self) -> list[forms.BoundField]:
        """Each seat's points, in order."""
        return [field for field in self if field.name.startswith("points_")]

    def payload(self) -> dict[str, Any]:
        """Nothing at all chosen, or no points at all typed, is left out."""
        given, count = self.cleaned_data, len(self.board.seats)
        points = [given[f"points_{position}"] for position in range(count)]
        return {"places": self._places(), "points": points if set(points) != {None} else None}

    def _places(self) -> list[int | None] | None:
        given, count = self.cleaned_data, len(self.board.seats)
        if count == PAIR:
            known: dict[str, list[int | None]] = {"0": [1, 2], "1": [2, 1], LEVEL: [1, 1]}
            return known.get(given["winner"])
        places = [int(given[f"place_{p}"]) if given[f"place_{p}"] else None for p in range(count)]
        return places if set(places) != {None} else None

    def blame(self, error: BadEntry) -> None:
        """Beside the first field that is missing."""
        if error.entry.field == "points":
            self.add_error("points_0", str(error))
        elif error.entry.field == "places":
            self.add_error("winner" if "winner" in self.fields else "place_0", str(error))
        else:
            super().blame(error)

    @classmethod
    def initial_of(cls, version: HandVersion) -> dict[str, Any]:
        """What counts now."""
        found: dict[str, Any] = {}
        places = places_of(version)
        if places:
            found["winner"] = LEVEL if places.count(1) > 1 else str(places.index(1))
        found |= {f"place_{position}": str(place) for position, place in enumerate(places)}
        return found | {f"points_{position}": n for position, n in enumerate(points_of(version))}
