"""States and kinds of what happens at the tables (competition.md C6, C7)."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class SheetState(models.TextChoices):
    """C7: open → submitted → confirmed → final; submitted → open when sent back."""

    OPEN = "open", _("记分中")
    SUBMITTED = "submitted", _("待确认")
    CONFIRMED = "confirmed", _("已确认")
    FINAL = "final", _("已定局")


class Evidence(models.TextChoices):
    """How much of a hand is known, from least to most (C6.1); of a game that is not 字牌 who won,
    as the referee typed it (C10)."""

    TOTALS = "totals", _("只有分数")
    RESULT = "result", _("结果")
    SLIP = "slip", _("牌面")
    RECORD = "record", _("牌谱")
    GAME = "game", _("胜负")


class PenaltyKind(models.TextChoices):
    """Who gets a penalty's points (C6.5): the opponents, nobody, or there are none."""

    OPPONENTS = "opponents", _("赔给对手")
    DEDUCTION = "deduction", _("扣罚")
    NONE = "none", _("不扣分")


class PenaltyLevel(models.TextChoices):
    """The ladder of penalties, from least to most."""

    WARNING = "warning", _("警告")
    POINTS = "points", pgettext_lazy("level", "罚分")
    NO_HU = "no-hu", _("停和")
    DISQUALIFIED = "out", _("取消资格")

    @property
    def step(self) -> int:
        """How high on the ladder, from 0."""
        return list(PenaltyLevel).index(self)


class ProtestAbout(models.TextChoices):
    """What a protest is about."""

    HAND = "hand", _("一局")
    PENALTY = "penalty", pgettext_lazy("step", "判罚")
    PLACES = "places", _("名次")
    OTHER = "other", _("别的事")


class ProtestState(models.TextChoices):
    """What became of a protest: answered, and once more where who made it appeals (上诉)."""

    OPEN = "open", _("待裁决")
    UPHELD = "upheld", _("成立")
    REJECTED = "rejected", _("驳回")
    WITHDRAWN = "withdrawn", _("撤回")
    APPEALED = "appealed", _("上诉待裁")
    GRANTED = "granted", _("上诉成立")
    DISMISSED = "dismissed", _("上诉驳回")


UNDECIDED = (ProtestState.OPEN, ProtestState.APPEALED)


class RejudgeState(models.TextChoices):
    """C11: computed in the background, shown, then applied or dismissed as a whole."""

    COMPUTING = "computing", _("正在重算")
    SHOWN = "shown", _("等裁判长决定")
    APPLIED = "applied", _("已采用")
    DISMISSED = "dismissed", _("已放弃")


class BookKind(models.TextChoices):
    """The two books of a competition: before it is played, and after."""

    PROGRAMME = "programme", pgettext_lazy("book", "秩序册")
    RESULTS = "results", _("成绩册")
