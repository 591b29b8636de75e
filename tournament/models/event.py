"""Events (项目) and their stages."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournament.enums import (
    ConfirmationMode,
    CountedBy,
    Cut,
    DealerOption,
    Discipline,
    StageKind,
    Style,
    Way,
)
from tournament.models.competition import Competition


class Event(models.Model):
    """项目: what is played in a competition and under which rules.

    `options` holds all options of the engine's rules as JSON, `rules_digest` their digest;
    both are frozen at `frozen_at`, when the first hand is in (C11). `prizes` are the places with
    a prize (C8.5). Of a manual event (C10) `games` is the k of best of k, or of a total, as
    `counted_by` says; `is_pairs` that an entrant has two members.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="events")
    name = models.CharField(_("项目"), max_length=60)
    position = models.PositiveSmallIntegerField(default=1)
    discipline = models.CharField(
        max_length=10, choices=Discipline.choices, default=Discipline.ZIPAI
    )
    preset = models.CharField(_("规则"), max_length=20, blank=True, default="competition")
    options = models.JSONField(_("规则选项"), default=dict)
    rules_digest = models.CharField(max_length=64, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    prizes = models.PositiveSmallIntegerField(_("奖到第几名"), default=9)
    games = models.PositiveSmallIntegerField(_("每桌几盘"), default=1)
    counted_by = models.CharField(
        _("胜负看什么"), max_length=10, choices=CountedBy.choices, default=CountedBy.GAMES
    )
    is_pairs = models.BooleanField(_("两人一组"), default=False)
    has_preliminary: bool | None = None
    """Whether it has a preliminary, None where no query has said so yet."""

    class Meta:
        verbose_name = _("项目")
        verbose_name_plural = _("项目")
        ordering = ["competition", "position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "name"],
                name="event_name",
                violation_error_message=_("这个项目已经有了。"),
            ),
            models.CheckConstraint(
                condition=models.Q(discipline=Discipline.MANUAL) | ~models.Q(rules_digest=""),
                name="event_has_rules",
            ),
            models.CheckConstraint(
                condition=models.Q(games__gte=1, games__lte=99), name="event_games_1_to_99"
            ),
            models.CheckConstraint(
                condition=models.Q(counted_by__in=CountedBy.values), name="event_counted_by_known"
            ),
            models.CheckConstraint(condition=models.Q(prizes__gte=1), name="event_prizes_from_1"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The public page of the bracket. Needs `competition`."""
        return reverse("bracket", args=[self.competition.code, self.pk])

    @property
    def scope(self) -> str:
        """The name of this event for versions: of all but what a single table comes to."""
        return f"event:{self.pk}"

    @property
    def play_scope(self) -> str:
        """The name for versions of what starts and ends at its tables.

        Apart, so that the page of a table is not made anew for what happens at the others.
        """
        return f"event:{self.pk}:play"

    @property
    def scopes(self) -> tuple[str, str]:
        """What a page depends on that shows its tables beside each other."""
        return self.scope, self.play_scope

    @property
    def is_frozen(self) -> bool:
        """Whether its rules are in force for good (C11)."""
        return self.frozen_at is not None


def default_lateness() -> list[list[int]]:
    """C9.2: up to 10 minutes 2 舵, up to 15 minutes 4 舵."""
    return [[10, 2], [15, 4]]


class Stage(models.Model):
    """A part of an event: at most one preliminary, then one knock-out.

    `table_size` p and `advance` a are the plan's (C3); `hands` and `minutes` a table's
    planned length, `final_hands` the last round's. `lateness` are steps `[minutes, 舵]`, minutes
    ascending: who is later than the last step's forfeits the table (C9.2).

    A preliminary has `round_count` rounds, `cut` says how many go on from it (C5.5), and
    `closed_at` when its ranks were declared. `first_two` is (3,2) in the first round of `redraw`;
    `third_table` that the losers before the final play for third place at tables of two.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    kind = models.CharField(max_length=10, choices=StageKind.choices, default=StageKind.KNOCKOUT)
    table_size = models.PositiveSmallIntegerField(_("几人一桌"), default=3)
    advance = models.PositiveSmallIntegerField(_("每桌晋级"), default=1)
    style = models.CharField(_("赛制"), max_length=10, choices=Style.choices, default=Style.FIXED)
    way = models.CharField(_("凑整办法"), max_length=10, choices=Way.choices, blank=True)
    hands = models.PositiveSmallIntegerField(_("每桌几局"), default=12)
    final_hands = models.PositiveSmallIntegerField(_("决赛几局"), default=24)
    minutes = models.PositiveSmallIntegerField(_("每轮分钟"), null=True, blank=True)
    confirmation = models.CharField(
        _("谁来确认记分表"),
        max_length=10,
        choices=ConfirmationMode.choices,
        default=ConfirmationMode.PLAYERS,
    )
    dealer = models.CharField(
        _("庄家"), max_length=10, choices=DealerOption.choices, default=DealerOption.WINNER
    )
    extra_hands = models.BooleanField(_("同分加赛"), default=True)
    lateness = models.JSONField(_("迟到扣罚"), default=default_lateness)
    round_count = models.PositiveSmallIntegerField(_("几轮"), null=True, blank=True)
    cut = models.CharField(_("多少人晋级"), max_length=10, choices=Cut.choices, default=Cut.USUAL)
    closed_at = models.DateTimeField(null=True, blank=True)
    first_two = models.BooleanField(_("首轮 3 进 2"), default=False)
    third_table = models.BooleanField(_("加打第三名桌"), default=False)

    class Meta:
        verbose_name = _("阶段")
        verbose_name_plural = _("阶段")
        ordering = ["event", models.F("kind").desc()]
        constraints = [
            models.UniqueConstraint(fields=["event", "kind"], name="stage_kind"),
            models.CheckConstraint(
                condition=models.Q(kind=StageKind.PRELIM, advance=0, table_size=3)
                | models.Q(kind=StageKind.KNOCKOUT, table_size=2, advance=1)
                | models.Q(kind=StageKind.KNOCKOUT, table_size=3, advance=1)
                | models.Q(kind=StageKind.KNOCKOUT, table_size=4, advance__in=(1, 2)),
                name="stage_plan_allowed",
                violation_error_message=_("一桌 2 人晋级 1、3 人晋级 1、4 人晋级 1 或 2。"),
            ),
            models.CheckConstraint(
                condition=models.Q(hands__gte=1, final_hands__gte=1), name="stage_hands_from_1"
            ),
            models.CheckConstraint(
                condition=models.Q(confirmation__in=ConfirmationMode.values),
                name="stage_confirmation_known",
            ),
            models.CheckConstraint(
                condition=models.Q(kind=StageKind.KNOCKOUT, round_count__isnull=True)
                | models.Q(kind=StageKind.PRELIM, round_count__gte=1),
                name="stage_rounds_are_a_prelims",
            ),
            models.CheckConstraint(condition=models.Q(cut__in=Cut.values), name="stage_cut_known"),
            models.CheckConstraint(
                condition=models.Q(first_two=False)
                | models.Q(style=Style.REDRAW, table_size=3, advance=1),
                name="stage_first_two_is_redraw",
            ),
            models.CheckConstraint(
                condition=models.Q(third_table=False) | models.Q(table_size=2),
                name="stage_third_table_of_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.get_kind_display()}"
