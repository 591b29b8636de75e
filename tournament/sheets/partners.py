"""With whom a row's person plays where two play together (C10): found in the list or known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.domain.pasting import clean_name
from tournament.sheets.entering import Offer
from tournament.sheets.judged import Judged, Known, Mate, Verdict
from tournament.sheets.reasons import Code, Reason

Key = tuple[str, int]


@dataclass(frozen=True)
class _Player:
    """Somebody who may be a partner: a row's person, or who is known and in no row."""

    key: Key
    name: str
    unit: str
    number: int | None
    events: frozenset[str]
    known: Known | None
    mate: Mate


def with_partners(
    judged: Sequence[Judged], known: Sequence[Known], offer: Offer | None
) -> list[Judged]:
    """The rows with `mate`, wrong where their 搭档 cannot be: nobody, several, himself, not in
    the event, or somebody else's. Who is in no event of pairs may name none."""
    if offer is None or not offer.has_pairs:
        return list(judged)
    paired = {one.name for one in offer.events if one.is_pairs}
    players: dict[str | int, list[_Player]] = {}
    for player in _players(judged, known):
        players.setdefault(player.name, []).append(player)
        if player.number is not None:
            players.setdefault(player.number, []).append(player)
    taken: dict[Key, Key] = {}
    return [_with_partner(one, players, paired, taken) for one in judged]


def _players(judged: Sequence[Judged], known: Sequence[Known]) -> list[_Player]:
    found = []
    in_rows = set()
    for judged_row in judged:
        if judged_row.verdict is Verdict.WRONG or judged_row.is_double:
            continue
        row, sure = judged_row.row, judged_row.sure_target
        if sure is not None:
            in_rows.add(sure.pk)
        found.append(
            _Player(
                _key(judged_row), row.name, row.unit,
                row.number or (sure.number if sure else None),
                frozenset(row.chosen) | frozenset(sure.playing if sure else ()),
                sure, Mate(row.name, line=row.line) if sure is None else Mate(row.name, sure.pk),
            )
        )  # fmt: skip
    found += [
        _Player(
            ("entry", one.pk), one.name, one.unit, one.number,
            frozenset(one.playing), one, Mate(one.name, one.pk),
        )
        for one in known
        if one.pk not in in_rows and not one.has_left
    ]  # fmt: skip
    return found


def _key(one: Judged) -> Key:
    sure = one.sure_target
    return ("line", one.row.line) if sure is None else ("entry", sure.pk)


def _with_partner(
    one: Judged, players: Mapping[str | int, list[_Player]], paired: set[str], taken: dict[Key, Key]
) -> Judged:
    text = one.row.partner
    if not text or one.verdict is Verdict.WRONG or one.is_double:
        return one
    own, sure = _key(one), one.sure_target
    events = paired & {*one.row.chosen, *(sure.playing if sure else ())}
    if not events:
        return _wrong(one, Code.NOT_PAIRS)
    fitting = _called(text, players)
    if [player.key for player in fitting] == [own]:
        return _wrong(one, Code.PARTNER_SELF)
    fitting = [player for player in fitting if player.key != own]
    if len(fitting) > 1:
        fitting = [player for player in fitting if player.unit == one.row.unit] or fitting
    if len(fitting) > 1:
        return _wrong(one, Code.PARTNERS, text=text, n=len(fitting))
    if not fitting:
        return _wrong(one, Code.NO_PARTNER, text=text)
    (mate,) = fitting
    common = events & mate.events
    if not common:
        return _wrong(one, Code.PARTNER_ELSEWHERE, name=mate.name, event=min(events))
    for player, other in ((sure, mate.known), (mate.known, sure)):
        for event, pk, _name in player.pairs if player is not None else ():
            if event in common and (other is None or other.pk != pk):
                assert player is not None
                return _wrong(one, Code.PARTNER_TAKEN, name=player.name)
    if taken.setdefault(own, mate.key) != mate.key:
        return _wrong(one, Code.PARTNER_TAKEN, name=one.row.name)
    if taken.setdefault(mate.key, own) != own:
        return _wrong(one, Code.PARTNER_TAKEN, name=mate.name)
    one = replace(one, mate=mate.mate)
    if one.verdict is Verdict.SAME and one.changes:
        return replace(one, verdict=Verdict.CHANGED)
    return one


def _called(text: str, players: Mapping[str | int, list[_Player]]) -> list[_Player]:
    """Those of this number, else of this name."""
    digits = text.removesuffix("号").strip()
    if digits.isdecimal() and len(digits) < 8:
        return players.get(int(digits), [])
    return players.get(clean_name(text), [])


def _wrong(one: Judged, code: Code, **named: object) -> Judged:
    return Judged(one.row, Verdict.WRONG, (Reason(code, named),))
