"""Reads a body, shows its effect, and sends it: shared by `ttag publish` and `ttag propose`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ttag.cli.command import TAG, Argument, Context
from ttag.cli.console import BOLD, YELLOW, Console
from ttag.cli.tables import print_changes
from ttag.errors import BodyInvalid, ExitCode, FileError, Refused, SettingsError
from ttag.files import read_file
from ttag.json_lines import JsonDocument
from ttag.registry.registry import Registry
from ttag.responses.verdicts import Fault, Verdict

STDIN = "-"
FORMS = {"propose": ("proposing", "proposed"), "publish": ("publishing", "published")}


@dataclass(frozen=True, slots=True)
class Source:
    """A body as it was written: the name of its file, and the value with its lines."""

    name: str
    document: JsonDocument

    def line(self, fault: Fault) -> str:
        """Return a fault in one line that begins with the file and, if known, the line."""
        number = self.document.line_of(fault.pointer)
        return f"{self.name}{f':{number}' if number else ''}: {fault}"


@dataclass(frozen=True, slots=True)
class Submission:
    """A body for a tag, what it was written against, and what publishing it would do."""

    registry: Registry
    tag: str
    base: str
    verdict: Verdict

    @property
    def exact(self) -> str:
        """The exact reference that it would get."""
        return f"{self.tag}@{self.verdict.version}"


ARGUMENTS = (
    TAG,
    Argument("file", metavar="FILE", help="the body, as JSON; - for standard input"),
    Argument(
        "--format",
        default="",
        choices=["archspec", "tvm", "tvm-string", "config", "clang", "iree"],
        metavar="FORMAT",
        help="import FILE from archspec, tvm, tvm-string, config, clang or iree",
    ),
    Argument("--message", default="", help="the reason for the version"),
    Argument(
        "--source",
        action="append",
        default=[],
        metavar="URL",
        help="a page that supports it; may be repeated",
    ),
    Argument("--yes", action="store_true", help="do not ask"),
    Argument("--dry-run", action="store_true", help="only show what would happen; needs no token"),
)


def prepare(arguments: Namespace, context: Context, *, family: bool | None = None) -> Submission:
    """Read the body, let the registry check it, and show the result.

    Raises `BodyInvalid` after each fault was reported in a line of its own, and `SettingsError` for
    options that exclude each other.
    """
    if arguments.dry_run and arguments.yes:
        raise SettingsError("--dry-run sends nothing, so --yes has no effect: use one of them.")
    console = context.console
    registry = context.project.registry_of(arguments.tag)
    source = _read(arguments, context)
    console.progress(f"Checking {source.name}")
    base = _last_published(registry, arguments.tag)
    verdict = registry.check(
        arguments.tag, source.document.value, form=arguments.format, family=family
    )
    submission = Submission(registry, arguments.tag, base, verdict)
    if not verdict.valid:
        if console.json:
            console.value(verdict_json(submission))
        for fault in verdict.errors:
            console.error(source.line(fault))
        raise BodyInvalid(f"{source.name} is not a valid body for {arguments.tag}.")
    if verdict.version and not console.json:
        _print(arguments.tag, base, verdict, source, console)
    return submission


def send(
    arguments: Namespace,
    context: Context,
    submission: Submission,
    verb: str,
    submit: Callable[[Registry], tuple[dict[str, Any], str]],
) -> ExitCode:
    """Ask, and submit with a token what would change something; report the result.

    `verb` is the name of the command, and the scope that its token needs. `submit` returns the
    result for programs, and a sentence for people.
    """
    console = context.console
    present, past = FORMS[verb]
    result = verdict_json(submission) | {past: None}
    if not submission.verdict.version:
        base = f"{submission.tag}@{submission.base}"
        console.note(f"{base} is the same already; there is nothing to {verb}.")
    elif not arguments.dry_run:
        registry = context.project.authorized(submission.registry, submission.tag, verb)
        if not is_confirmed(arguments, console, f"{verb.title()} {submission.exact}?"):
            console.note(f"Nothing was {past}.")
            return ExitCode.CHANGED
        console.progress(f"{present.title()} {submission.exact}")
        result[past], sentence = submit(registry)
        if not console.json:
            console.line(sentence)
    if console.json:
        console.value(result)
    return ExitCode.OK


def is_confirmed(arguments: Namespace, console: Console, question: str) -> bool:
    """Return whether the user agrees: by --yes, or by an answer on the terminal."""
    if arguments.yes:
        return True
    if console.json or arguments.file == STDIN or not console.input.isatty():
        raise SettingsError("Nothing was sent, because nobody can be asked: add --yes to send it.")
    return console.confirm(question)


def verdict_json(submission: Submission) -> dict[str, Any]:
    """Return what would happen, for programs."""
    return {"tag": submission.tag, "base": submission.base, "check": asdict(submission.verdict)}


def _read(arguments: Namespace, context: Context) -> Source:
    name = "standard input" if arguments.file == STDIN else arguments.file
    try:
        text = _text(arguments.file, context)
        if arguments.format in ("tvm-string", "clang", "iree"):
            return Source(name, JsonDocument(text.strip(), {}))
        return Source(name, JsonDocument.parse(text))
    except UnicodeDecodeError:
        raise FileError(f"{name} is not text in UTF-8.") from None
    except ValueError as error:
        raise BodyInvalid(f"{name} is not JSON: {error}.") from None


def _text(file: str, context: Context) -> str:
    if file == STDIN:
        return context.console.input.read()
    return read_file(context.directory / Path(file)).decode()


def _last_published(registry: Registry, tag: str) -> str:
    """Return the version that was published last; empty if there is no such tag yet."""
    try:
        return registry.tag(tag).last_published
    except Refused as error:
        if error.code == "TAG_UNKNOWN":
            return ""
        raise


def _print(tag: str, base: str, verdict: Verdict, source: Source, console: Console) -> None:
    after = f"after {base}" if base else "the first version"
    console.line(console.styled(BOLD, f"{tag}@{verdict.version}: {verdict.bump}, {after}"))
    print_changes(verdict.changes, console)
    for note in verdict.notes:
        console.line(f"note: {note.pointer}{': ' if note.pointer else ''}{note.message}")
    for lint in verdict.lints:
        console.line(console.styled(YELLOW, "doubtful: ") + source.line(lint))
    if verdict.impact and verdict.impact.downstream:
        bumps = ", ".join(f"{count} {bump}" for bump, count in verdict.impact.counts.items())
        unknown = "" if verdict.impact.complete else "; not all were examined"
        console.line(
            f"Tags that follow: {verdict.impact.downstream} ({bumps or 'no change'}{unknown})."
        )
