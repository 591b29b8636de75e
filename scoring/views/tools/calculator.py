"""算胡器: a hand counted, or what it waits for, under any rules. The address is the hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine import cards
from engine.errors import ZipaiError
from engine.explain import nearest
from engine.melds import SOURCE_NAMES, Meld, Source
from engine.slip_cards import check_cards
from engine.slip_json import read_meld
from engine.waits import waits
from scoring.asked import (
    compared,
    entry_compared,
    faces,
    grouped_cards,
    problem_of,
    ruled_sum,
    title_of,
)
from scoring.domain.errors import in_language
from scoring.forms.tools import CalculatorForm
from scoring.otherwise import Named, Otherwise, beside, entry_under
from scoring.replayed import Waiting, waiting
from scoring.views.tools.limit import too_much

MOST_GROUPED = 28
"""More cards than this are no hand, and grouping them would take long."""
WITHOUT_CARD = Source.DISCARD
"""Where nothing says how the card will come, no own flip is forced."""


@never_cache
@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """The form with its answer; to htmx the answer alone."""
    refused = too_much(request)
    if refused is not None:
        return refused
    form = CalculatorForm(request.GET)
    url = reverse("calculator")
    query = form.query()
    address = f"{url}?{query}" if query else url
    is_part = bool(request.headers.get("HX-Request"))
    context = {
        "form": form,
        "is_part": is_part,
        "answer": answer(form),
        "address": address,
        "link": request.build_absolute_uri(address),
    }
    template = "public/calculator_answer.html" if is_part else "public/calculator.html"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    if is_part:
        response["HX-Replace-Url"] = address
    return response


def answer(form: CalculatorForm) -> dict[str, Any] | None:
    """What is said to the hand; None where there is none yet."""
    if not form.is_valid():
        problems = [str(error) for errors in form.errors.values() for error in errors]
        return {"problem": {"text": problems[0], "rule": ""}}
    given = form.cleaned_data
    if not any(given[name].strip() for name in ("hand", "table", "card")):
        return None
    named = form.named()
    if given["source"] != "deal" and not given["card"].strip():
        return _waiting(form, named)
    payload = form.payload()
    dealer = "甲乙".index(str(payload["dealer"]))
    found = entry_under("slip", payload, dealer, named)
    shown: dict[str, Any] = {"rules": title_of(named)}
    others = entry_compared("slip", payload, dealer, beside(named.rules))
    if any(one.computed is not None for one in others):
        shown["compared"] = compared(others)
    if found.error is not None:
        return shown | {
            "problem": problem_of(found.error),
            "field": found.error.field,
            "nearest": faces(found.error.melds, found.error.left)
            or (_nearest(form, named) if found.error.code == "deal-count" else None),
        }
    return shown | _won(found, str(given["source"]), is_last=given["last_card"])


def _won(found: Otherwise, source: str, *, is_last: bool) -> dict[str, Any]:
    computed = dict(found.computed or {})
    return {
        "hu": computed["hu"],
        "melds": computed["melds"],
        "card": computed["card"],
        "xing_cards": computed["xing_cards"],
        "sum": ruled_sum(computed, found.rules),
        "turn_rule": "" if not found.turn_more else "R8.3" if computed["xing_cards"] else "R8.1",
        "spare": cards.text(found.spare),
        "spare_rule": "R8.5" if found.rules.unit == "hu" else "R8.4" if is_last else "R8.1",
        "pays_rule": "R9.3",
        "deltas": _deltas(computed["deltas"], source),
    }


def _deltas(deltas: list[int], source: str) -> list[dict[str, Any]]:
    """What each gets, by what he is at the table."""
    found = [{"name": _("胡家"), "delta": deltas[0]}]
    if source == "discard":
        found.append({"name": _("点炮的"), "delta": deltas[1]})
        others = [d for d in deltas[2:] if d]
    else:
        others = [d for d in deltas[1:] if d]
    if others:
        name = _("另一家") if len(others) == 1 else _("另外每家")
        found.append({"name": name, "delta": others[0]})
    return found


def _waiting(form: CalculatorForm, named: Named) -> dict[str, Any]:
    """What the hand waits for, or why it waits for nothing."""
    shown: dict[str, Any] = {"rules": title_of(named)}
    try:
        hand = cards.pack(cards.parse_many(form.cleaned_data["hand"]))
        table = _table(form, named)
    except ZipaiError as error:
        return shown | {"problem": problem_of(error)}
    try:
        check_cards(hand, table, None, WITHOUT_CARD, (), named.rules, waiting=True)
    except ZipaiError as error:
        if error.code == "deal-count" and _is_whole(hand, table, named):
            whole = _(
                "牌已经够数了。请把胡的那一张从手牌里拿出来，放到“胡牌”；要看听哪些牌，就少放一张。"
            )
            return shown | {"problem": {"text": whole, "rule": "R7.1"}}
        return shown | {"problem": problem_of(error), "field": "hand"}
    held = hand + cards.pack(c for meld in table for c in meld.cards)
    found = waiting(waits(hand, table, named.rules), held)
    good = [one for one in found if one.most >= named.rules.min_hu]
    shown |= {
        "is_waiting": True,
        "waits": grouped_cards(good),
        "short": grouped_cards([one for one in found if one not in good]),
        "min_hu": named.rules.min_hu,
        "count": sum(one.left for one in good),
        "others": [_waits_under(form, hand, one) for one in beside(named.rules)],
    }
    if not found:
        close = nearest(hand, table, None, WITHOUT_CARD, named.rules)
        shown["nearest"] = faces(close.melds, close.left)
    return shown


def _nearest(form: CalculatorForm, named: Named) -> dict[str, Any] | None:
    """The grouping that comes closest where only the number of cards is wrong; else None."""
    given = form.cleaned_data
    try:
        hand = cards.pack(cards.parse_many(given["hand"]))
        card = next(iter(cards.parse_many(given["card"])), None)
        table = _table(form, named)
    except ZipaiError:
        return None
    seen = cards.pack(c for meld in table for c in meld.cards)
    seen += hand + (0 if card is None else cards.UNIT[card])
    if cards.size(seen) > MOST_GROUPED or any(
        cards.count(seen, c) > cards.COPIES for c in range(cards.KINDS)
    ):
        return None
    source = Source(SOURCE_NAMES.index(given["source"]))
    close = nearest(hand, table, card, source, named.rules)
    return faces(close.melds, close.left)


def _table(form: CalculatorForm, named: Named) -> tuple[Meld, ...]:
    return tuple(read_meld(line, named.rules) for line in form.melds)


def _is_whole(hand: int, table: tuple[Meld, ...], named: Named) -> bool:
    """Whether these are as many cards as a win has."""
    try:
        check_cards(hand, table, None, WITHOUT_CARD, (), named.rules)
    except ZipaiError:
        return False
    return True


def _waits_under(form: CalculatorForm, hand: int, named: Named) -> dict[str, Any]:
    """The waits under other rules in one line."""
    row: dict[str, Any] = {"title": title_of(named)}
    try:
        table = _table(form, named)
        check_cards(hand, table, None, WITHOUT_CARD, (), named.rules, waiting=True)
    except ZipaiError as error:
        return row | {"problem": in_language(error)}
    found: list[Waiting] = list(waiting(waits(hand, table, named.rules), 0, named.rules.min_hu))
    return row | {"waits": [{"card": cards.NAMES[one.card], "hu": one.most} for one in found]}
