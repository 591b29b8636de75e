"""How gunicorn serves the site, wherever it is started: `up`, `compose.yaml`, the systemd units.

Only where it listens (`--bind`, or the socket systemd hands over) is said on the command line.
WEB_CONCURRENCY sets the number of processes. The reasons with figures are in docs/operations.md.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from gunicorn.glogging import Logger  # type: ignore[import-untyped]

wsgi_app = "config.wsgi:application"
chdir = str(Path(__file__).resolve().parent.parent)

workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
# More than four threads a process make rendering slower.
threads = 4
# Each process loads the code itself: neither a connection of a pool nor a thread is ever shared by
# a fork, and SIGHUP brings the code that is in this folder now, but for what this file imports.
preload_app = False

# Phones poll every few seconds; a proxy keeps its connections a little longer.
keepalive = 10
# A request that has begun may end when the process is told to; `up` and systemd wait longer.
graceful_timeout = 15
control_socket_disable = True
loglevel = "warning"

# This file is run by its path, not imported.
sys.path.insert(0, chdir)
from config.logs import logging_config  # noqa: E402


class logger_class(Logger):
    """What gunicorn itself has to say stands among the site's own lines; it writes none of each
    request, as `core.requests` does."""

    def setup(self, cfg: Any) -> None:
        """Leaves the lines to the root logger."""
        super().setup(cfg)
        logging_config(os.environ.get("LOG_LEVEL", "INFO"), plain=False)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


def on_starting(server: Any) -> None:
    """Each process counts into files of a folder that is this server's alone, as process ids may
    be the same in containers that share one; nothing that counts is imported yet.

    A file that told the proxy to send nothing here was meant for the server before.
    """
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        server.counts = tempfile.mkdtemp(prefix="duozhu-metrics-")
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = server.counts
    var = os.environ.get("VAR_DIR") or Path(chdir) / "var"
    Path(os.environ.get("DRAINING_FILE") or Path(var) / "draining").unlink(missing_ok=True)


def child_exit(server: Any, worker: Any) -> None:
    """Gauges of a process that has ended count no more; what it has counted stays in the sums."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """Takes its folder away, unless a server started by it (SIGUSR2) goes on in it."""
    if hasattr(server, "counts") and not server.reexec_pid:
        shutil.rmtree(server.counts, ignore_errors=True)
