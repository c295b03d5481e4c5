"""Texts as the registry writes them, and the resolutions that they belong to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from registry.domain.closed_nodes import close_node
from registry.domain.document import canonical
from registry.domain.errors import Refused
from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from registry.domain.formats.tuning import subject_preimages
from registry.domain.keys.tuning import tuning_key
from tests.domain.formats.machines import machine, machines
from ttag.canonical_json import digest_of
from ttag.resolution import Export, Resolution
from ttag_rules.nodes import nodes


@dataclass(frozen=True)
class Written:
    """A text of the registry's, and the resolution that it belongs to."""

    export: Export
    resolution: Resolution


def resolution_of(subject: Subject) -> Resolution:
    """Return what the registry says about a target or one of its nodes."""
    tag, _, version = subject.exact.partition("@")
    data = canonical(subject.target)
    return Resolution(
        reference=subject.exact,
        tag=tag,
        version=version,
        digest=digest_of(data),
        status="active",
        text=data.decode(),
        tuning_keys={
            pointer: tuning_key(preimage)
            for pointer, preimage in subject_preimages(subject).items()
        },
        node=subject.part.pointer if subject.part else None,
    )


def written(subject: Subject, *forms: str) -> Iterator[Written]:
    """Yield a target in some formats, or in all that can express it."""
    resolution = resolution_of(subject)
    for form in forms or FORMATS:
        try:
            export = FORMATS[form].write(subject)
        except Refused:
            continue
        dropped = tuple(loss.pointer for loss in export.dropped)
        yield Written(Export(subject.exact, form, export.text, dropped), resolution)


def honest(body: Any, form: str, node: str = "") -> Written:
    """Return a body in a format."""
    (text,) = written(machine(body, node), form)
    return text


@cache
def catalogue() -> tuple[Written, ...]:
    """Return every distinct text of the catalogue, those of nodes included."""
    found: dict[tuple[str, str, str], Written] = {}
    for subject in machines().values():
        pointers = [node.pointer for node in nodes(subject.document)]
        parts = [close_node(subject.document, pointer) if pointer else None for pointer in pointers]
        for part in parts:
            for each in written(replace(subject, part=part)):
                key = (each.export.format, each.export.text, each.resolution.digest)
                found.setdefault(key, each)
    return tuple(found.values())
