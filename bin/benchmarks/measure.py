"""How every figure is taken: CPU time, inputs never seen before, the median of seven."""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 7

Input = TypeVar("Input")
Figure = tuple[str, float, str]
"""Name, value and unit of one figure."""


def batches(inputs: Sequence[Input]) -> list[Sequence[Input]]:
    """The inputs in `REPEATS` equal parts, so that no run sees another's."""
    size = len(inputs) // REPEATS
    return [inputs[i * size : (i + 1) * size] for i in range(REPEATS)]


def per_second(work: Callable[[Sequence[Input]], object], inputs: Sequence[Input]) -> float:
    """How many inputs a second of CPU `work` does: the median over `batches(inputs)`."""
    rates = []
    for batch in batches(inputs):
        gc.collect()
        start = time.process_time()
        work(batch)
        rates.append(len(batch) / (time.process_time() - start))
    return statistics.median(rates)


def fresh(code: str) -> list[float]:
    """The numbers that `code` prints on one line in a new process."""
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [float(word) for word in run.stdout.split()]


def fresh_median(code: str) -> list[float]:
    """The medians of `fresh` over `REPEATS` processes, after one for the compiled files."""
    runs = [fresh(code) for _ in range(REPEATS + 1)]
    return [statistics.median(column) for column in zip(*runs[1:], strict=True)]


def distinct(made: Iterable[Input], number: int) -> list[Input]:
    """The first `number` different values of `made`."""
    seen: dict[Input, None] = {}
    for value in made:
        seen[value] = None
        if len(seen) == number:
            break
    return list(seen)
