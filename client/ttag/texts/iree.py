"""The format `iree`: which devices to compile for, and their properties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ttag.texts.claimed_text import Claim, Unexpected, shown
from ttag.texts.grammar import parse
from ttag.texts.triples import architecture, environment, is_same_triple, system, with_float_abi
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import Node, nodes

IREE = TABLES["iree"]
PREFIX = "--iree-"
LOCAL, METAL, BYTE = "local", "metal", 8
TRIPLE, FLOAT_ABI_FLAG = "llvmcpu-target-triple", "llvmcpu-target-float-abi"
C, COMPONENTS = "c", (("executor", "aot"), ("runtime", "crt"))

Flags = dict[str, str]


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the flags are those of the target's devices.

    A device that no table knows may be described or not: IREE learns new ones.
    """
    items = parse("iree", claim.text)
    devices = [item.value for item in items if item.name == "device"]
    flags = {item.name: item.value for item in items if item.name != "device"}
    has_backends = flags.pop("backends", None) is not None
    if has_backends != (LOCAL in devices) or len(set(devices)) < len(devices):
        raise Unexpected("selects IREE's devices in another way than the registry")
    error = Unexpected("")
    for includes_unknown in (False, True):
        try:
            _check_flags(claim, set(devices), flags, includes_unknown)
        except Unexpected as unexpected:
            error = error if str(error) else unexpected
        else:
            return
    raise error


def _check_flags(claim: Claim, devices: set[str], flags: Flags, includes_unknown: bool) -> None:
    described = _described(claim, includes_unknown, has_float_abi=FLOAT_ABI_FLAG in flags)
    chosen = {name for name, (node, _) in described.items() if not node.is_host}
    if not chosen and claim.target.get("kind") in {"composite", "byoc"}:
        chosen = set(described)
    if devices != chosen:
        raise Unexpected(f"selects {shown(', '.join(sorted(devices)))}, other devices than it has")
    expected = {name: value for _, own in described.values() for name, value in own.items()}
    for name in sorted(flags.keys() | expected.keys()):
        text, stated = flags.get(name), expected.get(name)
        is_triple = name == TRIPLE and text is not None and stated is not None
        if not (is_same_triple(str(text), str(stated)) if is_triple else text == stated):
            side = f"lacks {PREFIX}{name}" if text is None else f"holds {PREFIX}{name}={text}"
            raise Unexpected(shown(side).replace("'", ""))


def _described(
    claim: Claim, includes_unknown: bool, *, has_float_abi: bool
) -> dict[str, tuple[Node, Flags]]:
    """Return the first node for each of IREE's devices, devices before hosts, and its flags.

    `has_float_abi`: a text states the float ABI, which a triple may imply.
    """
    described: dict[str, tuple[Node, Flags]] = {}
    for node in sorted(nodes(claim.target), key=lambda node: node.is_host):
        device = IREE["devices"].get(node.kind)
        if device and not _is_offloaded(node) and _is_supported(node, device, includes_unknown):
            options = with_float_abi(node.value) if has_float_abi else node.value
            own = dict(_flags(node, options, device))
            described.setdefault(device["device"], (node, own))
    return described


def _is_offloaded(node: Node) -> bool:
    return any(
        node.pointer.startswith(f"{outer.pointer}/devices/")
        for outer in node.enclosing
        if outer.kind == "byoc"
    )


def _is_supported(node: Node, device: dict[str, Any], includes_unknown: bool) -> bool:
    if node.kind == C:
        is_ahead_of_time = all(_component(node, role) == name for role, name in COMPONENTS)
        return is_ahead_of_time and node.value.get("mcpu") in device["float_abis"]
    if device["device"] == LOCAL:
        # Even if a newer registry knows it: IREE crashes on what it does not know.
        triple = node.value.get("mtriple")
        return not triple or architecture(triple) in IREE["architectures"]
    if "supported" not in device:
        return True
    option, names = device["supported"]
    return option in node.value and (includes_unknown or node.value[option] in names)


def _component(node: Node, role: str) -> Any:
    """Return the kind of a node's executor or runtime, its own or the nearest around it."""
    component = node.nearest(role)
    return component.get("kind") if isinstance(component, dict) else None


def _flags(
    node: Node, options: Mapping[str, Any], device: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    if device["device"] == METAL:
        yield from _metal_platform(node)
    if node.kind == C:
        yield from (("output", ""), ("llvmcpu-link-embedded", ""), ("llvmcpu-link-static", ""))
        yield TRIPLE, TABLES["clang"]["m_profile"][1]
        yield FLOAT_ABI_FLAG, device["float_abis"][node.value["mcpu"]]
    if options.get("model") in device.get("products", {}).get(options.get("device"), ()):
        yield device["flags"]["device"].removeprefix(PREFIX), options["model"]
    for option, flag in device["flags"].items():
        value = options.get(option)
        if value is None or value == [] or value not in device.get("only", {}).get(option, [value]):
            continue
        if isinstance(value, int) and value % BYTE:
            continue
        yield flag.removeprefix(PREFIX), _text(value)


def _metal_platform(node: Node) -> Iterator[tuple[str, str]]:
    host: Mapping[str, Any] = node.nearest("host") or {}
    triple = str(host.get("mtriple", ""))
    last = environment(triple) if environment(triple) == "simulator" else ""
    for name, kind, platform in IREE["metal_platforms"]:
        if (system(triple), last) == (name, kind):
            yield "metal-target-platform", platform


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value // BYTE) if isinstance(value, int) else str(value)
