"""What one version of a hand says otherwise than another, in short phrases (C6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.templatetags.look import signed
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.shown_games import is_game, outcome

UNKNOWN = "–"


def differences(before: HandVersion, after: HandVersion, names: Sequence[str]) -> list[str]:
    """What has changed from `before` to `after`: `胡 16 → 17`, `付：乙 → 丙`. `names` are those of
    the seats in order. Empty where both say the same."""
    if after.is_void and not before.is_void:
        return [_("作废"), *([] if is_game(after) else [_points(before, after, len(names))])]
    found = [_("不再作废")] if before.is_void and not after.is_void else []
    if after.is_flagged and not before.is_flagged:
        found.append(_("标为待裁"))
    if before.is_flagged and not after.is_flagged and not after.is_void:
        found.append(_("不再待裁"))
    if is_game(after):
        said = outcome(before, names), outcome(after, names)
        return [*found, *([" → ".join(said)] if said[0] != said[1] else [])]
    pairs = [
        (_("记法"), Evidence(before.evidence).label, Evidence(after.evidence).label),
        (_("谁胡"), _winners(before, names), _winners(after, names)),
        (_("怎么胡"), _source(before), _source(after)),
        (_("付"), _name(before.payer, names), _name(after.payer, names)),
        (_("胡数"), _number(before.hu), _number(after.hu)),
        (_("醒"), _number(before.xing), _number(after.xing)),
        (_("特殊"), before.special or UNKNOWN, after.special or UNKNOWN),
        (_("庄"), _name(before.dealer, names), _name(after.dealer, names)),
    ]
    found += [
        _("%(what)s：%(before)s → %(after)s") % {"what": what, "before": one, "after": other}
        for what, one, other in pairs
        if str(one) != str(other)
    ]
    if _cards(before) != _cards(after) and before.evidence == after.evidence:
        found.append(_("牌面改了"))
    if before.deltas != after.deltas:
        found.append(_points(before, after, len(names)))
    return found


def _points(before: HandVersion, after: HandVersion, seats: int) -> str:
    return _("舵 %(before)s → %(after)s") % {
        "before": points(before.deltas[:seats]),
        "after": points(after.deltas[:seats]),
    }


def points(deltas: Sequence[int]) -> str:
    """Points of the seats in order: `+6/−6/0`."""
    return "/".join(signed(delta) for delta in deltas)


def _winners(version: HandVersion, names: Sequence[str]) -> str:
    if version.winners is None:
        return UNKNOWN
    if not version.winners:
        return _("荒庄")
    return _("、").join(names[seat] for seat in version.winners)


def _source(version: HandVersion) -> str:
    words = {
        "own-flip": _("自摸"),
        "flip": _("翻出的牌"),
        "discard": _("点炮"),
    }
    if not version.winners:
        return UNKNOWN
    return words.get(version.source, _("起手胡"))


def _name(position: int | None, names: Sequence[str]) -> str:
    return UNKNOWN if position is None else names[position]


def _number(value: int | None) -> str:
    return UNKNOWN if value is None else str(value)


def _cards(version: HandVersion) -> Any:
    payload = version.payload if isinstance(version.payload, dict) else {}
    computed = version.computed or {}
    return computed.get("melds"), computed.get("card"), payload.get("text")
