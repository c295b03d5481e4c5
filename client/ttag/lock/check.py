"""Checks a lock against the settings and the registry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from ttag.errors import ExitCode, NotMirrored, Refused, Tampered, TtagError, UnsafeTarget
from ttag.files import is_there
from ttag.judging import Side, judge
from ttag.lock.content import LockContent, LockedTarget
from ttag.lock.lock import describe_fault, describe_log_fault, find_export, read_content
from ttag.log.history import LogBehind, LogReplaced
from ttag.project import Project
from ttag.references import Reference
from ttag.resolution import Resolution
from ttag.sources import exporter, resolver
from ttag.unsafe import require_safe
from ttag_rules.compatibility.verdicts import Answer


# Decision 094: a text that a release corrected is a change, not tampering.
class Problem(StrEnum):
    """The kinds of findings. Scripts may rely on these words."""

    TAMPERED = "tampered"  # bytes differ from what was published, or a log does not prove them
    LOG_REPLACED = "log-replaced"  # the registry has a log that does not continue the one seen
    BEHIND = "behind"  # a mirror is older than the lock, so that it proves nothing
    FORMAT_CHANGED = "format-changed"  # the registry writes another text for the same target
    STALE = "stale"  # the settings name something else
    UNKNOWN = "unknown"  # the registry does not have the locked version
    YANKED = "yanked"
    DEPRECATED = "deprecated"
    PARENT_YANKED = "parent-yanked"  # made from a yanked version, but not yanked itself
    REPOINTED = "repointed"  # the reference is an alias, which stands for another tag now
    OUTDATED = "outdated"  # the reference selects another version now
    DOES_NOT_RUN = "does-not-run"  # on the machine that was asked about
    MAY_NOT_RUN = "may-not-run"  # it depends on conditions, or is not known


FATAL = frozenset({Problem.TAMPERED, Problem.LOG_REPLACED})
NOTES = frozenset({Problem.PARENT_YANKED, Problem.OUTDATED, Problem.MAY_NOT_RUN})
MOVES = frozenset({Problem.OUTDATED, Problem.REPOINTED})
PROBLEM_OF_WARNING = {
    "YANKED": Problem.YANKED,
    "DEPRECATED": Problem.DEPRECATED,
    "PARENT_YANKED": Problem.PARENT_YANKED,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a reference, or about the whole lock if `reference` is empty."""

    problem: Problem
    reference: str
    message: str

    @property
    def moves(self) -> bool:
        """True if `ttag sync` would move the reference."""
        return self.problem in MOVES

    def fails(self, *, outdated: bool) -> bool:
        """Return whether a check fails because of this; `outdated` says if newer versions do."""
        return self.problem not in NOTES or (outdated and self.problem == Problem.OUTDATED)


def check_lock(project: Project, *, offline: bool = False) -> list[Finding]:
    """Return the findings about the lock of a project, by reference.

    Unless `offline`, the registry is asked about every target and format. Raises `FileError` if
    the lock cannot be read, and `Unreachable` if the registry cannot.
    """
    project = project.without_cache()
    path = project.settings.lock
    if not is_there(path):
        message = f"There is no {path.name}. `ttag lock` writes it."
        return [Finding(Problem.STALE, "", message)]
    content = read_content(path)
    findings = [
        Finding(Problem.TAMPERED, reference, describe_fault(reference, fault))
        for reference, fault in content.faults.items()
    ]
    findings += [
        Finding(Problem.TAMPERED, "", f"{path.name}: {describe_log_fault(registry, fault)}")
        for registry, fault in content.log_faults.items()
    ]
    findings += _find_removed_logs(path.name, content)
    for target in content.targets.values():
        if not project.allow_unsafe:
            require_safe(target.resolution, target.reference)
        findings += _find_foreign_texts(target)
    findings += _compare_with_settings(project, content)
    if not offline and not project.settings.offline:
        findings += _compare_with_registry(project.knowing(content), content.targets)
    return sorted(findings, key=lambda finding: finding.reference)


