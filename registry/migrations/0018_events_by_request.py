"""Find the events of one request."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("registry", "0017_webhooks"),)

    operations = (
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["request", "number"], name="event_by_request"),
        ),
    )
