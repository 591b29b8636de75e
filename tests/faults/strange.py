"""What nobody types but somebody sends: texts, numbers, files, headers; and how forms are bent."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Sequence
from random import Random
from urllib.parse import quote_from_bytes

MARK = "<fuzz\"'&>"
"""In no answer may it stand as it is: it would be a tag."""

NUMBERS = (
    "0 -1 1 2 3 7 00 +1 1.0 1.5 -0 1e3 1e309 NaN nan Infinity -Infinity 1_000 0x10 １２３ ٣ ² ½ Ⅷ"
    " 2147483647 2147483648 -2147483649 9223372036854775807 9223372036854775808 32767 32768"
    " 999999999999999999999999999999 1" + "0" * 30 + " 9" + "9" * 400
).split(" ")
TEXTS = (
    "",
    " ",
    "\t\r\n",
    "\u3000",
    "\0",
    "a\0b",
    "张\u202e三\u202c",
    "\u200f\u200e\u2066",
    "🀄🎴👨‍👩‍👧",
    "𠮷𡈽",
    "e\u0301\u0327" * 40,
    "\ufeff名",
    "\ufffe\uffff",
    "\x1b[31m",
    "\x85\u2028\u2029",
    MARK,
    MARK * 30,
    "'; DROP TABLE core_user; --",
    "%s%n%(x)s{0}{{ x }}{% x %}",
    "../../../etc/passwd",
    "..\\..\\x",
    "=1+1",
    "@SUM(A1)",
    "https://example.org/",
    "//example.org",
    "javascript:alert(1)",
    "甲",
    "捌捌捌 一二三",
    "发 甲 一",
    "own-flip",
    "on",
    "true",
    "null",
    "None",
    "[]",
    "{}",
    '{"a": 1}',
    "1,2",
    "1-2-3",
    "a-b",
    "-",
    "2026-02-30",
    "0000-00-00",
    "9999-12-31",
    "10000-01-01",
    "2026-12-06T25:61",
    "0001-01-01T00:00",
    "9999-12-31T23:59",
    "24:00",
    "Asia/Nowhere",
    "en",
    "xx",
    "a" * 300,
    "长" * 5000,
    "a" * 70_000,
    "9" * 5000,
    "x," * 3000,
)
RAW = (b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xf0\x9f\x80", b"\x80abc", b"\xf8\x88\x80\x80")
"""Bytes that are no UTF-8, lone surrogates among them."""
QUERIES = ("v", "page", "next", "q", "at", "seat", "step", "before", "only", "sort", "tab", "event")

HEADERS: dict[str, tuple[str, ...]] = {
    "HX-Request": ("true", "false", MARK),
    "HX-Target": ("main", "#x", MARK, "é", "a" * 5000),
    "HX-Trigger": ("x", "{"),
    "HX-Current-URL": ("http://[", "//x", "http://testserver/%ff", "é"),
    "HX-Boosted": ("true",),
    "HX-Trigger-Name-URI-AutoEncoded": ("true",),
    "HX-Target-URI-AutoEncoded": ("true",),
    "HX-Prompt": ("%ff%00",),
    "Accept-Language": ("en", "zh", "xx-" * 200, ",;q=", "*;q=9", "\x80", "en;q=NaN", "zh_CN.U"),
    "Accept-Encoding": ("br", "gzip", "identity;q=0", "x" * 300),
    "Accept": ("application/json", "*/*;q=", "\xff"),
    "If-None-Match": ('"', "*", 'W/"1"', '"a",,"b"', "\x80", "0" * 9000),
    "If-Match": ('"', "*", '"1"', '"99999999999999999999"', 'W/"1"', "\xb2"),
    "If-Modified-Since": ("yesterday", "Thu, 99 Foo 9999 99:99:99 GMT"),
    "Range": ("bytes=0-0", "bytes=-", "bytes=9-1", "lines=1"),
    "Idempotency-Key": ("k", "", "a" * 500, "\x80", MARK, " "),
    "X-Outbox": ("1", "true", "\x80"),
    "X-Forwarded-For": ("1.2.3.4", "x", "1.2.3.4, ::1, é", "," * 50, "[::1]:80"),
    "X-Forwarded-Proto": ("https", "ftp"),
    "X-Forwarded-Host": ("evil.example",),
    "Authorization": ("Bearer", "Bearer x", "Bearer \x80", "Basic eDp5", "Bearer " + "a" * 5000),
    "Referer": ("http://[", "é", "//"),
    "Origin": ("null", "http://evil.example"),
    "User-Agent": ("", "\x80" * 50, "a" * 9000),
    "X-Requested-With": ("XMLHttpRequest",),
    "X-HTTP-Method-Override": ("DELETE",),
    "Purpose": ("prefetch",),
}
COOKIES = (
    'sessionid="\\000\\000\\000\\000\\000\\000\\000\\000"',
    "sessionid=" + "a" * 3000,
    "sessionid=\xff\xfe\xed\xa0\x80aaaaaaaa",
    "sessionid=;",
    "links=1-2:x:y",
    "links=",
    'links="\\000"',
    "links=" + "9" * 400 + ":1:2",
    "django_language=xx",
    'django_language="\\000"',
    "django_language=../../en",
    "csrftoken=x",
    "messages=W1sx",
    'messages="[[\\"__json_message\\",0,99,\\"x\\"]]:a:b"',
    "==;;,=\x80",
)
CHARSETS = ("utf-16", "utf-7", "hex", "rot13", "idna", "unicode_escape", "undefined", "foo", "")
FILE_NAMES = (
    "a.xlsx",
    "a.csv",
    "a.zpr",
    "a.zip",
    "../../a.zip",
    "..",
    "C:\\x\\y.json",
    "a\0.zip",
    "",
    "名" * 300,
    MARK,
    "\u202egpj.zip",
)


def zipped(**parts: bytes) -> bytes:
    """A zip file of these parts; `__` in a name is a dot."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name.replace("__", "."), content)
    return file.getvalue()


