"""A player's numbers as his page shows them, with the charts' shapes and what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.templatetags.look import signed
from scoring.bracket import Urls
from scoring.charts import HEIGHT, WIDTH, bar, line
from scoring.queries_public import SeatRow
from scoring.statistics import Fact, Numbers, Sitting, numbers, tenths


def shown_numbers(
    facts: Sequence[Fact],
    sittings: Sequence[Sitting],
    tables: Mapping[int, SeatRow],
    titles: Mapping[int, str],
    urls: Urls,
) -> dict[str, Any] | None:
    """The context of `public/numbers.html`; None where he has not played a hand yet.

    `sittings` are his, in the order played; `tables` has his seat at each table, `titles` the
    title of each round.
    """
    found = numbers(facts, sittings)
    if not found.hands:
        return None
    chart = line(found.running, found.ends)
    return {
        "found": found,
        "shares": _shares(found),
        "mean_hu": "" if found.mean_hu is None else tenths(found.mean_hu),
        "mean_xing": "" if found.mean_xing is None else tenths(found.mean_xing),
        "best": _best(found, facts, tables, titles, urls),
        "width": WIDTH,
        "height": HEIGHT,
        "chart": chart,
        "chart_text": _("每局以后的净舵：最高 %(high)s，最低 %(low)s，最后 %(last)s 舵。")
        % {"high": signed(chart.high), "low": signed(chart.low), "last": signed(chart.last)}
        if chart
        else "",
        "tables": [
            {
                "title": titles[tables[one.table].round],
                "url": urls.table(one.table),
                "net": signed(one.net),
                "left": one.left,
            }
            for one in sittings
        ],
    }


def _shares(found: Numbers) -> list[dict[str, Any]]:
    """The bars: each label, how many of the hands that are known, and its length."""
    return [
        {
            "kind": kind,
            "label": label,
            "value": value,
            "text": ngettext("%(n)d 局", "%(n)d 局", value) % {"n": value},
            "length": bar(value, found.known),
        }
        for kind, label, value in (
            ("won", _("胡"), found.won),
            ("own-flip", _("自摸"), found.own_flips),
            ("discards", _("点炮"), found.discards),
        )
        if found.known
    ]


def _best(
    found: Numbers,
    facts: Sequence[Fact],
    tables: Mapping[int, SeatRow],
    titles: Mapping[int, str],
    urls: Urls,
) -> dict[str, str] | None:
    """His hand with most 舵: what it was and where."""
    best = found.best
    if best is None:
        return None
    fact = next(f for f in facts if f.table == best.table and f.line.number == best.hand)
    return {
        "value": _("%(hu)s 胡 %(xing)s 醒 = %(total)s 舵")
        % {"hu": fact.hu, "xing": fact.xing, "total": fact.total},
        "where": f"{titles[tables[best.table].round]} · {_('第 %(n)d 局') % {'n': best.hand}}",
        "url": f"{urls.table(best.table)}#hand-{best.hand}",
    }
