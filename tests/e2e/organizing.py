"""An organizer's way through the pages, and what journeys type and tap."""

from __future__ import annotations

import random
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from engine.notation import Line
from engine.record import Record, export
from engine.rules import preset
from engine.simulate import play_hand
from tests.e2e.stations import follow
from tournament.models import Competition

PASSWORD = "漓江-wheel-27"
UNITS = ("象山队", "七星队", "叠彩队", "秀峰队", "雁山队", "临桂队", "灵川队")
SURNAMES = "覃莫蒋唐秦阳李廖韦黄蒙陆潘谢龙石罗欧邓周吴郑冯陈褚卫沈韩"
PASTED = "\n".join(
    f"{name}小{'明芳强丽'[i % 4]}\t{UNITS[i // 4]}" for i, name in enumerate(SURNAMES)
)
HANDS = 3


@dataclass
class Organizer:
    """An organizer's browser; works the same with and without scripts."""

    page: Page
    site: str

    def log_in(self, username: str) -> None:
        self.page.goto(f"{self.site}/accounts/login/")
        self.page.fill("[name=username]", username)
        self.page.fill("[name=password]", PASSWORD)
        follow(self.page.locator("main button[type=submit]").first)

    def press(self, name: str) -> None:
        """A button whose answer is a page."""
        follow(self.page.get_by_role("button", name=name, exact=True).first)

    def follow(self, name: str) -> None:
        follow(self.page.locator("main a").get_by_text(name, exact=True).first)

    def create(self) -> Competition:
        """Name and date are enough (C2.1)."""
        self.page.goto(f"{self.site}/manage/")
        follow(self.page.get_by_text("新建比赛").first)
        self.page.fill("[name=name]", "漓江杯")
        self.page.fill("[name=starts_on]", "2026-12-05")
        self.press("新建比赛")
        expect(self.page.locator("h1")).to_have_text("漓江杯")
        return Competition.objects.get(name="漓江杯")

    def open(self, competition: Competition, tail: str = "") -> None:
        self.page.goto(f"{self.site}/c/{competition.code}/manage/{tail}")

    def shorten(self, competition: Competition) -> None:
        """Three hands a table, the final too."""
        self.open(competition, "play/")
        self.page.fill("[name=hands]", str(HANDS))
        self.page.fill("[name=final_hands]", str(HANDS))
        follow(self.page.locator("main form button.primary"))

    def paste(self, competition: Competition) -> None:
        self.open(competition)
        self.follow("粘贴名单")
        self.page.fill("textarea", PASTED)
        self.press("添加")
        expect(self.page.locator("main")).to_contain_text("已添加 28 名选手")

    def choose_plan(self, competition: Competition) -> None:
        """C3.2: two ways side by side; the other one is taken, then the one for four seats."""
        self.open(competition, "draw/")
        for name in ("首轮轮空", "四人桌"):
            way = self.page.locator(".way", has=self.page.locator("h3", has_text=name))
            expect(way).to_have_count(1)
            follow(way.get_by_role("button", name="用这个办法"))
            expect(self.page.locator(".way.chosen h3")).to_contain_text(name)

    def draw(self) -> None:
        """Freeze, words from the hall, publish (C4)."""
        self.press("冻结名单")
        expect(self.page.locator("h2").first).to_have_text("名单已冻结")
        self.page.fill("[name=words]", "三五六红")
        self.press("抽签")

    def publish(self, competition: Competition) -> None:
        self.press("公布签表")
        expect(self.page.locator("main")).to_contain_text("签表已公布")
        self.open(competition)
        self.press("公布比赛")

    def give_link(self, competition: Competition, role: str) -> str:
        self.open(competition, "links/")
        self.page.locator("[name=role]").select_option(role)
        self.page.fill("[name=label]", "一号裁判")
        self.press("发链接")
        return self.page.locator(".qr-card .url").inner_text().strip()

    def print_tables(self, competition: Competition) -> list[str]:
        self.open(competition, "links/")
        self.press("印桌链接")
        cards = self.page.locator(".qr-card .url")
        expect(cards).to_have_count(9)
        return [url.strip() for url in cards.all_inner_texts()]


def simulated(dealer: int) -> str:
    """A whole hand's record under the default rules (seed 11)."""
    hand = play_hand(preset("competition"), random.Random(11), dealer=dealer)
    return export(
        Record(
            rules_id="competition",
            rules=hand.rules,
            dealer=hand.dealer,
            deal=tuple(tuple(hand.deal[seat]) for seat in range(3)),
            wall=tuple(hand.wall),
            lines=tuple(map(Line, hand.events)),
        )
    )


def tap(page: Page, *selectors: str) -> int:
    """Taps each; returns how many."""
    for selector in selectors:
        page.locator(selector).first.tap()
    return len(selectors)


def keep(page: Page) -> int:
    """Taps the key at the foot of a sheet; back, with its one tap, when the answer's page is."""
    follow(page.locator(".savebar button"), Locator.tap)
    return 1


def key(name: str, value: str) -> str:
    return f'.key:has([name={name}][value="{value}"])'
