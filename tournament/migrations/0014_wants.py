from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0013_schedule"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="wants",
            field=models.ManyToManyField(
                blank=True, related_name="wanted_by", to="tournament.event"
            ),
        ),
    ]
