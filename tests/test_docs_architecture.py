"""docs/architecture.md names what is really there."""

import ast
import re
import sys
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def required(name: str) -> set[str]:
    """The packages a requirements file asks for directly, without extras and versions."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {re.match(r"[a-z0-9-]+", line)[0] for line in lines if re.match(r"[a-z]", line)}


def test_every_dependency_has_its_reason():
    reasons = dict(re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", PAGE, re.M))
    assert set(reasons) == required("requirements.in")


def test_every_development_dependency_is_named():
    paragraph = re.search(r"^For development:.*?\n\n", PAGE, re.M | re.S)[0]
    assert set(re.findall(r"`([a-z0-9-]+)`", paragraph)) == required("requirements-dev.in")


@pytest.mark.parametrize("path", re.findall(r"^(\S+)  +\S", PAGE.split("```")[1], re.M))
def test_every_part_of_the_layout_is_there(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("path", sorted((ROOT / "engine").rglob("*.py")), ids=lambda p: p.stem)
def test_engine_imports_only_itself_and_the_standard_library(path):
    """cli.md: nothing but Python 3.11+ is needed."""
    allowed = {*sys.stdlib_module_names, "engine"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.module.partition(".")[0] in allowed


def test_every_file_that_is_named_is_there():
    named = re.findall(
        r"`((?:core|config|engine|scoring|tournament|templates|static)/[\w./]+)`", PAGE
    )
    assert len(named) > 25
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_script_of_the_pages_is_named():
    scripts = {path.name for path in (ROOT / "static/js").glob("*.js")}
    assert scripts <= set(re.findall(r"`(\w+\.js)`", PAGE))


def test_jobs_that_are_named_are_there():
    named = dict(re.findall(r"^- `([\w-]+)` is `([\w.]+)`: ", PAGE, re.M))
    assert named
    regular = {name: path for name, (path, _every_s) in settings.PERIODIC.items()}
    assert named.items() <= {**settings.JOBS, **regular}.items()


def test_every_tool_in_bin_is_named():
    tools = {path.name for path in (ROOT / "bin").iterdir() if "." not in path.name}
    assert tools - {"benchmarks", "__pycache__"} <= set(re.findall(r"`bin/(\w+)", PAGE))


@pytest.mark.parametrize("module", ["hands", "sheets", "verdicts", "protests"])
def test_every_verb_at_a_sheet_has_its_undo_named(module):
    """C9.5."""
    section = PAGE.split("### What is done at a sheet")[1].split("###")[0]
    done = {
        name
        for row in re.findall(r"^\| (`.+?) \|", section, re.M)
        for name in re.findall(r"`(?:\w+\.)?(\w+)`", row)
    }
    tree = ast.parse((ROOT / f"scoring/domain/{module}.py").read_text(encoding="utf-8"))
    verbs = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and "acting" in {argument.arg for argument in node.args.kwonlyargs}
    }
    assert verbs
    assert verbs <= done
