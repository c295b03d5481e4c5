"""Arguments of commands, and those that several commands have."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any


class Argument:
    """An argument or option, declared as `ArgumentParser.add_argument` takes it."""

    def __init__(self, *names: str, **options: Any) -> None:
        self._names = names
        self._options = options

    def add_to(self, parser: ArgumentParser) -> None:
        """Add the argument to a parser."""
        parser.add_argument(*self._names, **self._options)


REFERENCE = Argument("reference", metavar="REF", help="such as aws/c4.4xlarge@1")
TAG = Argument("tag", metavar="TAG", help="such as aws/c4.4xlarge")
ALLOW_UNSAFE = Argument(
    "--allow-unsafe",
    action="store_true",
    help="accept values that could make a compiler open, load or print something",
)


def positive(text: str) -> int:
    """Return a positive number."""
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)
