"""What the README lets newcomers paste does what the README says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("sh") is None, reason="the README's block is for a shell")
def test_score_example_prints_what_the_readme_shows():
    """cli.md, score: 胡 16, base 2, 醒 1, total 3, 甲 +6, 乙 −6, 丙 0."""
    block, shown = re.search(
        r"```sh\n(python3 -m engine score .*?)```\n\n```text\n(.*?)```", README, re.S
    ).groups()
    run = subprocess.run(
        ["sh", "-c", block],
        cwd=ROOT,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == shown
    assert "胡 16 → 2 舵 + 醒 1 = 3 舵\n甲+6 乙-6 丙+0" in shown


def test_links_of_the_readme_lead_to_files():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
