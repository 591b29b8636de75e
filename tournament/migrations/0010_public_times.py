from django.db import migrations, models
from django.db.models import F


def keep_shown(apps, schema_editor):
    """Every planned time was shown to everyone so far, and stays so."""
    apps.get_model("tournament", "Round").objects.update(public_starts_at=F("starts_at"))


class Migration(migrations.Migration):
    dependencies = [("tournament", "0009_gaps")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="public_starts_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="公布的开始时间"),
        ),
        migrations.RunPython(keep_shown, migrations.RunPython.noop),
    ]
