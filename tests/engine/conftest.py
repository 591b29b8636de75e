"""What the tests of the engine's command line share."""

import io

import pytest

from engine.__main__ import main


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Runs a command in a folder of its own: status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words, files=None, stdin=b""):
        for name, data in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(list(words))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run
