"""The server is changed for a newer one while phones send hands: none is lost, none is there twice.

Phones do as `static/js/outbox.js` does: one hand after the other, each with a key of its own, sent
again where no answer came. Their connections are kept alive, a spectator makes a new one each time.
"""

from __future__ import annotations

import http.client
import json
import socket
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client

from core.models import IdempotencyKey, User
from scoring.models import HandVersion
from tests.load.services import free_port
from tests.scoring.clients import url
from tests.scoring.sheets import FLIP, Hall, make_hall
from tests.serving import HOST, PATIENCE_S, Server, answers, gunicorn, until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform == "win32", reason="gunicorn does not run there"),
]

PHONES = 3
TOKEN = "0123456789abcdefghijklmnopqrstuv"
IN_FLIGHT = 409
"""What a phone gets whose first request of this key is still at work: it asks again."""


@dataclass
class Told:
    """What one client saw."""

    saved: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)


class Phone:
    """The device at one table: a referee who is logged in there."""

    def __init__(self, port: int) -> None:
        self.hall: Hall = make_hall(500)
        browser = Client()
        browser.force_login(User.objects.get(pk=self.hall.referee.user_id))
        session = browser.cookies[settings.SESSION_COOKIE_NAME].value
        self.path = url(self.hall, "sheet")
        self.headers = {
            "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "X-Outbox": self.hall.referee.key,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.line = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_S)
        self.told = Told()

    def enter(self, stop: threading.Event) -> Told:
        """Hands until told to stop; the last one is sent until it is there."""
        while not stop.is_set():
            key = str(uuid.uuid4())
            fields = {"evidence": "result", **FLIP, "key": key, "number": len(self.told.saved) + 1}
            give_up = time.monotonic() + PATIENCE_S
            while not self._sent(urlencode(fields)):
                assert time.monotonic() < give_up, self.told
                time.sleep(0.05)
            self.told.saved.append(key)
        self.line.close()
        return self.told

    def _sent(self, body: str) -> bool:
        try:
            self.line.request("POST", self.path, body, self.headers)
            response = self.line.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.line.close()
            self.told.failed.append(repr(error))
            return False
        self.told.statuses[response.status] += 1
        return response.status == 200 and "saved" in json.loads(answer)


def look(port: int, stop: threading.Event) -> Told:
    """A spectator who opens the front page again and again."""
    told = Told()
    while not stop.is_set():
        line = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_S)
        try:
            line.request("GET", "/")
            response = line.getresponse()
            response.read()
            told.statuses[response.status] += 1
        except (OSError, http.client.HTTPException) as error:
            told.failed.append(repr(error))
        finally:
            line.close()
        time.sleep(0.02)
    return told


@dataclass
class Day:
    """A hall at work: its phones, and a look at how far they are."""

    phones: list[Phone]
    running: list[Future[Told]]

    def go_on(self) -> None:
        """Until each phone has two more hands saved."""
        before = [len(phone.told.saved) for phone in self.phones]

        def all_further() -> bool:
            assert not any(run.done() for run in self.running), [r.result() for r in self.running]
            pairs = zip(self.phones, before, strict=True)
            return all(len(phone.told.saved) > seen + 1 for phone, seen in pairs)

        until(all_further, "hands are saved")


@contextmanager
def working(port: int) -> Iterator[Day]:
    """Phones and a spectator at work in the block; afterwards every hand is there exactly once."""
    phones = [Phone(port) for _table in range(PHONES)]
    stop = threading.Event()
    with ThreadPoolExecutor(PHONES + 1) as pool:
        until(lambda: answers(port), "the server answers")
        day = Day(phones, [pool.submit(phone.enter, stop) for phone in phones])
        day.running.append(pool.submit(look, port, stop))
        try:
            day.go_on()
            yield day
            day.go_on()
        finally:
            stop.set()
    for run in day.running:
        run.result()
    for phone in phones:
        kept = HandVersion.objects.filter(hand__sheet=phone.hall.sheet)
        numbers = list(kept.order_by("hand__number").values_list("hand__number", flat=True))
        assert numbers == list(range(1, len(phone.told.saved) + 1))
        keys = IdempotencyKey.objects.filter(key__in=phone.told.saved)
        assert keys.count() == len(phone.told.saved)


def one_process(
    port: int, folder: Path, held: socket.socket | None = None
) -> AbstractContextManager[Server]:
    """A server that starts sooner, with one process: all of it is away while it is away."""
    return gunicorn(port, folder / "log", held=held, WEB_CONCURRENCY="1")


def faultless(day: Day) -> None:
    """No connection failed and nothing but 200 was answered, to nobody."""
    seen = [run.result() for run in day.running]
    assert [told.failed for told in seen] == [[] for _client in seen]
    assert {status for told in seen for status in told.statuses} == {200}


def test_no_phone_notices_when_workers_are_changed_one_by_one(tmp_path: Path) -> None:
    """SIGHUP (`systemctl reload duozhu-web`), twice."""
    port = free_port()
    with gunicorn(port, tmp_path / "log") as server, working(port) as day:
        for _again in range(2):
            server.reload()
            day.go_on()
    faultless(day)


def test_no_phone_notices_a_new_server_behind_a_socket_that_is_held(tmp_path: Path) -> None:
    """SIGTERM and a new start, as `systemctl restart` does where there is `duozhu-web.socket`."""
    with socket.create_server((HOST, 0), backlog=128) as held, ExitStack() as servers:
        port = held.getsockname()[1]
        first = servers.enter_context(one_process(port, tmp_path, held=held))
        with working(port) as day:
            first.stop()
            servers.enter_context(one_process(port, tmp_path, held=held))
            day.go_on()
    faultless(day)


def test_every_hand_arrives_once_where_the_server_is_away_for_a_while(tmp_path: Path) -> None:
    """Ended kindly, then killed in the midst of its work; each time started again on its port."""
    port = free_port()
    with ExitStack() as servers:
        server = servers.enter_context(one_process(port, tmp_path))
        with working(port) as day:
            for end in (Server.stop, Server.kill):
                end(server)
                server = servers.enter_context(one_process(port, tmp_path))
                day.go_on()
    statuses = {status for run in day.running for status in run.result().statuses}
    assert statuses <= {200, IN_FLIGHT}
    assert all(phone.told.failed for phone in day.phones)
