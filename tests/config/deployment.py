"""`Dockerfile`, `compose.yaml`, the units and examples of `docs/deploy/`, read for the tests."""

from __future__ import annotations

import ast
import fnmatch
import json
import re
import shlex
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs" / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
SERVICES = [unit.stem for unit in UNITS]

SECRET = "only-for-this-test-0123456789-abcdefghijklmnopqrstuvwxyz-XYZ"
DOMAIN = "zipai.example.org"
FILLED = {"DOMAIN": DOMAIN, "SECRET_KEY": SECRET, "POSTGRES_PASSWORD": "0123456789abcdef"}
"""What the one who runs the site fills in."""


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's: (name, the rest as one line)."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    whole = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in whole.splitlines())]


def of(name: str) -> list[str]:
    """What all instructions of this name say."""
    return [rest for found, rest in instructions() if found == name]


def image_environment() -> dict[str, str]:
    """What the image sets."""
    return dict(pair.split("=", 1) for rest in of("ENV") for pair in shlex.split(rest))


def image_command() -> list[str]:
    """What a container does that is not told otherwise."""
    (rest,) = of("CMD")
    return list(json.loads(rest))


def image_check() -> list[str]:
    """How a container is asked whether it is well."""
    (rest,) = of("HEALTHCHECK")
    return list(json.loads(rest.partition(" CMD ")[2]))


def is_in_image(path: str) -> bool:
    """Whether `.dockerignore` lets this file (its path with slashes) into the image.

    The last pattern that fits the file or a folder above it decides.
    """
    parts = path.split("/")
    above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    taken = True
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.removeprefix("!")
        if pattern.startswith("**/"):
            fits = any(fnmatch.fnmatchcase(part, pattern[3:]) for part in parts)
        else:
            assert "/" not in pattern, pattern
            fits = any(fnmatch.fnmatchcase(folder, pattern) for folder in above[:1])
        if fits:
            taken = line.startswith("!")
    return taken


def example(name: str) -> dict[str, str]:
    """The settings of an example file of `docs/deploy/`, those that are commented out too."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^#?([A-Z][A-Z0-9_]*)=(.*)$", text, re.M))


def filled(name: str) -> dict[str, str]:
    """What of an example file is set once it has been filled in."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    given = dict(re.findall(r"^([A-Z][A-Z0-9_]*)=(.*)$", text, re.M))
    return given | {key: value for key, value in FILLED.items() if key in given}


def substituted(text: str, given: Mapping[str, str]) -> str:
    """`${NAME}`, `${NAME:-instead}` and `${NAME:?}` (which must be set) as Compose reads them."""

    def value(found: re.Match[str]) -> str:
        name, kind, instead = found.groups()
        if kind == ":?":
            assert given.get(name), f"{name} is not set"
        return given.get(name) or (instead if kind == ":-" else "")

    return re.sub(r"\$\{(\w+)(?:(:-|:\?)([^}]*))?\}", value, text)


def compose(given: Mapping[str, str] | None = None) -> dict[str, Any]:
    """`compose.yaml` with what `.env` says, the example filled in if nothing else is given."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    chosen = filled("compose.env") if given is None else given
    read = _substituted_in(yaml.safe_load(text), chosen)
    for service in read["services"].values():
        values = service.get("environment", {}).items()
        assert all(isinstance(value, str) for _name, value in values), values
    return dict(read)


def _substituted_in(value: Any, given: Mapping[str, str]) -> Any:
    """Compose reads the YAML first, and then the variables in its strings."""
    if isinstance(value, dict):
        return {key: _substituted_in(inner, given) for key, inner in value.items()}
    if isinstance(value, list):
        return [_substituted_in(inner, given) for inner in value]
    return substituted(value, given) if isinstance(value, str) else value


def unit(name: str) -> ConfigParser:
    """A unit of systemd. Of a key given more than once the values stand on a line each."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    read = ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    read.optionxform = str  # type: ignore[assignment,method-assign]
    section, found = "", dict[tuple[str, str], list[str]]()
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault((section, key), []).append(value)
    for (section, key), values in found.items():
        if not read.has_section(section):
            read.add_section(section)
        read.set(section, key, "\n".join(values))
    return read


def started(name: str) -> list[list[str]]:
    """The commands of a service of systemd."""
    lines = unit(f"{name}.service")["Service"]["ExecStart"].splitlines()
    return [shlex.split(line) for line in lines]


def seconds(text: str) -> float:
    """`30s`, `2m`, `30min` or bare seconds."""
    number, kind = re.fullmatch(r"(\d+)(s|m|min|)", text).groups()  # type: ignore[union-attr]
    return int(number) * (60 if kind in ("m", "min") else 1)


def settings_variables() -> set[str]:
    """The environment variables that `config/settings.py` reads."""
    tree = ast.parse((ROOT / "config" / "settings.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    read = set()
    for call in calls:
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "env":
            assert isinstance(call.args[0], ast.Constant), ast.unparse(call)
            read.add(str(call.args[0].value))
    return read


def gunicorn_variables() -> set[str]:
    """Those that `config/gunicorn.py` reads."""
    text = (ROOT / "config" / "gunicorn.py").read_text(encoding="utf-8")
    return set(re.findall(r'os\.environ\.get\(\s*"(\w+)"', text))
