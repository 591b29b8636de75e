"""Audit rows are written in the transaction of what they tell of."""

import pytest
from django.db import transaction

from core.actors import SYSTEM, Actor
from core.domain.audit import audit
from core.models import AuditRow
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_a_row_names_actor_action_scope_and_subject() -> None:
    user = make_user()
    row = audit(
        actor=Actor(user_id=user.pk, link_id=7),
        action="hand.enter",
        scope="competition:3",
        subject=user,
        data={"number": 5},
    )
    row.refresh_from_db()
    assert (row.user_id, row.link_id) == (user.pk, 7)
    assert (row.action, row.scope, row.subject) == (
        "hand.enter",
        "competition:3",
        f"user:{user.pk}",
    )
    assert row.data == {"number": 5}


def test_what_is_rolled_back_leaves_no_row() -> None:
    with transaction.atomic():
        audit(actor=SYSTEM, action="round.final", scope="competition:3", subject="round:1")
        transaction.set_rollback(True)
    assert not AuditRow.objects.exists()


def test_rows_outlive_the_account_that_wrote_them() -> None:
    user = make_user()
    row = audit(actor=Actor(user_id=user.pk), action="a.b", scope="s", subject="x:1")
    gone = user.pk
    user.delete()
    row.refresh_from_db()
    assert row.user_id == gone


@pytest.mark.parametrize(
    ("actor", "key"),
    [(Actor(user_id=3), "user:3"), (Actor(link_id=7), "link:7"), (SYSTEM, "system")],
)
def test_an_actor_has_one_key(actor: Actor, key: str) -> None:
    assert actor.key == key
