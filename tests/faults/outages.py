"""Faults on a running day, one after the other, each until work has resumed by itself.

Nothing is done by hand but the fault: who is killed is started again by `up`, as systemd would;
PostgreSQL and Redis start again after a while, as after a power cut.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from tests.load.changes import Desk
from tests.load.database import Database, Row
from tests.load.notes import Notes
from tests.load.phone import Phone
from tests.load.services import Cluster, Redis
from tests.load.site import Site, errors
from tests.load.world import World
from tests.scoring.records import texts

RESUMED = 3
"""Hands that must be saved after a fault before work counts as resumed."""
ASK_EVERY_S = 0.05


@dataclass
class Outage:
    """One fault: what it was, where in the log it stands, and how long until hands were saved."""

    name: str
    log_from: int
    log_to: int = 0
    seconds: float = 0.0


@dataclass
class Chaos:
    """Whom the faults hit. `down_s` is how long a database stays away, `settle_s` how long a fault
    counts as going on after hands are saved again, `between_s` how long all is well then until the
    next one, `patience_s` how long work may take to resume. `thorough`: the whole web server is
    killed too."""

    world: World
    site: Site
    database: Database
    cluster: Cluster | None = None
    redis: Redis | None = None
    down_s: float = 1.0
    settle_s: float = 1.0
    between_s: float = 0.5
    patience_s: float = 120.0
    records: int = 500
    repeat: int = 1
    thorough: bool = False
    outages: list[Outage] = field(default_factory=list)
    uploads: int = 0
    phone: Phone | None = None

    @property
    def faults(self) -> Sequence[tuple[str, Callable[[], Awaitable[None]]]]:
        """The faults that can be made here, by name and in order."""
        found: list[tuple[str, Callable[[], Awaitable[None]]]] = [
            ("kill -9 of a web worker", self._kill_web_worker),
            ("kill -9 of the worker for jobs", self._kill_jobs),
        ]
        if self.thorough:
            found.append(("kill -9 of the web server", self._kill_web))
        if self.redis is not None:
            found.append(("kill -9 of beat and of those who do jobs", self._kill_job_workers))
            found.append(("Redis flushed, killed and started", self._restart_redis))
        if self.cluster is not None:
            found.append(("PostgreSQL stopped at once and started", self._restart_postgresql))
        return found

    async def happen(self, desk: Desk) -> None:
        """All faults, so many times over, while the day goes on."""
        self.phone = desk.phone()
        await desk.sender.open(self.phone, self.world.chief)
        await self._saved(desk.notes, len(desk.notes.entries))
        for name, fault in self.faults * self.repeat:
            await asyncio.sleep(self.between_s)
            outage = Outage(name, self._log_size)
            self.outages.append(outage)
            await fault()
            start = time.monotonic()
            await self._saved(desk.notes, len(desk.notes.entries))
            outage.seconds = time.monotonic() - start
            # Requests that began meanwhile may still end as they must.
            await asyncio.sleep(self.settle_s)
            outage.log_to = self._log_size
        await self._until(lambda: self._all_done, "all jobs are done")

    @property
    def _log_size(self) -> int:
        return self.site.log.stat().st_size

    def quiet_log(self) -> bytes:
        """What was logged outside the outages."""
        log = self.site.log.read_bytes()
        places = [0, *(p for one in self.outages for p in (one.log_from, one.log_to)), len(log)]
        return b"".join(log[a:b] for a, b in zip(places[::2], places[1::2], strict=True))

    def amiss(self) -> list[str]:
        """Jobs that were not done once and whole, and errors outside the outages."""
        found = errors(self.quiet_log())
        jobs = self._jobs()
        for job in jobs:
            hands = (job["result"] or {}).get("hands")
            whole = job["kind"] != "verify-records" or hands == self.records
            if job["state"] != "done" or not whole:
                found.append(f"not done once and whole: {job}")
        kinds = [job["kind"] for job in jobs]
        if kinds.count("verify-records") != self.uploads:
            found.append(f"{self.uploads} uploads made {kinds.count('verify-records')} jobs")
        return found

    def _jobs(self) -> list[Row]:
        return self.database.rows("SELECT id, kind, state, attempts, result FROM core_job")

    async def _kill_web_worker(self) -> None:
        victim = self.site.web_workers[len(self.outages) % 2]
        os.kill(victim, signal.SIGKILL)
        await self._until(lambda: len(self.site.web_workers) == 2, "a new web worker")

    async def _kill_web(self) -> None:
        before = self.site.web
        os.kill(before, signal.SIGKILL)
        await self._until(lambda: self.site.web not in (0, before), "a new web server")
        await self._until(lambda: len(self.site.web_workers) == 2, "its workers")

    async def _kill_job_workers(self) -> None:
        """The processes of Celery's worker in the middle of a job, and the one that sweeps."""
        beat, before = self.site.beat, self.site.job_workers
        await self._upload_at_work()
        for victim in (beat, *before):
            os.kill(victim, signal.SIGKILL)
        await self._until(lambda: self.site.beat not in (0, beat), "a new beat")

    async def _kill_jobs(self) -> None:
        """In the middle of a job, which another worker then does."""
        before = self.site.jobs
        await self._upload_at_work()
        os.kill(before, signal.SIGKILL)
        await self._until(lambda: self.site.jobs not in (0, before), "a new worker for jobs")

    async def _restart_redis(self) -> None:
        """A job that is asked for meanwhile wakes nobody, and is found by the sweep."""
        assert self.redis is not None
        self.redis.flush()
        self.redis.kill()
        await self._upload()
        asked = max(job["id"] for job in self._jobs() if job["kind"] == "verify-records")
        await asyncio.sleep(self.down_s)
        await asyncio.to_thread(self.redis.start)
        await self._until(
            lambda: any(job["id"] == asked and job["state"] == "done" for job in self._jobs()),
            "the job that nobody was woken for is done",
        )

    async def _restart_postgresql(self) -> None:
        """In the middle of a job and of many requests."""
        assert self.cluster is not None
        await self._upload_at_work()
        await asyncio.to_thread(self.cluster.stop, "immediate")
        await asyncio.sleep(self.down_s)
        await asyncio.to_thread(self.cluster.start)

    @property
    def _all_done(self) -> bool:
        return all(one["state"] in ("done", "failed", "cancelled") for one in self._jobs())

    async def _upload(self) -> None:
        """The chief referee uploads records to be verified."""
        assert self.phone is not None
        token = self.phone.cookies.get("csrftoken", "")
        if not token:
            await self.phone.get(self.world.records)
            token = self.phone.cookies["csrftoken"]
        data = "\n".join(texts(1) * self.records).encode()
        fields = {"csrfmiddlewaretoken": token}
        answer = await self.phone.upload(self.world.records, fields, "file", data)
        if answer.status != 302:
            raise AssertionError(f"an upload was answered with {answer.status}")
        self.uploads += 1

    async def _upload_at_work(self) -> None:
        """Uploads until somebody is in the middle of verifying; a quick machine is done before one
        has looked."""

        def states() -> list[str]:
            return [job["state"] for job in self._jobs() if job["kind"] == "verify-records"]

        while "running" not in states():
            await self._upload()
            await self._until(lambda: "waiting" not in states(), "the job is begun")

    async def _saved(self, notes: Notes, before: int) -> None:
        await self._until(lambda: len(notes.entries) >= before + RESUMED, "hands are saved")

    async def _until(self, is_so: Callable[[], object], what: str) -> None:
        until = time.monotonic() + self.patience_s
        while not is_so():
            if time.monotonic() > until:
                raise AssertionError(f"not in {self.patience_s:.0f} s: {what}")
            await asyncio.sleep(ASK_EVERY_S)
