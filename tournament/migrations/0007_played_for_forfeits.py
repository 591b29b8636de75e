"""A seat that is played for forfeits its table; apart from 0006, which fills the column."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0006_mishaps"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("sat_in_from__isnull", True), ("forfeits", True), _connector="OR"
                ),
                name="seat_played_for_forfeits",
            ),
        ),
    ]
