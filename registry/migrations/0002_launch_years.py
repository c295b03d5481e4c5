"""Index the years of launch dates, by which lists can be filtered and sorted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.db import migrations

LAUNCH = re.compile(r"([0-9]{4})(?:-[0-9]{2})?")
MAX_POINTER = 512
BATCH = 5_000


def add_years(apps: Any, _schema_editor: Any) -> None:
    """Add the year of each date that has none, as `indexing` does for new versions."""
    attributes = apps.get_model("registry", "Attribute").objects
    with_year = attributes.filter(name="year").values_list("tag", "pointer")
    known = {(tag, pointer.removesuffix("/year")) for tag, pointer in with_year}
    dates = attributes.filter(name="launched", pointer__endswith="/hardware/launched")

    def rows() -> Iterator[Any]:
        for tag, pointer, text in dates.values_list("tag", "pointer", "text").iterator():
            match = LAUNCH.fullmatch(text)
            if match and (tag, pointer) not in known and len(pointer) + 5 <= MAX_POINTER:
                yield attributes.model(
                    tag_id=tag,
                    pointer=f"{pointer}/year",
                    name="year",
                    text=match[1],
                    number=float(match[1]),
                )

    attributes.bulk_create(rows(), batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = (("registry", "0001_initial"),)
    operations = (migrations.RunPython(add_years, migrations.RunPython.noop),)
