"""The chief referee's pages of rejudging, and what everybody sees of it (C11)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from core.domain import jobs
from core.models import User
from engine.rules import PRESETS
from scoring.models import HandVersion, Rejudge
from tests.scoring.sheets import FLIP, WIN, Hall, make_hall
from tournament.forms.rules import RulesForm
from tournament.models import Event

pytestmark = pytest.mark.django_db


def client_of(hall: Hall) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=hall.chief.user_id or 0))
    return client


def rules_of(preset_id: str) -> dict[str, Any]:
    """A preset as the rules' form sends it."""
    return dict(RulesForm(preset_id=preset_id, options=PRESETS[preset_id].as_json()).initial)


def test_rules_are_proposed_seen_and_applied_and_everybody_reads_why() -> None:
    hall = make_hall()
    hall.competition.published_at = hall.competition.created_at
    hall.competition.save()
    hall.enter(WIN)
    hall.enter(FLIP)
    event = Event.objects.get()
    client, code = client_of(hall), hall.competition.code
    rules = rules_of("competition")

    same = client.post(reverse("rejudge_propose", args=[code, event.pk]), rules)
    assert same.status_code == 409
    assert "没有要重判的" in same.content.decode()
    asked = client.post(
        reverse("rejudge_propose", args=[code, event.pk]),
        {**rules, "min_hu": "15"},
    )
    made = Rejudge.objects.get()
    url = reverse("rejudge", args=[code, made.pk])
    assert asked["Location"] == url
    page = client.get(url).content.decode()
    assert 'data-version="computing-0-0"' in page
    assert client.get(url, {"v": "computing-0-0"}).status_code == 204

    jobs.sweep()

    assert client.get(url, {"v": "computing-0-0"}).status_code == 286
    page = client.get(url).content.decode()
    assert "10 胡，起胡 15" in page or "起胡" in page
    assert "分数先不变" in page
    assert "+6 → <strong>+4</strong>" in page
    without = client.post(reverse("rejudge_apply", args=[code, made.pk]), {"reason": ""})
    assert without.status_code == 422
    done = client.post(
        reverse("rejudge_apply", args=[code, made.pk]), {"reason": "规程写的是十五胡"}
    )
    assert done.status_code == 302
    assert HandVersion.objects.filter(is_current=True, version=2).count() == 2
    for seen in (
        client.get(reverse("rejudges", args=[code])),
        client.get(url),
        Client().get(reverse("bracket", args=[code, event.pk])),
    ):
        assert "规程写的是十五胡" in seen.content.decode()


def test_what_changed_meanwhile_is_told_and_kept_from_applying() -> None:
    hall = make_hall()
    hall.enter(FLIP)
    event = Event.objects.get()
    client, code = client_of(hall), hall.competition.code
    client.post(
        reverse("rejudge_propose", args=[code, event.pk]),
        rules_of("local"),
    )
    jobs.sweep()
    made = Rejudge.objects.get()
    hall.enter(FLIP)
    refused = client.post(reverse("rejudge_apply", args=[code, made.pk]), {"reason": "改规则"})
    assert refused.status_code == 409
    assert "请重算后再决定" in refused.content.decode()
    assert 'value="改规则"' in refused.content.decode()
    client.post(reverse("rejudge_again", args=[code, made.pk]))
    jobs.sweep()
    client.post(reverse("rejudge_dismiss", args=[code, made.pk]), {"reason": "不改了"})
    made.refresh_from_db()
    assert made.state == "dismissed"
    HandVersion.objects.update(engine_version="0.0.1")
    assert "规则不变，用新版重算" in client.get(reverse("rejudges", args=[code])).content.decode()
    assert client.post(reverse("rejudge_engine", args=[code, event.pk])).status_code == 302
