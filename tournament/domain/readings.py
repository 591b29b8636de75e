"""Pinyin of Chinese names for search: every reading, surnames as they are read as surnames."""

from __future__ import annotations

from itertools import islice, product

from pypinyin import Style, pinyin

MOST_READINGS = 6
MOST_LETTERS = 200

SURNAMES = {
    "覃": "qin",
    "曾": "zeng",
    "单": "shan",
    "仇": "qiu",
    "区": "ou",
    "解": "xie",
    "查": "zha",
    "尉迟": "yu chi",
    "万俟": "mo qi",
    "长孙": "zhang sun",
    "朴": "piao",
    "盖": "ge",
    "任": "ren",
    "华": "hua",
    "燕": "yan",
    "宁": "ning",
    "冼": "xian",
    "缪": "miao",
    "乐": "yue",
    "翟": "zhai",
    "沈": "shen",
    "夏": "xia",
    "石": "shi",
    "折": "she",
    "黑": "he",
    "秘": "bi",
    "员": "yun",
    "逄": "pang",
    "牟": "mu",
    "郗": "xi",
    "殷": "yin",
    "尹": "yin",
    "柏": "bai",
    "卜": "bu",
    "葛": "ge",
    "晁": "chao",
    "种": "chong",
    "繁": "po",
    "召": "shao",
    "曲": "qu",
    "应": "ying",
    "俞": "yu",
    "褚": "chu",
    "车": "che",
    "谌": "chen",
}
"""Characters that as surnames are read otherwise than in most words, or in one way only."""


def reading_of(name: str) -> str:
    """Lower-case pinyin of `name` to search in: each reading in full, then its initials.

    `覃曾` → `qinceng qc qinzeng qz …`; Latin letters stay as they are. At most 200 letters.
    """
    name = "".join(name.split()).lower()
    if not name:
        return ""
    surname = next((s for s in SURNAMES if name.startswith(s) and len(name) > len(s)), "")
    syllables = [[syllable] for syllable in SURNAMES.get(surname, "").split()]
    syllables += pinyin(name[len(surname) :], style=Style.NORMAL, heteronym=True)
    found: list[str] = []
    for reading in islice(product(*syllables), MOST_READINGS):
        for text in ("".join(reading), "".join(syllable[0] for syllable in reading)):
            if text not in found and len(" ".join([*found, text])) <= MOST_LETTERS:
                found.append(text)
    return " ".join(found)
