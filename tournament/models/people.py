"""People, their entries in a competition and in its events (C1)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournament.enums import EntrantStatus, EntryStatus
from tournament.models.competition import Competition
from tournament.models.event import Event
from tournament.validators import check_phone


class Person(models.Model):
    """A human being's private data. Erasing empties the row and leaves it (C1.1).

    `reading` is the pinyin of the name in every reading, lower case, for search.
    """

    name = models.CharField(_("姓名"), max_length=60, blank=True)
    reading = models.CharField(_("拼音"), max_length=200, blank=True)
    phone = models.CharField(_("手机号"), max_length=20, blank=True, validators=[check_phone])
    mail = models.EmailField(_("邮箱"), blank=True)
    birth_year = models.PositiveSmallIntegerField(_("出生年份"), null=True, blank=True)
    note = models.CharField(_("备注"), max_length=200, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="people",
    )
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("个人资料")
        verbose_name_plural = _("个人资料")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(erased_at__isnull=True)
                | models.Q(
                    name="", reading="", phone="", mail="", birth_year__isnull=True, note=""
                ),
                name="person_erased_is_empty",
            ),
        ]

    def __str__(self) -> str:
        return self.name


PAIR = "/"


def name_by_number(number: int | None) -> str:
    """What who is erased is called: 12 号 (C1.1)."""
    return str(_("%(n)s 号") % {"n": number or "–"})


def is_number(name: str, number: int | None) -> bool:
    """Whether a name, of a pair the first one, is but this number."""
    return name.partition(PAIR)[0] == name_by_number(number)


def numbered(number: int | None, name: str) -> str:
    """Number and name, `12 号 莫家骏`, the number once where it is the name."""
    if is_number(name, number):
        return name
    return str(_("%(n)s 号 %(name)s") % {"n": number or "–", "name": name})


class Entry(models.Model):
    """A person in a competition: number (编号), unit (代表单位), status (C1.2).

    `id` is the order of arrival, the waiting list's order. `moved_up_at` is when he got a place
    from the waiting list, `badge_printed_at` when a badge with his number of now was printed.
    `wants` are the events that he chose for when he gets a place, none for the competition's first.
    `person_before` is who held the entry until somebody took it over (C7.3, replace).
    `needs_fixed_table` marks who cannot walk from table to table (C5.3).
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="entries")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="entries")
    person_before = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="entries_given_up"
    )
    number = models.PositiveIntegerField(_("编号"), null=True, blank=True)
    unit = models.CharField(_("代表单位"), max_length=60, blank=True)
    status = models.CharField(
        _("状态"), max_length=10, choices=EntryStatus.choices, default=EntryStatus.CONFIRMED
    )
    checked_in_at = models.DateTimeField(_("签到时间"), null=True, blank=True)
    needs_fixed_table = models.BooleanField(_("需要固定桌"), default=False)
    paid = models.BooleanField(_("已缴费"), default=False)
    moved_up_at = models.DateTimeField(_("候补转正时间"), null=True, blank=True)
    badge_printed_at = models.DateTimeField(_("胸牌印出时间"), null=True, blank=True)
    wants = models.ManyToManyField(Event, blank=True, related_name="wanted_by")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("报名")
        verbose_name_plural = _("报名")
        ordering = ["competition", models.F("number").asc(nulls_last=True), "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "number"],
                name="entry_number",
                violation_error_message=_("这个编号已经有人了。"),
            ),
            models.UniqueConstraint(
                fields=["competition", "person"],
                name="entry_person",
                violation_error_message=_("这个人已经报名了。"),
            ),
            models.CheckConstraint(
                condition=models.Q(number__isnull=True) | models.Q(number__gte=1),
                name="entry_number_from_1",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=EntryStatus.values), name="entry_status_known"
            ),
        ]
        indexes = [models.Index(fields=["competition", "status"], name="entry_status")]

    def __str__(self) -> str:
        return f"{self.number or '–'} {self.person}"

    @property
    def name(self) -> str:
        """The person's name; the number where the person has been erased, if he had one."""
        if self.person.name:
            return self.person.name
        return name_by_number(self.number) if self.number else str(_("（已删除）"))

    @property
    def is_checked_in(self) -> bool:
        """Whether the person has reported at the desk."""
        return self.checked_in_at is not None


class ApartGroup(models.Model):
    """Entries the draw keeps apart besides those of one unit, such as a family (C1.4)."""

    competition = models.ForeignKey(
        Competition, on_delete=models.CASCADE, related_name="apart_groups"
    )
    name = models.CharField(_("名称"), max_length=60)
    entries = models.ManyToManyField(Entry, related_name="apart_groups")

    class Meta:
        ordering = ["competition", "name"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "name"], name="apart_group_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """An entry in one event: status, seed, and its rank in the preliminary.

    `partner` is the second member where the event is played in pairs (双升, C10).
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entrants")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="entrants")
    status = models.CharField(
        _("状态"), max_length=12, choices=EntrantStatus.choices, default=EntrantStatus.IN
    )
    seed = models.PositiveSmallIntegerField(_("种子"), null=True, blank=True)
    prelim_rank = models.PositiveIntegerField(_("预赛名次"), null=True, blank=True)
    partner = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="partnered"
    )

    class Meta:
        verbose_name = _("选手")
        verbose_name_plural = _("选手")
        ordering = ["event", models.F("entry__number").asc(nulls_last=True), "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "entry"], name="entrant_entry"),
            models.UniqueConstraint(
                fields=["event", "seed"],
                name="entrant_seed",
                violation_error_message=_("这个种子号已经有人了。"),
            ),
            models.CheckConstraint(
                condition=models.Q(seed__isnull=True) | models.Q(seed__gte=1),
                name="entrant_seed_from_1",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=EntrantStatus.values), name="entrant_status_known"
            ),
            models.UniqueConstraint(
                fields=["event", "partner"],
                name="entrant_partner",
                violation_error_message=_("这个人已经是别人的搭档了。"),
            ),
            models.CheckConstraint(
                condition=models.Q(partner__isnull=True) | ~models.Q(partner=models.F("entry")),
                name="entrant_is_not_his_partner",
            ),
        ]

    def __str__(self) -> str:
        return str(self.entry)

    def get_absolute_url(self) -> str:
        """The public page. Needs `event.competition`."""
        return reverse("entrant", args=[self.event.competition.code, self.pk])

    @property
    def name(self) -> str:
        """What pages call this entrant: `甲/乙` where two play together. Needs `entry.person`, and
        `partner.person`."""
        if self.partner is None:
            return self.entry.name
        return f"{self.entry.name}{PAIR}{self.partner.name}"

    @property
    def unit(self) -> str:
        """代表单位, empty where there is none; both where two of different ones play together."""
        if self.partner is None or self.partner.unit in ("", self.entry.unit):
            return self.entry.unit
        return "/".join(filter(None, (self.entry.unit, self.partner.unit)))

    @property
    def number(self) -> int | None:
        """编号."""
        return self.entry.number