def machine_findings(content: LockContent, machine: Side) -> list[Finding]:
    """Return a finding for each locked target that does not run on a machine for sure."""
    findings = []
    for reference, target in sorted(content.targets.items()):
        result = judge(Side(target.answer.target), machine).verdict
        if result.answer is not Answer.YES:
            is_no = result.answer is Answer.NO
            problem = Problem.DOES_NOT_RUN if is_no else Problem.MAY_NOT_RUN
            findings.append(Finding(problem, reference, f"{reference}: {result.reason}"))
    return findings


def exit_code_of(findings: Iterable[Finding], *, outdated: bool) -> ExitCode:
    """Return the exit code of a check with these findings."""
    failing = {finding.problem for finding in findings if finding.fails(outdated=outdated)}
    if failing & FATAL:
        return ExitCode.TAMPERED
    return ExitCode.CHANGED if failing else ExitCode.OK


# Decision 105: an event is locked with its log, without which nothing shows that it was rewritten.
def _find_removed_logs(name: str, content: LockContent) -> Iterator[Finding]:
    """Yield the registries of which the lock has an event, but not what was seen of the log."""
    known = {log.registry for log in content.logs} | content.log_faults.keys()
    with_event = {
        target.registry: target
        for target in content.targets.values()
        if target.resolution.event is not None and target.registry not in known
    }
    for registry, target in sorted(with_event.items()):
        message = (
            f"{name} has event {target.resolution.event} of {registry} for {target.reference}, but "
            "not its log, which was locked with it. Restore it from version control, or take what "
            "the registry shows now with `ttag lock --accept-log`."
        )
        yield Finding(Problem.STALE, "", message)


def _find_foreign_texts(target: LockedTarget) -> Iterator[Finding]:
    """Yield the texts that do not belong to the target, whatever checksum they have."""
    for form in sorted(target.exports):
        try:
            find_export(target, form)
        except Tampered as error:
            message = f"{error.message} `ttag lock {target.reference}` fetches it again."
            yield Finding(Problem.TAMPERED, target.reference, message)


def _compare_with_settings(project: Project, content: LockContent) -> Iterator[Finding]:
    settings, names = project.settings, content.targets.keys() | content.faults.keys()
    for reference in sorted({*settings.targets} - names):
        yield _stale(reference, "is not locked: run `ttag lock`.")
    for reference, target in content.targets.items():
        if settings.targets and reference not in settings.targets:
            yield _stale(reference, "is locked, but not in `targets` of the settings.")
        for form in settings.formats:
            if form not in target.exports:
                yield _stale(reference, f"is not locked as {form}: run `ttag lock`.")
        address = settings.find_registry(Reference.parse_with_node(reference))
        if address not in {"", target.registry}:
            yield _stale(
                reference,
                f"is locked from {target.registry}, and the settings name {address}: "
                "run `ttag lock`.",
            )


def _stale(reference: str, message: str) -> Finding:
    return Finding(Problem.STALE, reference, f"{reference} {message}")


def _compare_with_registry(
    project: Project, targets: Mapping[str, LockedTarget]
) -> Iterator[Finding]:
    exact = {reference: target.resolution.exact for reference, target in targets.items()}
    answers = project.ask_for(exact, resolver)
    for reference, target in targets.items():
        yield from _compare_resolution(target, answers[reference])
    yield from _prove(project, targets, answers)
    known = {
        reference: answer for reference, answer in answers.items() if isinstance(answer, Resolution)
    }
    locked = {reference: targets[reference] for reference in known}
    for form in sorted({form for target in locked.values() for form in target.exports}):
        yield from _compare_exports(project, form, locked, known)
    yield from _find_outdated(project, locked)


