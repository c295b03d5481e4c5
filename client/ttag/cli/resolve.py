"""`ttag resolve`: targets in the format that a compiler reads."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ttag.cli.command import Command, Context
from ttag.errors import ExitCode, SettingsError, TtagError
from ttag.files import write_file
from ttag.registry import ExportOptions, errors_in
from ttag.resolution import Export, Resolution


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("references", nargs="+", metavar="REF", help="such as aws/c4.4xlarge@1")
    parser.add_argument(
        "--format",
        default="target",
        help="any format of the registry, such as tvm, clang, cmake or iree (default: target)",
    )
    parser.add_argument("--node", metavar="POINTER", help="only this node, such as /host")
    parser.add_argument(
        "--strict", action="store_true", help="fail if the format has to leave something out"
    )
    parser.add_argument(
        "--record", action="store_true", help="record the origin of each node (format tvm)"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="a file to write; for several references, a folder that gets one file for each",
    )


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Resolve all references, and write all of them or nothing."""
    options = ExportOptions(arguments.node, arguments.strict, arguments.record)
    references: list[str] = arguments.references
    if arguments.format == "json":
        resolutions: Sequence[Any]
        if arguments.node:
            resolutions = [_attempt(context, each, arguments.node) for each in references]
        else:
            resolutions = context.project.resolve_many(references)
        results: Sequence[Any] = [_metadata(each) for each in resolutions]
    else:
        results = context.project.export_many(references, arguments.format, options)
    if errors := errors_in(results):
        for error in errors:
            context.console.error(str(error))
        return errors[0].exit_code
    for result in results:
        if result.dropped:
            context.console.note(
                f"note: {result.reference}: {result.format} leaves out {', '.join(result.dropped)}"
            )
    _write(results, arguments.output, context)
    return ExitCode.OK


def _write(exports: Sequence[Export], output: Path | None, context: Context) -> None:
    if output is None:
        if context.console.json:
            context.console.value([_as_json(export) for export in exports])
        else:
            context.console.text("".join(map(_terminated, exports)))
    elif len(exports) == 1 and not output.is_dir():
        write_file(context.directory / output, exports[0].text.encode())
    elif output.exists() and not output.is_dir():
        raise SettingsError(f"{output} is not a folder; several references need one.")
    else:
        for export in exports:
            name = export.reference.replace("/", "_").replace(":", "_")
            write_file(context.directory / output / name, export.text.encode())


def _attempt(context: Context, reference: str, node: str) -> Resolution | TtagError:
    try:
        return context.project.resolve(reference, node=node)
    except TtagError as error:
        return error


def _metadata(result: Resolution | TtagError) -> Export | TtagError:
    """Return a resolution with all that identifies it, as JSON."""
    if isinstance(result, TtagError):
        return result
    members = result.as_json()
    return Export(result.reference, "json", json.dumps(members, indent=2, ensure_ascii=False))


def _as_json(export: Export) -> dict[str, object]:
    return {
        "reference": export.reference,
        "format": export.format,
        "text": export.text,
        "dropped": list(export.dropped),
    }


def _terminated(export: Export) -> str:
    return export.text if export.text.endswith("\n") else f"{export.text}\n"


COMMAND = Command("resolve", "write targets in the format of a compiler", configure, run)
