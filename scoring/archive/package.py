"""The archive's file: a zip of manifest, document and records (docs/archive.md).

Nothing here knows the database. The same document gives the same bytes. What is read is limited
before it is unpacked, and every digest is checked.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO

from django.utils.translation import gettext_lazy as _

from core.bounded import (
    TooMuch,
    check_directory,
    check_entries,
    check_json,
    read_entry,
)
from core.canonical import canonical
from core.errors import DomainError
from scoring.archive.parts import FORMAT, VERSION
from tournament.pairing.freeze import no_doubles

Document = dict[str, Any]

MANIFEST, DOCUMENT, RECORDS = "MANIFEST.json", "competition.json", "hands/"
MOST_BYTES = 32_000_000
"""An archive's file is no larger."""
MOST_UNPACKED = 96_000_000
MOST_DOCUMENT = 64_000_000
"""As JSON takes many times its size once it is read."""
MOST_LISTS, MOST_VALUES = 1_000_000, 6_000_000
"""Of the document, for the same reason: `[]` is two bytes."""
MOST_FILES = 50_000
MOST_A_RECORD = 200_000
EPOCH = (1980, 1, 1, 0, 0, 0)
_MODE = 0o644 << 16


class BadArchive(DomainError):
    """The file is no archive that can be read, or something in it was changed."""

    code = "bad-archive"
    status = 422


def digest(value: object) -> str:
    """SHA-256 (hex) of the canonical JSON in UTF-8."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def manifest_of(document: Document, records: Mapping[str, str]) -> Document:
    """The digests: of each part, of each record, and of all of these."""
    manifest: Document = {
        "format": document["format"],
        "version": document["version"],
        "contents": document["contents"],
        "parts": {
            name: {"rows": len(rows), "sha256": digest(rows)}
            for name, rows in document["parts"].items()
        },
        "results": digest(document["results"]),
        "files": {
            name: hashlib.sha256(text.encode()).hexdigest()
            for name, text in sorted(records.items())
        },
    }
    return {**manifest, "digest": digest(manifest)}


def pack(document: Document, records: Mapping[str, str]) -> bytes:
    """The zip file: manifest, document, then the records by name, all of one date."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in (
            (MANIFEST, _text(manifest_of(document, records))),
            (DOCUMENT, _text(document)),
            *sorted(records.items()),
        ):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = _MODE
            package.writestr(info, text.encode())
    return file.getvalue()


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def unpack(file: BinaryIO) -> tuple[Document, dict[str, str]]:
    """The document and the records of an archive, with every digest checked.

    Raises `BadArchive` with a sentence for anything else than an unchanged archive of this
    format and version.
    """
    try:
        check_directory(file, most_files=MOST_FILES)
        with zipfile.ZipFile(file) as package:
            return _read(package)
    except TooMuch:
        raise BadArchive(_("档案解开后太大，不能导入。"), code="archive-too-large") from None
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        RecursionError,
    ) as error:
        if type(error) is RuntimeError:
            raise BadArchive(_("这个文件打不开：档案不能加密码。")) from error
        raise BadArchive(
            _("这不是比赛档案：请选择“数据”页下载的 zip 文件，不要改动。")
        ) from error  # fmt: skip


def _read(package: zipfile.ZipFile) -> tuple[Document, dict[str, str]]:
    entries = package.infolist()
    names = [entry.filename for entry in entries]
    check_entries(package, most_files=MOST_FILES, most_bytes=MOST_UNPACKED)
    if any(entry.file_size > _most(entry.filename) for entry in entries):
        raise TooMuch
    if len(set(names)) < len(names) or {MANIFEST, DOCUMENT} - set(names):
        raise BadArchive(_("档案不完整：缺少 %(a)s 或 %(b)s。") % {"a": MANIFEST, "b": DOCUMENT})
    strange = [name for name in names if name not in (MANIFEST, DOCUMENT) and not _is_record(name)]
    if strange:
        raise BadArchive(_("档案里有不认识的文件：%(name)s。") % {"name": strange[0][:80]})
    manifest = _object(_bytes(package, MANIFEST), MANIFEST)
    _check_version(manifest)
    document = _object(_bytes(package, DOCUMENT), DOCUMENT)
    _check_version(document)
    _check_shape(document)
    records = {
        name: _bytes(package, name).decode() for name in sorted(names) if _is_record(name)
    }  # fmt: skip
    _check_digests(manifest, manifest_of(document, records))
    return document, records


def _is_record(name: str) -> bool:
    return name.startswith(RECORDS) and name.endswith(".zpr") and ".." not in name


def _bytes(package: zipfile.ZipFile, name: str) -> bytes:
    """A file of the package, never more than its kind may have. Raises `TooMuch`."""
    return read_entry(package, name, most=_most(name))


def _most(name: str) -> int:
    """Bytes that a file of this name may have."""
    return MOST_A_RECORD if _is_record(name) else MOST_DOCUMENT


def _object(data: bytes, name: str) -> Document:
    check_json(data, most_lists=MOST_LISTS, most_values=MOST_VALUES)
    try:
        value = json.loads(data, object_pairs_hook=no_doubles, parse_constant=_no_constant)
    except ValueError as error:
        raise BadArchive(_("档案里的 %(name)s 读不懂。") % {"name": name}) from error
    if not isinstance(value, dict):
        raise BadArchive(_("档案里的 %(name)s 读不懂。") % {"name": name})
    if b"\\u0000" in data:
        raise BadArchive(_("档案里的 %(name)s 有不能保存的字符。") % {"name": name})
    return value


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _check_version(value: Document) -> None:
    if value.get("format") != FORMAT:
        raise BadArchive(_("这个 zip 文件不是比赛档案。"), code="archive-format")
    if value.get("version") != VERSION:
        raise BadArchive(
            _("档案是第 %(theirs)s 版，这里能读第 %(ours)d 版。请在同样新的网站上导入。")
            % {"theirs": str(value.get("version"))[:20], "ours": VERSION},
            code="archive-version",
        )


def _check_shape(document: Document) -> None:
    if set(document) != {"format", "version", "contents", "parts", "results"}:
        raise BadArchive(_("档案里的 %(name)s 读不懂。") % {"name": DOCUMENT})
    parts = document["parts"]
    if document["contents"] not in ("full", "public") or not isinstance(parts, dict):
        raise BadArchive(_("档案里的 %(name)s 读不懂。") % {"name": DOCUMENT})
    for name, rows in parts.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise BadArchive(_("档案里“%(part)s”这一部分读不懂。") % {"part": name[:40]})


def _check_digests(given: Document, due: Document) -> None:
    """Names the first part that is not as its digest says."""
    for group in ("parts", "files"):
        theirs, ours = given.get(group), due[group]
        if not isinstance(theirs, dict):
            raise BadArchive(_("档案里的 %(name)s 读不懂。") % {"name": MANIFEST})
        for name in sorted({*theirs, *ours}):
            if theirs.get(name) != ours.get(name):
                raise BadArchive(
                    _("“%(part)s”和校验值不符：导出以后有内容被改动。") % {"part": name[:80]},
                    code="archive-digest",
                )
    if given != due:
        raise BadArchive(
            _("“%(part)s”和校验值不符：导出以后有内容被改动。") % {"part": MANIFEST},
            code="archive-digest",
        )
