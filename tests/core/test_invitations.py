"""Organizers and referees come by a link that is good once."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client

from core.errors import DomainError
from core.models import AuditRow, User
from tests.concurrency import at_once
from tests.factories import make_acting, make_competition, make_event, make_stage, make_user
from tournament.acting import Acting
from tournament.domain.invitations import (
    InvitationGone,
    Invited,
    accept,
    accept_with_new_account,
    find_invitation,
    invite,
    revoke_invitation,
)
from tournament.enums import Role
from tournament.models import Competition, Membership
from tournament.models.access import Invitation

pytestmark = pytest.mark.django_db

GOOD = {"display_name": "覃裁判", "username": "qin", "password": "gui-lin-2026"}
NOON = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)


@pytest.fixture
def competition() -> Competition:
    competition = make_competition()
    make_stage(make_event(competition))
    return competition


def made(competition: Competition, role: Role = Role.REFEREE, days: int = 7) -> Invited:
    return invite(
        acting=make_acting(competition, Role.OWNER),
        competition=competition,
        role=role,
        label="覃裁判",
        days=days,
    )


def roles_of(user: User) -> list[str]:
    return list(Membership.objects.filter(user=user).values_list("role", flat=True))


@pytest.mark.parametrize(
    ("role", "leads_to"),
    [(Role.REFEREE, "desk"), (Role.CHIEF, "desk"), (Role.ORGANIZER, "manage")],
)
def test_whoever_opens_it_makes_an_account_and_is_in(
    client: Client, competition: Competition, role: Role, leads_to: str
) -> None:
    token = made(competition, role).token
    page = client.get(f"/i/{token}/").content.decode()
    assert competition.name in page
    assert f"<strong>{role.label}</strong>" in page
    answer = client.post(f"/i/{token}/", GOOD)
    assert answer["Location"] == f"/c/{competition.code}/{leads_to}/"
    user = User.objects.get(username="qin")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert (user.display_name, user.check_password("gui-lin-2026")) == ("覃裁判", True)
    assert roles_of(user) == [role]
    assert client.get(answer["Location"]).status_code == 200


def test_an_account_of_ones_own_takes_the_role(client: Client, competition: Competition) -> None:
    token = made(competition).token
    liu = make_user("liu", password="gui-lin-2026")
    page = client.get(f"/i/{token}/").content.decode()
    assert f'href="/accounts/login/?next=/i/{token}/"' in page
    login = client.post(
        f"/accounts/login/?next=/i/{token}/", {"username": "liu", "password": "gui-lin-2026"}
    )
    assert login["Location"] == f"/i/{token}/"
    assert "以 liu 的账号接受" in client.get(f"/i/{token}/").content.decode()
    assert roles_of(liu) == []
    client.post(f"/i/{token}/")
    assert roles_of(liu) == [Role.REFEREE]


def test_it_is_good_once(client: Client, competition: Competition) -> None:
    token = made(competition).token
    client.post(f"/i/{token}/", GOOD)
    other = Client()
    for answer in (
        other.get(f"/i/{token}/"),
        other.post(f"/i/{token}/", {**GOOD, "username": "x"}),
    ):
        assert answer.status_code == 404
        assert answer["X-Error-Code"] == "invitation-gone"
        assert "请向主办人要一个新的" in answer.content.decode()
    assert not User.objects.filter(username="x").exists()


def test_looking_at_it_uses_nothing_up(client: Client, competition: Competition) -> None:
    """A messenger opens a link to show a preview of it."""
    token = made(competition).token
    for _ in range(3):
        assert client.get(f"/i/{token}/").status_code == 200


def test_it_expires(competition: Competition) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        token = made(competition, days=1).token
        clock.shift(timedelta(days=1) - timedelta(seconds=1))
        assert find_invitation(token).role == Role.REFEREE
        clock.shift(timedelta(seconds=1))
        with pytest.raises(InvitationGone):
            find_invitation(token)


def test_it_can_be_taken_back_even_while_somebody_reads_it(competition: Competition) -> None:
    invited = made(competition)
    read = find_invitation(invited.token)
    owner = make_acting(competition, Role.OWNER)
    revoke_invitation(acting=owner, invitation=invited.invitation)
    with pytest.raises(InvitationGone):
        accept(invitation=read, user=make_user())
    with pytest.raises(InvitationGone):
        accept_with_new_account(invitation=read, **GOOD)
    assert not User.objects.filter(username="qin").exists()
    assert not Membership.objects.filter(role=Role.REFEREE).exists()


def test_who_has_the_role_already_leaves_it_for_another(competition: Competition) -> None:
    invited = made(competition)
    liu = make_user("liu")
    Membership.objects.create(user=liu, competition=competition, role=Role.REFEREE)
    accept(invitation=invited.invitation, user=liu)
    assert roles_of(liu) == [Role.REFEREE]
    assert find_invitation(invited.token) == invited.invitation


@pytest.mark.parametrize("role", [Role.CHIEF, Role.REFEREE, Role.TABLE, Role.ENTRANT, None])
def test_only_owners_and_organizers_invite_and_take_back(
    competition: Competition, role: Role | None
) -> None:
    roles = frozenset({role} if role else ())
    acting = Acting(link_id=1, competition_id=competition.pk, roles=roles)
    with pytest.raises(DomainError) as refused:
        invite(acting=acting, competition=competition, role=Role.REFEREE, label="x", days=7)
    assert refused.value.status == 403
    invitation = made(competition).invitation
    with pytest.raises(DomainError) as refused:
        revoke_invitation(acting=acting, invitation=invitation)
    assert refused.value.status == 403


@pytest.mark.parametrize("role", [Role.OWNER, Role.TABLE, Role.ENTRANT])
def test_the_database_holds_no_invitation_of_another_role(
    competition: Competition, role: Role
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        made(competition, role)


def test_every_step_leaves_an_audit_row_without_names_or_token(competition: Competition) -> None:
    first, second = made(competition), made(competition)
    accept_with_new_account(invitation=first.invitation, **GOOD)
    revoke_invitation(acting=make_acting(competition, Role.OWNER), invitation=second.invitation)
    rows = AuditRow.objects.order_by("id")
    assert [row.action for row in rows] == [
        "invitation.make",
        "invitation.make",
        "account.make",
        "invitation.accept",
        "invitation.revoke",
    ]
    told = " ".join(f"{row.subject} {row.data}" for row in rows)
    for secret in ("覃", "qin", first.token, second.token):
        assert secret not in told


def test_the_token_is_nowhere_in_the_database(competition: Competition) -> None:
    token = made(competition).token
    [row] = Invitation.objects.values_list()
    assert token not in str(row)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"username": "LIU"}, "已经有人用了这个名字。"),
        ({"username": "13800138000"}, "已经有人用了这个名字。"),
        ({"username": "a b"}, "wrong"),
        ({"password": "12345678"}, "wrong"),
        ({"password": "lijiang"}, "密码太短，至少要 8 个字。"),
        ({"display_name": ""}, "wrong"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_kept(
    client: Client, competition: Competition, wrong: dict[str, str], says: str
) -> None:
    make_user("liu", phone="13800138000")
    token = made(competition).token
    answer = client.post(f"/i/{token}/", {**GOOD, **wrong})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert says in page
    kept = {**GOOD, **wrong}
    for field in ("display_name", "username"):
        if kept[field]:
            assert f'value="{kept[field]}"' in page
    assert kept["password"] not in page
    assert find_invitation(token).used_at is None


def test_the_organizers_page_makes_shows_and_takes_back(
    client: Client, competition: Competition
) -> None:
    owner = make_user("owner")
    Membership.objects.create(user=owner, competition=competition, role=Role.OWNER)
    client.force_login(owner)
    members = f"/c/{competition.code}/manage/members/"
    page = client.post(
        f"{members}invite/", {"role": "chief", "label": "陈裁判长", "days": "7"}
    ).content.decode()
    assert 'class="qr"' in page
    token = re.search(r"http://testserver/i/([^/]+)/", page)[1]
    listed = client.get(members).content.decode()
    assert "裁判长 · 陈裁判长" in listed
    assert token not in listed
    invitation = find_invitation(token)
    answer = client.post(f"{members}invitations/{invitation.pk}/revoke/")
    assert answer["Location"] == members
    assert client.get(f"/i/{token}/").status_code == 404
    assert "裁判长 · 陈裁判长" not in client.get(members).content.decode()


def test_an_invitation_without_a_name_is_refused_kindly(
    client: Client, competition: Competition
) -> None:
    owner = make_user("owner")
    Membership.objects.create(user=owner, competition=competition, role=Role.OWNER)
    client.force_login(owner)
    answer = client.post(
        f"/c/{competition.code}/manage/members/invite/", {"role": "referee", "days": "1"}
    )
    assert answer.status_code == 400
    assert "请写这个邀请给谁。" in answer.content.decode()


def test_another_competitions_invitation_cannot_be_taken_back(
    client: Client, competition: Competition
) -> None:
    owner, other = make_user("owner"), make_competition()
    Membership.objects.create(user=owner, competition=competition, role=Role.OWNER)
    client.force_login(owner)
    invited = made(other)
    answer = client.post(
        f"/c/{competition.code}/manage/members/invitations/{invited.invitation.pk}/revoke/"
    )
    assert answer.status_code == 404
    assert find_invitation(invited.token)


@pytest.mark.django_db(transaction=True)
def test_of_ten_at_once_one_gets_the_role(competition: Competition) -> None:
    invited = made(competition)
    users = [make_user() for _ in range(10)]

    def take(n: int) -> Membership:
        return accept(invitation=invited.invitation, user=users[n])

    answers = at_once(10, take)
    assert sum(isinstance(answer, Membership) for answer in answers) == 1
    assert sum(isinstance(answer, InvitationGone) for answer in answers) == 9
    assert Membership.objects.filter(role=Role.REFEREE).count() == 1
