"""`ttag resolve`: targets in the format that a compiler reads."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from ttag.cli.command import ALLOW_UNSAFE, Argument, Command, Context
from ttag.cli.console import Console
from ttag.errors import ExitCode, SettingsError, errors_in
from ttag.files import write_file
from ttag.resolution import Export, ExportOptions

ARGUMENTS = (
    Argument("references", nargs="+", metavar="REF", help="such as aws/c4.4xlarge@1"),
    Argument(
        "--format",
        default="target",
        help="any format of the registry, such as tvm, clang, cmake or iree (default: target)",
    ),
    Argument("--node", metavar="POINTER", help="only this node, such as /host"),
    Argument("--strict", action="store_true", help="fail if the format has to leave something out"),
    Argument("--record", action="store_true", help="record the origin of each node (format tvm)"),
    Argument(
        "--locked", action="store_true", help="fail if targets.lock does not hold a reference"
    ),
    Argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="a file to write; for several references, a folder that gets one file for each",
    ),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Resolve all references, and write all of them or nothing."""
    if arguments.output and context.console.json:
        raise SettingsError("--json is for standard output, and --output for texts: use one.")
    options = ExportOptions(arguments.node, arguments.strict, arguments.record)
    references: list[str] = arguments.references
    project = context.project.locked_only() if arguments.locked else context.project
    results = project.export_many(references, arguments.format, options)
    if errors := list(dict.fromkeys(errors_in(results))):  # one may concern several references
        for error in errors:
            context.console.error(str(error))
        return errors[0].exit_code
    exports = [result for result in results if isinstance(result, Export)]
    for export in exports:
        if export.dropped:
            context.console.note(
                f"note: {export.reference}: {export.format} leaves out {', '.join(export.dropped)}"
            )
    output: Path | None = arguments.output
    if output is None:
        _print(references, exports, context.console)
    else:
        _write(references, exports, context.directory / output)
    return ExitCode.OK


def _print(references: Sequence[str], exports: Sequence[Export], console: Console) -> None:
    if console.json:
        console.value(list(map(_as_json, references, exports)))
    else:
        texts = (export.text for export in exports)
        console.text("".join(text if text.endswith("\n") else f"{text}\n" for text in texts))


def _write(references: Sequence[str], exports: Sequence[Export], output: Path) -> None:
    """Write one file, or a folder with a file for each reference."""
    if len(exports) == 1 and not output.is_dir():
        write_file(output, exports[0].text.encode())
        return
    if output.exists() and not output.is_dir():
        raise SettingsError(f"{output} is not a folder; several references need one.")
    names = [_file_name(reference) for reference in references]
    if len(set(names)) < len(names):
        raise SettingsError("Two of the references have the same file name; write them separately.")
    for name, export in zip(names, exports, strict=True):
        write_file(output / name, export.text.encode())


def _file_name(reference: str) -> str:
    return reference.replace("#/", "_").replace("/", "_").replace(":", "_")


def _as_json(reference: str, export: Export) -> dict[str, object]:
    return {
        "reference": reference,
        "format": export.format,
        "text": export.text,
        "dropped": list(export.dropped),
    }


COMMAND = Command("resolve", "write targets in the format of a compiler", run, ARGUMENTS)
