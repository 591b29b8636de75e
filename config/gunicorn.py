"""How gunicorn serves the site, wherever it is started: `up`, `compose.yaml`, the systemd units.

Only where it listens (`--bind`, or the socket systemd hands over) is said on the command line.
WEB_CONCURRENCY sets the number of processes. The reasons with figures are in docs/operations.md.
"""

import os
from pathlib import Path

wsgi_app = "config.wsgi:application"
chdir = str(Path(__file__).resolve().parent.parent)

workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
# More than four threads a process make rendering slower.
threads = 4
# Each process loads the code itself: SIGHUP then brings the code that is there now, and neither a
# connection of a pool nor a thread is ever shared by a fork.
preload_app = False

# Phones poll every few seconds; a proxy keeps its connections a little longer.
keepalive = 10
# A request that has begun may end when the process is told to; `up` and systemd wait longer.
graceful_timeout = 15
control_socket_disable = True
loglevel = "warning"
