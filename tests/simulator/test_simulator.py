"""Whole competitions by chance, with everything that goes amiss, against invariants (C2–C9).

`DUOZHU_WALKS` says how many, `DUOZHU_SEED` from which seed. What fails prints its steps and the
command that walks it again.
"""

from __future__ import annotations

import gc
import os
import random
import secrets
import sys
import time
import traceback
from collections import Counter

import pytest
from django.db import transaction

from tests.simulator.mishaps import wander
from tests.simulator.play import Broken, Walk

WALKS = int(os.environ.get("DUOZHU_WALKS", "20"))
SEED = int(os.environ.get("DUOZHU_SEED", "20261205"))
MOST_ENTRANTS = 81 if WALKS > 100 or "DUOZHU_SEED" in os.environ else 20
"""The usual run of all tests keeps to small fields."""


class Undo(Exception):
    """Nothing of a walk stays."""


def walk(seed: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Walk, str]:
    """One competition, and what is wrong with it; the randomness of the operating system is the
    seed's for it."""
    chance = random.Random(f"secrets {seed}")
    one = Walk(seed, MOST_ENTRANTS)
    with monkeypatch.context() as patched:
        patched.setattr(secrets, "token_bytes", chance.randbytes)
        try:
            with transaction.atomic():
                wander(one)
                raise Undo
        except Undo:
            return one, ""
        except Exception as error:
            where = "" if isinstance(error, Broken) else traceback.format_exc(limit=-4)
            steps = "\n".join(f"{n:4} {step}" for n, step in enumerate(one.steps, 1))
            again = f"DUOZHU_WALKS=1 DUOZHU_SEED={seed} python -m pytest -n 0 tests/simulator"
            return one, f"{steps}\n{where}\n{error!r}\n{error}\nagain: {again}"


def say(line: str) -> None:
    """Shown at once, however long the run is."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@pytest.mark.django_db
def test_every_competition_keeps_what_it_promises_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """C3.4, C6–C9: after each step all invariants, at the end one champion and the prizes."""
    sys.stdout.write(f"{WALKS} walks from seed {SEED}\n")
    counts: Counter[tuple[str, str]] = Counter()
    faults: dict[int, str] = {}
    began = time.monotonic()
    # What is there now stays; each walk leaves little behind.
    gc.freeze()
    gc.disable()
    for seed in range(SEED, SEED + WALKS):
        if seed % 20 == 0:
            gc.collect()
        done, fault = walk(seed, monkeypatch)
        counts += done.counts
        if fault:
            faults[seed] = fault
            last = "; ".join(str(step) for step in done.steps[-3:])
            say(f"seed {seed}, step {len(done.steps)}, {fault.splitlines()[-2]} after {last}")
        if (seed - SEED) % 50 == 49:
            say(f"{seed - SEED + 1} walked, {sum(counts.values())} steps")
    gc.enable()
    gc.unfreeze()
    seconds = time.monotonic() - began
    for (name, answer), count in sorted(counts.items()):
        sys.stdout.write(f"{count:8} {name}: {answer}\n")
    steps = sum(counts.values())
    sys.stdout.write(f"{steps} steps, {WALKS / seconds:.1f} walks a second\n")
    if faults:
        shortest = min(faults, key=lambda seed: len(faults[seed]))
        pytest.fail(f"{len(faults)} of {WALKS} walks, shortest {shortest}:\n{faults[shortest]}")
    assert counts["publish", "ok"] >= WALKS
