"""Seats that nobody has won are filled by hand; who stood in and left too may come back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0008_floor")]

    operations = [
        migrations.AddField("seat", "gap_filled", models.BooleanField(default=False)),
        migrations.AddField("seat", "stood_in", models.JSONField(blank=True, default=list)),
    ]
