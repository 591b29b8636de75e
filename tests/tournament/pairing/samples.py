"""Lists of made-up entrants for the draw's tests; every list comes from a printed seed."""

import random

from tournament.pairing.document import draw
from tournament.pairing.freeze import Line, freeze, name_hash
from tournament.pairing.kinds import Fixed

SALT = b"salt"


def lines_of(units, seeds=None):
    """One line an entrant, numbers from 1: `units` their units, `seeds` number → seed."""
    return [
        Line(number, unit, (seeds or {}).get(number), name_hash(SALT, f"选手{number}"))
        for number, unit in enumerate(units, 1)
    ]


def random_lines(n, rng):
    """n entrants with gaps in their numbers, some units of different sizes, some seeds."""
    numbers = sorted(rng.sample(range(1, 2 * n + 1), n))
    names = [f"单位{i}" for i in range(rng.randint(1, 12))] + [""] * rng.randint(0, 3)
    seeded = rng.sample(numbers, min(n, rng.choice((0, 0, 1, 2, 4, 8, 16, n // 2, n))))
    seeds = {number: seed for seed, number in enumerate(seeded, 1)}
    return [
        Line(number, rng.choice(names), seeds.get(number), name_hash(SALT, str(number)))
        for number in numbers
    ]


def random_draw(n, table_size, advance, way, seed):
    """The document of a draw of n entrants made up from `seed`; prints the seed."""
    print(f"n={n} table_size={table_size} advance={advance} way={way} seed={seed!r}")  # noqa: T201
    rng = random.Random(seed)
    lines = random_lines(n, rng)
    numbers = [line.number for line in lines]
    apart = [rng.sample(numbers, min(n, rng.randint(2, 5))) for _ in range(rng.choice((0, 0, 2)))]
    frozen = freeze(
        lines,
        Fixed(table_size, advance, way),
        secret=rng.randbytes(32),
        apart=apart,
    )
    return draw(frozen, f"三 六 九 {n}", {"competition": "测试赛", "draw": 1}).document
