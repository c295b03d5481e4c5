"""Settings of a target that TVM, or TVM's table of tags, would silently ignore.

`hardware` is not among them: no compiler reads it. Nor are labels, which name devices.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

from ttag.canonical_json import canonical
from ttag.errors import SettingsError
from ttag.tvm.accounting.account import Entry
from ttag.tvm.accounting.outcomes import Lost
from ttag.tvm.accounting.setting_rules import DEFAULTS
from ttag.tvm.description import Description
from ttag.tvm.errors import Lossy
from ttag.tvm.loading import load
from ttag_rules.nodes import Node

Lossiness = Literal["error", "warn"]


class LossyWarning(UserWarning):
    """Settings that are ignored because `lossy="warn"` was asked for."""


def lost_in_table(description: Description) -> list[str]:
    """Return pointers to what is lost when only the `Target` reaches TVM."""
    losses = [
        f"{pointer}/{name}"
        for pointer, entry in description.build.items()
        for name, value in entry.items()
        if name not in {"labels", "flow"} and value != DEFAULTS.get(name)
    ]
    losses += [
        f"{pointer}/flow/{name}"
        for pointer, entry in description.build.items()
        for name in entry.get("flow", ())
    ]
    losses += [f"/flow/{name}" for name in description.pass_config]
    # Without facts for people, which the format drops.
    losses += [each for each in description.dropped if not each.endswith("/hardware")]
    if description.is_composite:
        losses.append("/devices")  # tvm.compile builds a composite for its host alone
    return sorted(set(losses))


def lost_in_build(entries: Iterable[Entry]) -> list[str]:
    """Return what `compile` cannot pass on to TVM 0.27: pointer, value and what to do."""
    return [
        f"{entry.pointer}{_equals(entry.value)} ({entry.outcome.reason})"
        for entry in entries
        if isinstance(entry.outcome, Lost)
    ]


def unknown_processors(nodes: Iterable[Node]) -> list[str]:
    """Return pointers to the CPUs and features of nodes that TVM's LLVM does not know.

    TVM would compile for a generic CPU, or without the feature.
    """
    return [
        f"{node.pointer}/{place}"
        for node in nodes
        if node.kind == "llvm"
        for place in _unknown_to_llvm(node.value)
    ]


def _unknown_to_llvm(node: Mapping[str, Any]) -> Iterator[str]:
    """Yield `mcpu` if LLVM does not know it, else each switched-on feature that has no effect."""
    codegen = load("tvm.target.codegen")
    triple = node.get("mtriple") or codegen.llvm_get_system_triple()
    if "mcpu" in node and not codegen.llvm_is_valid_cpu(node["mcpu"], triple):
        yield "mcpu"
    elif features := node.get("mattr"):
        processor = {name: node[name] for name in ("kind", "mcpu", "mattr") if name in node}
        target = load("tvm.target").Target({**processor, "mtriple": triple})
        enabled = {str(name) for name in codegen.llvm_get_cpu_features(target)}
        for index, feature in enumerate(features):
            if feature.startswith("+") and feature[1:] not in enabled:
                yield f"mattr/{index}"


def report(description: Description, losses: list[str], reader: str, lossy: Lossiness) -> None:
    """Raise `Lossy` if there are losses, or warn if the caller accepts them."""
    if losses:
        reference = description.origin.reference
        _report(f"{reader} ignores {', '.join(losses)} of {reference}", lossy)


def report_unused(name: str, role: str, codegen: str, lossy: Lossiness) -> None:
    """Raise `Lossy`, or warn, because a code generator or library has nothing to compile."""
    _report(
        f"{name} has the {role} {codegen}, but no operation in a "
        "dataflow block of the module matches its patterns",
        lossy,
    )


def check(lossy: Lossiness) -> None:
    """Raise `SettingsError` if `lossy` is neither of its values."""
    if lossy not in get_args(Lossiness):
        raise SettingsError(f'lossy is {lossy!r}: expected "error" or "warn".')


def _report(sentence: str, lossy: Lossiness) -> None:
    if lossy == "error":
        raise Lossy(f'{sentence}: pass lossy="warn" if the build can do without.')
    warnings.warn(f"{sentence}.", LossyWarning, stacklevel=4)  # the caller of compile or register


def _equals(value: Any) -> str:
    return "" if value is None else f" = {canonical(value).decode()}"
