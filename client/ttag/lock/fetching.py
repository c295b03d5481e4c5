"""Fetching targets for a lock, all formats of them, by few requests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from ttag.errors import NotMirrored, Refused, TtagError, errors_in
from ttag.lock.content import LockContent, LockedTarget
from ttag.log.history import KnownLog
from ttag.project import Project
from ttag.references import Reference, whole_of
from ttag.resolution import LOCKED, Export, Resolution
from ttag.sources import exporter, resolver
from ttag.texts.parts import part_of

R = TypeVar("R", Resolution, Export)


def resolve_each(project: Project, asked: Mapping[str, str]) -> dict[str, Resolution]:
    """Return resolutions by reference, of the text that is asked for each, and pass on warnings.

    Each is proven by the log of its registry, if it has one. Raises `TtagError`.
    """
    resolutions = _by_reference(project.ask_proven(asked))
    for reference, resolution in resolutions.items():
        for warning in resolution.warnings:
            project.warn(f"{reference}: {warning}")
    return resolutions


def export_each(
    project: Project, resolutions: Mapping[str, Resolution], formats: Mapping[str, frozenset[str]]
) -> dict[str, LockedTarget]:
    """Return the targets of resolutions as a lock holds them, with formats. Raises `TtagError`."""
    answers = narrow_each(project, resolutions)
    exports: dict[str, dict[str, Export]] = {reference: {} for reference in resolutions}
    for form in sorted(frozenset[str]().union(*formats.values())):
        chosen = {name: answers[name] for name in answers if form in formats[name]}
        for reference, export in _export(project, chosen, form).items():
            exports[reference][form] = export
    return {
        reference: LockedTarget(
            project.address_of(reference),
            replace(
                resolution,
                reference=whole_of(reference),
                status=LOCKED,
                published="",
                lineage=(),
                warnings=(),
            ),
            exports[reference],
            answers[reference].node or "",
            answers[reference].build_key if answers[reference].node else "",
        )
        for reference, resolution in resolutions.items()
    }


def narrow_each(project: Project, resolutions: Mapping[str, Resolution]) -> dict[str, Resolution]:
    """Return the resolutions of whole targets, but those of nodes where the references name one.

    A registry is asked for nodes again, for their build keys. Raises `TtagError`.
    """
    nodes = {name: Reference.parse_with_node(name).node for name in resolutions}
    parts = {name: part_of(resolutions[name], node).exact for name, node in nodes.items() if node}
    return {**resolutions, **_by_reference(project.ask_for(parts, resolver))}


def seen_logs(
    project: Project,
    old: LockContent,
    targets: Mapping[str, LockedTarget],
    fetched: Collection[str],
) -> tuple[KnownLog, ...]:
    """Return the logs that a lock with some targets records, one for each registry that has one.

    A log is recorded as it is now if a target of its registry was fetched, or if both sides of a
    merge have seen it at different times; else as it was. Raises `TtagError`.
    """
    logs = []
    addresses = {target.registry: name for name, target in targets.items()}
    addresses |= {targets[name].registry: name for name in fetched}
    renewed = {targets[name].registry for name in fetched}
    for registry, reference in sorted(addresses.items()):
        seen = [log for log in old.logs if log.registry == registry]
        if registry in renewed or len(seen) > 1:
            address = project.address_of(reference)
            history = project.prover.history(address)
            seen = [history.known(registry)] if history else []
        logs += seen
    return tuple(logs)


def _export(
    project: Project, resolutions: Mapping[str, Resolution], form: str
) -> dict[str, Export]:
    asked = {reference: resolution.exact for reference, resolution in resolutions.items()}
    answers = project.ask_for(asked, exporter(form, resolutions.values()))
    hint = ""
    if form in project.settings.formats and len(project.settings.targets) > 1:
        hint = (
            f" If only some targets have {form}, take it out of `formats` of the settings and add "
            f"it to those: `ttag lock REF --format {form}`."
        )
    for reference, answer in answers.items():
        if isinstance(answer, Refused | NotMirrored):
            answer.message = f"{reference} as {form}: {answer.message}{hint}"
    return _by_reference(answers)


def _by_reference(answers: Mapping[str, R | TtagError]) -> dict[str, R]:
    """Return answers under the references that they were asked for, or raise all errors."""
    if errors := list(dict.fromkeys(errors_in(answers.values()))):  # one may concern several
        errors[0].others = tuple(errors[1:])
        raise errors[0]
    return {
        reference: replace(answer, reference=reference)
        for reference, answer in answers.items()
        if not isinstance(answer, TtagError)
    }
