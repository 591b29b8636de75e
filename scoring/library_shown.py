"""What the pages of the 牌谱库 show, as plain values: hits, and statistics as bars."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules import PRESET_TITLES
from scoring.charts import WIDTH, bar
from scoring.enums import Evidence
from scoring.forms.tools import SOURCES
from scoring.outcomes import won_by
from scoring.play_statistics import Play, spread
from scoring.queries_library import Hit, Open
from scoring.statistics import tenths
from tournament.enums import StageKind
from tournament.forms.rules import spoken
from tournament.models.play import SEAT_NAMES, round_title


def hit_shown(found: Open, hit: Hit) -> dict[str, Any]:
    """A hand that was found: who won how, its melds, what it came to, where it is."""
    row = hit.row
    computed = (hit.record.computed if hit.record else hit.version.get("computed")) or {}
    names = [seat.who for seat in hit.seats] or list(SEAT_NAMES)
    payer = hit.version.get("payer")
    if hit.record is not None and computed["payer"]:
        payer = SEAT_NAMES.index(computed["payer"])
    return {
        "outcome": won_by(
            [name for seat, name in enumerate(names) if row.winners >> seat & 1],
            row.source,
            payer="" if payer is None else names[payer],
            card=computed.get("card") or "",
            special=row.special,
        ),
        "sum": _sum(hit) if row.winners else "",
        "melds": computed.get("melds") or [] if row.winners else [],
        "is_ruled": row.is_ruled,
        "is_record": row.evidence == Evidence.RECORD,
        "rules": spoken(PRESET_TITLES[row.rules]) if row.rules in PRESET_TITLES else row.rules,
        "players": _("、").join(seat.who for seat in hit.seats),
        **_place(found, hit),
    }


def _place(found: Open, hit: Hit) -> dict[str, str]:
    """Whose hand it is, where, and the page on which it can be seen again."""
    row = hit.row
    if row.collection_id is not None:
        return {
            "of": found.collections.get(row.collection_id, ""),
            "where": _("第 %(n)d 副") % {"n": row.number},
            "url": reverse("library_record", args=[row.record_id]),
        }
    shown = found.competitions[row.competition_id or 0]
    table = "hand__sheet__table"
    title = round_title(
        hit.version[f"{table}__round__number"],
        hit.version[f"{table}__round__name"],
        is_last=hit.version[f"{table}__round__is_last"],
        is_prelim=hit.version[f"{table}__round__stage__kind"] == StageKind.PRELIM,
    )
    at = _("第 %(table)d 桌第 %(hand)d 局") % {
        "table": hit.version[f"{table}__number"],
        "hand": row.number,
    }
    args = [shown.code, row.table_id, row.number]
    is_record = row.evidence == Evidence.RECORD
    page = reverse("table", args=[shown.code, row.table_id]) + f"#hand-{row.number}"
    return {
        "of": shown.name,
        "where": f"{title} · {at}",
        "url": reverse("replay", args=args) if is_record else page,
    }


def _sum(hit: Hit) -> str:
    """`16 胡 · 1 醒 · 6 舵`; where points are not 舵, without them."""
    row = hit.row
    parts = [
        ngettext("%(n)d 胡", "%(n)d 胡", row.hu) % {"n": row.hu},
        ngettext("%(n)d 醒", "%(n)d 醒", row.xing) % {"n": row.xing},
    ]
    if row.dealer_net is not None:
        parts.append(ngettext("%(n)d 舵", "%(n)d 舵", row.total) % {"n": row.total})
    return " · ".join(parts)


def play_shown(play: Play, counts: Mapping[int, int]) -> dict[str, Any]:
    """The statistics as facts and bars."""
    spoken_sources = dict(SOURCES)
    shares = [
        _share(name, str(label), play.sources[name], play.won)
        for name, label in spoken_sources.items()
        if play.sources.get(name)
    ]
    ranges = spread(counts)
    most = max((hands for _low, _high, hands in ranges), default=0)
    return {
        "play": play,
        "mean_hu": _mean(play.mean_hu),
        "mean_xing": _mean(play.mean_xing),
        "drawn": _percent(play.drawn, play.hands),
        "dealer_won": _percent(play.dealer_won, play.won),
        "dealer_expected": f"{tenths(play.dealer_expected * 100)}%",
        "dealer_mean": _signed(play.dealer_mean),
        "shares": shares,
        "specials": [
            _share("special", name, hands, play.won)
            for name, hands in sorted(play.specials.items(), key=lambda one: (-one[1], one[0]))
        ],
        "spread": [
            {
                "label": str(low) if low == high else f"{low}–{high}",
                "text": _hands(hands),
                "length": bar(hands, most),
            }
            for low, high, hands in ranges
        ],
        "width": WIDTH,
    }


def _share(kind: str, label: str, hands: int, of: int) -> dict[str, Any]:
    return {
        "kind": kind,
        "label": label,
        "text": _percent(hands, of),
        "hands": _hands(hands),
        "length": bar(hands, of),
    }


def _hands(count: int) -> str:
    return ngettext("%(n)d 局", "%(n)d 局", count) % {"n": count}


def _percent(part: int, of: int) -> str:
    """With one place, halves up."""
    return f"{tenths(Fraction(part * 100, of))}%" if of else ""


def _mean(value: Fraction | None) -> str:
    return "" if value is None else tenths(value)


def _signed(value: Fraction | None) -> str:
    """A mean with its sign and one place, `−0.4`."""
    if value is None:
        return ""
    text = tenths(abs(value))
    if text == "0.0":
        return "0"
    return f"{'+' if value > 0 else '−'}{text}"
