"""Locking references: which stay as they are, and what is fetched for the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ttag.errors import SettingsError
from ttag.files import exclusive
from ttag.lock.content import LockContent, LockedTarget
from ttag.lock.fetching import export_each, resolve_each, seen_logs
from ttag.lock.lock import refuse_faults, refuse_losses, write_lock
from ttag.lock.merge import read_merged
from ttag.project import Project
from ttag.references import Reference, whole_of
from ttag.settings import OWN_FILE, PYPROJECT


@dataclass(frozen=True, slots=True)
class LockChanges:
    """All locked targets, and the references that were added, changed and removed."""

    targets: Mapping[str, LockedTarget]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A reference, the text to ask for, which may have a more exact version, and the formats.

    A node is asked for by its whole target, which the log of a registry can prove.
    """

    reference: str
    asked: str
    formats: frozenset[str]


def lock_targets(
    project: Project,
    references: Sequence[str] = (),
    *,
    formats: Sequence[str] = (),
    strict: bool = False,
    accept_log: bool = False,
) -> LockChanges:
    """Add references to the lock, or fetch them again; without any, lock what the settings name.

    What is locked keeps its version, even if its reference admits a newer one, and its formats.
    Without references, those that the settings do not name are removed; if the settings name none,
    the locked ones stay. If `strict`, formats that leave something out are refused. If
    `accept_log`, everything is fetched again at its version, and the logs of the registries are
    recorded whatever was seen of them before. Raises `TtagError`, and then changes nothing.
    """
    path, project = project.settings.lock, project.without_cache()
    for reference in references:
        Reference.parse_with_node(reference)
    with exclusive(path):
        content = read_merged(path) if path.exists() else LockContent({}, {})
        if accept_log:
            content = replace(content, logs=(), log_faults={})
        refuse_faults(path, content, except_for=references)
        project = project.knowing(content)
        forms = frozenset({*project.settings.formats, *formats})
        if references:
            kept, wanted = _add(content, references, forms)
        else:
            kept, wanted = _follow_settings(project, content, forms)
        if accept_log:
            wanted += [_wanted(name, content, forms) for name in kept]
        resolutions = resolve_each(project, {each.reference: each.asked for each in wanted})
        formats_of = {each.reference: each.formats for each in wanted}
        fetched = export_each(project, resolutions, formats_of)
        _verify(fetched, content)
        targets = kept | fetched
        renewed = [
            name for name in fetched if accept_log or content.targets.get(name) != fetched[name]
        ]
        if strict:
            _refuse_losses(fetched if references else targets)
        write_lock(path, targets.values(), seen_logs(project, content, targets, renewed))
    return _changes(content, targets)


def _add(
    content: LockContent, references: Iterable[str], forms: frozenset[str]
) -> tuple[dict[str, LockedTarget], list[Wanted]]:
    """Keep all other targets; fetch these."""
    kept = {name: old for name, old in content.targets.items() if name not in {*references}}
    wanted = [_wanted(name, content, forms) for name in dict.fromkeys(references)]
    return kept, wanted


def _follow_settings(
    project: Project, content: LockContent, forms: frozenset[str]
) -> tuple[dict[str, LockedTarget], list[Wanted]]:
    """Keep what is complete; fetch what is missing, or lacks a format, or has another registry."""
    references = project.settings.targets or tuple(content.targets)
    if not references:
        raise SettingsError(
            f"There is nothing to lock: name references, or list them as `targets` in {OWN_FILE} "
            f"or in [tool.ttag] of {PYPROJECT}."
        )
    kept, wanted = {}, []
    for reference in dict.fromkeys(references):
        old = content.targets.get(reference)
        address = project.settings.find_registry(Reference.parse_with_node(reference))
        if old and address in {"", old.registry} and forms <= old.exports.keys():
            kept[reference] = old
        else:
            wanted.append(_wanted(reference, content, forms))
    return kept, wanted


def _wanted(reference: str, content: LockContent, forms: frozenset[str]) -> Wanted:
    """Return what to fetch: the locked version if there is one, with the formats it has.

    A target and its nodes are locked at one version.
    """
    if old := content.targets.get(reference):
        return Wanted(reference, old.resolution.exact, forms | old.exports.keys())
    whole = whole_of(reference)
    others = (each for each in content.targets.values() if each.whole_reference == whole)
    exact = next((each.resolution.exact for each in others), whole)
    return Wanted(reference, exact, forms)


def _verify(targets: Mapping[str, LockedTarget], content: LockContent) -> None:
    for reference, target in targets.items():
        if old := content.targets.get(reference):
            old.verify(target.resolution)


def _refuse_losses(targets: Mapping[str, LockedTarget]) -> None:
    for reference in sorted(targets):
        for export in targets[reference].exports.values():
            refuse_losses(export)


def _changes(content: LockContent, targets: Mapping[str, LockedTarget]) -> LockChanges:
    old = {**content.targets, **dict.fromkeys(content.faults)}
    return LockChanges(
        targets=dict(sorted(targets.items())),
        added=tuple(sorted(targets.keys() - old.keys())),
        changed=tuple(sorted(name for name in targets.keys() & old if targets[name] != old[name])),
        removed=tuple(sorted(old.keys() - targets.keys())),
    )
