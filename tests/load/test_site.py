"""Which lines of a site's log tell of an error."""

from __future__ import annotations

import pytest

from tests.load.site import errors


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "job.fault", "level": "error", "logger": "core.domain.jobs"}',
        '{"event": "gone", "level": "critical", "logger": "core"}',
        "[2026-11-30 22:30:46,060: ERROR/MainProcess] Process exited with 'signal 9 (SIGKILL)'",
        "[2026-11-30 22:30:46 +0800] [123] [ERROR] Worker (pid:124) was sent SIGKILL!",
        "Traceback (most recent call last):",
    ],
)
def test_an_error_is_found(line: str) -> None:
    quiet = '{"event": "request", "status": 409, "level": "warning"}'
    assert errors(f"{quiet}\n{line}\n{quiet}\n".encode()) == [line]
