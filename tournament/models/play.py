"""Rounds, tables and seats (C2, C7)."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournament.enums import BEFORE_PLAY, State
from tournament.models.event import Stage
from tournament.models.people import Entrant
from tournament.models.venue import Room, Session

SEAT_NAMES = "甲乙丙丁"


def spot_name(room: str, place: int | None) -> str:
    """A physical table as pages call it, 一号厅 3 台; "" where there is none."""
    return "" if place is None else str(_("%(room)s %(n)d 台") % {"room": room, "n": place})


def round_title(number: int, name: str, *, is_last: bool, is_prelim: bool = False) -> str:
    """A round's own name, 决赛 for the last, else 第 n 轮, of a preliminary 预赛第 n 轮."""
    if is_prelim and not name:
        return str(_("预赛第 %(n)d 轮") % {"n": number})
    return name or str(_("决赛") if is_last else _("第 %(n)d 轮") % {"n": number})


def is_vacant(*, gap_filled: bool, seat_count: int, state: str) -> bool:
    """Whether nobody will sit down any more in a seat that is empty: three play at its table of
    four (C2.2), or that table has begun or was not played."""
    return state not in BEFORE_PLAY or (gap_filled and seat_count == 4)


def word_for_nobody(*, is_filler: bool, is_vacant: bool) -> str:
    """What stands in place of a name where no entrant sits."""
    if is_filler:
        return str(_("陪打"))
    return str(_("空座") if is_vacant else _("待定"))


class Round(models.Model):
    """A round of a stage, numbered from 1. `advance` is how many of a table go on.

    `starts_at` is the time as planned, which who leads sees; `public_starts_at` the one that was
    last published to everyone; where a round is played in batches both are the first batch's, as
    is `session`. `clock_started_at` is when the clock of `minutes` began.
    `is_tie_break` is the round of one table of 加赛 at a preliminary's cut (C8.3).
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("轮次"))
    name = models.CharField(_("名称"), max_length=40, blank=True)
    state = models.CharField(_("状态"), max_length=10, choices=State.choices, default=State.PLANNED)
    advance = models.PositiveSmallIntegerField(default=1)
    hands = models.PositiveSmallIntegerField(_("每桌几局"))
    minutes = models.PositiveSmallIntegerField(_("分钟"), null=True, blank=True)
    is_last = models.BooleanField(default=False)
    is_tie_break = models.BooleanField(default=False)
    starts_at = models.DateTimeField(_("开始时间"), null=True, blank=True)
    public_starts_at = models.DateTimeField(_("公布的开始时间"), null=True, blank=True)
    session = models.ForeignKey(
        Session, null=True, blank=True, on_delete=models.SET_NULL, related_name="rounds"
    )
    clock_started_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    final_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("轮")
        verbose_name_plural = _("轮")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="round_number_from_1"),
            models.CheckConstraint(condition=models.Q(hands__gte=1), name="round_hands_from_1"),
            models.CheckConstraint(
                condition=models.Q(state__in=State.values), name="round_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(clock_started_at__isnull=True) | models.Q(minutes__isnull=False),
                name="round_clock_has_minutes",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """What people call the round."""
        if self.is_tie_break and not self.name:
            return str(_("预赛加赛"))
        return round_title(self.number, self.name, is_last=self.is_last, is_prelim=self.is_prelim)

    @property
    def is_prelim(self) -> bool:
        """Whether it is a preliminary's: nobody goes on from one of its tables (C5)."""
        return self.advance == 0


