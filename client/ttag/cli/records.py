"""`ttag records`: which tuning records still apply."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ttag.cli.command import Argument, Command, Context
from ttag.cli.console import BOLD, GREEN, RED, Console
from ttag.cli.tables import compact
from ttag.errors import ExitCode, SettingsError
from ttag.records.coverage import Coverage, LeafCoverage, coverage
from ttag.records.database import Database
from ttag.records.leaves import Leaf
from ttag.records.matching import Difference, Match, Report, check

IDENTIFYING = ("kind", "mcpu", "arch", "model", "num-cores")  # options that name a target
DATABASE = Argument(
    "database", type=Path, metavar="DATABASE", help="the folder that MetaSchedule wrote"
)


def run_check(arguments: Namespace, context: Context) -> ExitCode:
    """Say which records apply to references, and why others do not."""
    references = arguments.references or list(context.project.settings.targets)
    if not references:
        raise SettingsError("No reference is stated: expected REF, or `targets` in the settings.")
    report = check(_read_database(arguments, context), references, context.project)
    if context.console.json:
        context.console.value(_report_as_json(report))
    else:
        _print_report(report, context.console)
    return ExitCode.OK if report.is_complete else ExitCode.CHANGED


def run_coverage(arguments: Namespace, context: Context) -> ExitCode:
    """Say which records keep applying with another version."""
    database = _read_database(arguments, context)
    result = coverage(database, arguments.old, arguments.new, context.project)
    if context.console.json:
        context.console.value(_coverage_as_json(result))
    else:
        _print_coverage(result, context.console)
    return ExitCode.CHANGED if any(each.is_lost for each in result.leaves) else ExitCode.OK


def _read_database(arguments: Namespace, context: Context) -> Database:
    database = Database.read(context.directory / arguments.database)
    context.console.progress(f"Comparing {len(database.records)} records")
    return database


def _print_report(report: Report, console: Console) -> None:
    total = _count(len(report.database.records), "record")
    console.line(console.styled(BOLD, f"{report.applying} of {total} apply"))
    for match in report.matches:
        style, verdict = (GREEN, "apply") if match.applies else (RED, "do not apply")
        console.line(f"{_subject(match)}: {console.styled(style, verdict)}")
        for leaf in match.leaves:
            console.line(f"  to {leaf.name}")
        for sentence in _reasons(match):
            console.line(f"  {sentence}")
    for leaf in report.untuned:
        console.note(f"note: no measured records for {leaf.name}")


def _subject(match: Match) -> str:
    failures = f", {match.failures} failed" if match.failures else ""
    return (
        f"{_count(len(match.records), 'record')} of {_count(len(match.workloads), 'workload')} "
        f"for {_summary(match)}{failures}"
    )


def _summary(match: Match) -> str:
    """Return the options by which people know a target."""
    if not match.target:
        return "no target"
    options = match.options
    named = [f"{name}={compact(options[name])}" for name in IDENTIFYING[1:] if name in options]
    return " ".join([str(options.get("kind", "?")), *named])


def _reasons(match: Match) -> list[str]:
    if match.nearest is None:
        return [match.reason] if match.reason else []
    rows = [f"  {_difference(each)}" for each in match.differences]
    return [f"nearest: {match.nearest.name}", *rows, *([match.reason] if match.reason else [])]


def _difference(difference: Difference) -> str:
    recorded, expected = _values(difference)
    values = f"{recorded} in the records, {expected} in the target"
    return f"{difference.option}: {values}{_readers(difference)}"


def _change(difference: Difference) -> str:
    return f"{difference.option}: {' -> '.join(_values(difference))}{_readers(difference)}"


def _values(difference: Difference) -> list[str]:
    values = (difference.recorded, difference.expected)
    return ["not stated" if value is None else compact(value) for value in values]


def _readers(difference: Difference) -> str:
    return f"  (read by {', '.join(difference.consumers)})" if difference.consumers else ""


def _print_coverage(result: Coverage, console: Console) -> None:
    kept, total = len(result.kept), _count(len(result.records), "record")
    title = f"{result.old} -> {result.new}: {kept} of {total} keep applying"
    console.line(console.styled(BOLD, title))
    if result.failed:
        console.note(f"note: {_count(result.failed, 'failed measurement')} not counted")
    for each in result.leaves:
        console.line(_leaf_line(each, console))
        if each.is_lost and each.nearest:
            console.line(f"  nearest: {each.nearest.name}")
            for difference in each.differences:
                console.line(f"    {_change(difference)}")
    if others := sum(len(match.records) for match in result.unrelated):
        console.note(f"note: {_count(others, 'record')} for other targets than {result.old}")


def _leaf_line(each: LeafCoverage, console: Console) -> str:
    records = f"{_count(len(each.records), 'record')} of {_count(len(each.workloads), 'workload')}"
    if not each.records:
        return f"{each.leaf.name}: no records"
    if each.is_lost:
        return f"{each.leaf.name}: {records} {console.styled(RED, 'lost')}"
    names = ", ".join(leaf.name for leaf in each.kept_by)
    return f"{each.leaf.name}: {records} {console.styled(GREEN, 'kept')} by {names}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _report_as_json(report: Report) -> dict[str, Any]:
    return {
        "records": len(report.database.records),
        "applying": report.applying,
        "targets": [_match_as_json(match) for match in report.matches],
        "untuned": [_leaf_as_json(leaf) for leaf in report.untuned],
    }


def _match_as_json(match: Match) -> dict[str, Any]:
    return {
        "target": match.options or None,
        "key": match.key or None,
        "lines": [record.line for record in match.records],
        "workloads": sorted(match.workloads),
        "failed": match.failures,
        "applies": match.applies,
        "leaves": [_leaf_as_json(leaf) for leaf in match.leaves],
        "nearest": _leaf_as_json(match.nearest) if match.nearest else None,
        "differences": list(map(asdict, match.differences)),
        "reason": match.reason,
    }


def _coverage_as_json(result: Coverage) -> dict[str, Any]:
    return {
        "old": result.old,
        "new": result.new,
        "records": len(result.records),
        "kept": len(result.kept),
        "leaves": [
            {
                **_leaf_as_json(each.leaf),
                "lines": [record.line for record in each.records],
                "workloads": sorted(each.workloads),
                "failed": each.failed,
                "kept_by": [_leaf_as_json(leaf) for leaf in each.kept_by],
                "nearest": _leaf_as_json(each.nearest) if each.nearest else None,
                "differences": list(map(asdict, each.differences)),
            }
            for each in result.leaves
        ],
        "unrelated": [_match_as_json(match) for match in result.unrelated],
    }


def _leaf_as_json(leaf: Leaf) -> dict[str, str]:
    return {"reference": leaf.exact, "pointer": leaf.pointer, "key": leaf.key}


CHECK = Command(
    "check",
    "say which records apply, and why others do not",
    run_check,
    (
        DATABASE,
        Argument(
            "references", nargs="*", metavar="REF", help="default: the targets of the settings"
        ),
    ),
)
COVERAGE = Command(
    "coverage",
    "say which records keep applying with another version",
    run_coverage,
    (
        DATABASE,
        Argument("old", metavar="OLD", help="the reference in use"),
        Argument("new", metavar="NEW", help="the reference to move to"),
    ),
)
COMMAND = Command("records", "say which tuning records still apply", commands=(CHECK, COVERAGE))
