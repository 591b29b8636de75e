#!/usr/bin/env python3
# ruff: noqa: T201
"""核对比赛档案 · Checks a competition's archive: python verify_archive.py archive.zip

Needs Python 3.8 or later and nothing else. Checks every digest, computes every table again from
its hands (net, hands won, 点炮, places, who goes on) and the standings from the tables, and
compares with what the archive says. Ends with 0 if all is as it says. The format is described in
docs/archive.md.
"""

import hashlib
import json
import sys
import zipfile
from collections import defaultdict
from fractions import Fraction
from itertools import groupby

WHOLE = 12  # a game or a point, so that halves and thirds stay whole numbers
SCALE = {2: (36, 0), 3: (36, 12, 0), 4: (36, 12, 12, 0)}
DONE = ("confirmed", "final")
PUBLIC = ("published", "running", "confirmed", "final")
PRIZES = ((1, 1, "一等奖"), (2, 2, "二等奖"), (3, 3, "三等奖"), (4, None, "优秀奖"))


def canonical(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Archive:
    def __init__(self, path):
        self.faults, self.notes = [], []
        with zipfile.ZipFile(path) as package:
            self.files = {name: package.read(name) for name in package.namelist()}
        self.manifest = json.loads(self.files.pop("MANIFEST.json").decode())
        self.document = json.loads(self.files.pop("competition.json").decode())
        if self.manifest.get("format") != "duozhu-competition" or self.manifest["version"] != 1:
            raise ValueError("not an archive of version 1")
        self.parts = self.document["parts"]
        self.rows = {name: {row["id"]: row for row in rows} for name, rows in self.parts.items()}

    def all(self, name):
        return self.parts.get(name, [])

    def get(self, name, number):
        return self.rows[name][number]

    def fault(self, text):
        self.faults.append(text)


# Digests.


def check_digests(archive):
    manifest = dict(archive.manifest)
    if manifest.pop("digest") != sha256(canonical(manifest)):
        archive.fault("MANIFEST.json: digest")
    for name, said in manifest["parts"].items():
        rows = archive.parts.get(name)
        if rows is None or said != {"rows": len(rows), "sha256": sha256(canonical(rows))}:
            archive.fault(name + ": digest")
    if set(archive.parts) != set(manifest["parts"]):
        archive.fault("parts: not those of the manifest")
    if manifest["results"] != sha256(canonical(archive.document["results"])):
        archive.fault("results: digest")
    if manifest["files"] != {name: sha256(data) for name, data in archive.files.items()}:
        archive.fault("hands/: digest")
    named = {row["payload"].get("file") for row in archive.all("versions")} - {None}
    if named != set(archive.files):
        archive.fault("hands/: not the records that the hands name")


# A table: its hands, its sums.


class Table:
    def __init__(self, archive, row, sheet, at):
        self.row, self.archive = row, archive
        self.round = archive.get("rounds", row["round"])
        self.stage = archive.get("stages", self.round["stage"])
        self.event = archive.get("events", self.stage["event"])
        self.seats = sorted(at["seats"][row["id"]], key=lambda seat: seat["position"])
        self.is_game = self.event["discipline"] == "manual"
        self.by_points = self.is_game and self.event["counted_by"] == "points"
        self.is_prelim = self.round["advance"] == 0
        self.rulings = {one["hand"]: one for one in at["rulings"][sheet] if one["is_current"]}
        self.penalties = [one for one in at["penalties"][sheet] if one["voided_at"] is None]
        hands = sorted(at["hands"][sheet], key=lambda hand: hand["number"])
        self.versions = [
            (hand, version)
            for hand in hands
            for version in at["versions"][hand["id"]]
            if version["is_current"]
        ]
        self.lines = [self.line(hand, version) for hand, version in self.versions]
        self.sums()

    @property
    def name(self):
        return "round {}, table {}".format(self.round["number"], self.row["number"])

    def line(self, hand, version):
        count = len(self.seats)
        payload, ruling = version["payload"], self.rulings.get(hand["id"])
        is_extra = hand["tie_break"] is not None
        among = payload.get("among") if is_extra else None
        points = deltas_of(version)[:count]
        if not self.is_game and sum(deltas_of(version)):
            self.archive.fault(self.name + ", hand {}: not zero".format(hand["number"]))
        if among is not None and self.is_game and not self.by_points:
            places = self.places(payload)
            shares = shares_of(ranked([places[seat] for seat in sorted(among)]))
            points = [0] * count
            for index, seat in enumerate(sorted(among)):
                points[seat] = shares[index]
        won, payer, second = version["winners"], version["payer"], None
        if self.is_game:
            second = self.second(payload)
        if ruling is not None and not version["is_void"]:
            points, second = deltas_of(ruling)[:count], None
            won = [seat for seat in range(count) if points[seat] > 0]
            if self.is_game:
                won = [seat for seat in range(count) if points[seat] == max(points)]
                won = won if len(won) < count else []
            payer = None if payer is not None and points[payer] >= 0 else payer
        return {
            "points": points,
            "won": won,
            "payer": payer,
            "second": second,
            "hands": payload.get("hands", 1),
            "among": among,
            "counts": not version["is_void"] and among is None,
            "is_void": version["is_void"],
        }

    def places(self, payload):
        found = payload.get("places") or [1] * len(self.seats)
        return moved(found, payload.get("seats"))

    def second(self, payload):
        found = payload.get("points")
        if self.by_points:
            places = payload.get("places")
            found = shares_of(places) if isinstance(places, list) else None
        return None if not isinstance(found, list) else moved(found, payload.get("seats"))

    def sums(self):
        counted = [line for line in self.lines if line["counts"]]
        known = all(line["won"] is not None for line in counted)
        seconds = [line["second"] for line in counted if line["second"] is not None]
        self.played = sum(line["hands"] for line in counted)
        self.net, self.won, self.discards, self.deducted, self.more = [], [], [], [], []
        for seat in range(len(self.seats)):
            taken = sum(one["deducted"] for one in self.penalties if one["position"] == seat)
            given = sum(deltas_of(one)[seat] for one in self.penalties)
            net = sum(line["points"][seat] for line in counted) + given - taken
            self.net.append(net)
            self.deducted.append(taken)
            won = sum(seat in (line["won"] or ()) for line in counted)
            paid = sum(line["payer"] == seat for line in counted)
            self.won.append(won if known else None)
            self.discards.append(paid if known else None)
            has_more = counted and len(seconds) == len(counted)
            self.more.append(sum(one[seat] for one in seconds) if has_more else None)

    # Places (C8.1).

    def ranking(self):
        """Position → place and who goes on; None where a tie at a line is open."""
        ruling = self.rulings.get(None)
        if ruling is not None and ruling["places"]:
            places = {int(seat): place for seat, place in ruling["places"].items()}
            order = sorted(places, key=places.get)
            staying = [seat for seat in order if not self.seats[seat]["forfeits"]]
            return places, set(staying[: self.advance])
        tiers = []
        for gone in (False, True):
            group = [seat for seat in self.entrants if self.seats[seat]["forfeits"] == gone]
            for tied in split(group, lambda seat: -self.net[seat]):
                found = self.tie(tied, sum(map(len, tiers)) + 1, gone)
                if found is None:
                    return None
                tiers += found
        places, before = {}, 0
        for tier in tiers:
            places.update((seat, before + 1) for seat in tier)
            before += len(tier)
        staying = {s for s in places if places[s] <= self.advance and not self.seats[s]["forfeits"]}
        return places, staying

    @property
    def entrants(self):
        return [seat["position"] for seat in self.seats if seat["entrant"] is not None]

    @property
    def advance(self):
        return 0 if self.row["is_third"] else self.round["advance"]

    @property
    def cuts(self):
        prizes = ()
        if self.round["is_last"]:
            prizes = (1,) if self.row["is_third"] else (1, 2, 3)[: self.event["prizes"]]
        return {self.advance, *prizes}

    def tie(self, tied, start, gone):
        self.used = getattr(self, "used", set())
        parts = [tied]
        if self.is_game and all(self.more[seat] is not None for seat in tied):
            parts = split(tied, lambda seat: -self.more[seat])
        found = []
        for part in parts:
            more = [part] if self.is_prelim else self.extra(part, start, gone, 1)
            if more is None:
                return None
            found += more
            start += len(part)
        return found

    def extra(self, tied, start, gone, count):
        lines = [] if gone else [c for c in self.cuts if start <= c < start + len(tied) - 1]
        if not lines or not self.stage["extra_hands"] or count > 3:
            return self.further(tied, start, bool(lines))
        for index, line in enumerate(self.lines):
            fits = line["among"] is not None and set(line["among"]) == set(tied)
            if fits and not line["is_void"] and index not in self.used:
                break
        else:
            return None
        self.used.add(index)
        best = max(line["points"][seat] for seat in tied)
        first = [seat for seat in tied if line["points"][seat] == best]
        rest = [seat for seat in tied if line["points"][seat] != best]
        upper = self.extra(first, start, gone, count + 1)
        lower = self.extra(rest, start + len(first), gone, 1) if rest else []
        return None if upper is None or lower is None else upper + lower

    def further(self, tied, start, at_line):
        criteria = (
            lambda seat: None if self.won[seat] is None else -self.won[seat],
            lambda seat: self.discards[seat],
            lambda seat: self.entrant(seat)["prelim_rank"],
            self.lot,
        )
        tiers = [tied]
        for criterion in criteria:
            tiers = [
                part
                for tier in tiers
                for part in (
                    split(tier, criterion)
                    if all(criterion(seat) is not None for seat in tier)
                    else [tier]
                )
            ]
        before = start
        for tier in tiers:
            if at_line and any(before <= cut < before + len(tier) - 1 for cut in self.cuts):
                return None
            before += len(tier)
        return tiers

    def entrant(self, seat):
        return self.archive.get("entrants", self.seats[seat]["entrant"])

    def lot(self, seat):
        draws = [
            draw
            for draw in self.archive.all("draws")
            if draw["stage"] == self.stage["id"] and draw["round_number"] <= self.round["number"]
        ]
        if not draws:
            return None
        newest = max(draws, key=lambda draw: (draw["round_number"], draw["number"]))
        return lots_of(newest).get(number_of(self.archive, self.seats[seat]["entrant"]))

    # A preliminary's points (C5.4).

    def points(self):
        has_more = all(value is not None for value in self.more)

        def key(seat):
            more = -self.more[seat] if has_more else 0
            return self.seats[seat]["forfeits"], -self.net[seat], more

        tiers = split(range(len(self.seats)), key)
        ruling = self.rulings.get(None)
        if ruling is not None and ruling["places"]:
            ruled = {int(seat): place for seat, place in ruling["places"].items()}
            lines = [seat for tier in tiers for seat in tier]
            order = iter(sorted(self.entrants, key=lambda seat: ruled.get(seat, 9)))
            rows = [next(order) if seat in self.entrants else seat for seat in lines]
            tiers = [
                list(tier)
                for _key, tier in groupby(
                    rows,
                    lambda s: (0, ruled.get(s, 9)) if s in self.entrants else (1, s),
                )
            ]
        found, start = {}, 0
        for tier in tiers:
            share = sum(SCALE[len(self.seats)][start : start + len(tier)]) // len(tier)
            found.update((seat, share) for seat in tier)
            start += len(tier)
        return found


def deltas_of(row):
    return [row["delta_1"], row["delta_2"], row["delta_3"], row["delta_4"]]


def split(seats, key):
    return [list(group) for _key, group in groupby(sorted(seats, key=key), key)]


def ranked(values):
    return [1 + sum(other < one for other in values) for one in values]


def shares_of(places):
    return [WHOLE // places.count(1) if place == 1 else 0 for place in places]


def moved(values, seating):
    found = list(values)
    for seat, target in enumerate(seating or ()):
        found[target] = values[seat]
    return found


def lots_of(draw):
    return {number: lot for lot, number in enumerate((draw["result"] or {}).get("lots", ()), 1)}


def number_of(archive, entrant):
    return archive.get("entries", archive.get("entrants", entrant)["entry"])["number"]


# The whole competition.


def tables_of(archive):
    at = {
        name: defaultdict(list) for name in ("seats", "hands", "versions", "rulings", "penalties")
    }
    keys = {"seats": "table", "hands": "sheet", "versions": "hand"}
    for name, rows in at.items():
        for row in archive.all(name):
            rows[row[keys.get(name, "sheet")]].append(row)
    sheets = {sheet["table"]: sheet["id"] for sheet in archive.all("sheets")}
    return {
        row["id"]: Table(archive, row, sheets.get(row["id"]), at) for row in archive.all("tables")
    }


def check_tables(archive, tables):
    said = {one["table"]: one for one in archive.document["results"]["tables"]}
    for number, table in tables.items():
        if table.versions:
            again = {
                "table": number,
                "net": table.net,
                "deducted": table.deducted,
                "hands_won": table.won,
                "discards": table.discards,
                "played": table.played,
            }
            if said.get(number) != again:
                archive.fault(table.name + ": sums")
            if not table.is_game and sum(table.net) + sum(table.deducted):
                archive.fault(table.name + ": the sums are not zero together")
            if table.row["state"] in DONE:
                check_places(archive, table)
        elif number in said:
            archive.fault(table.name + ": sums without hands")


def check_places(archive, table):
    found = table.ranking()
    if found is None:
        archive.fault(table.name + ": a tie at a line is open")
        return
    places, going_on = found
    given = {seat["position"]: seat["place"] for seat in table.seats if seat["entrant"] is not None}
    order = sorted(going_on, key=places.get)
    due = dict(places)
    due.update((seat, place) for place, seat in enumerate(order, 1))
    if due != given:
        archive.fault(f"{table.name}: places {given} are {due}")
    if table.is_prelim:
        if not table.round["is_tie_break"]:
            points = table.points()
            if any(seat["points"] != points[seat["position"]] for seat in table.seats):
                archive.fault(table.name + ": points")
        return
    said = {seat["position"] for seat in table.seats if seat["advances"]}
    is_redraw = table.stage["style"] == "redraw"
    if said != going_on and not (is_redraw and said > going_on):
        as_played = [
            row
            for row in archive.all("audit")
            if row["subject"] == "table:{}".format(table.row["id"]) and row["data"].get("as_played")
        ]
        if as_played or archive.document["contents"] == "public":
            archive.notes.append(table.name + ": corrected later, who went on stays as played")
        else:
            archive.fault(table.name + ": who goes on")


def check_feeds(archive, tables):
    """Who advances sits where his place leads."""
    for seat in archive.all("seats"):
        if seat["source"] is None or seat["stands_for"] or seat["gap_filled"]:
            continue
        source = tables[seat["source"]]
        if seat["entrant"] is None or source.row["state"] not in DONE:
            continue
        here = [
            one["entrant"]
            for one in source.seats
            if one["place"] == seat["source_place"] and one["entrant"] is not None
        ]
        if seat["entrant"] not in here:
            archive.notes.append(
                tables[seat["table"]].name + ": a seat was given otherwise than by the places"
            )


def check_ranks(archive, tables):
    """The ranks of a preliminary follow points, then net (C8.3)."""
    total = defaultdict(lambda: [0, 0])
    for table in tables.values():
        if table.is_prelim and not table.round["is_tie_break"] and table.row["state"] in DONE:
            for seat in table.seats:
                if seat["entrant"] is not None:
                    total[seat["entrant"]][0] += seat["points"] or 0
                    total[seat["entrant"]][1] += table.net[seat["position"]]
    for event in archive.all("events"):
        ranked_ones = sorted(
            (
                one
                for one in archive.all("entrants")
                if one["event"] == event["id"]
                and one["prelim_rank"] is not None
                and one["status"] in ("in", "out")
            ),
            key=lambda one: one["prelim_rank"],
        )
        values = [total[one["id"]] for one in ranked_ones]
        if values != sorted(values, reverse=True):
            archive.fault(event["name"] + ": ranks of the preliminary")


def standings_of(archive, event, tables):
    last = {}
    order = sorted(
        (
            seat
            for table in tables.values()
            if table.event["id"] == event["id"]
            and table.stage["kind"] == "knockout"
            and table.round["state"] in PUBLIC
            and table.row["state"] in PUBLIC
            for seat in table.seats
        ),
        key=lambda seat: (
            tables[seat["table"]].round["number"],
            tables[seat["table"]].row["number"],
            seat["position"],
        ),
    )
    for seat in order:
        if seat["entrant"] is not None:
            last[seat["entrant"]] = seat
    if not any(tables[seat["table"]].row["state"] in DONE for seat in order):
        return []
    lots = public_lots(archive, event)
    rows = [finish(archive, tables[seat["table"]], seat, lots) for seat in last.values()]
    still = sorted((r for r in rows if r["place"] is None), key=lambda r: (-r["round"], r["key"]))
    beside = [row for row in still if row["third"]]
    done = sorted((r for r in rows if r["place"] is not None), key=lambda row: row["order"])
    first = [r for r in done if beside and r["round"] == beside[0]["round"] and not r["third"]]
    found = []
    for part in ([r for r in still if not r["third"]], first, beside, done[len(first) :]):
        found += placed(part, len(found) + 1, event["prizes"])
    return found


def finish(archive, table, seat, lots):
    is_done = table.row["state"] in DONE
    status = archive.get("entrants", seat["entrant"])["status"]
    waits = status == "in" and not table.round["is_last"]
    place = seat["place"] if is_done and not waits else None
    place = place + 2 if place and table.row["is_third"] else place
    net = table.net[seat["position"]] if is_done else 0
    hands = table.played if is_done else 0
    hands = min(hands, 1) if table.is_game else hands
    number = table.round["number"]
    return {
        "key": seat["entrant"],
        "round": number,
        "place": place,
        "third": table.row["is_third"],
        "lot": lots.get(seat["entrant"]),
        "order": (-number, place or 0, hands == 0, Fraction(-net, hands or 1)),
    }


def public_lots(archive, event):
    """Entrant → his lot, of the latest published draw that he was in."""
    found = {}
    draws = [
        draw
        for draw in archive.all("draws")
        if archive.get("stages", draw["stage"])["event"] == event["id"]
        and archive.get("stages", draw["stage"])["kind"] == "knockout"
        and draw["published_at"] is not None
    ]
    newest, by_number = {}, {}
    for draw in sorted(draws, key=lambda one: one["number"]):
        newest[draw["round_number"]] = draw
    for of_round in sorted(newest):
        by_number.update(lots_of(newest[of_round]))
    for entrant in archive.all("entrants"):
        if entrant["event"] == event["id"]:
            lot = by_number.get(number_of(archive, entrant["id"]))
            if lot is not None:
                found[entrant["id"]] = lot
    return found


def placed(part, place, prizes):
    found = []
    for _key, group in groupby(part, key=lambda row: row["order"]):
        level = list(group)
        if level[0]["place"] is None:
            found += [line(row, None, False, prizes) for row in level]
            continue
        for tied in tied_parts(level, place):
            found += [line(row, place, len(tied) > 1, prizes) for row in tied]
            place += len(tied)
    return found


def tied_parts(level, place):
    if any(row["lot"] is None for row in level):
        return [level]
    single = max(0, 3 - place + 1)
    by_lot = sorted(level, key=lambda row: row["lot"])
    parts = [[row] for row in by_lot[:single]]
    return [*parts, by_lot[single:]] if by_lot[single:] else parts


def line(row, place, shared, prizes):
    prize = None
    for first, last, name in PRIZES:
        if place is not None and first <= place <= min(last or prizes, prizes):
            prize = name
    return {"entrant": row["key"], "place": place, "shared": shared, "prize": prize}


def check_standings(archive, tables):
    for said in archive.document["results"]["standings"]:
        event = archive.get("events", said["event"])
        again = standings_of(archive, event, tables)
        if sorted(map(canonical, again)) != sorted(map(canonical, said["rows"])):
            archive.fault(event["name"] + ": standings")


def main(path):
    try:
        archive = Archive(path)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        print("不是比赛档案 · not an archive:", error)
        return 2
    check_digests(archive)
    if not archive.faults:
        tables = tables_of(archive)
        check_tables(archive, tables)
        check_feeds(archive, tables)
        check_ranks(archive, tables)
        check_standings(archive, tables)
        played = sum(bool(table.versions) for table in tables.values())
        print("桌 · tables: {}，局 · hands: {}".format(played, len(archive.all("hands"))))
    for text in archive.notes:
        print("注意 · note:", text)
    for text in archive.faults:
        print("不符 · differs:", text)
    print("校验值 · digest:", archive.manifest.get("digest"))
    print("完全一致 · all is as it says" if not archive.faults else "有不符 · something differs")
    return 1 if archive.faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
