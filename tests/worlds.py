"""A competition in every state of C7, with people in every role, for tests of rights."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.domain import jobs
from core.models import User
from scoring.domain.board import Board
from scoring.domain.hands import Entered, enter_hand
from scoring.domain.protests import protest
from scoring.domain.recording import begin_recording
from scoring.domain.sheets import call_time, confirm_sheet, open_sheet, submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import Evidence, PenaltyKind
from scoring.models import Sheet
from tests.factories import make_user
from tests.tournament.competitions import Made, draw, make
from tournament.acting import Acting
from tournament.domain.apart import keep_apart
from tournament.domain.clock import give_time
from tournament.domain.draws import publish_draw
from tournament.domain.entries import add_entry, withdraw_before_draw
from tournament.domain.links import issue_link
from tournament.enums import CallKind, ConfirmationMode, EntrantStatus, Role
from tournament.models import Call, Competition, Entrant, Membership, Table

STATES = ("hidden", "planned", "drawn", "published", "open", "submitted", "confirmed", "final")
"""`hidden`: as drawn, the competition itself not published. From `open` on, table 1 is in that
state; at `final` the last round is confirmed, which made all before it final."""
WIN = {"source": "own-flip", "winner": "甲", "hu": 16, "xing_count": 1}
ABSENT = 999_999
"""The primary key of nothing."""
NOT_OURS = ("django_session",)


@dataclass
class World:
    """What the addresses are about. A key of something that this state has not is `ABSENT`."""

    state: str
    made: Made
    clients: dict[str, Client] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    token: str = ""

    @property
    def competition(self) -> Competition:
        return self.made.competition

    @property
    def entry_id(self) -> int:
        """The entry of the entrant elsewhere."""
        return Entrant.objects.get(pk=self.ids["elsewhere"]).entry_id

    @property
    def own_entry_id(self) -> int:
        """The entry of the entrant at table 1 who has a link."""
        return Entrant.objects.get(pk=self.ids["entrant"]).entry_id

    @property
    def entry_number(self) -> int:
        """His number."""
        return Entrant.objects.select_related("entry").get(pk=self.ids["elsewhere"]).number

    def digest_of_sheet(self) -> str:
        """What a confirmation of table 1 has to name."""
        found = Sheet.objects.filter(table_id=self.ids["table"]).first()
        return Board(found).digest if found else "-"


def build(state: str) -> World:
    """Nine entrants at three tables and a final, three hands a table."""
    made = make(9)
    made.stage.hands = made.stage.final_hands = 3
    made.stage.save()
    world = World(state, made)
    made.competition.published_at = None if state == "hidden" else timezone.now()
    made.competition.save()
    keep_apart(acting=made.owner, event=made.event, name="莫家", numbers=[1, 2])
    gone = add_entry(acting=made.owner, event=made.event, name="退一").entrants.get()
    withdraw_before_draw(acting=made.owner, entrant=gone)
    world.ids["gone"] = gone.pk
    if state != "planned":
        draw(made)
    if state not in ("planned", "drawn", "hidden"):
        publish_draw(acting=made.owner, stage=made.stage)
    _name_things(world)
    world.ids["leaver"] = world.ids["elsewhere"]
    _invite(world)
    if state in STATES[STATES.index("open") :]:
        _play(world, made.tables(1)[0])
    if state in ("confirmed", "final"):
        for table in made.tables(1)[1:]:
            play_and_confirm(made, table)
    if state == "final":
        play_and_confirm(made, made.tables(2)[0])
        world.ids["leaver"] = made.event.entrants.get(status=EntrantStatus.IN).pk
    made.competition.refresh_from_db()
    return world


def _acting(world: World, role: Role, who: str) -> Acting:
    user = User.objects.get(username=f"{world.competition.code}-{who}")
    return Acting(user_id=user.pk, competition_id=world.competition.pk, roles=frozenset({role}))


def _enter(acting: Acting, sheet: Sheet, **how: str) -> int:
    entered = Entered(Evidence.RESULT, {**WIN, **how})
    return enter_hand(acting=acting, sheet=sheet, entered=entered).hand_id


def play_and_confirm(made: Made, table: Table) -> None:
    """Three hands won by 甲, the last one from 乙, confirmed by the chief referee."""
    sheet = open_sheet(table)
    for _hand in range(2):
        _enter(made.owner, sheet)
    _enter(made.owner, sheet, source="discard", payer="乙")
    submit_sheet(acting=made.owner, sheet=sheet)
    confirm_sheet(acting=made.owner, sheet=sheet, digest=Board(sheet).digest)


def _play(world: World, table: Table) -> None:
    """Two of three hands at table 1, then the bell; with a penalty, a ruling and a protest."""
    author, owner = _acting(world, Role.REFEREE, "author"), world.made.owner
    sheet = open_sheet(table)
    hand_id = [_enter(author, sheet), _enter(author, sheet)][1]
    world.ids["recording"] = begin_recording(acting=author, sheet=sheet).pk
    call_time(acting=author, sheet=sheet)
    penalty = penalize(
        acting=owner, sheet=sheet, position=2, kind=PenaltyKind.DEDUCTION, amount=1, reason="迟到"
    )
    hand = sheet.hands.get(pk=hand_id)
    ruling = rule_on_hand(acting=owner, hand=hand, deltas=[4, -2, -2], reason="录像")
    objection = protest(acting=author, sheet=sheet, text="不对")
    world.ids |= {"penalty": penalty.pk, "ruling": ruling.pk, "protest": objection.pk}
    (extra,) = give_time(
        acting=author, round_=table.round, tables=[table.pk], minutes=5, reason="停电"
    )
    called = Call.objects.create(table=table, kind=CallKind.CARDS, called_at=timezone.now())
    world.ids |= {"extra": extra.pk, "call": called.pk}
    if world.state != "open":
        submit_sheet(acting=author, sheet=sheet)
    if world.state in ("confirmed", "final"):
        confirm_sheet(acting=owner, sheet=sheet, digest=Board(sheet).digest)


def _name_things(world: World) -> None:
    made = world.made
    tables = made.tables(1)
    drawn = made.stage.draws.first()
    seated = (
        Entrant.objects.filter(seats__table=tables[0]).order_by("seats__position")
        if tables
        else made.event.entrants.order_by("pk")
    )
    others = (
        Entrant.objects.filter(seats__table=tables[1]).order_by("seats__position")
        if tables
        else made.event.entrants.order_by("-entry__number")[1:]
    )
    last = made.stage.rounds.order_by("number").last()
    group = made.competition.apart_groups.get()
    job = jobs.enqueue(
        kind="verify-records",
        payload={"name": "a.zpr"},
        scope=made.competition.scope,
        actor=made.owner,
    )
    world.ids |= {
        "event": made.event.pk,
        "table": tables[0].pk if tables else ABSENT,
        "other": tables[1].pk if tables else ABSENT,
        "seat": tables[0].seats.get(position=0).pk if tables else ABSENT,
        "first_round": tables[0].round_id if tables else ABSENT,
        "extra": ABSENT,
        "call": ABSENT,
        "draw": drawn.pk if drawn else ABSENT,
        "round": last.pk if last else ABSENT,
        "entrant": seated[0].pk,
        "elsewhere": others[0].pk,
        "group": group.pk,
        "job": job.pk,
        "penalty": ABSENT,
        "recording": ABSENT,
        "ruling": ABSENT,
        "protest": ABSENT,
    }


def _invite(world: World) -> None:
    """Everybody of ROLES in tests/rights.py."""
    made, people = world.made, world.clients
    people["."] = Client()
    people["x"] = _member(world, "outsider")
    people["S"] = _member(world, "operator")
    User.objects.filter(username=f"{world.competition.code}-operator").update(is_superuser=True)
    people["O"] = _member(world, "owner", Role.OWNER)
    people["G"] = _member(world, "organizer", Role.ORGANIZER)
    people["C"] = _member(world, "chief", Role.CHIEF)
    people["R"] = _member(world, "referee", Role.REFEREE)
    people["A"] = _member(world, "author", Role.REFEREE)
    for letter, name in (("T", "table"), ("t", "other")):
        table = Table.objects.filter(pk=world.ids[name]).first()
        people[letter] = _with_link(world, Role.TABLE, table=table) if table else Client()
    for letter, name in (("E", "entrant"), ("e", "elsewhere")):
        entrant = Entrant.objects.get(pk=world.ids[name])
        people[letter] = _with_link(world, Role.ENTRANT, entrant=entrant)
    spare = issue_link(
        acting=made.owner, competition=made.competition, role=Role.REFEREE, label="备用"
    )
    world.token, world.ids["link"] = spare.token, spare.link.pk
    member = Membership.objects.create(
        user=make_user(), competition=made.competition, role=Role.REFEREE
    )
    world.ids["member"] = member.pk


def _member(world: World, who: str, *roles: Role) -> Client:
    user = make_user(f"{world.competition.code}-{who}")
    for role in roles:
        Membership.objects.create(user=user, competition=world.competition, role=role)
    client = Client()
    client.force_login(user)
    return client


def _with_link(
    world: World, role: Role, *, table: Table | None = None, entrant: Entrant | None = None
) -> Client:
    issued = issue_link(
        acting=world.made.owner,
        competition=world.competition,
        role=role,
        table=table,
        entrant=entrant,
    )
    client = Client()
    client.get(reverse("link", args=[issued.token]))
    return client


def by_referee(world: World) -> None:
    """From now on a second referee confirms (C7.2)."""
    world.made.stage.confirmation = ConfirmationMode.REFEREE
    world.made.stage.save()


def rows_digest() -> str:
    """SHA-256 over all rows of the site, sessions aside.

    As the database has them: it is asked for after each address, and by the models' managers that
    took longer than the addresses.
    """
    found = hashlib.sha256()
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            options = model._meta
            if options.db_table not in NOT_OURS and options.managed:
                table, key = map(connection.ops.quote_name, (options.db_table, options.pk.column))
                cursor.execute(f"SELECT * FROM {table} ORDER BY {key}")
                found.update(repr(cursor.fetchall()).encode())
    return found.hexdigest()
