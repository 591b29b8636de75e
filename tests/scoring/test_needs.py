"""What somebody who is still in needs (C1.3, C8.1, C9.3)."""

from __future__ import annotations

import pytest

from scoring.needs import AtTable, Need, at_table, need


@pytest.mark.parametrize(
    ("nets", "position", "advance", "gap"),
    [
        ({0: 10, 1: -7, 2: -3}, 0, 1, 13),
        ({0: 10, 1: -7, 2: -3}, 1, 1, -17),
        ({0: 4, 1: 4, 2: -8}, 1, 1, 0),
        ({0: 9, 1: 5, 2: -2, 3: -12}, 1, 2, 7),
        ({0: 9, 1: 5, 2: -2, 3: -12}, 2, 2, -7),
        ({0: -30, 2: 4}, 0, 1, -34),
        ({0: -30}, 0, 1, None),
        ({0: -3, 1: 3}, 0, 2, None),
    ],
)
def test_gap_is_measured_at_the_line(
    nets: dict[int, int], position: int, advance: int, gap: int | None
) -> None:
    assert at_table(nets, position, advance=advance, left=3) == AtTable(gap, 3)


def test_no_fewer_than_none_are_left() -> None:
    assert at_table({0: 1, 1: -1}, 0, advance=1, left=-1) == AtTable(2, 0)


def test_tables_before_the_final() -> None:
    assert need(2, 4) == Need(2, None)
    assert need(4, 4, AtTable(-6, 3)) == Need(0, AtTable(-6, 3))
