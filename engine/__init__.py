"""The rules of 桂林字牌 as a library: count, play, record and replay a hand.

`best` counts a hand by the `Rules` that `preset` names. `engine.waits` says what a hand waits
for, `engine.slip` checks a slip; each module's first line says what else is where.
"""

from engine.errors import ZipaiError
from engine.evaluate import Grouping, best
from engine.melds import Kind, Meld, Source
from engine.rules import PRESETS, Rules, preset

__version__ = "0.1.0"

__all__ = ["PRESETS", "Grouping", "Kind", "Meld", "Rules", "Source", "ZipaiError", "best", "preset"]
