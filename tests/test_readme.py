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


def test_pictures_of_the_readme_are_there_and_small():
    """Each says in words what it shows, and none is over 150 kB."""
    shown = re.findall(r"!\[(.*?)\]\((\S+?)\)", README)
    shown += [(alt, src) for src, alt in re.findall(r'<img src="(\S+)" .*?alt="(.*?)">', README)]
    assert {src for _alt, src in shown} == {
        str(path.relative_to(ROOT)) for path in (ROOT / "docs/img").iterdir()
    }
    for alt, src in shown:
        assert len(alt) > 10
        picture = ROOT / src
        assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        assert picture.stat().st_size < 150_000, src


def test_links_to_headings_of_other_pages_lead_there():
    """Links with a # lead to a heading."""
    for name, heading in re.findall(r"\]\((docs/\S+?\.md)#(\S+?)\)", README):
        heads = re.findall(r"^#+ (.+)$", (ROOT / name).read_text(encoding="utf-8"), re.M)
        assert heading in [head.lower().replace(" ", "-") for head in heads]
