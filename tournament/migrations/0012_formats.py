import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0011_screen"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="draw",
            name="draw_number",
        ),
        migrations.AddField(
            model_name="competition",
            name="events_limit",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="每人最多报几项"
            ),
        ),
        migrations.AddField(
            model_name="draw",
            name="round_number",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="从第几轮起"),
        ),
        migrations.AddField(
            model_name="entrant",
            name="partner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="partnered",
                to="tournament.entry",
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="counted_by",
            field=models.CharField(
                choices=[("games", "胜局"), ("points", "总分")],
                default="games",
                max_length=10,
                verbose_name="胜负看什么",
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="games",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="每桌几盘"),
        ),
        migrations.AddField(
            model_name="event",
            name="is_pairs",
            field=models.BooleanField(default=False, verbose_name="两人一组"),
        ),
        migrations.AddField(
            model_name="event",
            name="prizes",
            field=models.PositiveSmallIntegerField(default=9, verbose_name="奖到第几名"),
        ),
        migrations.AddField(
            model_name="round",
            name="is_tie_break",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="stage",
            name="closed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="cut",
            field=models.CharField(
                choices=[("usual", "通常的人数"), ("down", "少一级"), ("up", "多一级")],
                default="usual",
                max_length=10,
                verbose_name="多少人晋级",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="first_two",
            field=models.BooleanField(default=False, verbose_name="首轮 3 进 2"),
        ),
        migrations.AddField(
            model_name="stage",
            name="round_count",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="几轮"),
        ),
        migrations.AddField(
            model_name="stage",
            name="third_table",
            field=models.BooleanField(default=False, verbose_name="加打第三名桌"),
        ),
        migrations.AddField(
            model_name="table",
            name="is_third",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="draw",
            constraint=models.UniqueConstraint(
                fields=("stage", "round_number", "number"), name="draw_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                fields=("event", "partner"),
                name="entrant_partner",
                violation_error_message="这个人已经是别人的搭档了。",
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("partner__isnull", True),
                    models.Q(("partner", models.F("entry")), _negated=True),
                    _connector="OR",
                ),
                name="entrant_is_not_his_partner",
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("games__gte", 1), ("games__lte", 99)),
                name="event_games_1_to_99",
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("counted_by__in", ["games", "points"])),
                name="event_counted_by_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("prizes__gte", 1)), name="event_prizes_from_1"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "knockout"), ("round_count__isnull", True)),
                    models.Q(("kind", "prelim"), ("round_count__gte", 1)),
                    _connector="OR",
                ),
                name="stage_rounds_are_a_prelims",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("cut__in", ["usual", "down", "up"])), name="stage_cut_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("first_two", False),
                    models.Q(("advance", 1), ("style", "redraw"), ("table_size", 3)),
                    _connector="OR",
                ),
                name="stage_first_two_is_redraw",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("third_table", False), ("table_size", 2), _connector="OR"),
                name="stage_third_table_of_two",
            ),
        ),
    ]
