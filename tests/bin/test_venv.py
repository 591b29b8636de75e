"""The two lock files and the virtual environment made of them."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bin"))

import _venv  # noqa: E402


def pins(name: str) -> dict[str, str]:
    """Package → version of a lock file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.M))


def test_development_lock_holds_all_of_the_running_lock():
    assert pins(_venv.RUN).items() <= pins(_venv.DEV).items()
    assert "django" in pins(_venv.RUN)


@pytest.mark.parametrize("name", [_venv.RUN, _venv.DEV])
def test_lock_is_complete_with_hashes_and_names_no_host(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.M)[1:]
    assert len(blocks) == len(pins(name))
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text
    assert not re.search(r"^\s*-(?!-hash)", text, re.M)


@pytest.fixture
def made(tmp_path):
    """A folder that looks like a virtual environment with the lock `lock.txt` installed."""
    lock = tmp_path / "lock.txt"
    lock.write_text("django==5.2\n", encoding="utf-8")
    python = _venv.python_of(tmp_path)
    python.parent.mkdir()
    python.touch()
    (tmp_path / _venv.STAMP).write_text(_venv.stamp_line(lock) + "\n", encoding="utf-8")
    return tmp_path, lock


def test_environment_is_current_only_with_the_same_lock_and_python(made):
    folder, lock = made
    assert _venv.is_current(folder, lock)
    assert _venv.same_python(folder)
    lock.write_text("django==5.2.1\n", encoding="utf-8")
    assert not _venv.is_current(folder, lock)
    stamp = folder / _venv.STAMP
    stamp.write_text("lock.txt 3.9 0\n", encoding="utf-8")
    assert not _venv.same_python(folder)


def test_environment_without_interpreter_is_not_current(made):
    folder, lock = made
    _venv.python_of(folder).unlink()
    assert not _venv.is_current(folder, lock)
    assert not _venv.same_python(folder)


def test_current_environment_is_used_without_installing(made, capsys):
    folder, lock = made
    folder.joinpath(".venv").symlink_to(folder, target_is_directory=True)
    assert _venv.ensure(lock.name, root=folder) == _venv.python_of(folder / ".venv")
    assert capsys.readouterr().out == ""
