"""Who stays at one table (C5.3): marked and taken back by those who lead, told to referees, and
to nobody else (C7.4)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core.errors import Conflict
from core.models import AuditRow
from tests.factories import make_acting
from tests.rights import LIST
from tests.test_rights import address, ask
from tests.tournament.competitions import draw, make
from tests.worlds import World, build
from tournament.domain.draws import cancel_freeze, freeze_draw
from tournament.domain.entries import ListFrozen
from tournament.domain.fixed_tables import mark_fixed_table
from tournament.enums import Role
from tournament.models import Entrant, Entry
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

NOTE = "行动不便，请安排就近或固定的桌"
WORDS = (NOTE, "固定桌", "行动不便")


def url(world: World, name: str, *keys: str) -> str:
    return reverse(name, args=[world.competition.code, *(world.ids[key] for key in keys)])


@pytest.mark.parametrize("state", ["planned", "drawn", "published", "open", "final"])
@pytest.mark.parametrize("letter", ["G", "C"])
def test_mark_is_shown_set_and_taken_back_in_every_state(state: str, letter: str) -> None:
    """C9.5: with what it does on the page before; both in the list of changes."""
    world = build(state)
    client = world.clients[letter]
    page = url(world, "manage_entrant_fixed", "elsewhere")
    shown = client.get(page).content.decode()
    assert NOTE in shown
    assert "不公开" in shown
    entrant = Entrant.objects.get(pk=world.ids["elsewhere"])
    assert not entrant.entry.needs_fixed_table
    changes = url(world, "manage_draw_changes")
    assert client.post(page, {"fixed": "1"})["Location"] == changes
    assert Entry.objects.get(pk=entrant.entry_id).needs_fixed_table
    assert f'href="{page}"' in client.get(changes).content.decode()
    assert "不再提示" in client.get(page).content.decode()
    assert client.post(page, {"fixed": "1"}).status_code == 409
    assert client.post(page, {"fixed": "0"}).status_code == 302
    assert not Entry.objects.get(pk=entrant.entry_id).needs_fixed_table
    assert f'href="{page}"' not in client.get(changes).content.decode()
    actions = AuditRow.objects.filter(action__startswith="entry.fixed-table").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == [
        "entry.fixed-table",
        "entry.fixed-table-undo",
    ]


def test_page_of_the_mark_needs_few_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    world = build("published")
    page = url(world, "manage_entrant_fixed", "elsewhere")
    world.clients["G"].get(page)
    with django_assert_max_num_queries(9):
        world.clients["G"].get(page)


def test_mark_waits_while_a_frozen_list_waits_for_its_words() -> None:
    """The draw of a preliminary counts on it."""
    made = make(9)
    entry = made.event.entrants.all()[0].entry
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(ListFrozen, match="取消冻结"):
        mark_fixed_table(acting=made.owner, entry=entry)
    cancel_freeze(acting=made.owner, draw=frozen)
    with pytest.raises(NotAllowed):
        mark_fixed_table(acting=make_acting(made.competition, Role.REFEREE), entry=entry)
    assert mark_fixed_table(acting=made.owner, entry=entry).needs_fixed_table
    with pytest.raises(Conflict, match="没有变化"):
        mark_fixed_table(acting=made.owner, entry=entry)
    draw(made)
    assert not mark_fixed_table(acting=made.owner, entry=entry, fixed=False).needs_fixed_table


def marked_world(state: str) -> World:
    """Everybody cannot walk."""
    world = build(state)
    Entry.objects.filter(competition=world.competition).update(needs_fixed_table=True)
    return world


def test_staff_are_told_on_roll_desk_cards_list_and_before_a_swap() -> None:
    world = marked_world("published")
    roll = url(world, "call_list", "first_round")
    for letter in "OGCR":
        client = world.clients[letter]
        assert NOTE in client.get(roll).content.decode(), letter
        assert "固定桌" in client.get(url(world, "desk")).content.decode(), letter
        assert "固定桌" in client.get(url(world, "manage_entrants")).content.decode(), letter
    chief = world.clients["C"]
    cards = reverse("manage_table_cards", args=[world.competition.code, 1])
    page = chief.post(cards, {"first": 1, "last": 3}).content.decode()
    assert page.count("行动不便，请安排就近或固定的桌。") == 3
    assert "不要放在桌上" in page
    swap = LIST["manage_draw_changes"].data
    data = swap(world) if callable(swap) else swap
    preview = chief.post(url(world, "manage_draw_changes"), {**data, "shown": ""})
    assert preview.content.decode().count("行动不便，需要固定的桌") == 2


@pytest.mark.parametrize("state", ["published", "open", "final"])
def test_nobody_else_reads_of_it_at_any_address(state: str) -> None:
    """C7.4: spectators, accounts without a role, tables' and entrants' links."""
    world = marked_world(state)
    told = []
    # What the site keeps of people says that there is such a mark, and of nobody that he has it.
    for name, row in ((name, row) for name, row in LIST.items() if name != "privacy"):
        for letter in ".xTtEe":
            client: Client = world.clients[letter]
            text = ask(client, "GET", address(name, row, world), {}).content.decode(
                "utf-8", "ignore"
            )
            told += [f"{name} {letter} {word}" for word in WORDS if word in text]
    assert told == []
