from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0003_sealed_rows"),
    ]

    operations = [
        migrations.AddField(
            model_name="auditrow",
            name="said",
            field=models.JSONField(default=dict),
        ),
    ]
