"""Who looks after the site, and his first page."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from core.domain.accounts import first_account
from core.models import AuditRow, User
from core.permissions import is_operator
from scoring.audit_words import WORDS
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_the_first_account_looks_after_the_site_and_later_ones_do_not() -> None:
    assert is_operator(first_account().user)
    assert not is_operator(make_user())


def test_the_command_makes_an_operator_and_takes_it_back_and_is_audited() -> None:
    make_user("chen")
    out = StringIO()
    call_command("operator", "chen", stdout=out)
    call_command("operator", "chen", stdout=out)
    assert out.getvalue() == "chen\nchen\n"
    assert is_operator(User.objects.get(username="chen"))
    call_command("operator", "chen", revoke=True, stdout=out)
    assert not is_operator(User.objects.get(username="chen"))
    actions = AuditRow.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["account.operator", "account.no-operator"]
    assert set(actions) <= set(WORDS)
    with pytest.raises(CommandError, match="no such account: nobody"):
        call_command("operator", "nobody")


def test_an_account_that_is_out_of_use_is_no_operator() -> None:
    user = make_user(is_superuser=True, is_active=False)
    assert not is_operator(User.objects.get(pk=user.pk))


@pytest.mark.parametrize(("is_superuser", "status"), [(True, 200), (False, 404)])
def test_the_first_page_is_there_for_operators_alone(
    client: Client, is_superuser: bool, status: int
) -> None:
    client.force_login(make_user(is_superuser=is_superuser))
    assert client.get(reverse("operator")).status_code == status


def test_who_is_not_logged_in_is_asked_to(client: Client) -> None:
    answer = client.get(reverse("operator"))
    assert answer.status_code == 302
    assert answer["Location"] == f"{reverse('login')}?next=/operator/"


@pytest.mark.parametrize("is_superuser", [True, False])
def test_the_accounts_page_leads_operators_there(client: Client, is_superuser: bool) -> None:
    client.force_login(make_user(is_superuser=is_superuser))
    page = client.get(reverse("account")).content.decode()
    assert ('href="/operator/"' in page) is is_superuser