def files() -> tuple[bytes, ...]:
    """Files that are something else than was asked for, or hardly anything."""
    book = zipped(xl=b"x", workbook__xml=b"<a/>")
    archive = zipped(MANIFEST__json=b"{}", competition__json=b"[" * 5000)
    return (
        b"",
        b"\0",
        b"\xff\xd8\xff\xe0JFIF" + b"\0" * 40,
        b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"PK\x05\x06" + b"\0" * 18,
        b"\xd0\xcf\x11\xe0" + b"\0" * 40,
        book,
        book[:-7],
        archive,
        zipped(MANIFEST__json=b"\xff", competition__json=b"{}"),
        zipped(MANIFEST__json=b"[1e999, NaN]", competition__json=b"1" * 5000),
        gzip.compress(b"a" * 1000),
        b"\xef\xbb\xbf",
        b"\xff\xfea",
        b"\xfe\xff\xd8\x00\x00a",
        "姓名,单位\n张三,\0甲\n".encode(),
        ("姓名\t编号\n" + "张\t1" + "0" * 30 + "\n").encode(),
        ("姓名,种子\n" + '"' + "x" * 200_000).encode(),
        "姓名\n=cmd|'/c calc'!A1\n".encode(),
        "姓名\r\n张\u2028三\r\n".encode(),
        "字牌谱 1\n".encode() * 50,
        "字牌谱 1\n局 \ud7ff 甲\n".encode(),
        b'{"a":' * 3000,
        b"[" * 100_000,
        b'{"n": 1' + b"0" * 5000 + b"}",
        b'{"a": "\\ud800"}',
        b'{"a": "\\u0000"}',
        b"\n" * 6000,
        b"null",
    )


def text(random: Random) -> str:
    """A text or a number that is not meant."""
    return random.choice(NUMBERS if random.random() < 0.4 else TEXTS)


def quoted(random: Random, value: str) -> str:
    """Percent-encoded, now and then with bytes that are no UTF-8."""
    content = value.encode("utf-8", "surrogatepass")
    if random.random() < 0.06:
        content += random.choice(RAW)
    return quote_from_bytes(content, safe="")


Pairs = list[tuple[str, object]]
"""Fields of a form as they are sent: text, or (file name, content)."""


def bent(random: Random, pairs: Pairs, names: Sequence[str]) -> Pairs:
    """The fields with up to four of them missing, doubled, changed, or unknown."""
    pairs = list(pairs)
    for _ in range(random.choice((0, 1, 1, 1, 2, 3, 4))):
        at = random.randrange(len(pairs)) if pairs else 0
        kind = random.random() if pairs else 1.0
        if kind < 0.55:
            name, value = pairs[at]
            is_file = isinstance(value, tuple)
            pairs[at] = (name, file(random) if is_file else text(random))
        elif kind < 0.67:
            del pairs[at]
        elif kind < 0.77:
            pairs.insert(at, (pairs[at][0], text(random)))
        elif kind < 0.82:
            name, _value = pairs[at]
            pairs[at] = (name, file(random))
        elif kind < 0.86:
            name, value = pairs[at]
            pairs[at] = (name + random.choice(("[]", "[0]", ".x", "-0", "_1", "é", "\0")), value)
        else:
            pairs.append((random.choice(names), text(random)))
    return pairs


def file(random: Random) -> tuple[str, bytes]:
    """A file's name and content."""
    return random.choice(FILE_NAMES), random.choice(files())


def nested(depth: int) -> str:
    """JSON one inside the other."""
    return "[" * depth + "]" * depth


def json_value(random: Random, depth: int = 3) -> object:
    """A value of JSON of any kind."""
    kind = random.randrange(9 if depth else 6)
    if kind > 6:
        names = [text(random)[:50] for _ in range(random.randrange(4))]
        return {name: json_value(random, depth - 1) for name in names}
    if kind == 6:
        return [json_value(random, depth - 1) for _ in range(random.randrange(4))]
    simple = (None, True, 10**30, -1, 1.5, 2**63, "\ud800", text(random), text(random))
    return random.choice(simple)


def json_body(random: Random, value: object) -> bytes:
    """A body that is JSON, or nearly."""
    kind = random.randrange(12)
    if kind == 0:
        return random.choice(
            (b"", b"{", b"NaN", b"[1e999]", b"\xff", b"\xef\xbb\xbf{}", b'"\\ud8"')
        )
    if kind == 1:
        return nested(random.choice((20, 1000, 100_000))).encode()
    if kind == 2:
        return json.dumps(value).encode("utf-16")
    if isinstance(value, dict) and kind < 10:
        value = dict(value)
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            key = random.choice([*value, "extra"])
            if random.random() < 0.2:
                value.pop(key, None)
            else:
                value[key] = json_value(random)
    elif kind >= 10:
        value = json_value(random)
    return json.dumps(value).encode()
