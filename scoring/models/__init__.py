"""Rows of what happened at the tables: fields, constraints, slim properties."""

from scoring.models.sheet import Confirmation, Hand, HandVersion, Sheet, TieBreak
from scoring.models.verdict import Penalty, Protest, Ruling

__all__ = [
    "Confirmation",
    "Hand",
    "HandVersion",
    "Penalty",
    "Protest",
    "Ruling",
    "Sheet",
    "TieBreak",
]
