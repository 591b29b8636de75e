"""The forms of a page as a browser would send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from tests.faults.strange import Pairs


@dataclass
class FoundForm:
    """Where a form goes, how, and what it holds as it stands."""

    action: str
    method: str
    pairs: Pairs = field(default_factory=list)


class _Forms(HTMLParser):
    """Collects forms, the fields outside that name them by `form=` left aside."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[FoundForm] = []
        self._select = ""
        self._area: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes what begins a form or is a field of it."""
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(FoundForm(told.get("action", ""), told.get("method", "get").upper()))
        if not self.found:
            return
        pairs = self.found[-1].pairs
        name = told.get("name", "")
        if tag == "input" and told.get("type") == "file":
            pairs.append((name, ("a.zpr", "字牌谱 1\n".encode())))
        elif tag == "input" and name != "csrfmiddlewaretoken":
            is_choice = told.get("type") in ("checkbox", "radio")
            if name and (not is_choice or "checked" in told):
                pairs.append((name, told.get("value", "on" if is_choice else "")))
        elif tag == "button" and name:
            pairs.append((name, told.get("value", "")))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and "selected" in told:
            pairs.append((self._select, told.get("value", "")))
        elif tag == "textarea":
            self._area = name
            pairs.append((name, ""))

    def handle_data(self, data: str) -> None:
        """Takes what stands in a textarea."""
        if self._area is not None and self.found:
            name, value = self.found[-1].pairs[-1]
            if name == self._area:
                self.found[-1].pairs[-1] = (name, f"{value}{data}")

    def handle_endtag(self, tag: str) -> None:
        """Ends a choice or a textarea."""
        if tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = None


def forms_of(html: str) -> list[FoundForm]:
    """All forms of a page, in their order."""
    reader = _Forms()
    reader.feed(html)
    return reader.found
