"""A table's sheet as public pages show it: the ledger, and each hand explained (C6).

Takes a `Board`, gives the contexts of `partials/ledger.html` and `partials/explained.html`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.templatetags.look import signed
from engine.settle import playing_seats
from scoring.domain.board import Board
from scoring.enums import Evidence, PenaltyKind
from scoring.explained import arithmetic
from scoring.finishes import spoken
from scoring.models import HandVersion, Penalty, Ruling
from scoring.outcomes import won_by
from scoring.shown_games import cell, counted_name, is_game, outcome
from scoring.sums import HandLine
from tournament.models.people import PAIR
from tournament.models.play import SEAT_NAMES
from tournament.queries.public import shown_name, without_names


class ShownSheet:
    """A sheet for everyone. `mask` hides the middle of names, in typed reasons too.

    `entrant_url` maps an entrant's id to his page. Reads what `Board` reads and nothing else.
    """

    def __init__(self, board: Board, *, mask: bool, urls: Mapping[int, str]) -> None:
        self.board = board
        self.mask = mask
        self.urls = urls
        self.full_names = [_full_name(seat) for seat in board.seats]
        self.names = [
            shown_name(name, seat.entrant.number, mask=mask)
            if seat.entrant
            else seat.word_for_nobody
            for seat, name in zip(board.seats, self.full_names, strict=True)
        ]

    def players(self) -> list[dict[str, Any]]:
        """The heads of the ledger's columns."""
        return [
            {
                "seat": SEAT_NAMES[seat.position],
                "name": name,
                "unit": seat.entrant.unit if seat.entrant else "",
                "url": self.urls.get(seat.entrant_id or 0),
                "filler": seat.is_filler,
                "sat_in_from": seat.sat_in_from,
            }
            for seat, name in zip(self.board.seats, self.names, strict=True)
        ]

    def ledger(self) -> dict[str, Any]:
        """All rows that count or once counted, in order; sums below once there is a hand."""
        board = self.board
        rows = [
            self._hand_row(version, line, totals)
            for version, line, totals in zip(
                board.versions, board.lines, board.running, strict=True
            )
        ]
        totals = list(board.running[-1]) if board.running else [0] * len(board.seats)
        rows += [self._penalty_row(one, totals) for one in board.penalties if one.has_points]
        return {
            "caption": "",
            "players": self.players(),
            "rows": rows,
            "nets": self._nets() if rows else [],
            "is_game": not board.is_counted,
            "counted": counted_name(board.event),
        }

    def _hand_row(
        self, version: HandVersion, line: HandLine, totals: Sequence[int]
    ) -> dict[str, Any]:
        number = version.hand.number
        label = f"{number}–{number + line.hands - 1}" if line.hands > 1 else str(number)
        if version.hand.is_extra:
            label = f"{number} {_('加赛')}"
        is_drawn = version.winners == [] and line.ruled is None and not version.is_void
        is_drawn = is_drawn and not is_game(version)
        state, state_label = self._state(version)
        return {
            "label": label,
            "url": f"#hand-{number}",
            "kind": "extra" if version.hand.is_extra or version.is_void else "hand",
            "dealer": "" if version.dealer is None else SEAT_NAMES[version.dealer],
            "state": state if state in ("flagged", "void") else "",
            "state_label": state_label,
            "ruled": line.ruled is not None,
            "drawn": is_drawn,
            "cells": [] if is_drawn else self._cells(version, line, totals),
        }

    def _cells(
        self, version: HandVersion, line: HandLine, totals: Sequence[int]
    ) -> list[dict[str, Any]]:
        count = len(self.board.seats)
        playing: Sequence[int] = range(count)
        if count == 4 and version.dealer is not None and self.board.is_counted:
            playing = playing_seats(count, version.dealer)
        winners = line.winners_counted or ()
        cells = []
        for seat in range(count):
            mark = ""
            if version.source == "own-flip" and seat in winners and seat in (version.winners or ()):
                mark = "自"
            elif seat == line.payer_counted and version.source == "discard":
                mark = "炮"
            total = None if version.is_void else self.board.figure(totals[seat])
            is_out = version.is_void or seat not in playing
            cells.append(
                {
                    "delta": None if is_out else self._delta(version, line, seat),
                    "total": total,
                    "won": seat in winners and not version.is_void,
                    "mark": "" if is_out else mark,
                    "was": None if is_game(version) else computed_of(line, seat),
                }
            )
        return cells

    @staticmethod
    def _delta(version: HandVersion, line: HandLine, seat: int) -> int | str:
        return cell(version, line, seat) if is_game(version) else line.points[seat]

    def _penalty_row(self, penalty: Penalty, totals: list[int]) -> dict[str, Any]:
        cells = []
        for seat in range(len(totals)):
            delta = penalty.deltas[seat]
            if seat == penalty.position:
                delta -= penalty.deducted
            totals[seat] += delta
            cells.append({"delta": delta, "total": totals[seat], "won": False, "mark": ""})
        return {
            "label": str(PenaltyKind(penalty.kind).label),
            "url": "#penalties",
            "kind": "penalty",
            "dealer": "",
            "state": "",
            "state_label": "",
            "drawn": False,
            "cells": cells,
        }

    def _nets(self) -> list[dict[str, Any]]:
        is_done = self.board.is_done
        computed = self.computed_places() if is_done else {}
        return [
            {
                "net": total.net,
                "place": seat.place if is_done else None,
                "was_place": computed.get(seat.position),
                "advances": bool(seat.advances) and is_done,
                "deducted": total.deducted,
            }
            for seat, total in zip(self.board.seats, self.board.sums.seats, strict=True)
        ]

    def computed_places(self) -> dict[int, int]:
        """Position → the place that was computed, where the chief referee has ruled another."""
        ruled = self.board.ruled_places or {}
        rows = [row for row in self.board.ranking.rows if row.place is not None] if ruled else []
        return {row.key: place for place, row in enumerate(rows, 1) if ruled.get(row.key) != place}

    def _state(self, version: HandVersion) -> tuple[str, str]:
        if version.is_void:
            return "void", _("作废")
        if is_game(version) and not version.is_flagged:
            return "", ""
        if version.is_flagged and version.hand_id not in self.board.rulings:
            return "flagged", pgettext("sheet", "待裁")
        word = str(Evidence(version.evidence).label)
        if version.is_checked:
            return "checked", _("%(evidence)s · 已核牌") % {"evidence": word}
        return "evidence", word

    def hands(self, record_url: str) -> list[dict[str, Any]]:
        """Each hand explained, in order. `record_url` is the address of the record of hand 0,
        ending in `/0.zpr`."""
        return [
            self._explained(version, line, record_url)
            for version, line in zip(self.board.versions, self.board.lines, strict=True)
        ]

    def _explained(self, version: HandVersion, line: HandLine, record_url: str) -> dict[str, Any]:
        number = version.hand.number
        computed = version.computed or {}
        state, state_label = self._state(version)
        ruling = None if version.is_void else self.board.rulings.get(version.hand_id)
        title = (_("第 %(n)d 盘") if is_game(version) else _("第 %(n)d 局")) % {"n": number}
        is_win = bool(version.winners) and not version.is_void
        has_record = version.evidence == Evidence.RECORD and not version.is_void
        return {
            "anchor": f"hand-{number}",
            "title": f"{title} · {_('加赛')}" if version.hand.is_extra else title,
            "outcome": self.outcome(version),
            "url": None,
            "state": state,
            "state_label": state_label,
            "melds": computed.get("melds") or [] if is_win else [],
            "card": computed.get("card") or "" if is_win else "",
            "xing_cards": computed.get("xing_cards") or "" if is_win else "",
            "sum": arithmetic(computed, self.board.rules) if is_win and computed else None,
            "deltas": self._deltas(line)
            if not is_game(version) and (any(version.deltas) or any(line.points))
            else [],
            "claimed": self._claimed(version),
            "reseated": self._reseated(version),
            "ruled": self._ruled(ruling) if ruling else "",
            "ask": ""
            if version.is_void or is_game(version)
            else record_url.replace("/0.zpr", f"/{number}/ask/"),
            "record": record_url.replace("/0.zpr", f"/{number}.zpr") if has_record else "",
            "replay": record_url.replace("/0.zpr", f"/{number}/replay/") if has_record else "",
        }

    @staticmethod
    def _reseated(version: HandVersion) -> str:
        """Which seats the evidence names otherwise, as the wrong people sat there (C9.4)."""
        seats = [] if version.is_void else version.payload.get("seats") or []
        moves = [
            _("%(was)s是%(now)s") % {"was": SEAT_NAMES[seat], "now": SEAT_NAMES[target]}
            for seat, target in enumerate(seats)
            if seat != target
        ]
        return (
            _("坐错了座位：原来记的%(moves)s。") % {"moves": _("，").join(moves)} if moves else ""
        )

    def _deltas(self, line: HandLine) -> list[dict[str, Any]]:
        return [
            {"name": name, "delta": line.points[seat], "was": computed_of(line, seat)}
            for seat, name in enumerate(self.names)
        ]

    def outcome(self, version: HandVersion) -> str:
        """One sentence: who won how, 荒庄, or how little is known."""
        if is_game(version):
            return outcome(version, self.names)
        if version.is_void:
            return _("这一局作废，不计分")
        if version.winners is None:
            return _("只记了分数")
        return won_by(
            [self.names[seat] for seat in version.winners],
            version.source,
            payer="" if version.payer is None else self.names[version.payer],
            card=str((version.computed or {}).get("card") or ""),
            special=version.special,
        )

    def _claimed(self, version: HandVersion) -> str:
        """What the table said where the computed value differs (C6.3)."""
        claim = version.payload.get("claim") if isinstance(version.payload, dict) else None
        if version.is_void:
            return ""
        if not isinstance(claim, dict):
            return _("牌谱里写的结果和算得的不一样") if version.is_flagged else ""
        parts = []
        for key, computed, pattern in (
            ("hu", version.hu, _("报 %(said)s 胡，算得 %(computed)s 胡")),
            ("total", version.total, _("报 %(said)s 舵，算得 %(computed)s 舵")),
        ):
            said = claim.get(key)
            if isinstance(said, int) and said != computed:
                parts.append(pattern % {"said": said, "computed": computed})
        return _("；").join(parts)

    def _ruled(self, ruling: Ruling) -> str:
        points = _("，").join(
            f"{name} {signed(self.board.figure(delta))}"
            for name, delta in zip(self.names, ruling.deltas, strict=False)
        )
        return _("按 %(points)s 记。理由：%(reason)s") % {
            "points": points,
            "reason": self.public(ruling.reason),
        }

    def public(self, text: str) -> str:
        """A typed text with the names of who sits here masked where names are."""
        return without_names(text, self.full_names) if self.mask else text

    def places_ruled(self) -> str:
        """Why the chief referee has fixed the places, or nothing (C6.6)."""
        ruling = self.board.rulings.get(None)
        return self.public(ruling.reason) if ruling else ""

    def reasons(self) -> list[str]:
        """Why each stands before the next, once the table is done (C8.1)."""
        board = self.board
        if not board.is_done or board.ruled_places is not None:
            return []
        return [
            _("%(upper)s 在 %(lower)s 之前：%(why)s")
            % {
                "upper": self.names[reason.upper],
                "lower": self.names[reason.lower],
                "why": spoken(reason),
            }
            for reason in board.ranking.reasons
        ]


def _full_name(seat: Any) -> str:
    if not seat.entrant:
        return ""
    own = cast("str", seat.entrant.entry.person.name)
    return f"{own}{PAIR}{seat.entrant.partner.person.name}" if seat.entrant.partner else own


def computed_of(line: HandLine, seat: int) -> int | None:
    """What was computed for a seat where a ruling says something else, None where none does."""
    if line.ruled is None or line.ruled[seat] == line.deltas[seat]:
        return None
    return line.deltas[seat]
