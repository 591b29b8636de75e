"""The published draw as JSON, and the check that redraws it bit for bit from the JSON alone (C4.5).

Fields: `format`, `version`; `about` (competition, draw number, reason …: shown, not computed);
`list` (the frozen lines), `apart`, `plan` (names its kind, see `kinds`) and their `list_digest`,
`terms_digest`;
`secret_digest`, `secret`, `words`, `seed`; `log` (`order` dealt, `together`: who could not be
kept apart; of a preliminary `places` by number of the rotation, `split` units, who `walks`);
`result` (`rounds` → tables with first dealer and seats, `lots`: numbers, best lot first);
`digest`, SHA-256 of all the rest as canonical JSON.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.bounded import TooMuch, check_json
from core.canonical import canonical
from tournament.pairing.deal import Deal
from tournament.pairing.errors import PairingError
from tournament.pairing.freeze import Freeze, Line, freeze, no_doubles
from tournament.pairing.kinds import Kind, is_plan, terms_of
from tournament.pairing.plan import Seat, SeatKind, first_dealer
from tournament.pairing.words import WordStream, draw_seed

FORMAT = "duozhu-draw"
VERSION = 1
MAX_BYTES = 8_000_000
MAX_ENTRANTS = 10_000
MOST_LISTS, MOST_VALUES = 200_000, 1_000_000
"""What `verify` accepts, so that a public page cannot be kept busy with an endless file."""

Document = dict[str, object]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw: the document to keep and publish, and the deal as values."""

    document: Document
    deal: Deal


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a document that is not as it should be: a stable code and a sentence."""

    code: str
    zh: str
    en: str


def draw(frozen: Freeze[Kind], words: str, about: Mapping[str, str | int] | None = None) -> Drawn:
    """Draws: the words called in the hall decide everything (C4.2–C4.4).

    `about` goes into the document as it is (texts and whole numbers).
    """
    seed = draw_seed(frozen.list_digest, frozen.secret, words)
    dealt = frozen.terms.deal(frozen.lines, frozen.apart, WordStream(seed))
    document: Document = {
        "format": FORMAT,
        "version": VERSION,
        "about": dict(about or {}),
        "list": [line.text() for line in frozen.lines],
        "apart": [list(group) for group in frozen.apart],
        "plan": frozen.plan_terms,
        "list_digest": frozen.list_digest.hex(),
        "terms_digest": frozen.terms_digest.hex(),
        "secret_digest": frozen.secret_digest.hex(),
        "secret": frozen.secret.hex(),
        "words": words,
        "seed": seed.hex(),
        "log": _log(dealt),
        "result": _result(dealt, frozen.terms.table_size),
    }
    document["digest"] = _digest(document)
    return Drawn(document, dealt)


def dump(document: Document) -> str:
    """The document as JSON text for people to download."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def verify(text: str | bytes) -> list[Fault]:
    """Every fault of a published draw, from its JSON alone; an empty list means it redraws exactly.

    Reads any input and never raises: what cannot be read is itself a fault.
    """
    try:
        document = _read(text)
    except PairingError as error:
        return [_fault_of(error)]
    faults = _shape_faults(document)
    if faults:
        return faults
    try:
        frozen = _frozen(document)
    except PairingError as error:
        return [_fault_of(error)]
    again = draw(frozen, str(document["words"])).document
    for field, (zh, en) in _COMPUTED.items():
        if canonical(document[field]) != canonical(again[field]):
            faults.append(
                Fault(
                    field,
                    f"{zh}（{field}）与重新计算的不一致。",
                    f"{en} ({field}) differs from what is computed again.",
                )
            )
    if document["digest"] != _digest(document):
        faults.append(
            Fault(
                "digest",
                "文件的校验值（digest）不符：公布之后有内容被改动。",
                "The digest of the file does not fit: something was changed after publication.",
            )
        )
    return faults


_COMPUTED = {
    "list": ("名单的顺序", "The order of the list"),
    "apart": ("回避组的写法", "The form of the groups to keep apart"),
    "plan": ("赛制人数", "The number of entrants in the plan"),
    "list_digest": ("名单散列", "The digest of the list"),
    "terms_digest": ("赛制与回避组的散列", "The digest of plan and groups"),
    "secret_digest": ("冻结时公布的密钥散列", "The hash of the secret published at the freeze"),
    "seed": ("抽签种子", "The seed"),
    "log": ("抽签过程", "The log"),
    "result": ("抽签结果", "The result"),
}