class Table(models.Model):
    """One table of one round. `seat_count` is 2, 3 or 4 and its own (C2.2).

    `state` follows the round until the first hand, then its own sheet: in `fixed` a table of
    a later round may run while an earlier round still does (C7.1). `first_dealer` is a seat,
    0 … 3. `zone` is its place in the tree, `0.2.1` from the final down. `is_third` is the table
    beside the final at which the losers before it play for third place.

    `batch`, `room`, `place` (台) and `referee` are planned, which who leads sees; `public_room`,
    `public_place` and `public_starts_at` (of a later batch only) what was last published to
    everyone, `public_referee` to that referee.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField(_("桌号"))
    label = models.CharField(_("位置"), max_length=40, blank=True)
    seat_count = models.PositiveSmallIntegerField(default=3)
    first_dealer = models.PositiveSmallIntegerField(default=0)
    zone = models.CharField(max_length=40, blank=True)
    is_third = models.BooleanField(default=False)
    batch = models.PositiveSmallIntegerField(_("批"), default=1)
    room = models.ForeignKey(
        Room, null=True, blank=True, on_delete=models.SET_NULL, related_name="tables"
    )
    place = models.PositiveSmallIntegerField(_("台"), null=True, blank=True)
    referee = models.ForeignKey(
        "tournament.Membership",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tables",
    )
    public_starts_at = models.DateTimeField(_("公布的开始时间"), null=True, blank=True)
    public_room = models.CharField(_("公布的房间"), max_length=40, blank=True)
    public_place = models.PositiveSmallIntegerField(_("公布的台"), null=True, blank=True)
    public_referee = models.ForeignKey(
        "tournament.Membership",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="public_tables",
    )
    state = models.CharField(_("状态"), max_length=10, choices=State.choices, default=State.PLANNED)
    started_at = models.DateTimeField(null=True, blank=True)
    called_at = models.DateTimeField(_("响铃"), null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    final_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("桌")
        verbose_name_plural = _("桌")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number"),
            models.CheckConstraint(
                condition=models.Q(seat_count__gte=2, seat_count__lte=4), name="table_seats_2_to_4"
            ),
            models.CheckConstraint(
                condition=models.Q(first_dealer__lt=models.F("seat_count")),
                name="table_first_dealer_sits",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=State.values), name="table_state_known"
            ),
            models.CheckConstraint(condition=models.Q(batch__gte=1), name="table_batch_from_1"),
            models.CheckConstraint(
                condition=models.Q(place__isnull=True) | models.Q(place__gte=1),
                name="table_place_from_1",
            ),
        ]

    def __str__(self) -> str:
        return _("%(round)s %(n)d 桌") % {"round": self.round, "n": self.number}

    @staticmethod
    def scope_of(pk: int) -> str:
        """The name for versions of the table with this id, its seats and its sheet."""
        return f"table:{pk}"

    @property
    def scope(self) -> str:
        """The name of this table for versions."""
        return Table.scope_of(self.pk)

    @property
    def advance(self) -> int:
        """How many go on from it, the champion counted; nobody from the table for third place.
        Needs `round`."""
        return 0 if self.is_third else self.round.advance

    @property
    def public_spot(self) -> str:
        """The physical table that was published, "" where none was."""
        return spot_name(self.public_room, self.public_place)

    def get_absolute_url(self) -> str:
        """The public page with its hands. Needs `round.stage.event.competition`."""
        return reverse("table", args=[self.round.stage.event.competition.code, self.pk])


class Seat(models.Model):
    """A place at a table: an entrant, a filler (陪打), who comes from another table, or nobody.

    `source` and `source_place` say whose place k of which table sits here; they stay when
    the entrant is known. `place` and `advances` are the table's outcome, set by
    `tournament.domain.finish_table`; `points` the preliminary's, in twelfths (C5.4).
    `sat_in_from` is the hand from which a filler plays for the entrant (C9.2, C9.3), `forfeits`
    that he ranks last here and does not go on. `stands_for` is who had the seat and left before
    the table's first hand: a filler or another entrant sits in his stead; `stood_in` are the ids
    of those who did so and left too, in that order. `gap_filled` says that nobody went on to this
    seat, and that somebody, or a filler, was put there by hand, or that it stays empty (C2.2).
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField()
    entrant = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    is_filler = models.BooleanField(default=False)
    source = models.ForeignKey(
        Table, null=True, blank=True, on_delete=models.PROTECT, related_name="feeds"
    )
    source_place = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("名次"), null=True, blank=True)
    advances = models.BooleanField(_("晋级"), null=True, blank=True)
    points = models.PositiveSmallIntegerField(null=True, blank=True)
    sat_in_from = models.PositiveSmallIntegerField(null=True, blank=True)
    forfeits = models.BooleanField(default=False)
    stands_for = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="given_up"
    )
    stood_in = models.JSONField(default=list, blank=True)
    gap_filled = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("座位")
        verbose_name_plural = _("座位")
        ordering = ["table", "position"]
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="seat_position"),
            models.UniqueConstraint(fields=["round", "entrant"], name="seat_entrant_once_a_round"),
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(is_filler=True), name="seat_one_filler"
            ),
            models.UniqueConstraint(
                fields=["source", "source_place"], name="seat_source_place_once"
            ),
            models.CheckConstraint(
                condition=models.Q(position__gte=0, position__lte=3), name="seat_position_0_to_3"
            ),
            models.CheckConstraint(
                condition=models.Q(is_filler=False) | models.Q(entrant__isnull=True),
                name="seat_filler_or_entrant",
            ),
            models.CheckConstraint(
                condition=models.Q(source__isnull=True, source_place__isnull=True)
                | models.Q(source__isnull=False, source_place__isnull=False, source_place__gte=1),
                name="seat_source_has_place",
            ),
            models.CheckConstraint(
                condition=models.Q(is_filler=False)
                | models.Q(advances__isnull=True)
                | models.Q(advances=False),
                name="seat_filler_never_advances",
            ),
            models.CheckConstraint(
                condition=models.Q(sat_in_from__isnull=True) | models.Q(forfeits=True),
                name="seat_played_for_forfeits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.name}"

    def save(self, *args: object, **kwargs: object) -> None:
        """Keeps `round` the table's own, which the constraint on entrants needs."""
        self.round_id = self.table.round_id
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    @property
    def name(self) -> str:
        """甲, 乙, 丙 or 丁."""
        return SEAT_NAMES[self.position]

    @property
    def is_vacant(self) -> bool:
        """Whether nobody sits here and nobody will. Needs `table`."""
        return (
            self.entrant_id is None
            and not self.is_filler
            and is_vacant(
                gap_filled=self.gap_filled,
                seat_count=self.table.seat_count,
                state=self.table.state,
            )
        )

    @property
    def word_for_nobody(self) -> str:
        """What stands in place of a name where no entrant sits. Needs `table`."""
        return word_for_nobody(is_filler=self.is_filler, is_vacant=self.is_vacant)
