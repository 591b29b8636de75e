"""Tags that draw cards and melds as they lie on the table (look.md, Cards).

Tags and not included templates: a page of twelve explained hands holds 250 cards.
"""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine import cards
from engine.melds import Kind

register = template.Library()

SPRITE = "cards/sprite.svg"
FACE_DOWN = {Kind.SAO: 3, Kind.GUOSAO: 2, Kind.SAOCHUAN: 4}
"""How many cards of a meld lie face down, first; of all others none."""
KIND_NAMES = {
    Kind.KAN: _("坎"),
    Kind.SAO: _("扫"),
    Kind.GUOSAO: _("过扫"),
    Kind.LONG: _("龙"),
    Kind.SAOCHUAN: _("扫穿"),
    Kind.KAIDUO: _("开舵"),
    Kind.PENG: _("碰"),
    Kind.CHI: _("吃"),
    Kind.SHUN: _("顺"),
    Kind.DA: _("搭"),
    Kind.JIANG: _("将"),
}


def _face(card: int, *, extra: str = "") -> SafeString:
    classes = f"card {'big' if cards.is_big(card) else 'small-card'}"
    classes += " red" if card in cards.RED else ""
    return format_html(
        '<svg class="{}{}" aria-hidden="true"><use href="{}#{}{}"/></svg>',
        classes,
        extra,
        static(SPRITE),
        "b" if cards.is_big(card) else "s",
        cards.rank(card),
    )


def _back() -> SafeString:
    return format_html(
        '<svg class="card back" aria-hidden="true"><use href="{}#back"/></svg>', static(SPRITE)
    )


@register.simple_tag
def card(name: str, won: bool = False) -> SafeString:
    """One card by its character: `{% card "柒" %}`; `won=True` marks the winning card.

    Raises `ZipaiError` `unknown-card` for what is no card.
    """
    return format_html(
        '<span class="one" role="img" aria-label="{}" lang="zh">{}</span>',
        name,
        _face(cards.parse(name), extra=" won" if won else ""),
    )


@register.simple_tag
def card_back() -> SafeString:
    """One card face down."""
    return format_html(
        '<span class="one" role="img" aria-label="{}">{}</span>', gettext("扣着的牌"), _back()
    )


@register.simple_tag
def hand_row(names: str, label: str = "") -> SafeString:
    """Cards side by side in the order given: `{% hand_row "四四四捌捌八" label=_("手牌") %}`."""
    return format_html(
        '<span class="hand" role="img" aria-label="{} {}" lang="zh">{}</span>',
        label,
        names,
        format_html_join("", "{}", ((_face(cards.parse(name)),) for name in names)),
    )


@register.simple_tag
def backs(count: int, shown: str = "") -> SafeString:
    """So many cards of somebody's hand face down; before them those that he has shown."""
    label = ngettext("%(n)d 张扣着的牌", "%(n)d 张扣着的牌", count) % {"n": count}
    faces = [_face(cards.parse(name)) for name in shown] + [_back()] * count
    return format_html(
        '<span class="hand" role="img" aria-label="{} {}">{}</span>',
        shown,
        label,
        format_html_join("", "{}", ((face,) for face in faces)),
    )


@register.simple_tag
def meld(value: Mapping[str, object]) -> SafeString:
    """A meld of the engine's JSON, `{"kind": "扫", "cards": "壹壹壹", "hu": 6}`, as it lies.

    Its name stands below, with the card where that lies face down, and its 胡 where not 0.
    """
    kind = Kind(str(value["kind"]))
    names = str(value["cards"])
    down = FACE_DOWN.get(kind, 0)
    faces = [
        _back() if place < down else _face(cards.parse(name)) for place, name in enumerate(names)
    ]
    return format_html(
        '<span class="meld" data-kind="{}"><span class="faces" role="img" aria-label="{}"'
        ' lang="zh">{}</span><span class="name">{}{}{}</span></span>',
        kind,
        names,
        format_html_join("", "{}", ((face,) for face in faces)),
        KIND_NAMES[kind],
        f" {names[0]}" if down else "",
        format_html(' <b class="hu">{}</b>', value["hu"]) if value["hu"] else "",
    )
