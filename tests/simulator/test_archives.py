"""What became of competitions walked by chance goes into an archive and comes back, and the plain
script computes its tables and standings again."""

from __future__ import annotations

import random
import secrets
from pathlib import Path

import pytest

from scoring.exports.archive import archive, is_open_to_all
from tests.scoring.archives import elsewhere, full, opened, verify_archive
from tests.simulator.mishaps import wander
from tests.simulator.play import Broken, Walk

SEEDS = (102, 118, 131)
MOST_ENTRANTS = 20


def check(data: bytes, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The script finds nothing amiss."""
    path.write_bytes(data)
    code = verify_archive.main(str(path))
    assert code == 0, capsys.readouterr().out


@pytest.mark.django_db
@pytest.mark.parametrize("seed", SEEDS)
def test_walked_competition_gives_the_same_bytes_and_is_computed_again(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    walk = Walk(seed, MOST_ENTRANTS)
    with monkeypatch.context() as patched:
        patched.setattr(secrets, "token_bytes", random.Random(f"secrets {seed}").randbytes)
        try:
            wander(walk)
        except Broken as error:
            pytest.skip(f"the walk itself is amiss, see test_simulator: {error}")
    data = full(walk.competition)
    check(data, tmp_path / "full.zip", capsys)
    if is_open_to_all(walk.competition):
        public = archive(walk.competition, is_full=False)
        check(public, tmp_path / "public.zip", capsys)
        again = archive(elsewhere(public, new_address=True), is_full=False)
        ours, theirs = opened(public)[0], opened(again)[0]
        theirs["parts"]["competition"][0]["code"] = ours["parts"]["competition"][0]["code"]
        assert theirs == ours
    assert full(elsewhere(data)) == data
