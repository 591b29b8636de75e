#!/usr/bin/env python3
# ruff: noqa: T201
"""核对抽签 · Checks a published draw: python verify_draw.py draw.json

Needs Python 3.8 or later and nothing else. Reads the JSON that was published, computes the whole
draw again from its list, secret and words, and compares. Ends with 0 if all is as published.

One thing only you can compare: the three digests printed at the end must be those that were
published BEFORE the words were called in the hall.
"""

import hashlib
import json
import sys


def sha256(data):
    return hashlib.sha256(data).digest()


def compact(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


# Random words: SHA-256(seed + counter) gives eight 32-bit numbers, and so on.


def words_of(seed):
    counter = 0
    while True:
        block = sha256(seed + counter.to_bytes(8, "big"))
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def below(size, words):
    word = next(words)
    while word >= 2**32 - 2**32 % size:
        word = next(words)
    return word % size


def shuffle(items, words):
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        chosen = below(last + 1, words)
        items[last], items[chosen] = items[chosen], items[last]
    return items


# The plan: rounds of tables of seats. A seat is {"entrant": None}, {"filler": True} or the place of
# a table of the round before, {"table": 1, "place": 1}.


def plan_of(count, size, advance, way):
    def entrants(number):
        return [{"entrant": None} for _ in range(number)]

    def filled(number):
        return entrants(number) + [{"filler": True}] * (min(3, size) - number)

    def from_tables(first, number):
        tables = range(first, first + number)
        return [{"table": t, "place": k + 1} for t in tables for k in range(advance)]

    def share(number, tables):
        return [number * (i + 1) // tables - number * i // tables for i in range(tables)]

    if count <= size:
        return [[filled(count)]]
    field = size
    while field * size // advance <= count:
        field = field * size // advance
    extra, tables = count - field, field // size
    if extra and way == "byes":
        full, rest = divmod(extra, size - advance)
        first = [entrants(size) for _ in range(full)]
        if rest:
            first.append(filled(advance + rest))
        second, done = [], 0
        for number in share(len(first), tables):
            second.append(entrants(size - number * advance) + from_tables(done + 1, number))
            done += number
        rounds = [first, second]
    else:
        rounds = [[entrants(size + more) for more in share(extra, tables)]]
    branch = size // advance
    while len(rounds[-1]) > 1:
        starts = range(1, len(rounds[-1]) + 1, branch)
        rounds.append([from_tables(start, branch) for start in starts])
    return rounds


# Zones: every table with all that feeds it; a bye is a zone of its own.


class Zone:
    def __init__(self, rounds, level, table, bye=False):
        self.place, self.is_bye, self.children = (level, table), bye, []
        seats = rounds[level][table]
        if level and not bye:
            self.children = [Zone(rounds, level, table, True) for s in seats if "entrant" in s]
            below = [s["table"] - 1 for s in seats if s.get("place") == 1]
            self.children += [Zone(rounds, level - 1, t) for t in below]
        own = 1 if bye else sum("entrant" in s for s in seats)
        self.free = sum(c.free for c in self.children) if self.children else own
        self.byes = sum(c.byes for c in self.children) if self.children else int(bye)
        self.seeds, self.empty, self.pot, self.groups = 0, 0, {}, {}

    def count_empty(self, depth):
        if depth and self.children:
            self.empty = sum(child.count_empty(depth - 1) for child in self.children)
        else:
            self.empty = 0 if self.seeds else 1
        return self.empty


# entrants: (number, unit, seed or None) in order of number.


def groups_of(entrants, apart):
    groups = {number: [(unit, 0)] if unit else [] for number, unit, _ in entrants}
    for index, members in enumerate(apart, 1):
        for number in members:
            groups[number].append(("", index))
    return groups


def units_of(entrants, words):
    units = {}
    for entrant in entrants:
        units.setdefault(entrant[1] or entrant[0], []).append(entrant)
    return sorted(shuffle(units.values(), words), key=len, reverse=True)


# Who could not be kept apart: seated says who sits at which (round, table), both from 0.


def together_in(seated, groups):
    together = []
    for (level, table), numbers in sorted(seated.items()):
        for unit, index in sorted({group for number in numbers for group in groups[number]}):
            both = sorted(n for n in numbers if (unit, index) in groups[n])
            if len(both) > 1:
                met = {"round": level + 1, "table": table + 1, "unit": unit, "apart": index}
                together.append(dict(met, numbers=both))
    return together


def deal(rounds, entrants, apart, words, pots=()):
    groups = groups_of(entrants, apart)
    root = Zone(rounds, len(rounds) - 1, 0)
    order, seated = [], {}

    def seat(number, preference, is_seed=False, pot=None):
        zone, path = root, [root]
        while zone.children:
            free = [child for child in shuffle(zone.children, words) if child.free]
            zone = min(free, key=preference)
            path.append(zone)
        bye = zone.is_bye
        for step in path:
            step.free -= 1
            step.byes -= bye
            if is_seed:
                step.seeds += 1
                step.empty = max(0, step.empty - 1)
            step.pot[pot] = step.pot.get(pot, 0) + 1
            for group in groups[number]:
                step.groups[group] = step.groups.get(group, 0) + 1
        order.append(number)
        seated.setdefault(zone.place, []).append(number)

    def fewest(mine):
        return lambda zone: (sum(zone.groups.get(group, 0) for group in mine), -zone.free)

    def of_pot(pot, mine):
        rest = fewest(mine)
        return lambda zone: (zone.pot.get(pot, 0), not zone.byes, *rest(zone))

    # With pots: the best first, and in each unit by unit.
    for pot, members in enumerate(pots):
        for unit in units_of(entrants, words):
            for number in shuffle([n for n, _, _ in unit if n in members], words):
                seat(number, of_pot(pot, groups[number]), pot=pot)

    # Without: the seeds, one to every zone of the tree, level by level, byes first to the best.
    waiting = (
        [] if pots else [number for seed, number in sorted((s, n) for n, _, s in entrants if s)]
    )
    depth = 0
    while waiting:
        size = root.count_empty(depth) or len(waiting)
        group, waiting, byes = waiting[:size], waiting[size:], root.byes
        for number in shuffle(group[:byes], words) + shuffle(group[byes:], words):
            seat(number, lambda zone: (not zone.byes, not zone.empty, zone.seeds), True)
        depth += 1

    # Then everybody else, unit by unit, the largest first.
    for unit in [] if pots else units_of(entrants, words):
        for number in shuffle([n for n, _, seed in unit if not seed], words):
            seat(number, fewest(groups[number]))

    # The seats of every table, then the public lots.
    result = []
    for level, tables in enumerate(rounds):
        result.append([])
        for table, seats in enumerate(tables):
            numbers = iter(seated.get((level, table), []))
            seats = [{"entrant": next(numbers)} if "entrant" in s else s for s in seats]
            result[-1].append(shuffle(seats, words))
    lots = shuffle([number for number, _, _ in entrants], words)
    return {"order": order, "together": together_in(seated, groups)}, result, lots


# The preliminary: who meets whom by the numbers of a rotation. Column A holds 1, 4, 7 …, column B
# 2, 5, 8 … and column C 3, 6, 9 …

OF_SIX = "123 456 · 124 356 · 135 246 · 145 236"
OF_NINE = "123 456 789 · 147 258 369 · 159 267 348 · 168 249 357"
OF_TWELVE = ("000 111 222 333", "012 103 230 321", "023 132 201 310", "031 120 213 302")


def rotation(count, rounds):
    """Rounds of tables of numbers, and the numbers of fillers."""
    tables = -(-count // 3)
    if tables < 4:
        written = OF_SIX if count == 6 else OF_NINE
        plan = [[list(map(int, t)) for t in row.split()] for row in written.split(" · ")]
        missing = {7: [6, 8], 8: [9]}.get(count, [])
    else:
        rows = [[[int(row) for row in t] for t in line.split()] for line in OF_TWELVE]
        if tables > 4:
            every = range(tables if tables % 2 else tables // 2)
            rows = [
                [[j, (j + r) % tables, (j + 2 * r) % tables] for j in range(tables)] for r in every
            ]
        plan = [[[3 * row + k + 1 for k, row in enumerate(t)] for t in line] for line in rows]
        missing = [3 * tables - 3 * k for k in range(3 * tables - count)]
    most = 3 if count == 7 else len(plan)
    if count < 6 or not 1 <= rounds <= most:
        raise ValueError("plan")
    return plan[:rounds], missing


def deal_rotation(plan, entrants, apart, words):
    rounds, missing = rotation(len(entrants), plan["rounds"])
    groups = groups_of(entrants, apart)
    spots = [n for n in range(1, 3 * len(rounds[0]) + 1) if n not in missing]
    free = {c: [n for n in spots if (n - 1) % 3 == i] for i, c in enumerate("ABC")}
    column, places, order, split = {}, {}, [], []

    def sit(number, spot):
        column[number] = "ABC"[(spot - 1) % 3]
        free[column[number]].remove(spot)
        places[spot] = number
        order.append(number)

    # Who cannot walk, at the numbers that change tables least.
    where = [{n: t for t, table in enumerate(row) for n in table} for row in rounds]
    moves = {n: sum(where[i][n] != where[i - 1][n] for i in range(1, len(where))) for n in spots}
    steady = sorted(spots, key=lambda n: (moves[n], n))
    walks = []
    for i, number in enumerate(shuffle(plan["steady"], words)):
        spot = steady[i]
        sit(number, spot)
        if moves[spot]:
            walks.append(number)

    # Then unit by unit, each into one column where it fits; of equal ones those in a further group.
    def rank(unit):
        return len(unit), any(index for n, _, _ in unit for _, index in groups[n])

    for unit in sorted(units_of(entrants, words), key=rank, reverse=True):
        waiting = shuffle([n for n, _, _ in unit if n not in column], words)
        while waiting:
            open_ones = shuffle([c for c in "ABC" if free[c]], words)
            fits = [c for c in open_ones if len(free[c]) >= len(waiting)]
            theirs = {group for number in waiting for group in groups[number]}

            def own(c, theirs=theirs):
                return sum(group in theirs for n in column if column[n] == c for group in groups[n])

            if fits:
                chosen = min(fits, key=lambda c: (-own(c), len(free[c])))
            else:
                chosen = max(open_ones, key=lambda c: len(free[c]))
            size = len(free[chosen])
            now, waiting = waiting[:size], waiting[size:]
            for number in now:
                sit(number, free[chosen][below(len(free[chosen]), words)])
        held = {c: [n for n, _, _ in unit if column[n] == c] for c in "ABC"}
        held = {c: numbers for c, numbers in held.items() if numbers}
        if len(held) > 1:
            split.append({"unit": unit[0][1], "columns": held})

    lots = shuffle([number for number, _, _ in entrants], words)
    who = [places.get(n) for n in range(1, 3 * len(rounds[0]) + 1)]
    seated, result = {}, []
    for level, row in enumerate(rounds):
        result.append([])
        for table, numbers in enumerate(row):
            seats = [who[n - 1] for n in numbers]
            seated[level, table] = [n for n in seats if n is not None]
            result[-1].append([{"filler": True} if n is None else {"entrant": n} for n in seats])
    log = {"order": order, "together": together_in(seated, groups), "places": who}
    return dict(log, split=split, walks=sorted(walks)), result, lots


# The kinds of draw: each gives the seats of a table, the log, the rounds, and the lots.


def fixed(plan, entrants, apart, words):
    size, advance = plan["table_size"], plan["advance"]
    if (size, advance) not in ((2, 1), (3, 1), (4, 1), (4, 2)):
        raise ValueError("plan")
    rounds = plan_of(len(entrants), size, advance, plan["way"])
    return (size, *deal(rounds, entrants, apart, words))


def pots_of(ranks, size, entrants):
    if sorted(ranks) != [number for number, _, _ in entrants]:
        raise ValueError("ranks")
    each, more = divmod(len(ranks), size)
    ends = [each * k + min(k, more) for k in range(size + 1)]
    return [ranks[ends[k] : ends[k + 1]] for k in range(size) if ends[k] < ends[k + 1]]


def pots(plan, entrants, apart, words):
    size = plan["table_size"]
    groups = pots_of(plan["ranks"], size, entrants)
    rounds = plan_of(len(entrants), size, plan["advance"], plan["way"])
    return (size, *deal(rounds, entrants, apart, words, groups))


def preliminary(plan, entrants, apart, words):
    return (3, *deal_rotation(plan, entrants, apart, words))


def redraw(plan, entrants, apart, words):
    size, advance, number = plan["table_size"], plan["advance"], plan["round"]
    count = len(entrants)
    allowed = [(2, 1), (3, 1), (4, 1), (4, 2)] + [(3, 2)] * (number == 1)
    if (size, advance) not in allowed or number < 1 or count < 2:
        raise ValueError("plan")
    tables = -(-count // size)
    sizes = [count // tables + (t < count % tables) for t in range(tables)]
    rounds = [
        [[{"entrant": None}] * own + [{"filler": True}] * (min(3, size) - own) for own in sizes]
    ]
    # The tables are the zones: as if all led to one more, which is left out.
    if tables > 1:
        rounds.append([[{"table": t + 1, "place": 1} for t in range(tables)]])
    groups = pots_of(plan["ranks"], size, entrants) if "ranks" in plan else ()
    log, result, lots = deal(rounds, entrants, apart, words, groups)
    log["together"] = [dict(one, round=number) for one in log["together"]]
    return size, log, result[:1], lots


KINDS = {"": fixed, "pots": pots, "rotation": preliminary, "redraw": redraw}


def check(draw):
    """Yields a sentence for everything that is not as published."""
    plan, rest = draw["plan"], {key: draw[key] for key in draw if key != "digest"}
    entrants = []
    for line in draw["list"]:
        number, unit, seed, _ = line.split("\t")
        entrants.append((int(number), unit, int(seed) if seed else None))
    list_digest = sha256("".join(line + "\n" for line in draw["list"]).encode())
    secret = bytes.fromhex(draw["secret"])
    terms = {"apart": draw["apart"], "plan": plan}
    seed = sha256(list_digest + secret + draw["words"].encode())
    numbers = [number for number, _, _ in entrants]
    if numbers != sorted(set(numbers)) or plan["entrants"] != len(numbers):
        yield "名单顺序或人数不对 · the list is out of order or not as long as the plan says"
    for field, digest in (
        ("list_digest", list_digest),
        ("secret_digest", sha256(secret)),
        ("terms_digest", sha256(compact(terms).encode())),
        ("seed", seed),
        ("digest", sha256(compact(rest).encode())),
    ):
        if draw[field] != digest.hex():
            yield f"{field} 与重算不符 · differs from what is computed again"
    kind = KINDS[plan.get("kind", "")]
    size, log, tables, lots = kind(plan, entrants, draw["apart"], words_of(seed))
    published = draw["result"]["rounds"]
    drawn = []
    before = plan.get("round", 1) - 1
    for index, row in enumerate(tables):
        drawn.append(
            [{"dealer": (index + before) % size % len(seats), "seats": seats} for seats in row]
        )
        for table, again in enumerate(drawn[-1]):
            if compact(published[index][table]) != compact(again):
                number = index + before + 1
                here = f"第 {number} 轮第 {table + 1} 桌 · round {number}, table {table + 1}"
                yield f"{here}: 与重算不符 · differs"
    if compact(draw["result"]) != compact({"rounds": drawn, "lots": lots}):
        yield "结果与重算不符 · the result differs from what is computed again"
    if compact(draw["log"]) != compact(log):
        yield "抽签过程与重算不符 · the log differs from what is computed again"


def main(path):
    sys.stdout.reconfigure(errors="replace")
    try:
        with open(path, encoding="utf-8-sig") as file:
            draw = json.load(file)
        faults = list(check(draw))
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        faults = [f"文件不完整或写法不对 · the file is incomplete or ill-formed: {error!r}"]
    for fault in faults:
        print("✗", fault)
    if faults:
        return 1
    print("✓ 与公布的完全一致 · everything is as published")
    print("请与抽签前公布的散列核对 · compare with what was published before the draw:")
    for field in ("list_digest", "terms_digest", "secret_digest"):
        print(f"  {field:<13} {draw[field]}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
