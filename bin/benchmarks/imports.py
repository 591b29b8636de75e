"""How long a list of 5,000 takes from the file to the preview of every row."""

from __future__ import annotations

import io
import os
import random
import statistics
import time

import django
from openpyxl import Workbook

from benchmarks.measure import REPEATS, Figure
from tournament.sheets.columns import layout_of, read_rows
from tournament.sheets.judged import Known, Verdict
from tournament.sheets.judging import judge
from tournament.sheets.reading import read_file

ROWS, KNOWN, SEED = 5000, 1000, 20261130
SURNAMES = "覃莫蒋唐秦阳李廖韦黄蒙陆潘谢龙石罗欧邓周吴郑冯陈沈韩曾单仇区解查"
NAMES = "明华强芳丽军秀英国栋家骏小晓重志建春文德桂林漓江山水金玉"


def names(chance: random.Random, number: int) -> list[str]:
    """So many made-up names of three characters."""
    return [chance.choice(SURNAMES) + "".join(chance.sample(NAMES, 2)) for _ in range(number)]


def workbook(chance: random.Random) -> bytes:
    """A list with number, name, unit, phone and year."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["编号", "姓名", "单位", "手机", "出生年"])
    for n, name in enumerate(names(chance, ROWS)):
        sheet.append([KNOWN + n + 1, name, f"单位{n % 300}", 13_800_000_000 + n, 1950 + n % 50])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def run() -> list[Figure]:
    """Seconds of CPU for one list beside 1,000 known entries."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    taken = []
    for repeat in range(REPEATS):
        chance = random.Random(SEED + repeat)
        data = workbook(chance)
        known = [
            Known(n, name, f"单位{n % 300}", n) for n, name in enumerate(names(chance, KNOWN), 1)
        ]
        start = time.process_time()
        (sheet,) = read_file(data)
        rows, _passed = read_rows(sheet, layout_of(sheet), 2026)
        judged = judge(rows, known)
        taken.append(time.process_time() - start)
        if sum(one.verdict is Verdict.NEW for one in judged) < ROWS // 2:
            raise AssertionError("the lists are too much alike")
    return [("import: 5,000 rows of xlsx read and judged", statistics.median(taken), "s")]
