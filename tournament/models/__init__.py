"""Rows of the tournament: fields, constraints, slim properties; nothing that decides."""

from tournament.models.access import DeviceLink, Membership
from tournament.models.competition import Competition, Regulation
from tournament.models.draw import Draw
from tournament.models.event import Event, Stage
from tournament.models.people import ApartGroup, Entrant, Entry, Person
from tournament.models.play import Round, Seat, Table

__all__ = [
    "ApartGroup",
    "Competition",
    "DeviceLink",
    "Draw",
    "Entrant",
    "Entry",
    "Event",
    "Membership",
    "Person",
    "Regulation",
    "Round",
    "Seat",
    "Stage",
    "Table",
]
