"""What a phone reads from a sheet's page, as its scripts and its user would."""

from __future__ import annotations

import re

_NEXT = re.compile(r'<form[^>]*data-outbox[^>]*data-next="(\d+)"')
_EXTRA = re.compile(r'<input type="hidden" name="extra" value="(\w+)"')
_ACTOR = re.compile(r'data-actor="([^"]+)"')
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
_VERSION = re.compile(r'id="sheet-live"[^>]*data-version="([^"]*)"')
_SEEN = re.compile(r'name="seen" value="(\d+)"')
_DIGEST = re.compile(r'name="digest" value="([0-9a-f]{64})"')
_POSITIONS = re.compile(r'name="position" value="(\d)"')
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_NETS = re.compile(r'<span class="net">([^<]*)</span>')


class SheetPage:
    """The page of a sheet, of a hand's correction, of the confirmation or of effects."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _first(self, pattern: re.Pattern[str]) -> str:
        found = pattern.search(self.text)
        return found.group(1) if found else ""

    @property
    def next_number(self) -> int:
        """The number of the hand that the form is for, 0 where there is no form."""
        return int(self._first(_NEXT) or 0)

    @property
    def is_extra(self) -> bool:
        """Whether the form is that of a 加赛."""
        return self._first(_EXTRA) == "True"

    @property
    def actor(self) -> str:
        """In whose name the phone enters."""
        return self._first(_ACTOR)

    @property
    def token(self) -> str:
        """Against forged requests."""
        return self._first(_TOKEN)

    @property
    def version(self) -> str:
        """What the poll carries."""
        return self._first(_VERSION)

    @property
    def seen(self) -> int:
        """The version of the hand that a correction's form shows."""
        return int(self._first(_SEEN) or 0)

    @property
    def digest(self) -> str:
        """What a confirmation confirms, "" where there is nothing to confirm."""
        return self._first(_DIGEST)

    @property
    def positions(self) -> list[int]:
        """The seats for which this phone may still confirm."""
        return [int(found) for found in _POSITIONS.findall(self.text)]

    @property
    def hidden(self) -> dict[str, str]:
        """The hidden fields of the page's forms."""
        return dict(_HIDDEN.findall(self.text))

    @property
    def nets(self) -> list[int]:
        """The sums at the foot of the public ledger."""
        return [int(net.replace("−", "-")) for net in _NETS.findall(self.text)]

    def offers(self, what: str) -> bool:
        """Whether there is a form or link to this part of the sheet's addresses."""
        return f'/sheet/{what}/"' in self.text
