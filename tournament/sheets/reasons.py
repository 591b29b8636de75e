"""Why a row is not simply new: codes, and the sentences that say them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Code(StrEnum):
    """A reason."""

    NO_NAME = "no-name"
    BAD_NAME = "bad-name"
    TOO_LONG = "too-long"
    BAD_NUMBER = "bad-number"
    BAD_SEED = "bad-seed"
    BAD_YEAR = "bad-year"
    BAD_PHONE = "bad-phone"
    SHORT_PHONE = "short-phone"
    ROUNDED_PHONE = "rounded-phone"
    TWO_PHONES = "two-phones"
    FORMULA = "formula"
    DOUBLE_NUMBER = "double-number"
    DOUBLE_SEED = "double-seed"
    NUMBER_TAKEN = "number-taken"
    SEED_TAKEN = "seed-taken"
    HAS_LEFT = "has-left"
    SAME_ENTRY = "same-entry"
    DOUBLE = "double"
    SAME_NAME = "same-name"
    SAME_NAME_ROW = "same-name-row"
    OTHER_PHONE = "other-phone"
    OTHER_ROW = "other-row"
    SEVERAL = "several"
    SAME_PHONE = "same-phone"
    SAME_PHONE_ROW = "same-phone-row"
    ALIKE = "alike"
    NO_EVENT = "no-event"
    EVENT_CLOSED = "event-closed"
    EVENTS_LIMIT = "events-limit"
    SEED_ELSEWHERE = "seed-elsewhere"
    NOT_PAIRS = "not-pairs"
    NO_PARTNER = "no-partner"
    PARTNERS = "partners"
    PARTNER_SELF = "partner-self"
    PARTNER_ELSEWHERE = "partner-elsewhere"
    PARTNER_TAKEN = "partner-taken"


SENTENCES: dict[Code, Promise] = {
    Code.NO_NAME: _("没有姓名"),
    Code.BAD_NAME: _("姓名里没有文字"),
    Code.TOO_LONG: _("%(field)s超过 %(most)d 个字"),
    Code.BAD_NUMBER: _("编号要是 1 到 999999 的整数，这里是“%(text)s”"),
    Code.BAD_SEED: _("种子要是 1 到 9999 的整数，这里是“%(text)s”"),
    Code.BAD_YEAR: _("出生年份要写四位数字，例如 1968，这里是“%(text)s”"),
    Code.BAD_PHONE: _("手机号只能由数字组成，例如 13800138000"),
    Code.SHORT_PHONE: _("手机号要 11 位数字，这里是 %(n)d 位"),
    Code.ROUNDED_PHONE: _("手机号变成了科学计数，后几位已经丢失；请把这一列设成文本再填"),
    Code.TWO_PHONES: _("一格里有不止一个号码，请只留一个"),
    Code.FORMULA: _("%(field)s一格的公式出错了"),
    Code.DOUBLE_NUMBER: _("编号 %(n)d 和第 %(line)d 行重复"),
    Code.DOUBLE_SEED: _("%(n)d 号种子和第 %(line)d 行重复"),
    Code.NUMBER_TAKEN: _("编号 %(n)d 已经是%(name)s的"),
    Code.SEED_TAKEN: _("%(n)d 号种子已经是%(name)s"),
    Code.HAS_LEFT: _("%(name)s已经退赛；请在选手页面上恢复参赛"),
    Code.SAME_ENTRY: _("和第 %(line)d 行是同一名选手（%(name)s）"),
    Code.DOUBLE: _("和第 %(line)d 行相同"),
    Code.SAME_NAME: _("已有同名选手：%(known)s，单位不同"),
    Code.SAME_NAME_ROW: _("和第 %(line)d 行同名，单位不同"),
    Code.OTHER_PHONE: _("已有同名同单位的%(known)s，手机号不同"),
    Code.OTHER_ROW: _("和第 %(line)d 行同名同单位，其他内容不同"),
    Code.SEVERAL: _("已有 %(n)d 名同名同单位的选手，分不清是哪一名"),
    Code.SAME_PHONE: _("手机号和%(known)s相同"),
    Code.SAME_PHONE_ROW: _("手机号和第 %(line)d 行的%(name)s相同"),
    Code.ALIKE: _("姓名和%(known)s读音或写法相近"),
    Code.NO_EVENT: _("没有叫“%(name)s”的项目；这场比赛有：%(known)s"),
    Code.EVENT_CLOSED: _("“%(name)s”已经冻结名单或抽过签，不能再加人"),
    Code.EVENTS_LIMIT: _("每人最多报 %(limit)d 项，这样就有 %(n)d 项了"),
    Code.SEED_ELSEWHERE: _("这里的种子是“%(event)s”的，他没有报；别的项目请到那个项目里设种子"),
    Code.NOT_PAIRS: _("写了搭档，但没有报两人一组的项目"),
    Code.NO_PARTNER: _("名单里没有搭档“%(text)s”；请也给他写一行，或改成他的编号"),
    Code.PARTNERS: _("有 %(n)d 位“%(text)s”，请写搭档的编号"),
    Code.PARTNER_SELF: _("搭档写成了他自己"),
    Code.PARTNER_ELSEWHERE: _("搭档%(name)s没有报“%(event)s”"),
    Code.PARTNER_TAKEN: _("%(name)s已经有别的搭档"),
}


@dataclass(frozen=True)
class Reason:
    """A code with what its sentence names. Phone numbers are never among it."""

    code: Code
    named: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in the user's language."""
        return str(SENTENCES[self.code]) % self.named
