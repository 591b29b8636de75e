"""Reading what strangers packed: zip files and JSON, with bounds that hold before memory is taken.

Python's zipfile believes a file's header, unpacks what its reader asks for in one piece and bounds
only two of the ways in which a file may be packed. So nothing here asks for more than a chunk.
"""

from __future__ import annotations

import zipfile
from typing import BinaryIO

CHUNK = 64 * 1024
MOST_DIRECTORY = 8 * 1024 * 1024
"""Bytes of a zip file's list of its files: room for 50,000, each with a long name."""
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_END_SIZE, _TAIL = 22, 22 + 65_535
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class TooMuch(Exception):
    """There is more in it than the reader takes."""


def check_directory(file: BinaryIO, *, most_files: int) -> None:
    """Before `ZipFile` makes an object of each entry: that they are not too many. Raises
    `TooMuch`; `zipfile.BadZipFile` where nothing says where the list is, and for zip64, in which
    nobody needs to pack what is this small."""
    file.seek(0, 2)
    size = file.tell()
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    if _END_64 in tail:
        raise zipfile.BadZipFile("zip64")
    found = False
    at = tail.find(_END)
    while at >= 0:
        end = tail[at : at + _END_SIZE]
        if len(end) == _END_SIZE:
            found = True
            files = int.from_bytes(end[10:12], "little")
            listed = int.from_bytes(end[12:16], "little")
            if files > most_files or listed > MOST_DIRECTORY:
                raise TooMuch
        at = tail.find(_END, at + 1)
    if not found:
        raise zipfile.BadZipFile("no end")
    file.seek(0)


def check_entries(package: zipfile.ZipFile, *, most_files: int, most_bytes: int) -> None:
    """That no more is declared than may be there. Raises `TooMuch`; `zipfile.BadZipFile` where a
    file is packed in a way that cannot be bounded."""
    entries = package.infolist()
    if len(entries) > most_files or sum(entry.file_size for entry in entries) > most_bytes:
        raise TooMuch
    if any(entry.compress_type not in _PLAIN for entry in entries):
        raise zipfile.BadZipFile("compression")


def read_entry(package: zipfile.ZipFile, name: str, *, most: int) -> bytes:
    """A file of the package, unpacked chunk by chunk. Raises `TooMuch` as soon as there are more
    than `most` bytes, whatever its header says; what zipfile raises where it is damaged."""
    if package.getinfo(name).compress_type not in _PLAIN:
        raise zipfile.BadZipFile("compression")
    chunks: list[bytes] = []
    size = 0
    with package.open(name) as opened:
        while chunk := opened.read(CHUNK):
            size += len(chunk)
            if size > most:
                raise TooMuch
            chunks.append(chunk)
    return b"".join(chunks)


def check_json(data: bytes, *, most_lists: int, most_values: int) -> None:
    """Before JSON is read: that no more lists, objects and values can be in it. Raises `TooMuch`.

    An empty list takes two bytes as JSON and seventy once it is read. Marks inside texts count
    too, of which there are few.
    """
    lists = data.count(b"[") + data.count(b"{")
    if lists > most_lists or lists + data.count(b",") > most_values:
        raise TooMuch
