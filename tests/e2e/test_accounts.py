"""Accounts as people meet them: an invitation on a phone, codes, passkeys."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from core.models import User
from tests.e2e.stations import PHONE, follow, grave_faults, overflows, someone
from tests.factories import make_acting, make_competition, make_event, make_stage, make_user
from tournament.domain.invitations import invite
from tournament.enums import Role
from tournament.models import Membership

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "漓江-wheel-27"


@pytest.fixture(autouse=True)
def no_tries() -> None:
    cache.clear()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with someone(browser, PHONE) as page:
        yield page


@pytest.fixture
def chen() -> User:
    return make_user("chen", password=PASSWORD)


def log_in(page: Page, site: str) -> None:
    page.goto(f"{site}/accounts/login/")
    page.fill("[name=username]", "chen")
    page.fill("[name=password]", PASSWORD)
    follow(page.get_by_role("button", name="登录", exact=True))


def confirm(page: Page) -> None:
    """Types the password again where a page asks for it."""
    expect(page.locator("h1")).to_have_text("请再确认一次")
    page.fill("[name=password]", PASSWORD)
    follow(page.get_by_role("button", name="确认", exact=True))


def is_fine(page: Page) -> None:
    """Nothing serious for axe-core, nothing wider than the phone."""
    assert grave_faults(page) == []
    assert not overflows(page)


def test_an_invited_referee_is_at_the_desk_after_three_fields(
    page: Page, live_server: LiveServer
) -> None:
    competition = make_competition()
    make_stage(make_event(competition))
    token = invite(
        acting=make_acting(competition, Role.OWNER),
        competition=competition,
        role=Role.REFEREE,
        label="覃裁判",
        days=7,
    ).token
    page.goto(f"{live_server.url}/i/{token}/")
    is_fine(page)
    page.fill("[name=display_name]", "覃裁判")
    page.fill("[name=username]", "qin")
    page.fill("[name=password]", "1234")
    follow(page.get_by_role("button", name="建账号并接受"))
    expect(page.get_by_role("alert")).to_contain_text("密码太短，至少要 8 个字。")
    expect(page.locator("[name=username]")).to_have_value("qin")
    page.fill("[name=password]", PASSWORD)
    follow(page.get_by_role("button", name="建账号并接受"))
    expect(page).to_have_url(f"{live_server.url}/c/{competition.code}/desk/")
    assert Membership.objects.get(user__username="qin").role == Role.REFEREE


def test_codes_are_set_up_by_the_page_and_asked_for_at_the_next_log_in(
    page: Page, live_server: LiveServer, chen: User, settings: Settings
) -> None:
    settings.MFA_TOTP_TOLERANCE = 2  # the page may take longer than a code lasts
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}/accounts/locks/")
    is_fine(page)
    follow(page.get_by_role("button", name="开启验证码"))
    confirm(page)
    is_fine(page)
    secret = page.locator("#totp_secret").inner_text()
    page.fill("[name=code]", code_of(secret))
    follow(page.get_by_role("button", name="开启验证码"))
    expect(page.locator("ol.codes li")).to_have_count(10)
    is_fine(page)
    page.context.clear_cookies()
    cache.clear()  # a code is good once, and this one switched the lock on
    log_in(page, live_server.url)
    expect(page.locator("h1")).to_have_text("还差一步")
    is_fine(page)
    page.fill("[name=code]", code_of(secret))
    follow(page.get_by_role("button", name="登录", exact=True))
    expect(page).to_have_url(f"{live_server.url}/manage/")


def test_a_passkey_lets_in_without_name_and_password(
    page: Page, live_server: LiveServer, chen: User
) -> None:
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    site = live_server.url.replace("127.0.0.1", "localhost")
    log_in(page, site)
    page.goto(f"{site}/accounts/locks/webauthn/add/")
    confirm(page)
    is_fine(page)
    page.fill("[name=name]", "我的手机")
    follow(page.get_by_role("button", name="添加通行密钥"))
    expect(page.locator("h1")).to_have_text("备用码")
    assert Authenticator.objects.filter(user=chen, type="webauthn").count() == 1
    page.goto(f"{site}/accounts/locks/webauthn/")
    expect(page.locator("main")).to_contain_text("我的手机")
    page.context.clear_cookies()
    page.goto(f"{site}/accounts/login/?next=/accounts/")
    is_fine(page)
    follow(page.get_by_role("button", name="用通行密钥登录"))
    expect(page).to_have_url(f"{site}/accounts/")
    expect(page.locator("main")).to_contain_text("chen")


def test_where_passkeys_cannot_be_the_page_says_so(
    page: Page, live_server: LiveServer, chen: User
) -> None:
    page.add_init_script("delete window.PublicKeyCredential")
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}/accounts/locks/webauthn/add/")
    confirm(page)
    expect(page.locator("[data-passkeys-missing]")).to_be_visible()
    expect(page.get_by_role("button", name="添加通行密钥")).to_be_hidden()
    page.context.clear_cookies()
    page.goto(f"{live_server.url}/accounts/login/")
    expect(page.get_by_role("button", name="用通行密钥登录")).to_be_hidden()


@pytest.mark.parametrize("path", ["", "devices/", "password/", "logout/"])
def test_the_pages_of_an_account_fit_a_phone(
    page: Page, live_server: LiveServer, chen: User, path: str
) -> None:
    log_in(page, live_server.url)
    expect(page).to_have_url(re.compile("/manage/$"))
    page.goto(f"{live_server.url}/accounts/{path}")
    is_fine(page)


def code_of(secret: str) -> str:
    """What an authenticator shows now for this secret."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))
