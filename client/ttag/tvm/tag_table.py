"""Tags in TVM's own table, so that `Target("...")` in unchanged scripts finds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ttag.errors import SettingsError
from ttag.lock.lock import Lock
from ttag.project import Project
from ttag.tvm.description import Description, compiled_target, describe_all
from ttag.tvm.loading import load
from ttag.tvm.losses import Lossiness, check, lost_in_table, report, unknown_processors


def register(
    references: str | Iterable[str] | Lock | None = None,
    *,
    project: Project | None = None,
    lossy: Lossiness = "error",
) -> dict[str, Any]:
    """Put targets into TVM's table of tags, and return them by the names that it now knows.

    Each gets two names: that of the reference without its selector, which replaces a tag that TVM
    has by this name, and the exact reference. Instead of references, a lock registers all that it
    holds; nothing, what the project has locked, or else the targets of its settings.

    The table holds a `Target` and nothing else. So a target with an executor, runtime, flow or code
    generator of its own is refused, and so is a composite, which TVM compiles for its host alone;
    with `lossy="warn"` they are registered with a warning. Either all are registered or none.
    Raises `TtagError`.
    """
    check(lossy)
    project = project or Project.open()
    if isinstance(references, Lock):
        project = replace(project, settings=replace(project.settings, lock=references.path))
        references = None
    chosen = _chosen(references, project)
    descriptions = describe_all(chosen, project)
    named = _by_name(chosen, descriptions)
    for description in descriptions:
        nodes = [node for node in description.nodes() if node.pointer in ("", "/host")]
        losses = lost_in_table(description) + unknown_processors(nodes)
        report(description, losses, "TVM's table of tags", lossy)
    add = load("tvm.target").register_tag
    return {
        name: add(name, compiled_target(each.target), override=True) for name, each in named.items()
    }


def _chosen(references: str | Iterable[str] | None, project: Project) -> list[str]:
    if isinstance(references, str):
        return [references]
    if references is None:
        references = project.lock.targets or project.settings.targets
    chosen = list(references)
    if not chosen:
        raise SettingsError(
            "There is nothing to register: pass references, list `targets` in the settings, or "
            "lock some with `ttag lock REF --format tvm`."
        )
    return chosen


def _by_name(references: list[str], descriptions: list[Description]) -> dict[str, Description]:
    named: dict[str, Description] = {}
    for reference, description in zip(references, descriptions, strict=True):
        for name in (_without_selector(reference), description.origin.reference):
            other = named.setdefault(name, description)
            if other.origin != description.origin:
                raise SettingsError(
                    f"{name} cannot be both {other.origin.reference} and "
                    f"{description.origin.reference}: register one of them."
                )
    return named


def _without_selector(reference: str) -> str:
    name, separator, pointer = reference.partition("#")
    return name.partition("@")[0] + separator + pointer
