"""The option of commands for the formats of a mirror."""

from __future__ import annotations

from argparse import ArgumentParser

from registry.services.operations import mirroring


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
