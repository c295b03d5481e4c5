"""Arguments that several commands have."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError


def add_reference(parser: ArgumentParser) -> None:
    """Add one reference, as `reference`."""
    parser.add_argument("reference", metavar="REF", help="such as aws/c4.4xlarge@1")


def add_allow_unsafe(parser: ArgumentParser) -> None:
    """Add the switch that accepts targets with values that could harm a build."""
    parser.add_argument(
        "--allow-unsafe",
        action="store_true",
        help="accept values that could make a compiler open, load or print something",
    )


def add_tag(parser: ArgumentParser) -> None:
    """Add the name of a tag, as `tag`."""
    parser.add_argument("tag", metavar="TAG", help="such as aws/c4.4xlarge")


def positive(text: str) -> int:
    """Return a positive number."""
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)
