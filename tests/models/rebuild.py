"""Rebuild tables of a SQLite database in use by a migration; print which triggers are missing.

    python -m tests.models.rebuild FOLDER

Run in a separate process, because SQLite cannot rebuild tables inside a test's transaction.
"""

import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError

os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
django.setup()

from registry.models import triggers  # noqa: E402 - after django.setup()

ALL = """
from registry import migrations

__path__ += migrations.__path__
"""
MIGRATION = """
from pathlib import Path
from django.db import migrations, models

def fail_once(apps, schema_editor):
    if not Path({failed!r}).exists():
        Path({failed!r}).touch()
        schema_editor.execute("SELECT nothing")

class Migration(migrations.Migration):
    dependencies = (("registry", {last!r}),)
    operations = (
        migrations.AddField("tag", "is_new", models.BooleanField(default=False)),
        migrations.AlterField("event", "action", models.CharField(max_length=41)),
        migrations.RunPython(fail_once),
    )
"""


def migrate() -> None:
    """Apply the migrations, and print what becomes of the triggers."""
    try:
        call_command("migrate", verbosity=0)
    except DatabaseError as error:
        result = f"failed, {error}"
    else:
        result = "migrated"
    number = "some" if triggers.missing() else "no"
    print(f"{result}: {number} triggers are missing")  # noqa: T201 - read by the test


folder = Path(sys.argv[1])
package = folder / "all_migrations"
package.mkdir()
(package / "__init__.py").write_text(ALL)
sys.path.append(str(folder))
settings.MIGRATION_MODULES = {"registry": package.name}
migrate()
last = max(path.stem for path in (settings.BASE_DIR / "registry/migrations").glob("0*.py"))
migration = MIGRATION.format(last=last, failed=str(folder / "failed"))
(package / "9999_new.py").write_text(migration)
migrate()
migrate()
