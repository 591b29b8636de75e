from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0014_wants"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="needs_fixed_table",
            field=models.BooleanField(default=False, verbose_name="需要固定桌"),
        ),
    ]
