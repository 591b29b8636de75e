"""A record (牌谱) as evidence: exactly one hand, valid, of this event's rules and table (C6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.files import read
from engine.notation import Line
from engine.record import export
from engine.replay import UNFINISHED, Replay, claim_of, replay, replay_record
from engine.rules import Rules
from scoring.counted import Claimed, Counted, EntryError, RecordError, Terms, as_counted

RECORD_LIMIT = 64 * 1024
"""Characters of a pasted record; a long hand has about two thousand."""


def count_record(payload: Mapping[str, object], terms: Terms) -> Counted:
    """Replays `payload["text"]`. Raises `EntryError`, `RecordError` with the faults' places."""
    text = str(payload.get("text") or "")
    if len(text) > RECORD_LIMIT:
        raise EntryError(
            "text",
            "syntax",
            "notation",
            "这里只收一副牌的牌谱；很多副请到“核验牌谱”上传",
            "one hand's record only; upload many on the page “Check records”",
        )
    readings = list(read(text)) if text.strip() else []
    if len(readings) != 1:
        raise EntryError(
            "text",
            "syntax",
            "notation",
            f"这里要正好一副牌，现在有 {len(readings)} 副",
            f"exactly one hand is wanted here, there are {len(readings)}",
        )
    (reading,) = readings
    found = replay(reading)
    if found.result is None or (found.error and found.error.code != "claim-mismatch"):
        raise _not_valid(found)
    record = reading.record
    assert record is not None
    _check_same_game(record.rules, terms)
    claim = record.claimed if found.error else None
    claimed = Claimed(claim.hu, claim.total, claim.deltas) if claim else None
    kept: dict[str, object] = {"text": text}
    if claim is not None:
        said = {"hu": claim.hu, "total": claim.total}
        kept["claim"] = {name: value for name, value in said.items() if value is not None}
    return as_counted("record", kept, record.dealer, found.result, claimed)


def recount_record(payload: Mapping[str, object], terms: Terms, rules_id: str) -> Counted:
    """A record that counts already, counted under other rules (C11): the same events under
    `terms`, written as differences from the preset `rules_id`.

    Under the rules it was written for its text stays as it is. Raises as `count_record`.
    """
    (reading,) = read(str(payload["text"]))
    record = reading.record
    assert record is not None
    is_same = record.rules.digest == terms.rules.digest
    judged = replace(record, rules_id=rules_id, rules=terms.rules, claim=None)
    found = replay_record(judged)
    if found.result is None or found.error:
        raise _not_valid(found)
    if record.claim is not None:
        judged = replace(judged, claim=Line(claim_of(found.result)))
    text = payload["text"] if is_same else export(judged)
    return as_counted("record", {"text": text}, record.dealer, found.result, None)


def _not_valid(found: Replay) -> EntryError:
    if found.status == UNFINISHED:
        return EntryError(
            "text",
            "must-act",
            "R4.6",
            "这副牌还没有打完，没有胡也没有荒",
            "the hand has not ended: neither 胡 nor 荒",
        )
    assert found.error is not None
    return RecordError((found.error, *found.more))


def _check_same_game(rules: Rules, terms: Terms) -> None:
    if rules.seats != terms.seats:
        raise EntryError(
            "text",
            "bad-option",
            "R2.2",
            f"牌谱是 {rules.seats} 人，这一桌是 {terms.seats} 人",
            f"the record has {rules.seats} seats, this table {terms.seats}",
        )
    if rules.digest != terms.rules.digest:
        names = [name for name in rules.differences(terms.rules) if name != "seats"]
        raise EntryError(
            "text",
            "bad-option",
            "Presets",
            f"牌谱的规则和本项目的不一样：{'、'.join(names)}",
            f"the record's rules are not this event's: {', '.join(names)}",
        )
