"""Write the registry as a mirror: plain files for any web server, and for `ttag`."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.operations import mirroring

ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?/?", re.ASCII)


def address(text: str) -> str:
    """Return the URL of a registry. Raises `ArgumentTypeError` if readers could not ask it."""
    if not ADDRESS.fullmatch(text):
        raise ArgumentTypeError(f"expected https:// and a host, without a path, not “{text}”")
    return text


class Command(RegistryCommand):
    """`manage.py write_mirror DIR --address URL`, which updates an older mirror in the folder."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="empty, or an older mirror")
        parser.add_argument(
            "--address",
            required=True,
            type=address,
            help="of this registry, such as https://registry.example.org",
        )
        add_format_option(parser)
        parser.add_argument(
            "--full",
            action="store_true",
            help="read everything, and repair damaged files, instead of applying events",
        )

    def handle(
        self,
        *_args: Any,
        folder: Path,
        address: str,
        formats: list[str],
        full: bool,
        **_options: Any,
    ) -> None:
        """Write the mirror and print its size."""
        progress = Progress(self.stdout)
        forms = mirroring.writable_formats()
        summary = mirroring.write_mirror(
            folder,
            address=address,
            forms=[forms[name] for name in sorted(set(formats))],
            is_full=full,
            report=progress,
        )
        progress.end()
        self.stdout.write(
            f"Mirrored {summary.tags} tags with {summary.versions} versions and {summary.aliases} "
            f"aliases: {summary.written} files written, {summary.removed} removed."
        )
        if summary.reason:
            self.stdout.write(f"Everything was read, because {summary.reason}.")


def add_format_option(parser: ArgumentParser) -> None:
    """Add `--format`, whose names are in `formats`."""
    parser.add_argument(
        "--format",
        nargs="+",
        action="extend",
        default=[],
        choices=sorted(mirroring.writable_formats()),
        dest="formats",
        help="formats of the mirror besides json and target",
    )
