"""Search for what people look for first, and print the first hits as a table in Markdown."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.management.base import RegistryCommand
from registry.services.catalogue import first_hits
from registry.services.core import shipped_facts
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search

MAX_OTHERS = 2  # further hits in the table


class Command(RegistryCommand):
    """`manage.py find_wanted`, which shows what the loaded catalogue answers and lacks."""

    help = (
        f"{__doc__} The searches are those of the catalogue's wanted.json; then those of "
        "first_hits.json whose first hit is another one than people want; then those of "
        "absent.json, for machines that no tag describes. Fails if one of these has a false answer."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--near-misses",
            type=int,
            default=first_hits.NEAR_MISSES,
            help="names one digit away from a tag's to search for; default %(default)s",
        )

    def handle(self, *_args: Any, near_misses: int, **_options: Any) -> None:
        """Write a table for each group, then how many searches have a hit, and the right one."""
        hits = [self._write_group(group, texts) for group, texts in shipped_facts.wanted().items()]
        total = sum(map(len, shipped_facts.wanted().values()))
        self.stdout.write(f"\n{sum(hits)} of {total} searches have a hit.")
        self._write_first_hits()
        self._write_absent(near_misses)

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

    def _write_first_hits(self) -> None:
        """Write the searches whose first hit is not wanted, and how many have the wanted one."""
        ranks = first_hits.measure()
        self.stdout.write("\n## Other first hits\n\n| search | wanted | hits |\n|---|---|---|")
        for rank in ranks:
            if not rank.is_first:
                wanted, hits = " or ".join(rank.wanted), ", ".join(rank.hits) or "none"
                self.stdout.write(f"| {rank.text} | {wanted} | {hits} |")
        first = sum(rank.is_first for rank in ranks)
        among = sum(rank.is_among_first for rank in ranks)
        self.stdout.write(
            f"\nOf {len(ranks)} searches, {first} ({first / len(ranks):.1%}) have the wanted hit "
            f"first, {among} ({among / len(ranks):.1%}) among the first {first_hits.AMONG}."
        )

    def _write_absent(self, near_misses: int) -> None:
        """Write how searches for absent machines are answered, by group, and all false answers."""
        groups = first_hits.measure_absent(near_misses)
        self.stdout.write(
            "\n## Absent machines\n\n| searches | number | nothing | with reserve | false |"
            "\n|---|---|---|---|---|"
        )
        for group, answers in groups.items():
            nothing = sum(not answer.hit for answer in answers)
            false = sum(answer.is_false for answer in answers)
            others = len(answers) - nothing - false
            self.stdout.write(f"| {group} | {len(answers)} | {nothing} | {others} | {false} |")
        wrong = [answer for answers in groups.values() for answer in answers if answer.is_false]
        total = sum(map(len, groups.values()))
        self.stdout.write(f"\nOf {total} searches for absent machines, {len(wrong)} are answered.")
        if wrong:
            lines = (f"{answer.text}: {answer.hit}" for answer in wrong)
            raise CommandError("\n".join(("False answers:", *lines)))
