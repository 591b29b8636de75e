"""Who is late, who leaves and who takes over (C7.3, C9.2, C9.3)."""

from __future__ import annotations

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import tournament.models.event


def mark_forfeits(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Who has been played for has forfeited that table."""
    seats = apps.get_model("tournament", "Seat").objects
    seats.filter(sat_in_from__isnull=False).update(forfeits=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0005_badges_and_absent"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="person_before",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="entries_given_up",
                to="tournament.person",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="forfeits",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="stands_for",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="given_up",
                to="tournament.entrant",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="lateness",
            field=models.JSONField(
                default=tournament.models.event.default_lateness, verbose_name="迟到扣罚"
            ),
        ),
        migrations.RunPython(mark_forfeits, migrations.RunPython.noop),
    ]
