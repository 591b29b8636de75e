"""Rows of the tournament: fields, constraints, slim properties; nothing that decides."""

from tournament.models.access import DeviceLink, Membership
from tournament.models.announcement import Announcement
from tournament.models.api import ApiToken
from tournament.models.competition import Competition, Regulation
from tournament.models.draw import Draw
from tournament.models.event import Event, Stage
from tournament.models.floor import Attendance, Call, ExtraTime
from tournament.models.imports import ImportBatch
from tournament.models.people import ApartGroup, Entrant, Entry, Person
from tournament.models.play import Round, Seat, Table
from tournament.models.registration import Consent, Registration
from tournament.models.schedule import Batch, RefereeAway, SchedulePublication
from tournament.models.screen import ScreenSettings
from tournament.models.seal import Seal
from tournament.models.venue import Room, Session

__all__ = [
    "Announcement",
    "ApartGroup",
    "ApiToken",
    "Attendance",
    "Batch",
    "Call",
    "Competition",
    "Consent",
    "DeviceLink",
    "Draw",
    "Entrant",
    "Entry",
    "Event",
    "ExtraTime",
    "ImportBatch",
    "Membership",
    "Person",
    "RefereeAway",
    "Registration",
    "Regulation",
    "Room",
    "Round",
    "SchedulePublication",
    "ScreenSettings",
    "Seal",
    "Seat",
    "Session",
    "Stage",
    "Table",
]
