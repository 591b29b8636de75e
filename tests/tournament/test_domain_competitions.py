"""Competitions, rules, play settings, regulations, members, table links."""

from __future__ import annotations

from datetime import date

import pytest

from core.domain.tokens import token_hash
from core.errors import Conflict, DomainError
from core.models import AuditRow
from engine.rules import PRESETS
from tests.factories import make_acting, make_user
from tests.tournament.competitions import draw, make, make_published
from tournament.domain.competitions import (
    change_competition,
    create_competition,
    publish_competition,
    unpublish_competition,
    write_regulation,
)
from tournament.domain.members import add_member, remove_member
from tournament.domain.settings import RulesFrozen, set_plan, set_play, set_rules
from tournament.domain.starting import start_table
from tournament.domain.table_links import issue_table_links
from tournament.enums import Discipline, Role
from tournament.models import DeviceLink, Event, Membership
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def test_name_and_date_are_enough() -> None:
    user = make_user()
    competition = create_competition(user=user, name="漓江杯", starts_on=date(2026, 12, 5))
    assert [m.role for m in competition.memberships.all()] == [Role.OWNER]
    assert (competition.timezone, competition.is_published) == ("Asia/Shanghai", False)
    event = competition.events.get()
    assert (event.name, event.preset) == ("个人赛", "competition")
    assert event.rules_digest == PRESETS["competition"].digest
    stage = event.stages.get()
    assert (stage.table_size, stage.advance, stage.hands, stage.minutes) == (3, 1, 12, 50)
    assert stage.final_hands == 24


def test_changes_are_written_with_their_fields() -> None:
    made = make()
    changed = change_competition(
        acting=made.owner,
        competition=made.competition,
        details={"place": "桂林体育馆", "name": "漓江杯"},
    )
    assert changed.place == "桂林体育馆"
    assert AuditRow.objects.get(action="competition.change").data == {"fields": ["place"]}


def test_competition_is_hidden_again_until_a_draw_is_out() -> None:
    """C9.5."""
    made = make(3)
    assert publish_competition(acting=made.owner, competition=made.competition).is_published
    hidden = unpublish_competition(acting=made.owner, competition=made.competition)
    assert not hidden.is_published
    out = make_published(3)
    publish_competition(acting=out.owner, competition=out.competition)
    with pytest.raises(Conflict, match="不能再收回"):
        unpublish_competition(acting=out.owner, competition=out.competition)


def test_regulations_are_versions() -> None:
    made = make()
    first = write_regulation(acting=made.owner, competition=made.competition, text="一、\r\n二、")
    same = write_regulation(acting=made.owner, competition=made.competition, text="一、\n二、 ")
    second = write_regulation(acting=made.owner, competition=made.competition, text="三、")
    assert (first.version, same.pk, second.version) == (1, first.pk, 2)
    assert first.text == "一、\n二、"
    with pytest.raises(DomainError, match="竞赛规程"):
        write_regulation(acting=made.owner, competition=made.competition, text=" \n")


def test_rules_change_until_the_first_hand() -> None:
    """C11."""
    made = make_published(3)
    event = set_rules(
        acting=made.owner, event=made.event, preset_id="local", options={"min_hu": "15"}
    )
    assert (event.preset, event.options["min_hu"]) == ("local", 15)
    assert event.rules_digest == PRESETS["local"].with_options({"min_hu": 15}).digest
    for preset_id, options in (("local", {"min_hu": "11"}), ("nosuch", {})):
        with pytest.raises(DomainError) as refusal:
            set_rules(acting=made.owner, event=event, preset_id=preset_id, options=options)
        assert refusal.value.code in ("bad-option", "unknown-rules")
    start_table(acting=made.owner, table=made.tables(1)[0])
    with pytest.raises(RulesFrozen):
        set_rules(acting=made.owner, event=event, preset_id="competition", options={})


def test_rules_of_another_game_are_none() -> None:
    """C10: games have no rules of 字牌, which a digest would claim."""
    made = make()
    Event.objects.update(discipline=Discipline.MANUAL, preset="", options={}, rules_digest="")
    with pytest.raises(Conflict) as refusal:
        set_rules(acting=made.owner, event=made.event, preset_id="local", options={})
    assert refusal.value.code == "no-rules"
    assert Event.objects.get().rules_digest == ""


