"""An independent check of plans and draws, written from competition.md (C3, C4.4), no code shared.

It reads only the plain values of a plan or the published JSON, and asserts what the spec promises.
"""

import random
from collections import Counter
from itertools import pairwise

PAIRS = ((2, 1), (3, 1), (4, 1), (4, 2))


def clean_fields(p, a, top):
    """p, p·(p/a), p·(p/a)² … up to `top` (C3.1)."""
    fields = [p]
    while fields[-1] < top:
        fields.append(fields[-1] * p // a)
    return fields


def expected_first_round(n, p, a, way):
    """(sizes of the first-round tables without fillers, fillers, byes) by C3.1."""
    least = 3 if p >= 3 else 2
    if n <= p:
        return [n], max(0, least - n), 0
    fields = clean_fields(p, a, n)
    if n in fields:
        return [p] * (n // p), 0, 0
    t = max(field for field in fields if field < n)
    if way == "compact":
        assert p == 3
        assert t < n <= 4 * t / 3
        fours = n - t
        return [4] * fours + [3] * (t // 3 - fours), 0, 0
    e = n - t
    full, rest = e // (p - a), e % (p - a)
    sizes = [p] * full + ([a + rest] if rest else [])
    fillers = max(0, least - (a + rest)) if rest else 0
    return sizes, fillers, n - sum(sizes)


def kinds(seats):
    """The seats of a plan's table as plain values: "entrant", "filler" or (table, place)."""
    return [(s.table, s.place) if s.table else s.kind.value for s in seats]


def check_plan(plan):
    """Asserts C3.1, C3.4 and C3.5 of a plan made by `make_plan`."""
    n, p, a = plan.entrants, plan.table_size, plan.advance
    rounds = [[kinds(table.seats) for table in round_.tables] for round_ in plan.rounds]
    sizes, fillers, byes = expected_first_round(n, p, a, plan.way.value)
    opening = [Counter(map(str, table)) for table in rounds[0]]
    assert sorted(table["entrant"] for table in opening) == sorted(sizes)
    assert sum(table["filler"] for table in opening) == fillers
    assert all(table["filler"] <= 1 for table in opening)
    later = [seat for round_ in rounds[1:] for table in round_ for seat in table]
    assert "filler" not in later
    assert later.count("entrant") == byes == plan.byes
    assert all(len(table) == p for round_ in rounds[1:] for table in round_)
    for before, round_ in pairwise(rounds):
        fed = [seat for table in round_ for seat in table if isinstance(seat, tuple)]
        assert fed == [(t, k) for t in range(1, len(before) + 1) for k in range(1, a + 1)]
        assert round_ is rounds[1] or all("entrant" not in table for table in round_)
    if len(rounds) > 1:
        check_even_spread([sum(isinstance(s, tuple) for s in t) // a for t in rounds[1]], p // a)
    assert len(rounds[-1]) == 1
    advance = [[table.advance for table in round_.tables] for round_ in plan.rounds]
    assert advance == [[a] * len(r) for r in rounds[:-1]] + [[1]]
    assert (
        sum(
            sum(seat != "filler" for seat in table) - goes_on
            for round_, on in zip(rounds, advance, strict=True)
            for table, goes_on in zip(round_, on, strict=True)
        )
        == n - 1
    )


def check_even_spread(counts, branch):
    """First-round tables a zone differ by one at most, in zones of every depth (C3.5)."""
    while counts:
        assert max(counts) - min(counts) <= 1
        grouped = [sum(counts[i : i + branch]) for i in range(0, len(counts), branch)]
        counts = grouped if len(counts) > 1 else []


class Node:
    """A table of the published result with what feeds it, or one bye."""

    def __init__(self, address, children, numbers):
        self.address = address
        self.children = children
        self.all = set(numbers).union(*(child.all for child in children))
        self.free = len(self.all)
        self.held = Counter()


def tree_of(rounds):
    """The tree of a result; byes are leaves of their own under their table."""
    nodes = {}
    for r, tables in enumerate(rounds, 1):
        for t, table in enumerate(tables, 1):
            own = [seat["entrant"] for seat in table["seats"] if "entrant" in seat]
            feeders = sorted({seat["table"] for seat in table["seats"] if "table" in seat})
            if r == 1:
                nodes[r, t] = Node((r, t), [], own)
            else:
                below = [nodes[r - 1, feeder] for feeder in feeders]
                nodes[r, t] = Node((r, t), below + [Node((r, t), [], [x]) for x in own], [])
    return nodes[len(rounds), 1]


def play_out(rounds, plan, rng):
    """Plays every table with random places; returns (champion, numbers eliminated in order)."""
    placed, eliminated = {}, []
    for r, tables in enumerate(rounds, 1):
        for t, table in enumerate(tables, 1):
            here = []
            for seat in table["seats"]:
                if "entrant" in seat:
                    here.append(seat["entrant"])
                elif "table" in seat:
                    here.append(placed.pop((r - 1, seat["table"], seat["place"])))
            rng.shuffle(here)
            keep = plan["advance"] if r < len(rounds) else 1
            placed.update({(r, t, k): who for k, who in enumerate(here[:keep], 1)})
            eliminated += here[keep:]
    assert len(placed) == 1
    return placed.popitem()[1], eliminated


def check_draw(document, plan):
    """Asserts C2.1, C3.4 and C4.4 of a published document against its (checked) plan."""
    lines = [line.split("\t") for line in document["list"]]
    numbers = [int(line[0]) for line in lines]
    units = {int(number): unit for number, unit, _, _ in lines if unit}
    seeds = {int(number): int(seed) for number, _, seed, _ in lines if seed}
    rounds, order = document["result"]["rounds"], document["log"]["order"]

    drawn = [[Counter(map(plain, table["seats"])) for table in tables] for tables in rounds]
    assert drawn == [
        [Counter(kinds(table.seats)) for table in round_.tables] for round_ in plan.rounds
    ]
    assert all(
        table["dealer"] == r % plan.table_size
        for r, tables in enumerate(rounds)
        for table in tables
    )
    everyone = [s["entrant"] for ts in rounds for t in ts for s in t["seats"] if "entrant" in s]
    assert sorted(everyone) == sorted(order) == sorted(document["result"]["lots"]) == numbers
    champion, eliminated = play_out(rounds, document["plan"], random.Random(1))
    assert sorted([champion, *eliminated]) == numbers

    groups = {number: set() for number in numbers}
    for number, unit in units.items():
        groups[number].add(unit)
    for index, members in enumerate(document["apart"], 1):
        for number in members:
            groups[number].add(index)
    root = tree_of(rounds)
    check_order(order, numbers, units, seeds)
    check_seeds(root, rounds, seeds, plan)
    check_steps(root, order, groups, seeds)
    check_log(document["log"]["together"], rounds, groups)


def plain(seat):
    """A published seat in the form of `kinds`."""
    if "table" in seat:
        return seat["table"], seat["place"]
    return "entrant" if "entrant" in seat else "filler"


def check_order(order, numbers, units, seeds):
    """Seeds first, then units, the largest first, members together (C4.4)."""
    assert set(order[: len(seeds)]) == set(seeds)
    sizes = Counter(units.values())
    rest = [units.get(number, number) for number in order[len(seeds) :]]
    blocks = [unit for i, unit in enumerate(rest) if i == 0 or rest[i - 1] != unit]
    assert len(blocks) == len(set(blocks))
    in_order = [sizes.get(unit, 1) for unit in blocks]
    assert in_order == sorted(in_order, reverse=True)


def check_seeds(root, rounds, seeds, plan):
    """The best z seeds sit in z different zones for the z zones of every depth; byes to the best.

    With two of four advancing byes come in pairs, and zones yield to byes.
    """
    best = sorted(seeds, key=seeds.get)
    byes = {s["entrant"] for ts in rounds[1:] for t in ts for s in t["seats"] if "entrant" in s}
    assert set(best[: len(byes)]) <= byes
    assert set(best) >= byes or len(best) <= len(byes)
    level = [root]
    while plan.advance == 1 and any(node.children for node in level):
        level = [child for node in level for child in node.children or [node]]
        held = Counter(
            next(i for i, node in enumerate(level) if number in node.all)
            for number in best[: len(level)]
        )
        assert all(count == 1 for count in held.values())


def check_steps(root, order, groups, seeds):
    """Who is no seed went where fewest of his groups are, then most free seats (C4.4)."""
    for number in order:
        node, path = root, [root]
        while node.children:
            chosen = next(child for child in node.children if number in child.all)
            if number not in seeds:
                ranks = {
                    child: (sum(child.held[group] for group in groups[number]), -child.free)
                    for child in node.children
                    if child.free
                }
                assert ranks[chosen] == min(ranks.values()), (number, node.address)
            node = chosen
            path.append(node)
        for step in path:
            step.free -= 1
            step.held.update(groups[number])


def check_log(together, rounds, groups):
    """The log names exactly the groups with two or more at one table (C4.4)."""
    found = {}
    for r, tables in enumerate(rounds, 1):
        for t, table in enumerate(tables, 1):
            met = Counter()
            here = sorted(seat["entrant"] for seat in table["seats"] if "entrant" in seat)
            for number in here:
                met.update(groups[number])
            for group, count in met.items():
                if count > 1:
                    found[r, t, group] = [number for number in here if group in groups[number]]
    logged = {
        (line["round"], line["table"], line["unit"] or line["apart"]): line["numbers"]
        for line in together
    }
    assert logged == found
    assert len(logged) == len(together)
