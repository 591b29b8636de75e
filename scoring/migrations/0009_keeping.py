from django.db import migrations, models


def note_days(apps, schema_editor):
    """The day of the first result book that everybody may see, in the competition's zone."""
    import zoneinfo

    Edition = apps.get_model("scoring", "BookEdition")
    books = Edition.objects.filter(kind="results", published_at__isnull=False)
    for book in books.order_by("-published_at").select_related("competition").defer("body"):
        zone = zoneinfo.ZoneInfo(book.competition.timezone)
        book.competition.results_on = book.published_at.astimezone(zone).date()
        book.competition.save(update_fields=["results_on"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0008_library"),
        ("tournament", "0018_keeping"),
    ]

    operations = [
        migrations.AddField(
            model_name="bookedition",
            name="erased_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(note_days, migrations.RunPython.noop),
    ]
