"""牌谱库: what can be looked for of each hand, and records that somebody has collected."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.enums import Evidence
from scoring.models.sheet import Hand
from tournament.models import Competition, Table


class Collection(models.Model):
    """Records that came in one file, its owner's alone until `published_at`.

    `job` verifies the file; only what is valid becomes a record.
    """

    name = models.CharField(_("名称"), max_length=80)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collections"
    )
    job = models.ForeignKey(
        "core.Job", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("牌谱集")
        verbose_name_plural = _("牌谱集")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The owner's page."""
        return reverse("collection", args=[self.pk])


class UploadedRecord(models.Model):
    """A record of a collection: `number` its place in the file from 1, `text` its ZPR without
    names, `computed` the engine's result as JSON.

    `digest` is the SHA-256 (hex) of the play alone, without headers: the same hand is once in a
    collection, and once among those that everybody sees (`is_public`).
    """

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="records")
    number = models.PositiveIntegerField()
    text = models.TextField()
    computed = models.JSONField()
    digest = models.CharField(max_length=64)
    is_public = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("上传的牌谱")
        verbose_name_plural = _("上传的牌谱")
        ordering = ["collection", "number"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "number"], name="uploaded_number"),
            models.UniqueConstraint(
                fields=["collection", "digest"], name="uploaded_once_a_collection"
            ),
            models.UniqueConstraint(
                fields=["digest"],
                condition=models.Q(is_public=True),
                name="uploaded_once_in_public",
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="uploaded_number_from_1"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.collection} {self.number}"

    def get_absolute_url(self) -> str:
        """Its page in the library."""
        return reverse("library_record", args=[self.pk])


class LibraryHand(models.Model):
    """What can be looked for of a hand, in one narrow row: of a confirmed table's hand, or of an
    uploaded record. It only repeats what stands elsewhere (`scoring.domain.library`).

    `winners` has a bit for each seat, 0 after 荒庄; `melds` the bits of
    `scoring.meld_bits`; `dealer_net` is the dealer's points in 舵, null for other units.
    `is_ruled`: the points are the chief referee's, so that the hand is in no statistics.
    The row keeps its id when the hand is corrected: newest first is the order of ids.
    """

    hand = models.OneToOneField(
        Hand, null=True, blank=True, on_delete=models.CASCADE, related_name="found_as"
    )
    record = models.OneToOneField(
        UploadedRecord, null=True, blank=True, on_delete=models.CASCADE, related_name="found_as"
    )
    table = models.ForeignKey(
        Table, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    # Without an index, as a database that joins several of them reads more than the narrow rows.
    competition = models.ForeignKey(
        Competition,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    collection = models.ForeignKey(
        Collection,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    is_public = models.BooleanField()
    is_ruled = models.BooleanField(default=False)
    number = models.PositiveIntegerField()
    seats = models.PositiveSmallIntegerField()
    rules = models.CharField(max_length=20, blank=True)
    evidence = models.CharField(max_length=10, choices=Evidence.choices)
    source = models.CharField(max_length=20)
    special = models.CharField(max_length=10, blank=True)
    hu = models.PositiveSmallIntegerField()
    xing = models.PositiveSmallIntegerField()
    total = models.PositiveIntegerField()
    winners = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    dealer_net = models.IntegerField(null=True)
    melds = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("牌谱库的一局")
        verbose_name_plural = _("牌谱库的各局")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    hand__isnull=False,
                    table__isnull=False,
                    competition__isnull=False,
                    record__isnull=True,
                    collection__isnull=True,
                )
                | models.Q(
                    hand__isnull=True,
                    table__isnull=True,
                    competition__isnull=True,
                    record__isnull=False,
                    collection__isnull=False,
                ),
                name="library_of_table_or_collection",
            ),
            models.CheckConstraint(
                condition=models.Q(evidence__in=("result", "slip", "record")),
                name="library_evidence_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand or self.record}"
