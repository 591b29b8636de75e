"""What docs/operations.md tells operators to type and to set is there."""

import os
import re
import shlex
import subprocess
import sys

import pytest
from django.core.management import get_commands, load_command_class

from tests.config import deployment as files

ROOT = files.ROOT
PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
EXAMPLES = [files.DEPLOY / "compose.env", files.DEPLOY / "duozhu.env"]
ONE_LINERS = re.findall(
    r"^# (python3 -c .*)$", "\n".join(path.read_text(encoding="utf-8") for path in EXAMPLES), re.M
)
SECTIONS = [
    "只用一台电脑", "Three ways to run it", "Sizing", "TLS and the proxy", "The environment",
    "Upgrade", "Rollback", "Backup and restore", "Watching: logs, health, metrics", "Time",
    "PostgreSQL, Redis, disk", "When something is wrong",
]  # fmt: skip


def typed() -> list[str]:
    """The lines of the blocks, comments taken off, continued lines as one."""
    text = "\n".join(BLOCKS).replace("\\\n", " ")
    lines = [re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines()]
    return [line for line in lines if line]


def manage_calls() -> list[list[str]]:
    """Each call of manage.py on the page and in what it runs: the command and its words."""
    calls = re.findall(r"manage\.py ([a-z][^`\n]*)`", PAGE)
    calls += [line.removeprefix("manage ") for line in typed() if line.startswith("manage ")]
    calls += [
        line.split("manage.py ")[1] for line in typed() if re.search(r"manage\.py [a-z]", line)
    ]
    return [shlex.split(call) for call in calls]


def table_under(heading: str) -> list[list[str]]:
    """The rows of the first table after a heading, without its head."""
    part = PAGE.split(f"\n## {heading}\n")[1]
    found = re.search(r"(?:^\|.*\n)+", part, re.M)
    assert found
    rows = [line.strip("| \n").split(" | ") for line in found[0].splitlines()]
    return rows[2:]


def test_sections_are_all_there():
    assert re.findall(r"^## (.+)$", PAGE, re.M) == SECTIONS


def test_every_variable_that_is_read_is_explained_and_no_other():
    explained = [row[0].strip("`") for row in table_under("The environment")]
    assert sorted(explained) == sorted(set(explained))
    assert set(explained) == files.settings_variables() | files.gunicorn_variables()


def test_defaults_of_the_table_are_those_of_the_settings():
    """Numbers and words; true and false are told by the next test."""
    told = {row[0].strip("`"): row[1].strip("`") for row in table_under("The environment")}
    source = (ROOT / "config/settings.py").read_text(encoding="utf-8")
    source += (ROOT / "config/gunicorn.py").read_text(encoding="utf-8")
    defaults = dict(re.findall(r'(?:int|float|str|get)\(\s*"(\w+)", "?([\w@]+)"?[,)]', source))
    compared = {
        name: value
        for name, value in defaults.items()
        if value.islower() or value[0] in "0123456789I"
    }
    compared.pop("SECRET_KEY", None)
    assert {"BACKUP_KEEP", "JOB_LEASE_S", "LOG_LEVEL", "MAIL_FROM", "WEB_CONCURRENCY"} <= set(
        compared
    )
    assert {name: told[name] for name in compared} == compared


def test_calls_of_manage_are_understood():
    calls = manage_calls()
    assert len(calls) > 8
    known = get_commands()
    for name, *words in calls:
        assert name in known, name
        app = known[name]
        command = load_command_class(app, name) if isinstance(app, str) else app
        command.create_parser("manage.py", name).parse_args(words)


def test_units_and_services_that_are_named_are_described():
    units = set(re.findall(r"duozhu-[a-z]+(?:\.service|\.socket)?", PAGE))
    names = {path.name for path in files.DEPLOY.iterdir()}
    for unit in units:
        assert {unit, f"{unit}.service"} & names, unit
    described = set(files.compose()["services"])
    for line in typed():
        words = line.split()
        if words[:2] == ["docker", "compose"] and words[2] in ("up", "run", "exec"):
            verbs = {"python", "manage.py", "first_account", "touch", "/tmp/draining"}
            services = [w for w in words[3:] if not w.startswith("-") and w not in verbs]
            assert set(services) <= described, line


def test_restoring_stops_everything_that_would_write_or_start_what_writes():
    (line,) = [one for one in typed() if one.startswith("systemctl stop ")]
    units = {path.name for path in files.DEPLOY.glob("duozhu-*.*") if path.suffix != ".env"}
    assert set(line.split()[2:]) == units - {"duozhu-migrate.service"}


def test_files_that_are_named_exist():
    named = set(re.findall(r"(?<![\w/.])(?:docs|tests|bin|config)/[\w./-]+\w", PAGE))
    assert len(named) > 6
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_links_lead_to_files_and_headings():
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", PAGE)
    assert links
    for name, heading in links:
        target = (ROOT / "docs" / name) if name else ROOT / "docs/operations.md"
        assert target.is_file(), name
        if heading:
            heads = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.M)
            assert heading in [head.lower().replace(" ", "-") for head in heads]


@pytest.mark.skipif(sys.platform == "win32", reason="blocks for a Unix shell")
def test_blocks_are_shell():
    for block in BLOCKS:
        ended = subprocess.run(
            ["sh", "-n"], input=block, capture_output=True, text=True, check=False
        )
        assert (ended.returncode, ended.stderr) == (0, ""), block


@pytest.mark.parametrize("line", ONE_LINERS)
def test_secrets_of_the_examples_can_be_made_and_pass_the_check(line):
    python, *words = shlex.split(line)
    assert python == "python3"
    made = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    secret = made.stdout.strip()
    assert re.fullmatch(r"[\w-]{48,64}", secret), "it needs no quotes, in a URL neither"


@pytest.mark.parametrize("name", ["compose.env", "duozhu.env"])
def test_check_deploy_is_clean_with_an_example_filled_in(name, tmp_path):
    """With PostgreSQL named and https on, as on a server. Nothing is asked of the database."""
    given = files.filled(name)
    if name == "compose.env":
        given = files.compose(given)["services"]["web1"]["environment"]
    environment = {"PATH": os.environ["PATH"], **given, "VAR_DIR": str(tmp_path)}
    environment |= {"DRAINING_FILE": str(tmp_path / "draining"), "PYTHONWARNINGS": "error"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "no issues" in ended.stdout
    assert given["DATABASE_URL"].startswith("postgres://")


def test_figures_of_compose_that_the_page_tells_are_those_of_compose():
    services = files.compose()["services"]
    assert int(services["web1"]["environment"]["WEB_CONCURRENCY"]) * 2 == 4
    assert "four web processes, two of the worker and its parent" in PAGE
    options = services["web1"]["logging"]["options"]
    assert (options["max-file"], options["max-size"]) == ("10", "20m")
    assert "ten of 20 MB a service" in PAGE
    assert services["db"]["command"][-1] == "max_connections=100"
    assert "so 100 do for `compose.yaml`" in PAGE
