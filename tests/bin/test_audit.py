"""bin/audit finds what is unsafe in locks made for the purpose; ours are sound."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import zipfile
from datetime import date
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = "sha256:" + "a" * 64
ADVISORIES = """
reviewed = 2026-11-30
[[advisory]]
package = "Some_Thing"
safe = "1.2.10"
ids = ["CVE-2026-1"]
what = "Anything at all"
"""


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    """The command as a module."""
    sys.path.insert(0, str(ROOT / "bin"))
    try:
        spec = spec_from_loader("audit", SourceFileLoader("audit", str(ROOT / "bin/audit")))
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules["audit"] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(ROOT / "bin"))


def folder(where: Path, lock: str, asked: str = "some-thing\n") -> Path:
    """A folder with this lock, three times over."""
    (where / "docs").mkdir()
    (where / "docs/advisories.toml").write_text(ADVISORIES, encoding="utf-8")
    for name in ("requirements", "requirements-dev", "requirements-pdf"):
        (where / f"{name}.in").write_text(asked, encoding="utf-8")
        (where / f"{name}.txt").write_text(lock, encoding="utf-8")
    return where


def found(
    audit: ModuleType, where: Path, today: date = date(2026, 12, 1)
) -> tuple[list[str], list[str]]:
    """What is said of a folder without a network: findings and notes."""
    said = audit.Audit()
    advisories = audit.tomllib.loads((where / "docs/advisories.toml").read_text(encoding="utf-8"))
    audit.offline(where, advisories, today, said)
    first = [one for one in said.findings if one.startswith("requirements.txt: ")]
    return [one.removeprefix("requirements.txt: ") for one in first], said.notes


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (
            "1.2.9",
            ["Some_Thing 1.2.9 is unsafe before 1.2.10 (CVE-2026-1): Anything at all"],
        ),
        ("1.2.10", []),
        ("1.10", []),
        ("2", []),
    ],
)
def test_release_older_than_its_first_safe_one_is_found(
    audit: ModuleType, tmp_path: Path, version: str, says: list[str]
) -> None:
    where = folder(tmp_path, f"some-thing=={version} \\\n    --hash={GOOD}\n    # via -r x.in\n")
    assert found(audit, where) == (says, [])


def test_what_is_not_pinned_has_no_hash_or_is_missing_is_found(
    audit: ModuleType, tmp_path: Path
) -> None:
    lock = f"some-thing==2 \\\n    --hash={GOOD}\nother>=1 \\\n    --hash={GOOD}\nbare==1\n"
    where = folder(tmp_path, lock, "some.thing[x]>=1  # why\nmissing; python_version > '3'\n")
    assert found(audit, where)[0] == [
        f"not pinned: other>=1      --hash={GOOD}"[:72],
        "bare 1 has no hash",
        "requirements.in asks for missing, which is not locked",
    ]


def test_review_of_long_ago_is_a_warning_and_no_failure(audit: ModuleType, tmp_path: Path) -> None:
    where = folder(tmp_path, f"some-thing==2 \\\n    --hash={GOOD}\n")
    assert found(audit, where, date(2027, 5, 29)) == ([], [])
    assert found(audit, where, date(2027, 5, 30)) == (
        [],
        ["WARNING: docs/advisories.toml was last reviewed 181 days ago"],
    )


def wheel(name: str, version: str) -> bytes:
    """A wheel with nothing in it."""
    file = io.BytesIO()
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(file, "w") as package:
        package.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        package.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        package.writestr(f"{info}/RECORD", "")
    return file.getvalue()


@pytest.mark.parametrize("is_yanked", [True, False])
def test_yanked_release_is_found_on_whatever_index_pip_is_set_to(
    audit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_yanked: bool
) -> None:
    name, data = "some_thing-2-py3-none-any.whl", wheel("some_thing", "2")
    index = tmp_path / "simple/some-thing"
    index.mkdir(parents=True)
    (index / name).write_bytes(data)
    mark = ' data-yanked="broken"' if is_yanked else ""
    digest = hashlib.sha256(data).hexdigest()
    link = f'<a href="{name}#sha256={digest}"{mark}>{name}</a>'
    page = f"<!DOCTYPE html><html><body>{link}</body></html>"
    (index / "index.html").write_text(page, encoding="utf-8")
    for setting in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"):
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    where = folder(tmp_path, f"some-thing==2 \\\n    --hash=sha256:{digest}\n")
    said = audit.Audit()
    audit.check_yanked(where, "requirements.txt", Path(sys.executable), said)
    assert said.not_audited == []
    assert said.findings == (
        ["requirements.txt: some_thing 2 has been yanked"] if is_yanked else []
    )


def test_index_and_databases_that_do_not_answer_are_said_and_fail_nothing(
    audit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    where = folder(tmp_path, f"some-thing==2 \\\n    --hash={GOOD}\n")
    said = audit.Audit()
    audit.online(where, ["requirements.txt"], Path(sys.executable), [], said)
    assert said.findings == []
    assert [one.split(":")[1] for one in said.not_audited] == [
        " yanked releases, as the index says",
        " neither OSV nor PyPI answered with what they know",
    ]


def test_what_a_database_knows_is_a_finding(
    audit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip-audit writes it down, by a program in its place."""
    told = (
        '{"dependencies": [{"name": "some-thing", "version": "2", "vulns": [{"id": "PYSEC-1",'
        ' "fix_versions": ["2.1"]}]}, {"name": "other", "skip_reason": "not found"}], "fixes": []}'
    )
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\necho '{told}'\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    said = audit.Audit()
    audit.check_databases(tmp_path, "requirements.txt", program, [], said)
    assert said.findings == ["requirements.txt: some-thing 2: PYSEC-1, fixed by 2.1 (osv)"]
    assert said.not_audited == ["requirements.txt: 1 packages, by osv"]


def test_lock_that_another_holds_whole_is_not_asked_about_twice(audit: ModuleType) -> None:
    run, dev = {"a": "1"}, {"a": "1", "b": "2"}
    assert audit.to_ask({"run": run, "dev": dev, "pdf": {"a": "1", "c": "3"}}) == ["dev", "pdf"]
    assert audit.to_ask({"run": {"a": "2"}, "dev": dev}) == ["dev", "run"]
    assert audit.to_ask({"run": run, "again": run}) == ["run"]


def test_our_own_locks_are_sound(audit: ModuleType) -> None:
    assert found(audit, ROOT)[0] == []


def test_command_fails_with_the_sentence(tmp_path: Path) -> None:
    """An unsafe release ends `bin/audit`, and so CI, with status 1."""
    where = folder(tmp_path, f"some-thing==1.0 \\\n    --hash={GOOD}\n")
    run = subprocess.run(
        [sys.executable, str(ROOT / "bin/audit"), str(where)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PATH": "/usr/bin:/bin", "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
             "PIP_CONFIG_FILE": "/dev/null", "PIP_RETRIES": "0",
             "HTTPS_PROXY": "http://127.0.0.1:9"},
    )  # fmt: skip
    assert run.returncode == 1, run.stderr
    told = "Some_Thing 1.0 is unsafe before 1.2.10 (CVE-2026-1): Anything at all"
    assert f"UNSAFE: requirements.txt: {told}" in run.stdout
    assert "NOT AUDITED: " in run.stdout
    assert run.stdout.endswith("FAILED\n")
