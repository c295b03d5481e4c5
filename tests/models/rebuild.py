"""Rebuild a table of an empty SQLite database as a migration does; print missing triggers.

Run in a separate process, because SQLite cannot rebuild tables inside a test's transaction.
"""

import os

import django
from django.core.management import call_command
from django.db import connection, models

os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
django.setup()

from registry.models import Event, triggers  # noqa: E402 - after django.setup()

call_command("migrate", verbosity=0)
longer = models.CharField(max_length=40)
longer.set_attributes_from_name("action")
longer.model = Event
with connection.schema_editor() as editor:
    editor.alter_field(Event, Event._meta.get_field("action"), longer)
print("rebuilt:", triggers.missing(), "missing")  # noqa: T201 - read by the test
call_command("migrate", verbosity=0)
print("migrated:", triggers.missing(), "missing")  # noqa: T201 - read by the test
