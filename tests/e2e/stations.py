"""What the journeys share: browsers of people, screenshots of stations, axe-core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page

PHONE, DESK = 360, 1280
AXE = Path(__file__).parent / "vendor" / "axe" / "axe.min.js"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
GRAVE = ("serious", "critical")
# Keys under a bar that sticks to the foot of the screen count as small: test_look measures them.
FAULTS_JS = """async tags => {
  const found = await axe.run(document, {
    runOnly: tags, resultTypes: ["violations"], rules: {"target-size": {enabled: false}},
  });
  return found.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.target.join(" "))]);
}"""


class Album:
    """Screenshots of stations, in the folder that SCREENSHOTS names or a passing one."""

    def __init__(self, passing: Path) -> None:
        self.folder = Path(os.environ.get("SCREENSHOTS") or passing)
        self.folder.mkdir(parents=True, exist_ok=True)

    def take(self, page: Page, name: str) -> None:
        """The whole page as it is."""
        page.screenshot(path=self.folder / f"{name}.png", full_page=True)

    def take_all(self, page: Page, name: str) -> None:
        """The page on a phone and on a desk, light and dark."""
        before = page.viewport_size
        for width, height in ((PHONE, 740), (DESK, 800)):
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                self.take(page, f"{name}-{width}-{scheme}")
        page.emulate_media(color_scheme="light")
        if before:
            page.set_viewport_size(before)


@contextmanager
def someone(browser: Browser, width: int = DESK, **options: Any) -> Iterator[Page]:
    """Somebody's browser with its own cookies; an error in a script fails the test."""
    is_phone = width == PHONE
    context = browser.new_context(
        viewport={"width": width, "height": 740 if is_phone else 800},
        **{"locale": "zh-CN", "has_touch": is_phone, "is_mobile": is_phone, **options},
    )
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    assert faults == []


def follow(way: Locator, act: Callable[[Locator], None] = Locator.click) -> None:
    """Clicks what leads to another page, and comes back when that page is whole.

    A click alone comes back before the answer: what is read or done next without asking again
    would meet the page before, or one that is just being left.
    """
    with way.page.expect_navigation():
        act(way)


def log_in_as(context: BrowserContext, url: str, session_key: str) -> None:
    """Gives the browser the session of an account."""
    context.add_cookies([{"name": "sessionid", "value": session_key, "url": url}])


def grave_faults(page: Page) -> list[Any]:
    """What axe-core finds that is serious or critical: (impact, rule, where)."""
    # A page reached by a click is there from its first byte on, when it has no element yet.
    page.wait_for_load_state()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return [fault for fault in page.evaluate(FAULTS_JS, list(RULES)) if fault[0] in GRAVE]


def overflows(page: Page) -> bool:
    """Whether the page scrolls sideways."""
    width = page.evaluate("document.documentElement.scrollWidth")
    return bool(width > page.evaluate("document.documentElement.clientWidth"))


def sound(page: Page) -> None:
    """No sideways scrolling on a phone and nothing grave for axe."""
    before = page.viewport_size
    page.set_viewport_size({"width": PHONE, "height": 740})
    assert not overflows(page), page.url
    assert grave_faults(page) == [], page.url
    if before:
        page.set_viewport_size(before)
