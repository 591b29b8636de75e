import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0005_editing"),
        ("tournament", "0012_formats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="handversion",
            name="hand_zero_sum",
        ),
        migrations.RemoveConstraint(
            model_name="handversion",
            name="hand_evidence_known",
        ),
        migrations.RemoveConstraint(
            model_name="ruling",
            name="ruling_zero_sum",
        ),
        migrations.RemoveConstraint(
            model_name="ruling",
            name="ruling_hand_or_table",
        ),
        migrations.AlterField(
            model_name="handversion",
            name="evidence",
            field=models.CharField(
                choices=[
                    ("totals", "只有分数"),
                    ("result", "结果"),
                    ("slip", "牌面"),
                    ("record", "牌谱"),
                    ("game", "胜负"),
                ],
                max_length=10,
                verbose_name="依据",
            ),
        ),
        migrations.AddConstraint(
            model_name="handversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "delta_4",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    models.F("delta_1"), "*", models.Value(-1)
                                ),
                                "-",
                                models.F("delta_2"),
                            ),
                            "-",
                            models.F("delta_3"),
                        ),
                    ),
                    ("evidence", "game"),
                    _connector="OR",
                ),
                name="hand_zero_sum",
            ),
        ),
        migrations.AddConstraint(
            model_name="handversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("evidence__in", ["totals", "result", "slip", "record", "game"])
                ),
                name="hand_evidence_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "delta_4",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    models.F("delta_1"), "*", models.Value(-1)
                                ),
                                "-",
                                models.F("delta_2"),
                            ),
                            "-",
                            models.F("delta_3"),
                        ),
                    ),
                    models.Q(("hand__isnull", False), ("places__isnull", False)),
                    _connector="OR",
                ),
                name="ruling_zero_sum",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("hand__isnull", False),
                    models.Q(("delta_1", 0), ("delta_2", 0), ("delta_3", 0), ("delta_4", 0)),
                    _connector="OR",
                ),
                name="ruling_hand_or_table",
            ),
        ),
    ]
