"""Moves of a lock, as lines for a terminal and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ttag.cli.console import GREEN, RED, YELLOW, Console, without_controls
from ttag.cli.tables import compact
from ttag.lock.announcements import Announcement
from ttag.moves import ROOT, Move
from ttag.responses.changes import Change
from ttag.responses.tags import VersionSummary
from ttag_rules.echo import shorten

MAX_CHANGES = 8  # lines for one move; `ttag diff` shows all
MAX_VERSIONS = 8  # of one move; `ttag versions` lists all
MAX_TEXT = 200  # characters of a value or a message in Markdown
STYLES = {"PATCH": GREEN, "MINOR": YELLOW, "MAJOR": RED}


def print_announcement(announcement: Announcement, console: Console) -> None:
    """Print a move, what its versions say, and what changes."""
    move = announcement.move
    bump = console.styled(STYLES[move.bump], move.bump)
    console.line(f"{move.reference}: {_versions(move)}  {bump}: {move.meaning}")
    for version in announcement.versions[:MAX_VERSIONS]:
        console.line(f"    {_described(version)}")
    if len(announcement.versions) > MAX_VERSIONS:
        hidden = len(announcement.versions) - MAX_VERSIONS
        console.line(f"    and {hidden} more: ttag versions {move.new.tag}")
    for change in move.changes[:MAX_CHANGES]:
        console.line(f"    {change.pointer or ROOT}: {_values(change)}")
    if len(move.changes) > MAX_CHANGES:
        hidden = len(move.changes) - MAX_CHANGES
        console.line(f"    and {hidden} more: ttag diff {move.old.exact} {move.new.exact}")


def as_markdown(announcements: Sequence[Announcement]) -> str:
    """Return the description of a pull request that commits these moves.

    Texts of the registry are code, so that they mention nobody, and link and hide nothing.
    References to the same move, such as nodes of one target, share a section.
    """
    sections = [
        "\n".join(_section(list(group)))
        for _, group in groupby(announcements, key=lambda each: _key(each.move))
    ]
    return "\n\n".join(sections) + "\n" if sections else ""


def _key(move: Move) -> tuple[str, ...]:
    return move.old.exact, move.new.exact, move.bump, move.meaning


def _section(announcements: Sequence[Announcement]) -> Iterator[str]:
    announcement = announcements[0]
    move = announcement.move
    yield f"### {', '.join(_code(each.move.reference) for each in announcements)}"
    yield ""
    yield f"{_code(_versions(move))} is **{move.bump}**: {_code(move.meaning)}"
    yield ""
    for version in announcement.versions[:MAX_VERSIONS]:
        yield f"- {_code(_described(version))}"
    for change in move.changes[:MAX_CHANGES]:
        yield f"- {_code(change.pointer or ROOT)}: {_code(_values(change))}"
    hidden = len(announcement.versions[MAX_VERSIONS:]) + len(move.changes[MAX_CHANGES:])
    if announcement.page:
        more = f"{hidden} more lines, and what" if hidden else "What"
        yield f"- {more} it means: <{announcement.page}>"


def _versions(move: Move) -> str:
    if move.old.tag != move.new.tag:
        return f"{move.old.exact} -> {move.new.exact}"
    return f"{move.old.version} -> {move.new.version}"


def _described(version: VersionSummary) -> str:
    """Return a version with its date, its author and its message, or why it was yanked."""
    author = version.author or version.publisher
    message = f"yanked: {version.yanked}" if version.yanked else version.message
    start = f"{version.version}, {version.published[:10]}, {author}"
    return f"{start}: {message}" if message else start


def _values(change: Change) -> str:
    old, new = (compact(side.value) if side else "absent" for side in (change.old, change.new))
    return f"{old} -> {new}"


def _code(text: str) -> str:
    """Return a text as code in Markdown, on one line, whatever it holds."""
    text = shorten(without_controls(" ".join(text.split())), MAX_TEXT)
    longest = max((len(list(run)) for sign, run in groupby(text) if sign == "`"), default=0)
    fence = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{space}{text}{space}{fence}"
