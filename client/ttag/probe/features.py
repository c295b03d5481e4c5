"""Compares the features that LLVM's name of a processor implies with those of a machine."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def implied(mcpu: str, table: Mapping[str, str]) -> tuple[str, ...]:
    """Return the features that a processor implies.

    A row of the table is another processor, or `-`, and what is added to it. An unknown processor
    implies nothing.
    """
    words = table.get(mcpu, "-").split()
    base = () if words[0] == "-" else implied(words[0], table)
    return (*base, *words[1:])


def lacking(
    mcpu: str, table: Mapping[str, str], flags: Collection[str], names: Mapping[str, str]
) -> tuple[str, ...]:
    """Return what switches off the implied features that the flags do not show.

    `names` maps features to flags where Linux calls them otherwise.
    """
    return tuple(
        f"-{feature}"
        for feature in implied(mcpu, table)
        if names.get(feature, feature) not in flags
    )