def _log(dealt: Deal) -> Document:
    log: Document = {
        "order": list(dealt.order),
        "together": [
            {
                "round": together.round,
                "table": together.table,
                "unit": together.unit,
                "apart": together.apart,
                "numbers": list(together.numbers),
            }
            for together in dealt.together
        ],
    }
    if dealt.columns is not None:
        log |= {
            "places": list(dealt.columns.places),
            "split": [
                {"unit": split.unit, "columns": {c: list(n) for c, n in split.columns.items()}}
                for split in dealt.columns.split
            ],
            "walks": list(dealt.columns.walks),
        }
    return log


def _result(dealt: Deal, table_size: int) -> Document:
    return {
        "rounds": [
            [
                {
                    "dealer": first_dealer(round_.number, table_size) % len(table.seats),
                    "seats": [_seat(seat) for seat in table.seats],
                }
                for table in round_.tables
            ]
            for round_ in dealt.rounds
        ],
        "lots": sorted(dealt.lots, key=dealt.lots.__getitem__),
    }


def _seat(seat: Seat) -> Document:
    if seat.kind is SeatKind.ENTRANT:
        return {"entrant": seat.entrant}
    if seat.kind is SeatKind.FILLER:
        return {"filler": True}
    return {"table": seat.table, "place": seat.place}


def _digest(document: Document) -> str:
    rest = {field: value for field, value in document.items() if field != "digest"}
    return hashlib.sha256(canonical(rest).encode()).hexdigest()


def _read(text: str | bytes) -> Document:
    """The JSON object of a file; raises `json` for anything else, also a name given twice."""
    try:
        raw = text.encode() if isinstance(text, str) else text
        if len(raw) > MAX_BYTES:
            raise ValueError("too long")
        check_json(raw, most_lists=MOST_LISTS, most_values=MOST_VALUES)
        document = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=no_doubles)
        canonical(document).encode()
    except (ValueError, RecursionError, TooMuch):
        document = None
    if not isinstance(document, dict):
        raise PairingError(
            "json",
            "这不是抽签文件：请选择公布的 JSON 文件，未经修改，不超过 8 MB。",
            "This is not a draw's file: choose the published JSON, unchanged, of 8 MB at most.",
        )
    if document.get("format") != FORMAT or not _is_int(document.get("version"), VERSION):
        raise PairingError(
            "format",
            f"文件的 format 应为 {FORMAT}，version 应为 {VERSION}。",
            f"The file's format should be {FORMAT} and its version {VERSION}.",
        )
    return document


def _is_int(value: object, *allowed: int) -> bool:
    return type(value) is int and (not allowed or value in allowed)


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _is_list(value: object, fits: Callable[[object], bool]) -> bool:
    return (
        isinstance(value, list) and len(value) <= MAX_ENTRANTS and all(fits(item) for item in value)
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_about(value: object) -> bool:
    return isinstance(value, dict) and all(_is_text(v) or _is_int(v) for v in value.values())


def _is_apart(value: object) -> bool:
    return (
        isinstance(value, list)
        and all(_is_list(group, _is_int) for group in value)
        and sum(map(len, value)) <= MAX_ENTRANTS
    )


_SHAPE: dict[str, Callable[[object], bool]] = {
    "format": _is_text,
    "version": _is_int,
    "about": _is_about,
    "list": lambda value: _is_list(value, _is_text),
    "apart": _is_apart,
    "plan": is_plan,
    "list_digest": _is_hex,
    "terms_digest": _is_hex,
    "secret_digest": _is_hex,
    "secret": _is_hex,
    "words": _is_text,
    "seed": _is_hex,
    "log": lambda value: isinstance(value, dict),
    "result": lambda value: isinstance(value, dict),
    "digest": _is_hex,
}


def _shape_faults(document: Document) -> list[Fault]:
    faults = [
        Fault(
            field,
            f"文件缺少 {field}，或它的写法不对。",
            f"The file lacks {field}, or it is ill-formed.",
        )
        for field, fits in _SHAPE.items()
        if field not in document or not fits(document[field])
    ]
    return faults + [
        Fault(
            "unknown", f"文件里有不认识的内容：{field}。", f"The file has an unknown part: {field}."
        )
        for field in document
        if field not in _SHAPE
    ]


def _frozen(document: Document) -> Freeze[Kind]:
    """The freeze a well-shaped document describes; raises what `freeze` raises."""
    lines, apart, plan = document["list"], document["apart"], document["plan"]
    assert isinstance(lines, list)
    assert isinstance(apart, list)
    assert isinstance(plan, dict)
    return freeze(
        [Line.parse(text) for text in lines],
        terms_of(plan),
        secret=bytes.fromhex(str(document["secret"])),
        apart=apart,
    )


def _fault_of(error: PairingError) -> Fault:
    return Fault(error.code, error.zh, error.en)
