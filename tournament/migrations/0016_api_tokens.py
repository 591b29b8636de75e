import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0015_fixed_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(max_length=40, verbose_name="做什么用")),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("for_entrants", models.BooleanField(default=False, verbose_name="报名")),
                ("for_checkin", models.BooleanField(default=False, verbose_name="签到")),
                ("for_hands", models.BooleanField(default=False, verbose_name="记局")),
                ("for_confirm", models.BooleanField(default=False, verbose_name="确认")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(verbose_name="有效到")),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to="tournament.competition",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "接口令牌",
                "verbose_name_plural": "接口令牌",
                "ordering": ["competition", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("for_entrants", True),
                            ("for_checkin", True),
                            ("for_hands", True),
                            ("for_confirm", True),
                            _connector="OR",
                        ),
                        name="api_token_is_for_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("created_at"))),
                        name="api_token_expires_later",
                    ),
                ],
            },
        ),
    ]
