"""Archives and draws that would fill the memory: refused with a sentence and a code, in bounds.

And archives whose values no column holds: nothing is written.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from core.bounded import TooMuch, check_directory, read_entry
from scoring.archive import package
from scoring.archive.package import DOCUMENT, MANIFEST, BadArchive, unpack
from scoring.archive.parts import FORMAT, VERSION
from scoring.domain.archives import import_archive
from tests.faults.bombs import lying, parts_of, zipped
from tests.faults.test_bombs_sheets import MB, within
from tests.scoring.archives import changed, full
from tests.worlds import build, rows_digest
from tournament.pairing.document import verify

TOO_LARGE = "档案解开后太大，不能导入。"
NONE = "这不是比赛档案：请选择“数据”页下载的 zip 文件，不要改动。"
EMPTY = {MANIFEST: b"{}", DOCUMENT: b"{}"}


def with_document(content: bytes, **how: int) -> bytes:
    """A zip file like an archive's, with this as its document."""
    head = json.dumps({"format": FORMAT, "version": VERSION}).encode()
    return zipped({MANIFEST: head, DOCUMENT: content}, **how)


@cache
def many(count: int) -> bytes:
    """A zip file of so many empty files."""
    return zipped({f"hands/{n}.zpr": b"" for n in range(count)})


def encrypted() -> bytes:
    """A zip file whose entries say that they are."""
    data = bytearray(zipped(EMPTY))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)


def broken() -> bytes:
    """A zip file whose packed bytes are none."""
    data = bytearray(zipped({MANIFEST: b"{}" * 500, DOCUMENT: b"{}"}))
    start = data.index(MANIFEST.encode()) + len(MANIFEST)
    data[start : start + 8] = b"\xff" * 8
    return bytes(data)


BOMBS: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "a document of which the header tells": (
        lambda: with_document(b" " * 65 * MB), "archive-too-large", TOO_LARGE,
    ),
    "a document of which the header tells nothing": (
        lambda: with_document(b" " * 200 * MB, sizes=42), "bad-archive", NONE,
    ),
    "a document that says it is four gigabytes": (
        lambda: lying(zipped(EMPTY), 2**32 - 2), "archive-too-large", TOO_LARGE,
    ),
    "a document packed without bounds": (
        lambda: with_document(b" " * 60 * MB, packed=zipfile.ZIP_LZMA), "bad-archive", NONE,
    ),
    "a document of bzip2": (
        lambda: with_document(b" " * 60 * MB, packed=zipfile.ZIP_BZIP2), "bad-archive", NONE,
    ),
    "more files than an archive has": (lambda: many(50_001), "archive-too-large", TOO_LARGE),
    "a million empty lists": (
        lambda: with_document(b"[" + b"[]," * 1_100_000 + b"0]"), "archive-too-large", TOO_LARGE,
    ),
    "millions of numbers": (
        lambda: with_document(b"[" + b"0," * 6_100_000 + b"0]"), "archive-too-large", TOO_LARGE,
    ),
    "lists inside each other": (
        lambda: with_document(b"[" * 900_000 + b"]" * 900_000), "bad-archive", NONE,
    ),
    "a number of ten thousand digits": (
        lambda: with_document(b'{"a": ' + b"9" * 10_000 + b"}"),
        "bad-archive", f"档案里的 {DOCUMENT} 读不懂。",
    ),
    "a zip in a zip": (
        lambda: zipped({**EMPTY, "hands/a.zip": zipped(EMPTY)}),
        "bad-archive", "档案里有不认识的文件：hands/a.zip。",
    ),
    "a way out of the folder": (
        lambda: zipped({**EMPTY, "hands/../../evil.zpr": b""}),
        "bad-archive", "档案里有不认识的文件：hands/../../evil.zpr。",
    ),
    "an absolute path": (
        lambda: zipped({**EMPTY, "/etc/cron.d/evil": b""}),
        "bad-archive", "档案里有不认识的文件：/etc/cron.d/evil。",
    ),
    "a password": (encrypted, "bad-archive", "这个文件打不开：档案不能加密码。"),
    "bytes that cannot be unpacked": (broken, "bad-archive", NONE),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n", "bad-archive", NONE),
    "nothing": (lambda: b"", "bad-archive", NONE),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_refused_in_bounded_memory(name: str) -> None:
    make, code, says = BOMBS[name]
    data = make()
    assert len(data) < package.MOST_BYTES
    with within(140 * MB), pytest.raises(BadArchive) as caught:
        unpack(io.BytesIO(data))
    assert (caught.value.code, str(caught.value)) == (code, says)


def test_list_of_files_is_measured_before_it_is_read() -> None:
    """A name of 60,000 letters for each; and what only says that there are few."""
    names = {f"hands/{n}{'x' * 60_000}.zpr": b"" for n in range(150)}
    for data in (zipped(names), many(50_001)):
        with pytest.raises(TooMuch):
            check_directory(io.BytesIO(data), most_files=50_000)
    few = bytearray(many(50_001))
    end = few.rindex(b"PK\x05\x06")
    few[end + 8 : end + 12] = b"\x01\x00\x01\x00"
    with within(40 * MB), pytest.raises(BadArchive):
        unpack(io.BytesIO(bytes(few)))


def test_entry_is_counted_while_it_is_unpacked() -> None:
    data = zipped({"a": b"0" * 1_000_000})
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        assert len(read_entry(opened, "a", most=1_000_000)) == 1_000_000
        with pytest.raises(TooMuch):
            read_entry(opened, "a", most=999_999)


@pytest.mark.parametrize(
    "text",
    [
        "[" + "[]," * 250_000 + "0]",
        "[" + "0," * 1_100_000 + "0]",
        "[" * 150_000,
        '{"format": "duozhu-draw", "version": ' + "1" * 5000 + "}",
        '{"format": "\\ud800"}',
    ],
)
def test_draw_that_is_a_bomb_is_no_draw(text: str) -> None:
    """The page of checks is everybody's."""
    with within(60 * MB):
        (fault,) = verify(text)
    assert fault.code == "json"


@pytest.mark.django_db
def test_value_that_no_column_holds_writes_nothing() -> None:
    """With digests that are right for it, and at another address than what is here already."""
    world = build("confirmed")
    data = full(world.competition)
    world.competition.__class__.objects.update(code="elsewh")
    before = rows_digest()
    for part, column, value in (
        ("hands", "number", 10**30),
        ("tables", "number", 2**31),
        ("tables", "number", -(10**20)),
        ("tables", "number", 1.5),
        ("tables", "number", True),
        ("tables", "number", "1"),
        ("competition", "name", "长" * 10_000),
        ("competition", "name", "a\0b"),
        ("competition", "name", ["a"]),
        ("competition", "starts_on", "9999-99-99"),
        ("competition", "timezone", "../../etc/passwd"),
    ):

        def change(
            document: dict[str, Any], where: tuple[str, str] = (part, column), to: object = value
        ) -> None:
            rows = document["parts"][where[0]]
            assert where[1] in rows[0]
            rows[0][where[1]] = to

        with pytest.raises(BadArchive):
            import_archive(user=None, file=io.BytesIO(changed(data, change)))
        assert rows_digest() == before, (part, column, value)


def test_parts_of_a_zip_are_what_was_packed() -> None:
    """The helpers of these tests."""
    assert parts_of(zipped(EMPTY)) == EMPTY
