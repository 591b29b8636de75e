"""Rows of what happened at the tables: fields, constraints, slim properties."""

from scoring.models.book import BookEdition
from scoring.models.editing import Editing
from scoring.models.library import Collection, LibraryHand, UploadedRecord
from scoring.models.recording import Recording
from scoring.models.rejudge import Rejudge, RejudgedHand, RejudgedTable
from scoring.models.sheet import Confirmation, Hand, HandVersion, Sheet, TieBreak
from scoring.models.verdict import Penalty, Protest, Ruling, VerdictSettings

__all__ = [
    "BookEdition",
    "Collection",
    "Confirmation",
    "Editing",
    "Hand",
    "HandVersion",
    "LibraryHand",
    "Penalty",
    "Protest",
    "Recording",
    "Rejudge",
    "RejudgedHand",
    "RejudgedTable",
    "Ruling",
    "Sheet",
    "TieBreak",
    "UploadedRecord",
    "VerdictSettings",
]
