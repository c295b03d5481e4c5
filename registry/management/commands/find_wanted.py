"""Search for what people look for first, and print the first hits as a table in Markdown."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from registry.services.core import shipped_facts
from registry.services.search.searching import SearchQuery, search

MAX_OTHERS = 2  # further hits in the table


class Command(BaseCommand):
    """`manage.py find_wanted`, which shows what the loaded catalogue answers and lacks."""

    help = f"{__doc__} The searches are those of the catalogue's wanted.json."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Write a table for each group, then how many searches have a hit."""
        hits = [self._write_group(group, texts) for group, texts in shipped_facts.wanted().items()]
        total = sum(map(len, shipped_facts.wanted().values()))
        self.stdout.write(f"\n{sum(hits)} of {total} searches have a hit.")

    def _write_group(self, group: str, texts: list[str]) -> int:
        """Write the table of a group; return how many searches have a hit."""
        self.stdout.write(
            f"\n## {group}\n\n| search | first hit | next | hits |\n|---|---|---|---|"
        )
        hits = 0
        for text in texts:
            results = search(SearchQuery(text))
            first, *others = [f"`{entry.text}`" for entry in results.entries] or ["none"]
            next_ones = ", ".join(others[:MAX_OTHERS])
            self.stdout.write(f"| {text} | {first} | {next_ones} | {results.total} |")
            hits += bool(results.entries)
        return hits