def _compare_resolution(target: LockedTarget, answer: Resolution | TtagError) -> Iterator[Finding]:
    if isinstance(answer, TtagError):
        yield _finding_of(target.reference, answer)
        return
    try:
        target.verify(answer)
    except Tampered as error:
        yield _finding_of(target.reference, error)
    for warning in answer.warnings:
        if problem := PROBLEM_OF_WARNING.get(warning.code):
            yield Finding(problem, target.reference, str(warning))


def _finding_of(reference: str, error: TtagError) -> Finding:
    """Return what an error of a registry says about a reference; raise what says nothing of it."""
    if isinstance(error, Tampered):
        return Finding(Problem.TAMPERED, reference, error.message)
    if isinstance(error, Refused | NotMirrored):
        return Finding(Problem.UNKNOWN, reference, error.message)
    raise error


def _prove(
    project: Project,
    targets: Mapping[str, LockedTarget],
    answers: Mapping[str, Resolution | TtagError],
) -> Iterator[Finding]:
    """Yield what the logs of the registries do not prove about what is locked."""
    reported: set[TtagError] = set()  # an error of a whole log concerns all of its targets
    for reference, target in targets.items():
        answer = answers[reference]
        if not isinstance(answer, Resolution):
            continue
        event = target.resolution.event or answer.event
        address = project.address_of(reference)
        try:
            project.prover.prove(address, replace(target.resolution, event=event))
        except (Tampered, LogBehind) as error:
            is_whole = error is project.prover.error_of(address)
            if error not in reported:
                reported.add(error)
                problem = Problem.BEHIND if isinstance(error, LogBehind) else Problem.TAMPERED
                if isinstance(error, LogReplaced):
                    problem = Problem.LOG_REPLACED
                yield Finding(problem, "" if is_whole else reference, error.message)


def _compare_exports(
    project: Project,
    form: str,
    targets: Mapping[str, LockedTarget],
    resolutions: Mapping[str, Resolution],
) -> Iterator[Finding]:
    locked = {name: target for name, target in targets.items() if form in target.exports}
    named = {
        name: target.answer if target.node else resolutions[name] for name, target in locked.items()
    }
    exact = {name: each.exact for name, each in named.items()}
    for reference, answer in project.ask_for(exact, exporter(form, named.values())).items():
        if isinstance(answer, TtagError):
            yield _finding_of(reference, answer)
        elif answer.text != locked[reference].exports[form].text:
            message = (
                f"{reference} as {form} is not the text that the registry writes now. Either a "
                "release of the registry has corrected the format, or the lock was edited. "
                f"`ttag lock {reference}` fetches the text; compare it before you commit."
            )
            yield Finding(Problem.FORMAT_CHANGED, reference, message)


def _find_outdated(project: Project, targets: Mapping[str, LockedTarget]) -> Iterator[Finding]:
    """Yield what references select now, if that is not what the lock has.

    An alias may have been pointed at another tag, even if it selects an exact version.
    """
    movable = {
        name: target.whole_reference
        for name, target in targets.items()
        if Reference.parse_with_node(name).selector.is_floating or target.resolution.is_of_alias
    }
    for reference, answer in project.ask_for(movable, resolver).items():
        if isinstance(answer, Resolution):
            yield from _compare_newest(targets[reference], answer)
        elif not isinstance(answer, Refused | NotMirrored | UnsafeTarget):  # nothing to move to
            yield _finding_of(reference, answer)


def _compare_newest(target: LockedTarget, newest: Resolution) -> Iterator[Finding]:
    exact, reference = target.resolution.exact, target.reference
    if newest.exact == exact:
        return
    try:
        target.verify_tag(newest)
    except Tampered as error:
        yield Finding(Problem.TAMPERED, reference, error.message)
        return
    problem, change = Problem.OUTDATED, f"now selects {newest.exact}"
    if newest.tag != target.resolution.tag:
        problem, change = Problem.REPOINTED, f"is now an alias of {newest.tag}: {newest.exact}"
    message = f"{reference} is locked to {exact}, and {change}: run `ttag sync`."
    yield Finding(problem, reference, message)
