"""Options of hipcc: the GPUs that it compiles for, as target IDs of LLVM's AMDGPU back end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ttag_rules.compatibility.devices.amd import KINDS, OPTION, SETTINGS
from ttag_rules.nodes import Node, nodes
from ttag_rules.notations.notation import Notation, Unfit
from ttag_rules.pointer import child

XNACK, SRAMECC = SETTINGS
FEATURES = "mattr"
# Processors for which clang 22 compiles HIP, by the settings that their target IDs have.
PROCESSORS: Mapping[str, tuple[str, ...]] = {
    name: settings
    for settings, names in {
        (SRAMECC, XNACK): "gfx906 gfx908 gfx90a gfx942 gfx950 gfx9-4-generic",
        (XNACK,): "gfx801 gfx810 gfx900 gfx902 gfx904 gfx909 gfx90c gfx1010 gfx1011 gfx1012 "
        "gfx1013 gfx9-generic gfx10-1-generic",
        (): "gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 gfx802 gfx803 gfx805 "
        "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 "
        "gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201 gfx1250 gfx1251 gfx10-3-generic "
        "gfx11-generic gfx12-generic",
    }.items()
    for name in names.split()
}


def hipcc_options(target: Mapping[str, Any]) -> Notation:
    """Return `--offload-arch` for every AMD GPU of a target. Raises `Unfit` if there is none.

    hipcc takes a setting for all target IDs of a processor or for none. Code without it runs with
    any, so a setting that one of several GPUs does not state is left out.
    """
    gpus = [each for each in nodes(dict(target)) if each.kind in KINDS and OPTION in each.value]
    described = [gpu for gpu in gpus if gpu.value[OPTION] in PROCESSORS]
    reasons = {
        pointer: f"hipcc of LLVM 22 does not compile for {gpu.value[OPTION]}"
        for gpu in gpus
        if gpu not in described
        for pointer in (gpu.pointer, child(gpu.pointer, OPTION))
    }
    if not described:
        raise Unfit(next(iter(reasons.values()), "it states no GPU of AMD"))
    common = _common_settings(described)
    ids: set[str] = set()
    written: set[str] = set()
    for gpu in described:
        settings = _settings(gpu)
        names = [name for name in common[gpu.value[OPTION]] if name in settings]
        ids.add(":".join([gpu.value[OPTION], *(name + settings[name] for name in names)]))
        written |= {child(gpu.pointer, name) for name in ("kind", OPTION)}
        written |= {*_written_features(gpu, names)}
        reasons |= _reasons(gpu, common[gpu.value[OPTION]])
    text = " ".join(f"--offload-arch={each}" for each in sorted(ids)) + "\n"
    return Notation(text, tuple(described), written, reasons)


def _settings(gpu: Node) -> dict[str, str]:
    """Return the signs of the settings that a GPU states; of two for one, the last decides."""
    known = PROCESSORS[gpu.value[OPTION]]
    features = gpu.value.get(FEATURES, ())
    return {feature[1:]: feature[0] for feature in features if feature[1:] in known}


def _common_settings(gpus: list[Node]) -> dict[str, list[str]]:
    """Return the settings that all GPUs of a processor state, in the order of target IDs."""
    stated: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for gpu in gpus:
        stated[gpu.value[OPTION]].append(_settings(gpu))
    return {
        processor: [name for name in PROCESSORS[processor] if all(name in each for each in all_)]
        for processor, all_ in stated.items()
    }


def _written_features(gpu: Node, names: list[str]) -> Iterator[str]:
    place, features = child(gpu.pointer, FEATURES), gpu.value.get(FEATURES)
    if features is not None and all(feature[1:] in names for feature in features):
        yield place
    for index, feature in enumerate(features or ()):
        if feature[1:] in names:
            yield child(place, index)


def _reasons(gpu: Node, common: list[str]) -> dict[str, str]:
    """Return why features of a GPU are left out, by pointer."""
    processor = gpu.value[OPTION]
    reasons = {}
    for index, feature in enumerate(gpu.value.get(FEATURES, ())):
        name = feature[1:]
        if name not in SETTINGS:
            reason = "a target ID has no such setting"
        elif name not in PROCESSORS[processor]:
            reason = f"target IDs of {processor} have no {name}"
        elif name not in common:
            reason = f"another {processor} states no {name}, and hipcc takes it for all or for none"
        else:
            continue
        reasons[child(child(gpu.pointer, FEATURES), index)] = reason
    if reasons and not {*common} & {feature[1:] for feature in gpu.value[FEATURES]}:
        reasons[child(gpu.pointer, FEATURES)] = "; ".join(dict.fromkeys(reasons.values()))
    return reasons
