"""The description of a target that a build with TVM needs, and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ttag.canonical_json import canonical
from ttag.errors import Tampered, or_raise
from ttag.project import Project
from ttag.resolution import Export, Resolution
from ttag.tvm.errors import RecordInvalid
from ttag.tvm.forms import registry_form
from ttag_rules.nodes import Node, nodes

FORMAT = "tvm"
CPU_KINDS = frozenset({"llvm", "c", "cuda_host"})  # what TVM compiles together with the host


@dataclass(frozen=True, slots=True)
class Origin:
    """An exact reference, with `#` and a pointer for a node, and the digest that its target has."""

    reference: str
    digest: str


@dataclass(frozen=True, slots=True)
class Description:
    """A target in the format `tvm`: what `Target()` takes, and the settings that it lacks.

    `build` has these by JSON pointer into `target`; `pass_config` is for a `PassContext`; `dropped`
    lists what the format cannot express.
    """

    origin: Origin
    target: Mapping[str, Any]
    build: Mapping[str, Mapping[str, Any]]
    pass_config: Mapping[str, Any]
    dropped: tuple[str, ...] = ()

    @property
    def codegen(self) -> str:
        """The external code generator that compiles the root; empty if TVM itself does."""
        return str(self.build.get("", {}).get("codegen", ""))

    @property
    def is_composite(self) -> bool:
        """True if the root consists of devices."""
        return bool(self.target["kind"] == "composite")

    @property
    def document(self) -> dict[str, Any]:
        """The target in the registry's form: settings in their nodes, devices by label."""
        return registry_form(self.target, self.build, self.pass_config)

    def nodes(self) -> list[Node]:
        """Return all nodes, the root first."""
        return list(nodes(self.document))

    def name_of(self, pointer: str) -> str:
        """Return the exact reference of a node."""
        separator = "#" if pointer and "#" not in self.origin.reference else ""
        return f"{self.origin.reference}{separator}{pointer}"

    def as_text(self) -> str:
        """Return everything that a later build needs, as text."""
        return canonical(
            {
                "reference": self.origin.reference,
                "digest": self.origin.digest,
                "target": dict(self.target),
                "build": {pointer: dict(entry) for pointer, entry in self.build.items()},
                "pass_config": dict(self.pass_config),
                "dropped": list(self.dropped),
            }
        ).decode()

    @classmethod
    def from_text(cls, text: str) -> Description:
        """Read the text of `as_text`. Raises `RecordInvalid`."""
        try:
            members = json.loads(text)
            return cls(
                Origin(members["reference"], members["digest"]),
                members["target"],
                members["build"],
                members["pass_config"],
                tuple(members["dropped"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise RecordInvalid(
                "The module records a target in a form that this version of ttag cannot read: "
                "annotate it again."
            ) from error


def compiled_target(target: Mapping[str, Any]) -> dict[str, Any]:
    """Return what to compile for: a CPU without its host, as TVM would compile for that instead."""
    is_cpu = target["kind"] in CPU_KINDS
    return {name: value for name, value in target.items() if not (is_cpu and name == "host")}


def describe(reference: str, project: Project) -> Description:
    """Return the description of a target, or of the node after a `#`. Raises `TtagError`."""
    return describe_all([reference], project)[0]


def describe_all(references: Sequence[str], project: Project) -> list[Description]:
    """Return the descriptions of several targets, by few requests. Raises the first error."""
    resolutions = [or_raise(each) for each in project.resolve_many(references)]
    exports = project.export_many([each.exact for each in resolutions], FORMAT)
    return [
        _description(resolution, or_raise(export))
        for resolution, export in zip(resolutions, exports, strict=True)
    ]


def _description(resolution: Resolution, export: Export) -> Description:
    exact = resolution.exact
    if export.digest != resolution.digest:
        raise Tampered(
            f"{exact} has the digest {resolution.digest}, and {export.digest} in the format "
            f"{FORMAT}. Published versions never change."
        )
    members = json.loads(export.text)
    return Description(
        Origin(exact, resolution.digest),
        members["target"],
        members["build"],
        members["pass_config"],
        export.dropped,
    )


def leaf_devices(description: Description) -> list[Node]:
    """Return the devices of a composite that code is generated for, without hosts."""
    return [
        node
        for node in description.nodes()
        if node.is_leaf and not any(each.is_host for each in (node, *node.enclosing))
    ]
