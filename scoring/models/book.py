"""秩序册 and 成绩册 as they were printed: numbered editions whose text never changes."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.enums import BookKind
from scoring.models.base import Authored
from tournament.models import Competition


class BookEdition(Authored):
    """One edition of a book. `number` counts from 1 for each kind.

    `body` is the HTML of all its parts as they were made, in `language`, with whole names;
    `digest` its SHA-256 (hex). `names` is `[[person id, name], …]`: what is masked for everybody
    where the competition masks names. Whoever is erased is taken out of both, and `erased_at` says
    when that was last done: the digest stays that of the text as it was printed. It is internal
    until `published_at`; withdrawn it is nobody's but the organizers'.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="books")
    kind = models.CharField(_("哪一本"), max_length=10, choices=BookKind.choices)
    number = models.PositiveIntegerField(_("第几版"))
    note = models.CharField(_("这一版的说明"), max_length=200, blank=True)
    language = models.CharField(max_length=10)
    body = models.TextField()
    names = models.JSONField(default=list)
    digest = models.CharField(max_length=64)
    published_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    job = models.ForeignKey(
        "core.Job", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("秩序册、成绩册的一版")
        verbose_name_plural = _("秩序册、成绩册的各版")
        ordering = ["competition", "kind", "-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "kind", "number"],
                name="book_number",
                violation_error_message=_("刚才已经出了新的一版，请刷新后再看。"),
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=BookKind.values), name="book_kind_known"
            ),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="book_number_from_1"),
            models.CheckConstraint(
                condition=models.Q(published_at__isnull=True) | models.Q(withdrawn_at__isnull=True),
                name="book_withdrawn_is_not_public",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"

    def get_absolute_url(self) -> str:
        """The page for everybody. Needs `competition`."""
        return reverse("book", args=[self.competition.code, self.pk])

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it."""
        return self.published_at is not None