def test_lengths_stand_once_published_and_the_rest_from_the_first_hand() -> None:
    made = make(9)
    draw(made)
    set_play(acting=made.owner, stage=made.stage, values={"hands": 8, "final_hands": 16})
    assert list(made.stage.rounds.order_by("number").values_list("hands", flat=True)) == [8, 16]

    out = make_published(9)
    with pytest.raises(Conflict, match="局数和时间"):
        set_play(acting=out.owner, stage=out.stage, values={"hands": 8})
    stage = set_play(acting=out.owner, stage=out.stage, values={"confirmation": "referee"})
    assert stage.confirmation == "referee"
    start_table(acting=out.owner, table=out.tables(1)[0])
    with pytest.raises(RulesFrozen):
        set_play(acting=out.owner, stage=stage, values={"confirmation": "none"})


def test_impossible_table_is_refused() -> None:
    """C3."""
    made = make(9)
    with pytest.raises(DomainError) as refusal:
        set_plan(acting=made.owner, stage=made.stage, table_size=3, advance=2, way=None, entrants=9)
    assert refusal.value.code == "plan-size"


@pytest.mark.parametrize("role", [Role.CHIEF, Role.REFEREE])
def test_only_organizers_set_anything(role: Role) -> None:
    made = make()
    acting = make_acting(made.competition, role)
    for attempt in (
        lambda: change_competition(acting=acting, competition=made.competition, details={}),
        lambda: publish_competition(acting=acting, competition=made.competition),
        lambda: write_regulation(acting=acting, competition=made.competition, text="x"),
        lambda: set_rules(acting=acting, event=made.event, preset_id="local", options={}),
        lambda: set_play(acting=acting, stage=made.stage, values={}),
        lambda: add_member(
            acting=acting, competition=made.competition, username="x", role=Role.REFEREE
        ),
    ):
        with pytest.raises(NotAllowed):
            attempt()


def test_member_is_added_by_user_name_phone_or_mail() -> None:
    made = make()
    user = make_user("liu", phone="13800138000", email="liu@example.org")
    for name in (" LIU ", "13800138000", "Liu@example.org"):
        membership = add_member(
            acting=made.owner, competition=made.competition, username=name, role=Role.REFEREE
        )
        assert membership.user == user
    assert Membership.objects.filter(user=user).count() == 1
    with pytest.raises(DomainError, match="没有叫“nobody”"):
        add_member(
            acting=made.owner,
            competition=made.competition,
            username="nobody",
            role=Role.REFEREE,
        )


def test_last_owner_stays_and_owners_alone_make_owners() -> None:
    made = make()
    own = Membership.objects.get(role=Role.OWNER)
    with pytest.raises(Conflict, match="至少要有一名主办人"):
        remove_member(acting=made.owner, membership=own)
    make_user("liu")
    organizer = make_acting(made.competition, Role.ORGANIZER)
    with pytest.raises(NotAllowed):
        add_member(acting=organizer, competition=made.competition, username="liu", role=Role.OWNER)
    add_member(acting=made.owner, competition=made.competition, username="liu", role=Role.OWNER)
    remove_member(acting=made.owner, membership=own)
    assert Membership.objects.filter(role=Role.OWNER).count() == 1


def test_tables_of_a_round_get_links_and_the_older_ones_stop() -> None:
    made = make_published(9)
    tables = made.tables(1)
    round_ = tables[0].round
    first = issue_table_links(
        acting=made.owner, competition=made.competition, round_=round_, tables=tables
    )
    again = issue_table_links(
        acting=made.owner, competition=made.competition, round_=round_, tables=tables[:1]
    )
    good = set(DeviceLink.objects.filter(revoked_at=None).values_list("token_hash", flat=True))
    tokens = [again[0].token, first[1].token, first[2].token]
    assert good == {token_hash(token) for token in tokens}
    with pytest.raises(NotAllowed):
        issue_table_links(
            acting=make_acting(made.competition, Role.REFEREE),
            competition=made.competition,
            round_=round_,
            tables=tables,
        )
