"""Backups that an older release wrote: which can be restored, and the fields renamed since."""

from __future__ import annotations

from collections.abc import Iterator

from registry.services.operations.archive import Archive, Row

# Migrations since release 0.1, without which a backup is restored all the same: what they add is
# empty or computed afterwards, and the fields that they rename, by model, get their new names.
LATER_MIGRATIONS: dict[str, dict[str, dict[str, str]]] = {
    **{name: {} for name in ("0002_launch_years", "0003_search_terms", "0004_trusted_publishers")},
    **{name: {} for name in ("0005_event_log", "0006_four_eyes")},
    "0007_words": {
        "registry.turn": {"act": "action"},
        "registry.saveddraft": {"typed": "form_data"},
    },
    "0008_comments": {},
    "0009_places": {},
    "0010_deciding_words": {},
    "0011_families_last": {},
    "0012_answer_changes": {},
    "0013_totals": {},
    "0014_worker": {},
    "0015_positions": {},
    "0016_notices": {},
    "0017_webhooks": {},
    "0018_events_by_request": {},
    "0019_ways_back": {},
    "0020_built_on": {},
    "0021_readmes": {},
    "0022_machines_of_facets": {},
}
LATER_APPS = frozenset({"socialaccount"})  # of other packages: their tables stay empty


def rows_with_new_names(archive: Archive) -> Iterator[Row]:
    """Yield the rows of an archive, with the names that this release gives their fields."""
    applied = archive.header.migrations.get("registry", [])
    later = [renamed for name, renamed in LATER_MIGRATIONS.items() if name not in applied]
    for row in archive.rows():
        for renamed in later:
            if names := renamed.get(row["model"]):
                fields = row["fields"].items()
                row["fields"] = {names.get(name, name): value for name, value in fields}
        yield row
