"""Words replaced in the text of some HTML: pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape as escape_xml

from django.utils.html import escape

_TAG = re.compile(r"(<[^>]*>)")
SHORTEST = 2
"""A word of one character is only replaced where it is all that stands between two tags."""


def replaced(html: str, words: Mapping[str, str]) -> str:
    """The HTML with each of these words replaced in its text, longer ones first; tags stay."""
    pairs: dict[str, str] = {}
    alone: dict[str, str] = {}
    for word, other in words.items():
        for write in (escape, escape_xml):
            kept = pairs if len(word) >= SHORTEST else alone
            kept[str(write(word))] = str(write(other))
    if not pairs and not alone:
        return html
    swap: Callable[[re.Match[str]], str] = lambda match: pairs[match[0]]  # noqa: E731
    longest_first = sorted(pairs, key=len, reverse=True)
    found = re.compile("|".join(map(re.escape, longest_first))) if pairs else None
    pieces = _TAG.split(html)
    for index in range(0, len(pieces), 2):
        piece = pieces[index]
        if piece.strip() in alone:
            pieces[index] = piece.replace(piece.strip(), alone[piece.strip()])
        elif found is not None:
            pieces[index] = found.sub(swap, piece)
    return "".join(pieces)
