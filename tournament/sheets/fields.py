"""What a column can hold, and the headings people write over it."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Field(StrEnum):
    """A column of a list of entrants."""

    NUMBER = "number"
    NAME = "name"
    UNIT = "unit"
    PHONE = "phone"
    BIRTH_YEAR = "birth_year"
    SEED = "seed"
    EVENTS = "events"
    PARTNER = "partner"
    NOTE = "note"

    @property
    def label(self) -> Promise:
        """What pages call it."""
        return LABELS[self]


LABELS: dict[Field, Promise] = {
    Field.NUMBER: _("编号"),
    Field.NAME: _("姓名"),
    Field.UNIT: _("代表单位"),
    Field.PHONE: _("手机号"),
    Field.BIRTH_YEAR: _("出生年份"),
    Field.SEED: _("种子"),
    Field.EVENTS: _("项目"),
    Field.PARTNER: _("搭档"),
    Field.NOTE: _("备注"),
}

EXACT: dict[Field, str] = {
    Field.NUMBER: "编号 参赛号 参赛编号 选手编号 选手号 选手号码 号码 号 number no num id",
    Field.NAME: "姓名 名字 选手 选手姓名 参赛选手 参赛者 参赛人 队员 队员姓名 运动员 "
    "name fullname player playername participant",
    Field.UNIT: "单位 代表单位 所属单位 工作单位 参赛单位 单位名称 代表队 队名 队伍 队 团队 "
    "学校 公司 部门 村 社区 乡镇 县区 "
    "unit team club organization organisation affiliation school company",
    Field.PHONE: "电话 手机 手机号 手机号码 电话号码 联系电话 联系方式 联系手机 移动电话 "
    "phone mobile tel telephone cell cellphone phonenumber mobilenumber contact",
    Field.BIRTH_YEAR: "出生年 出生年份 出生年月 出生日期 出生 生日 生年 "
    "birthyear yearofbirth born birthday birthdate dob dateofbirth",
    Field.SEED: "种子 种子号 种子序号 种子顺位 seed seeding",
    Field.EVENTS: "项目 参赛项目 报名项目 比赛项目 参加项目 参加的项目 报名的项目 event events",
    Field.PARTNER: "搭档 搭挡 队友 同伴 双升搭档 partner teammate",
    Field.NOTE: "备注 附注 说明 其他 note notes remark remarks comment comments",
}
"""Headings as `plain` leaves them. 序号 is no number: it only counts the lines."""

PARTS: dict[Field, str] = {
    Field.PHONE: "手机 电话 联系方式 phone mobile",
    Field.BIRTH_YEAR: "出生 生日 birth",
    Field.SEED: "种子 seed",
    Field.EVENTS: "项目",
    Field.PARTNER: "搭档",
    Field.NOTE: "备注 remark",
    Field.UNIT: "单位 代表队",
    Field.NAME: "姓名",
    Field.NUMBER: "编号",
}
"""What longer headings contain (参赛选手姓名, 手机号码（必填）)."""

_BRACKETS = re.compile(r"[(\[【<].*?[)\]】>]")
_OR = re.compile(r"[/／、,，或]")
_LETTERS = re.compile(r"[^\w#]|_")
_EXACT = {word: field for field, words in EXACT.items() for word in words.split()}
_PARTS = [(word, field) for field, words in PARTS.items() for word in words.split()]
LONGEST = 20


def plain(heading: str) -> str:
    """A heading without brackets, blanks and marks, in small letters: `手 机（必填）` → `手机`."""
    text = unicodedata.normalize("NFKC", heading).casefold()
    return _LETTERS.sub("", _BRACKETS.sub("", text))


def field_of(heading: str) -> tuple[Field, bool] | None:
    """What a heading means, and whether it says just that; None where it means none of ours."""
    text = plain(heading)
    for part in (text, *map(plain, _OR.split(heading))):
        if part in _EXACT:
            return _EXACT[part], True
    if text and len(text) <= LONGEST:
        for word, field in _PARTS:
            if word in text:
                return field, False
    return None
