"""variantlib chooses between wheels by the exported properties as by those of its providers."""

import json
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from typing import Any
from unittest.mock import patch

import pytest
from variantlib.models.variant import VariantDescription, VariantProperty
from variantlib.resolver.lib import sort_and_filter_supported_variants

from registry.domain.formats.wheel_variant import FORMAT
from tests.compilers.archspec_hosts import recorded_arm_machines, recordings
from tests.domain.formats.machines import machine
from ttag_rules.notations.wheel_variant import FEATURES, LEVEL, ON, VALUES

# The providers bring an archspec of their own, which replaces another in the process.
ASK = """\
import io, json, sys
from importlib import import_module
name, architecture = sys.argv[1:]
provider = getattr(import_module(f"provider_variant_{architecture}.plugin"), name)()
detect = sys.modules["archspec.cpu.detect"]
question = json.load(sys.stdin)
detect._machine = lambda: architecture
detect.detected_info = detect.proc_cpuinfo
answers = {}
for folder, cpuinfo in question["machines"].items():
    detect.open = lambda *_, **__: io.StringIO(cpuinfo)
    getattr(detect.host, "cache_clear", lambda: None)()
    answers[folder] = [
        f"{architecture} :: {each.name} :: {value}"
        for each in provider.get_supported_configs(None) for value in each.values
    ]
Property = import_module(f"provider_variant_{architecture}.plugin").VariantProperty
known = [provider.validate_property(Property(*each)) for each in question["properties"]]
print(json.dumps([answers, known]))
"""
CPU_OPTIONS = ("kind", "mtriple", "mcpu", "mattr")
PROVIDERS = {"aarch64": "AArch64Plugin", "x86_64": "X8664Plugin"}
# Variants of one wheel, by the architecture that they are for.
WHEELS: dict[str, dict[str, list[str]]] = {
    "x86_64": {
        "plain": [],
        "v2": ["x86_64 :: level :: v2"],
        "v3": ["x86_64 :: level :: v3"],
        "v4": ["x86_64 :: level :: v4"],
        "v3_aes": ["x86_64 :: level :: v3", "x86_64 :: aes :: on"],
        "v4_vnni": ["x86_64 :: level :: v4", "x86_64 :: avx512_vnni :: on"],
    },
    "aarch64": {
        "plain": [],
        "v81": ["aarch64 :: version :: 8.1a"],
        "v82": ["aarch64 :: version :: 8.2a"],
        "v82_sve": ["aarch64 :: version :: 8.2a", "aarch64 :: sve :: on"],
        "v84": ["aarch64 :: version :: 8.4a"],
        "v90": ["aarch64 :: version :: 9.0a"],
    },
}
# What the provider chooses from a probe, and what the tag alone says: archspec asks Linux for more
# than code of a level uses.
DIFFERENT = {"docker-on-m1": ("plain", "v81")}


def cpu(mcpu: str, *mattr: str, arch: str = "x86_64") -> dict[str, Any]:
    return {"kind": "llvm", "mtriple": f"{arch}-linux-gnu", "mcpu": mcpu, "mattr": [*mattr]}


def cpu_body(leaf: dict[str, Any]) -> dict[str, Any]:
    """Return what a leaf says of its processor."""
    return {name: leaf[name] for name in CPU_OPTIONS if name in leaf}


def exported(body: dict[str, Any]) -> list[str]:
    properties: list[str] = json.loads(FORMAT.write(machine(body)).text)["properties"]
    return properties


def chosen(architecture: str, properties: Iterable[str]) -> str:
    """Return the label of the wheel that variantlib prefers."""
    return _chosen(architecture, tuple(properties))


@cache
def _chosen(architecture: str, properties: tuple[str, ...]) -> str:
    wheels = [
        VariantDescription([VariantProperty.from_str(each) for each in texts])
        for texts in WHEELS[architecture].values()
    ]
    supported = [VariantProperty.from_str(each) for each in properties]
    orders = {architecture: [*dict.fromkeys(each.feature for each in supported)]}
    with patch.object(metadata, "distributions", return_value=()):  # reads hundreds of files
        best, *_ = sort_and_filter_supported_variants(wheels, supported, [architecture], orders)
    texts = sorted(each.to_str() for each in best.properties)
    return next(name for name, each in WHEELS[architecture].items() if sorted(each) == texts)


