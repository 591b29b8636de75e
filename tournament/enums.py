"""States and kinds of the tournament's rows (competition.md C1, C2, C7)."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Role(models.TextChoices):
    """What somebody may be in one competition (C7.3)."""

    OWNER = "owner", _("主办人")
    ORGANIZER = "organizer", _("组织者")
    CHIEF = "chief", _("裁判长")
    REFEREE = "referee", _("裁判")
    TABLE = "table", _("本桌")
    ENTRANT = "entrant", _("选手")


class Discipline(models.TextChoices):
    """What is played: 字牌 by the engine, or any game typed by the referee (C10)."""

    ZIPAI = "zipai", _("桂林字牌")
    MANUAL = "manual", _("其他项目")


class EntryStatus(models.TextChoices):
    """C1.2: pending → confirmed | waitlisted → withdrawn."""

    PENDING = "pending", _("待确认")
    CONFIRMED = "confirmed", _("已确认")
    WAITLISTED = "waitlisted", _("候补")
    WITHDRAWN = "withdrawn", _("已退出")


class ImportState(models.TextChoices):
    """A list on its way in: shown, written, taken back."""

    PREVIEW = "preview", _("待确认")
    DONE = "done", _("已导入")
    UNDONE = "undone", _("已撤销")


class Ask(models.TextChoices):
    """Whether the public form of registration asks for something."""

    NO = "no", _("不问")
    MAY = "may", _("可不填")
    MUST = "must", _("必填")


class EntrantStatus(models.TextChoices):
    """C1.2: in → out (eliminated) | withdrawn | disqualified | absent."""

    IN = "in", _("在赛")
    OUT = "out", _("已淘汰")
    WITHDRAWN = "withdrawn", _("退赛")
    DISQUALIFIED = "disqualified", _("取消资格")
    ABSENT = "absent", _("缺席")


class StageKind(models.TextChoices):
    """A preliminary by rotation (C5), or a knock-out (C3)."""

    PRELIM = "prelim", _("预赛")
    KNOCKOUT = "knockout", _("淘汰赛")


class Style(models.TextChoices):
    """How a knock-out goes on from round to round (C3.1, C3.2)."""

    FIXED = "fixed", _("固定签表")
    REDRAW = "redraw", _("每轮重抽")


class Way(models.TextChoices):
    """How `fixed` gets to a clean field (C3.1 i and ii)."""

    BYES = "byes", _("首轮轮空")
    COMPACT = "compact", _("四人桌")


class Cut(models.TextChoices):
    """How many go on from a preliminary: the usual number, or the next power (C5.5)."""

    USUAL = "usual", _("通常的人数")
    DOWN = "down", _("少一级")
    UP = "up", _("多一级")


class CountedBy(models.TextChoices):
    """What decides a table of a manual event: games won, or the points together (C10)."""

    GAMES = "games", _("胜局")
    POINTS = "points", _("总分")


class ConfirmationMode(models.TextChoices):
    """Who confirms a sheet (C7.2)."""

    NONE = "none", _("不需确认")
    PLAYERS = "players", _("选手确认")
    REFEREE = "referee", _("另一裁判确认")


class DealerOption(models.TextChoices):
    """Who deals the next hand (C2.3)."""

    WINNER = "winner", _("胡者坐庄")
    ROTATE = "rotate", _("轮流坐庄")


class State(models.TextChoices):
    """States of a round, and of each of its tables (C7)."""

    PLANNED = "planned", _("计划中")
    DRAWN = "drawn", _("已抽签")
    PUBLISHED = "published", _("已公布")
    RUNNING = "running", _("进行中")
    CONFIRMED = "confirmed", _("已确认")
    FINAL = "final", _("已定局")


BEFORE_PLAY = (State.PLANNED, State.DRAWN, State.PUBLISHED)
DONE = (State.CONFIRMED, State.FINAL)


class CallKind(models.TextChoices):
    """What a table calls a referee for."""

    RULING = "ruling", _("请判罚")
    SCORE = "score", _("记分有疑问")
    CARDS = "cards", _("牌有问题")
    ABSENT = "absent", _("缺人")
    OTHER = "other", _("其他事")


class ScreenPart(models.TextChoices):
    """What the screen in the hall shows in turn, in this order."""

    BRACKET = "bracket", _("对阵")
    TABLES = "tables", _("正在打的桌")
    MISSING = "missing", _("点名单")
    TIMER = "timer", _("计时")
    STANDINGS = "standings", pgettext_lazy("page", "名次")
    NOTICES = "notices", _("公告")


class ApiScope(models.TextChoices):
    """What a program's token may be used for."""

    ENTRANTS = "entrants", pgettext_lazy("api", "报名")
    CHECKIN = "checkin", _("签到")
    HANDS = "hands", _("记局")
    CONFIRM = "confirm", pgettext_lazy("api", "确认")
