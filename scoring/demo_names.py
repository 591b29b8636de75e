"""Who plays in the demo: made-up people of Guilin and the units they play for."""

from __future__ import annotations

import random
from collections.abc import Sequence

SURNAMES = "莫秦唐蒋阳覃韦李黄陈刘廖谢周邓文全龙容粟"
_GIVEN = (
    "桂英 桂生 秀兰 玉兰 玉珍 月娥 春梅 冬梅 美玲 丽华 淑芬 凤英 小燕 海燕 红梅 金花 "
    "建国 建军 国强 志强 志明 德明 德胜 德旺 永福 永祥 长生 荣华 家旺 家兴 文华 文斌 "
    "少华 少云 继光 光荣 启明 启贤 伟民 卫东 新民 立新 水生 水清 山林 木生 火旺 土生 "
    "小明 晓东 晓玲 丽萍 静 敏 勇 军 平 萍 芳 斌"
)
GIVEN = _GIVEN.split()
UNITS = (
    "象山区", "七星区", "秀峰区", "叠彩区", "雁山区", "临桂区", "阳朔县", "灵川县", "全州县",
    "兴安县", "永福县", "灌阳县", "龙胜县", "资源县", "平乐县", "恭城县", "荔浦市",
)  # fmt: skip
PER_UNIT = 3
"""Entrants of a unit on the average, so that the draw has whom to keep apart (C4.4)."""


def roster(count: int, rng: random.Random) -> list[tuple[str, str]]:
    """`count` people as name and unit, no two with the same name."""
    units = UNITS[: max(1, count // PER_UNIT)]
    everybody = [surname + given for surname in SURNAMES for given in GIVEN]
    return [(name, rng.choice(units)) for name in rng.sample(everybody, count)]


def as_pasted(people: Sequence[tuple[str, str]]) -> str:
    """The list as an organizer pastes it: one a line, name and unit."""
    return "\n".join(f"{name}\t{unit}" for name, unit in people)