@pytest.mark.parametrize(
    ("body", "label"),
    [
        (cpu("x86-64"), "plain"),
        (cpu("nehalem"), "v2"),
        (cpu("sandybridge"), "v2"),
        (cpu("haswell"), "v3"),
        (cpu("haswell", "+aes"), "v3_aes"),
        (cpu("haswell", "-fma"), "v2"),
        (cpu("znver3"), "v3_aes"),
        (cpu("skylake-avx512"), "v4"),
        (cpu("cascadelake"), "v4_vnni"),
        (cpu("znver4"), "v4_vnni"),
        (cpu("znver4", "-avx512vl"), "v3_aes"),
        (cpu("cortex-a72", arch="aarch64"), "plain"),
        (cpu("neoverse-n1", arch="aarch64"), "v82"),
        (cpu("a64fx", arch="aarch64"), "v82_sve"),
        (cpu("neoverse-v1", arch="aarch64"), "v84"),
        (cpu("neoverse-v1", "-dotprod", arch="aarch64"), "v82_sve"),
        (cpu("neoverse-v2", arch="aarch64"), "v90"),
    ],
)
def test_the_largest_variant_that_runs_is_chosen(body: dict[str, Any], label: str) -> None:
    assert chosen(body["mtriple"].partition("-")[0], exported(body)) == label


@pytest.mark.parametrize("architecture", WHEELS)
def test_the_provider_knows_all_words(architecture: str) -> None:
    words = [(name, "on") for name in FEATURES[architecture]]
    is_version = {"x86_64": "v", "aarch64": "89"}[architecture]
    words += [(LEVEL[architecture], each) for each in VALUES.values() if each[0] in is_version]
    questions = [[architecture, *word] for word in [*words, ("avx9", "on"), ("level", "v9")]]
    *known, feature, level = ask(architecture, {}, questions)[1]
    unknown = [word for word, answer in zip(words, known, strict=True) if not answer]
    assert unknown == [("version", "8.6a")] * (architecture == "aarch64")  # it ends with 9.0a
    assert (feature, level) == (False, False)


def ask(architecture: str, machines: dict[str, str], properties: list[list[str]]) -> Any:
    """Return what a provider says of machines, by their recordings, and which words it knows."""
    result = subprocess.run(
        [sys.executable, "-c", ASK, PROVIDERS[architecture], architecture],
        input=json.dumps({"machines": machines, "properties": properties}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("architecture", WHEELS)
def test_the_tag_alone_chooses_what_the_provider_does_on_the_machine(architecture: str) -> None:
    folders = recordings(architecture)
    cpuinfos = {folder.name: (folder / "cpuinfo.txt").read_text() for folder in folders}
    answers, _ = ask(architecture, cpuinfos, [])
    choices = {}
    for folder in folders:
        leaf = json.loads((folder / "body.json").read_text())
        body = cpu_body(leaf)
        probed = chosen(architecture, answers[folder.name])
        choices[folder.name] = probed, chosen(architecture, exported(body))
    different = {name: each for name, each in choices.items() if each[0] != each[1]}
    assert different == {name: DIFFERENT[name] for name in DIFFERENT if name in choices}
    assert len(choices) > len(different) + 5


# Of a recorded chip of Arm, Linux did not show some features that its tag has.
OLDER_LINUX = {"asimddp", "dit", "lrcpc", "ssbs"}
# One recording shows SVE2, which other machines with the chip lack, so its tag denies it.
SHOWS_MORE = {("v90", "v84", "qcom/sm8450")}


def test_of_recorded_arm_machines_no_more_is_said_than_linux_shows() -> None:
    for each in recorded_arm_machines():
        words = [
            text.split(" :: ")[1]
            for text in exported(cpu_body(each.leaf))
            if text.endswith(f":: {ON}")
        ]
        assert words or "fp" not in each.flags
        assert {*words} - each.flags <= OLDER_LINUX, each.tag


def test_on_recorded_arm_machines_the_tag_alone_chooses_no_less_than_the_provider() -> None:
    """archspec detects cores, and no level of Arm: the provider of other cores knows less."""
    machines = [*recorded_arm_machines()]
    answers, _ = ask("aarch64", {str(n): each.cpuinfo for n, each in enumerate(machines)}, [])
    same, less = 0, set()
    for each, probed in zip(machines, answers.values(), strict=True):
        alone = exported(cpu_body(each.leaf))
        choices = chosen("aarch64", probed), chosen("aarch64", alone)
        same += choices[0] == choices[1]
        if not {*WHEELS["aarch64"][choices[0]]} <= {*alone}:
            less.add((*choices, each.tag))
    assert less == SHOWS_MORE
    assert (same, len(machines)) == (123, 147)
