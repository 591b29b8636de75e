"""docs/architecture.md names what is really there."""

import ast
import re
import sys
from pathlib import Path

import pytest

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
