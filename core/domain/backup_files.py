"""The file of a backup: a zip of every table, the uploaded files and a manifest.

Nothing here knows the database. A file is written beside its name and gets the name when all of it
is on the disk; it is read only after every digest was computed anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, BinaryIO, Self

from django.utils.translation import gettext_lazy as _

from core.canonical import canonical
from core.errors import DomainError

FORMAT, VERSION = "duozhu-backup", 1
MANIFEST, TABLES, MEDIA = "manifest.json", "tables/", "media/"
UNFINISHED = ".part"
OWNER_ONLY = 0o600
MOST_MANIFEST = 64_000_000
BLOCK = 1 << 20
SPOILT = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What reading a file raises that is no backup or was damaged."""
NOT_COUNTED = frozenset({"core.Version"})
"""Tables that a digest leaves out: the numbers by which pages are cached go on after a restore, so
that no page seen before it passes for the newest."""

Manifest = dict[str, Any]


class BackupError(DomainError):
    """A backup cannot be made, read or restored; the sentence says why."""

    code = "backup"
    status = 422


def digest_of(tables: Mapping[str, Mapping[str, Any]], media: Mapping[str, str]) -> str:
    """SHA-256 (hex) over all rows and files: columns, number of rows and digest of each table by
    label, digest of each file by name. The same on every database."""
    counted = {
        label: [table["columns"], table["rows"], table["sha256"]]
        for label, table in tables.items()
        if label not in NOT_COUNTED
    }
    return hashlib.sha256(canonical({"tables": counted, "media": media}).encode()).hexdigest()


class Writer:
    """A backup being written in `folder`. Leaving it without `finish` leaves nothing behind."""

    def __init__(self, folder: Path) -> None:
        self.part = folder / f".{secrets.token_hex(8)}{UNFINISHED}"
        self.media: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        self.part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.part, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        self._file = os.fdopen(handle, "w+b")
        # A level that takes a third of the time of the usual one for a tenth more bytes.
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED, compresslevel=3)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None
    ) -> None:
        # Closing the zip would write to a disk that may be full.
        self._zip.fp = None
        self._file.close()
        self.part.unlink(missing_ok=True)

    @contextmanager
    def table(self, label: str) -> Iterator[Callable[[bytes], object]]:
        """Where the lines of a table go."""
        with self._zip.open(f"{TABLES}{label}.jsonl", "w", force_zip64=True) as part:
            yield part.write

    def add_media(self, name: str, source: BinaryIO) -> None:
        """An uploaded file, stored as it is: most are compressed already."""
        info = zipfile.ZipInfo(MEDIA + name)
        info.compress_type = zipfile.ZIP_STORED
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w", force_zip64=True) as part:
            while block := source.read(BLOCK):
                digest.update(block)
                size += len(block)
                part.write(block)
        self.media[name] = {"size": size, "sha256": digest.hexdigest()}

    def finish(self, manifest: Manifest, path: Path) -> None:
        """Ends the file and gives it its name, once it is on the disk. An older file of the name
        is replaced."""
        text = json.dumps(manifest, sort_keys=True, ensure_ascii=False, indent=1)
        self._zip.writestr(MANIFEST, text.encode())
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        os.replace(self.part, path)
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Keeps a new name through a power cut, where folders can be opened at all."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Reader:
    """A backup opened for reading. Raises `BackupError` for what is none, or a newer format."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError as error:
            raise BackupError(_("没有文件 %(path)s。") % {"path": path}) from error
        except SPOILT as error:
            raise BackupError(_("%(path)s 不是备份，或者不完整。") % {"path": path}) from error
        try:
            self.manifest = self._read_manifest()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_args: object) -> None:
        self._zip.close()

    def _read_manifest(self) -> Manifest:
        try:
            info = self._zip.getinfo(MANIFEST)
            if info.file_size > MOST_MANIFEST:
                raise ValueError(info.file_size)
            manifest = json.loads(self._zip.read(info))
            if manifest["format"] != FORMAT:
                raise ValueError(manifest["format"])
            version = int(manifest["version"])
        except SPOILT as error:
            raise BackupError(
                _("%(path)s 不是备份，或者不完整。") % {"path": self.path}
            ) from error  # fmt: skip
        if version > VERSION:
            raise BackupError(
                _("备份是第 %(theirs)d 版格式，这里只能读到第 %(ours)d 版。请先升级网站。")
                % {"theirs": version, "ours": VERSION},
                code="backup-version",
            )
        return dict(manifest)

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        """Label → what the manifest says of the table."""
        return dict(self.manifest["tables"])

    @property
    def media(self) -> Mapping[str, Mapping[str, Any]]:
        """Name → what the manifest says of the file."""
        return dict(self.manifest["media"])

    def lines(self, label: str) -> Generator[bytes, None, None]:
        """The lines of a table; to be closed."""
        with self._zip.open(f"{TABLES}{label}.jsonl") as part:
            yield from part

    @contextmanager
    def file(self, name: str) -> Iterator[Iterable[bytes]]:
        """An uploaded file, in blocks."""
        with self._zip.open(MEDIA + name) as part:
            yield iter(lambda: part.read(BLOCK), b"")

    def verify(self) -> None:
        """Computes every digest anew. Raises `BackupError` that names the first part that is not as
        the manifest says, or not of a backup."""
        try:
            self._verify()
        except SPOILT as error:
            raise BackupError(
                _("%(path)s 损坏了：%(error)s") % {"path": self.path, "error": error}
            ) from error

    def _verify(self) -> None:
        parts = {f"{TABLES}{label}.jsonl": table for label, table in self.tables.items()}
        parts |= {MEDIA + name: file for name, file in self.media.items()}
        names = sorted(entry.filename for entry in self._zip.infolist())
        if names != sorted([MANIFEST, *parts]):
            strange = sorted(set(names) ^ {MANIFEST, *parts}) or names
            raise BackupError(self._spoilt(strange[0]), code="backup-digest")
        for name in self.media:
            if not _is_inside(name):
                raise BackupError(self._spoilt(name), code="backup-digest")
        for name, part in parts.items():
            digest, size = hashlib.sha256(), 0
            with self._zip.open(name) as opened:
                while block := opened.read(BLOCK):
                    digest.update(block)
                    size += len(block)
            if (size, digest.hexdigest()) != (part["size"], part["sha256"]):
                raise BackupError(self._spoilt(name), code="backup-digest")
        files = {name: str(file["sha256"]) for name, file in self.media.items()}
        if digest_of(self.tables, files) != self.manifest["digest"]:
            raise BackupError(self._spoilt(MANIFEST), code="backup-digest")

    def _spoilt(self, name: str) -> str:
        return _("备份里的“%(name)s”和校验值不符：文件损坏或被改过，没有恢复。") % {
            "name": name[:200]
        }


def _is_inside(name: str) -> bool:
    """Whether a name stays inside the folder it is unpacked in."""
    path = PurePosixPath(name)
    return (
        not path.is_absolute()
        and bool(path.parts)
        and not any(part in ("..", ".") or "\\" in part or ":" in part for part in path.parts)
    )
