from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0017_seals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="keep_days",
            field=models.PositiveSmallIntegerField(default=180, verbose_name="个人信息保留几天"),
        ),
        migrations.AddField(
            model_name="competition",
            name="keep_until",
            field=models.DateField(blank=True, null=True, verbose_name="推迟到"),
        ),
        migrations.AddField(
            model_name="competition",
            name="purged_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="competition",
            name="results_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="competition",
            name="told_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.CheckConstraint(
                condition=models.Q(("keep_days__gte", 30), ("keep_days__lte", 1095)),
                name="competition_keeps_data_for_a_while",
            ),
        ),
    ]
