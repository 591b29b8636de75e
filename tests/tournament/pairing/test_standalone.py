"""The stand-alone script offered for download (C4.5): standard library only, redraws, compares."""

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournament.pairing.samples import random_draw
from tests.tournament.pairing.test_document import changes, resealed, sample
from tournament.pairing.document import dump
from tournament.pairing.plan import ways

SCRIPT = Path(__file__).parents[3] / "static" / "verify_draw.py"
SPEC = importlib.util.spec_from_file_location("verify_draw", SCRIPT)
verify_draw = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(verify_draw)


def run(path):
    return subprocess.run(
        [sys.executable, "-I", SCRIPT, path],
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONUTF8": "1"},
        timeout=60,
    )


def test_it_is_short_and_needs_only_python():
    source = SCRIPT.read_text(encoding="utf-8")
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import)]
    assert {name.name for node in imports for name in node.names} == {"hashlib", "json", "sys"}
    assert not [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    assert source.count("\n") < 500
    ast.parse(source, feature_version=(3, 8))


@pytest.mark.parametrize(
    ("n", "table_size", "advance"), [(28, 3, 1), (50, 3, 1), (14, 4, 2), (2187, 3, 1)]
)
def test_it_redraws_the_published_json(n, table_size, advance, tmp_path):
    """C4.5: the script run as people run it."""
    document = random_draw(n, table_size, advance, None, seed=f"script {n}")
    path = tmp_path / "draw.json"
    path.write_text(dump(document), encoding="utf-8")
    done = run(path)
    assert (done.returncode, done.stderr) == (0, "")
    assert document["list_digest"] in done.stdout
    assert document["secret_digest"] in done.stdout
    assert document["terms_digest"] in done.stdout


def test_it_says_which_table_was_changed(tmp_path):
    document = sample()
    seats = document["result"]["rounds"][1][2]["seats"]
    seats[0], seats[1] = seats[1], seats[0]
    path = tmp_path / "draw.json"
    path.write_text(dump(resealed(document)), encoding="utf-8")
    done = run(path)
    assert done.returncode == 1
    assert "round 2, table 3" in done.stdout


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"plan": {"table_size": 1}}'])
def test_it_survives_what_is_no_draw(text, tmp_path):
    path = tmp_path / "draw.json"
    path.write_text(text, encoding="utf-8")
    done = run(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "ill-formed" in done.stdout


@pytest.mark.parametrize(("table_size", "advance"), [(2, 1), (3, 1), (4, 1), (4, 2)])
def test_it_agrees_with_the_site_for_every_number(table_size, advance):
    """C4.5: two implementations of C4.3 and C4.4 draw alike."""
    for n in (*range(2, 61), *range(61, 301, 20)):
        for way in ways(n, table_size, advance):
            document = random_draw(n, table_size, advance, way, seed=f"script {n}")
            assert list(verify_draw.check(json.loads(dump(document)))) == []


def test_it_finds_every_single_change(tmp_path, capsys):
    """C4.5: the same changes as for the site's own check; it ignores only what it does not know."""
    path = tmp_path / "draw.json"
    for where, changed in changes(sample()):
        path.write_text(json.dumps(changed), encoding="utf-8")
        assert verify_draw.main(path) == 1, where
