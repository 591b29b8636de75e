"""The environment of a site that runs on one machine by `manage.py up`.

Settings are read from the environment only; this supplies what is missing there before they
are read: a secret made once, and the hosts that may ask.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Sequence
from pathlib import Path

DEFAULT_PORT = "8000"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def prepare(arguments: Sequence[str]) -> None:
    """Completes the environment for `up`, and for every command where `up` has run before.

    `arguments` are the command's words. Without `up` ever run, nothing is supplied: a
    production site that lacks its secret must refuse to start.
    """
    is_up = list(arguments[:1]) == ["up"]
    secret = _var_dir() / "secret"
    if not is_up and not secret.exists():
        return
    if "SECRET_KEY" not in os.environ:
        os.environ["SECRET_KEY"] = _secret(secret)
    hosts = list(LOCAL_HOSTS)
    if is_up and "--lan" in arguments:
        hosts += lan_hosts()
    if "ALLOWED_HOSTS" not in os.environ:
        os.environ["ALLOWED_HOSTS"] = ",".join(hosts)
    if "CSRF_TRUSTED_ORIGINS" not in os.environ:
        port = _port(arguments)
        os.environ["CSRF_TRUSTED_ORIGINS"] = ",".join(f"http://{host}:{port}" for host in hosts)
    os.environ.setdefault("SITE_HTTPS", "false")
    if is_up:
        # Its terminal shows the address and the first password, which no request should push out.
        os.environ.setdefault("LOG_LEVEL", "WARNING")


def lan_hosts() -> list[str]:
    """The addresses and names by which others of the local network reach this machine."""
    name = socket.gethostname().lower()
    return [host for host in (lan_address(), name, f"{name}.local") if host]


def lan_address() -> str:
    """This machine's address in the local network, empty where there is none.

    Connecting a datagram socket sends nothing; it only asks which way a packet would go.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _var_dir() -> Path:
    return Path(os.environ.get("VAR_DIR") or Path(__file__).resolve().parent.parent / "var")


def _secret(path: Path) -> str:
    """The secret kept in `path`, made there on the first start, readable by the owner only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        secret = secrets.token_urlsafe(48)
        file.write(secret + "\n")
    return secret


def _port(arguments: Sequence[str]) -> str:
    words = [part for word in arguments for part in word.split("=", 1)]
    return words[words.index("--port") + 1] if "--port" in words[:-1] else DEFAULT_PORT
