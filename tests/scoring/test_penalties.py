"""The catalogue of offences and the ladder (C6.5, R9.6), without a database."""

from __future__ import annotations

import pytest

from scoring.enums import PenaltyKind, PenaltyLevel
from scoring.penalties import BY_CODE, CATALOGUE, Earlier, differing, next_level, offences

WARNING, POINTS, NO_HU, OUT = PenaltyLevel


def test_catalogue_names_what_the_field_punishes_with_amounts_of_c9_2() -> None:
    names = [str(one.name) for one in CATALOGUE]
    for name in ("迟到", "误胡", "诈胡", "相公", "漏扫", "不下比", "传递信息", "离席"):
        assert name in names
    for name in ("干扰比赛", "辱骂、不敬", "用手机"):
        assert name in names
    assert len(BY_CODE) == len(CATALOGUE) == 16
    assert [(one.amount, one.source) for one in CATALOGUE if not one.is_ours] == [
        (2, "C9.2"), (4, "C9.2"),
    ]  # fmt: skip
    assert all(len(one.code) <= 20 and one.kind != PenaltyKind.NONE for one in CATALOGUE)


@pytest.mark.parametrize(
    ("code", "earlier", "level"),
    [
        ("phone", [], WARNING),
        ("phone", [Earlier("away", WARNING)], POINTS),
        ("phone", [Earlier("phone", WARNING)], POINTS),
        ("phone", [Earlier("late", POINTS)], WARNING),
        ("phone", [Earlier("phone", WARNING), Earlier("phone", POINTS)], NO_HU),
        ("phone", [Earlier("phone", NO_HU)], OUT),
        ("phone", [Earlier("phone", OUT)], OUT),
        ("late", [Earlier("phone", WARNING)], POINTS),
        ("xianggong", [], NO_HU),
        ("cheating", [], OUT),
    ],
)
def test_next_step_follows_from_what_he_already_has(
    code: str, earlier: list[Earlier], level: PenaltyLevel
) -> None:
    assert next_level(BY_CODE[code], earlier) == level


def test_only_amounts_that_differ_are_kept_and_then_stand_for_the_defaults() -> None:
    wanted = {one.code: (one.kind, one.amount) for one in CATALOGUE}
    assert differing(wanted) == {}
    wanted["late"] = (PenaltyKind.OPPONENTS, 3)
    kept = differing(wanted)
    assert kept == {"late": {"kind": "opponents", "amount": 3}}
    changed = {one.code: (one.kind, one.amount, one.level) for one in offences(kept)}
    assert changed["late"] == (PenaltyKind.OPPONENTS, 3, POINTS)
    assert changed["late-15"] == (PenaltyKind.DEDUCTION, 4, POINTS)
    for code, value in (
        ("nothing", (PenaltyKind.DEDUCTION, 2)),
        ("late", (PenaltyKind.NONE, 2)),
        ("late", (PenaltyKind.DEDUCTION, 0)),
        ("late", (PenaltyKind.DEDUCTION, 1000)),
    ):
        with pytest.raises(ValueError, match=code):
            differing({code: value})
