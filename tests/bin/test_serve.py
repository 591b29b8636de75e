"""What `bin/serve` makes of its options; starting for real is tested by hand and in tests/e2e."""

import importlib.machinery
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def serve():
    """The file bin/serve as a module."""
    sys.path.insert(0, str(ROOT / "bin"))
    loader = importlib.machinery.SourceFileLoader("serve", str(ROOT / "bin/serve"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("serve", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("given", "passed_on"),
    [
        ([], []),
        (["--port", "9000"], ["--port", "9000"]),
        (["--demo", "--lan"], ["--lan", "--demo"]),
    ],
)
def test_options_are_passed_on_to_up(serve, given, passed_on):
    call = serve.command(Path("python"), serve.read(given))
    assert call == ["python", str(ROOT / "manage.py"), "up", *passed_on]


@pytest.mark.parametrize("given", [["--port", "0"], ["--port", "65536"], ["--port", "x"], ["up"]])
def test_wrong_options_end_before_anything_is_installed(serve, given, capsys):
    with pytest.raises(SystemExit) as end:
        serve.main(given)
    assert end.value.code == 2
    assert "usage: bin/serve" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["serve", "test", "bench"])
def test_older_pythons_get_a_sentence(name):
    """The file's first statements, as Python 3.8 would run them, end with a kind sentence."""
    source = (ROOT / "bin" / name).read_text(encoding="utf-8")
    head = source[: source.index("\nimport ", source.index("version_info"))]
    old = "import sys\nsys.version_info = (3, 8, 0, 'final', 0)\n" + head
    run = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", old],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 1
    assert "3.11" in run.stderr
    assert "Traceback" not in run.stderr
