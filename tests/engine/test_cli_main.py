"""The command line as a whole (cli.md): dispatch, misuse, closed pipes; never a traceback."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.__main__ import COMMANDS, INTERRUPTED, main
from engine.cli import replay
from tests.engine.zpr import record

ROOT = Path(__file__).resolve().parents[2]


def engine(*words, **options):
    """The command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "engine", *words], cwd=ROOT, capture_output=True, **options
    )


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["count"],
        ["replay"],
        ["replay", "--jso", "a"],
        ["convert"],
        ["convert", "a", "--to", "x"],
    ],
)
def test_misuse_is_one_line_and_status_2(run, words):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("命令行不对，请看 python -m engine")
    assert "--help" in err
    assert err.count("\n") == 1


def test_misuse_with_json_is_an_object(run):
    status, out, err = run("replay", "--json")
    assert (status, err) == (2, "")
    answer = json.loads(out)
    assert (answer["file"], answer["status"]) == (None, "unreadable")


def test_help_names_every_command(run):
    status, out, _ = run("--help")
    assert status == 0
    for command in COMMANDS:
        assert command.__name__.rsplit(".", 1)[1] in out


def test_process_speaks_utf_8_whatever_the_locale():
    done = engine("replay", "-", input=record().encode(), env={**os.environ, "LC_ALL": "C"})
    assert done.returncode == 0
    assert done.stdout.decode() == "-: 第 1 副 未完 / unfinished: 0 手 / events\n"


def test_file_name_that_is_no_text():
    done = engine("replay", b"\xff.zpr", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["status"] == "unreadable"


def test_reader_that_goes_away_is_no_traceback():
    words = [sys.executable, "-m", "engine", "simulate", "-n", "200"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this machine")
def test_disk_that_is_full_is_one_line():
    with open("/dev/full", "wb") as full:
        words = [sys.executable, "-m", "engine", "replay", "-", "--json"]
        done = subprocess.run(
            words, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, input=record().encode()
        )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("写不出去 / cannot write: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("reads", [True, False])
def test_output_that_fails_is_status_2(monkeypatch, capsys, reads):
    end, start = os.pipe()
    os.close(end)
    target = start if reads else os.open("/dev/full", os.O_WRONLY)
    with os.fdopen(target, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["rules", "local"]) == 2
    assert capsys.readouterr().err.count("写不出去") == (not reads)


def test_interrupt_is_no_traceback(monkeypatch, run):
    def interrupt(args):
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "run", interrupt)
    assert run("replay", "a.zpr")[0] == INTERRUPTED


def test_arguments_default_to_those_of_the_process(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["engine", "rules", "local"])
    assert main() == 0
    assert "local" in capsys.readouterr().out


def test_output_that_is_no_terminal_stream_is_written_to(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["rules", "local"]) == 0
    assert "local" in out.getvalue()
