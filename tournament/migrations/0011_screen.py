import django.db.models.deletion
from django.db import migrations, models

import tournament.models.screen

PARTS = [
    ("bracket", "对阵"),
    ("tables", "正在打的桌"),
    ("missing", "点名单"),
    ("timer", "计时"),
    ("standings", "名次"),
    ("notices", "公告"),
]


class Migration(migrations.Migration):
    dependencies = [("tournament", "0010_public_times")]

    operations = [
        migrations.CreateModel(
            name="ScreenSettings",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("parts", models.JSONField(default=tournament.models.screen.default_parts)),
                (
                    "pinned",
                    models.CharField(
                        blank=True,
                        choices=PARTS,
                        default="",
                        max_length=15,
                        verbose_name="只放一项",
                    ),
                ),
                ("step", models.PositiveIntegerField(default=0)),
                (
                    "step_seconds",
                    models.PositiveSmallIntegerField(default=4, verbose_name="每人几秒"),
                ),
                ("auto_since", models.DateTimeField(null=True)),
                (
                    "competition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="screen_settings",
                        to="tournament.competition",
                    ),
                ),
                (
                    "draw",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournament.draw",
                    ),
                ),
            ],
            options={
                "verbose_name": "大屏幕",
                "verbose_name_plural": "大屏幕",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(step_seconds__gte=1, step_seconds__lte=60),
                        name="screen_step_1_to_60_seconds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(draw__isnull=False)
                        | models.Q(step=0, auto_since__isnull=True),
                        name="screen_steps_are_a_draws",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(pinned="")
                        | models.Q(pinned__in=[name for name, _word in PARTS]),
                        name="screen_pinned_known",
                    ),
                ],
            },
        ),
    ]
