"""Bytes and texts that hold records: decoding, and the laws' `parse`."""

from __future__ import annotations

from collections.abc import Iterator

from engine import jsonl
from engine.errors import ZipaiError
from engine.read_hand import read_text
from engine.read_header import is_head
from engine.reading import Reading
from engine.record import Record
from engine.tokens import NOTATION


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 with or without BOM, else GB18030.

    Raises `syntax` where it is neither, or where GB18030 would make nonsense of it.
    """
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as wrong:
        try:
            text = data.decode("gb18030").removeprefix("\ufeff")
        except UnicodeDecodeError:
            text = ""
        if any(map(is_head, text.splitlines())) or text.lstrip()[:1] in ("{", "["):
            return text
        line = data.count(b"\n", 0, wrong.start) + 1
        raise ZipaiError(
            "syntax",
            NOTATION,
            f"第 {line} 行的字节既不是 UTF-8 也不是 GB18030；请另存为 UTF-8",
            f"the bytes of line {line} are neither UTF-8 nor GB18030; save the file as UTF-8",
        ) from None


def read(data: bytes | str) -> Iterator[Reading]:
    """The hands of a file in either form (字牌谱 or its JSON twin), faults included.

    Raises `ZipaiError` for bytes that are no text; whatever the text, nothing else.
    """
    if isinstance(data, bytes):
        text = decode(data)
    else:
        # A str may hold half a surrogate pair, which no file can.
        text = data.encode("utf-8", "replace").decode().removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):
        return jsonl.read(text)
    return read_text(text)


def parse_all(data: bytes | str) -> list[Record]:
    """The records of a file in either form; raises `ZipaiError` for the first fault."""
    records = []
    for reading in read(data):
        if reading.faults or reading.record is None:
            raise reading.located(reading.faults[:1])[0].error()
        records.append(reading.record)
    return records


def parse(data: bytes | str) -> Record:
    """The one record of a text; raises `ZipaiError` for the first fault, or for more hands."""
    records = parse_all(data)
    if len(records) != 1:
        raise ZipaiError("syntax", NOTATION, "这里应只有一副牌", "one hand only is wanted here")
    return records[0]
