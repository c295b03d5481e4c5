"""archspec reads the exported microarchitectures, and what both say of a pair of processors."""

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from archspec.cpu import TARGETS

from registry.domain.formats.archspec import FORMAT
from tests.compilers.archspec_hosts import detected, recorded_arm_machines
from tests.databases import ROOT
from tests.docs import markdown
from tests.domain.formats.machines import if_fit, machine, machines
from tests.profiles import is_thorough
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer
from ttag_rules.notations.archspec import ARM_FLAGS, X86_FLAGS, nearest_name
from ttag_rules.notations.archspec_names import MACHINES, body

FAMILIES = {"powerpc64le": "ppc64le"}
WITHOUT_NAME = {"zen6"}  # LLVM 22 has no such processor
READ = """\
import json, sys
import archspec.cpu
names = json.loads(sys.stdin.read())
targets = {name: archspec.cpu.TARGETS[name] for name in names}
print(json.dumps({
    name: {"ancestors": [str(each) for each in target.ancestors],
           "family": str(target.family), "vendor": target.vendor,
           "features": sorted(target.features),
           "flags": target.optimization_flags("clang", "22.1") if target.compilers else ""}
    for name, target in targets.items()
}))
"""
RECORDINGS = ROOT / "tests/client/probe/machines"
# What archspec detects, what the tag alone says, and why they differ.
DIFFERENT = {
    "a64fx": ("a64fx", "armv8.2a", "LLVM gives A64FX AES, which Linux does not show on it"),
    "core-ultra-9-285": ("alderlake", "arrowlake_s", "Linux shows too few of its features"),
    "docker-on-m1": ("aarch64", "armv8.1a", "archspec asks for features of the kernel too"),
    "epyc-zen6": ("zen6", "x86_64_v4", "LLVM 22 has no zen6"),
    "rk3588": ("neoverse_n1", "armv8.2a", "archspec does not compare cores, only features"),
    "xeon-e5-2680-v3-without-aes": ("x86_64_v3", "haswell", "compilers emit no AES for haswell"),
}

# Of the recorded Arm machines: how many are detected as the tag says, and why others are not.
NO_LEVEL = "archspec detects no level of Arm, only cores that lack no flag"
RECORDED_ARM = {
    "the same": 69,
    NO_LEVEL: 47,
    "this Linux does not show cpuid": 18,
    "this Linux does not show cpuid and evtstrm": 4,
    "this Linux does not show evtstrm": 3,
    "archspec has the same features for neoverse_n2 and neoverse_v2": 5,
    "": 1,
}


def read(text: str, names: list[str], folder: Path) -> dict[str, dict[str, Any]]:
    """Return what archspec reads of microarchitectures in an extension."""
    (folder / "microarchitectures.json").write_text(text)
    result = subprocess.run(
        [sys.executable, "-c", READ],
        input=json.dumps(names),
        env={**os.environ, "ARCHSPEC_EXTENSION_CPU_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    entries: dict[str, dict[str, Any]] = json.loads(result.stdout)
    return entries


def test_archspec_reads_an_entry_as_an_extension(tmp_path: Path) -> None:
    target = {
        "kind": "llvm",
        "mtriple": "x86_64-linux-gnu",
        "mcpu": "znver4",
        "mattr": ["-avx512bf16"],
    }
    (entry,) = read(FORMAT.write(machine(target)).text, ["acme_board"], tmp_path).values()
    assert {"zen3", "x86_64_v4", "x86_64_v2", "zen"} <= {*entry["ancestors"]}
    assert not {"zen4", "haswell"} & {*entry["ancestors"]}
    assert entry["vendor"] == "AuthenticAMD"
    assert {"avx512vl", "aes", "sse4a"} <= {*entry["features"]}
    assert "avx512_bf16" not in entry["features"]
    assert entry["flags"] == "-march=znver4 -Xclang -target-feature -Xclang -avx512bf16"


def test_archspec_reads_processors_of_the_catalogue(tmp_path: Path) -> None:
    """One processor in ten, or all of them with --thorough."""
    chosen = islice(sorted(machines().items()), 0, None, 1 if is_thorough() else 10)
    exports = {
        reference: export
        for reference, subject in chosen
        if (export := if_fit(FORMAT.write, subject))
    }
    entries: dict[str, Any] = {}
    for export in exports.values():
        entries |= json.loads(export.text)["microarchitectures"]
    extension = json.dumps({"microarchitectures": entries, "dropped": []})
    targets = read(extension, [*entries], tmp_path)
    assert len(targets) > (200 if is_thorough() else 20)
    for name, target in targets.items():
        assert {*entries[name]["from"]} <= {*target["ancestors"]}, name
        assert {*entries[name]["features"]} <= {*target["features"]}, name


def test_names_are_those_of_archspec_with_their_vendors() -> None:
    families = {FAMILIES.get(each.architecture, each.architecture) for each in MACHINES.values()}
    known = {name for name, each in TARGETS.items() if each.family.name in families}
    assert known - WITHOUT_NAME == {*MACHINES}
    assert all(TARGETS[name].vendor == each.vendor for name, each in MACHINES.items())


def test_names_are_what_archspec_tells_clang() -> None:
    compared = 0
    for name, each in MACHINES.items():
        flags = TARGETS[name].compilers["clang"][0]
        if each.architecture == "x86_64" and name != "zen4":  # which has older words
            assert flags.get("name", name).replace("_v", "-v") in (each.mcpu, name), name
            compared += 1
    assert compared > 30


def test_flags_are_those_of_archspec() -> None:
    by_family: dict[str, set[str]] = {"x86_64": set(), "aarch64": set()}
    for target in TARGETS.values():
        by_family.get(target.family.name, set()).update(target.features)
    assert by_family["x86_64"] >= X86_FLAGS
    assert by_family["aarch64"] >= ARM_FLAGS


def listed_disagreements() -> set[tuple[str, str, str, str]]:
    """Return the pairs of docs/compatibility.md with the answers of archspec and of verdicts."""
    page = markdown.read_document("docs/compatibility.md")
    (section,) = [
        each for each in markdown.sections(page) if each.title == "Disagreements with archspec"
    ]
    return {
        (code.strip("`"), has.strip("`"), theirs, ours)
        for codes, machines_, theirs, ours, reason in section.rows
        if reason
        for code, has in product(codes.split(), machines_.split())
    }


def test_all_disagreements_about_pairs_are_listed_with_their_reasons() -> None:
    """All pairs of archspec's own: our yes where it says no, and our other answers to its yes."""
    disagreements = set()
    for code, has in product(MACHINES, MACHINES):
        if MACHINES[code].architecture != MACHINES[has].architecture:
            continue
        theirs = "yes" if TARGETS[code] <= TARGETS[has] else "no"
        ours = verdict(body(code), body(has)).answer
        if (theirs == "yes") != (ours is Answer.YES):
            disagreements.add((code, has, theirs, ours.value))
    assert disagreements == listed_disagreements()


@pytest.mark.parametrize(
    "folder", sorted(path.parent.name for path in RECORDINGS.glob("*/cpuinfo.txt"))
)
def test_archspec_chooses_from_a_probe_what_the_tag_alone_says(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    leaf = json.loads((RECORDINGS / folder / "body.json").read_text())
    processor = Processor.from_leaf("", leaf.get("host", leaf), shipped_tables())
    if processor.architecture not in {each.architecture for each in MACHINES.values()}:
        assert not nearest_name(processor)
        return
    cpuinfo = (RECORDINGS / folder / "cpuinfo.txt").read_text()
    choices = detected(monkeypatch, cpuinfo, processor.architecture), nearest_name(processor)
    assert choices == DIFFERENT[folder][:2] if folder in DIFFERENT else choices[0] == choices[1]


def test_of_recorded_arm_machines_no_more_is_said_than_linux_shows() -> None:
    recorded = [*recorded_arm_machines()]
    assert len(recorded) > 100
    for each in recorded:
        name = nearest_name(each.processor)
        assert not (TARGETS[name].features & ARM_FLAGS) - each.flags, (each.tag, name)


def why_different(detected_name: str, name: str, flags: frozenset[str]) -> str:
    """Return why archspec detects another microarchitecture on a machine than the tag says."""
    if TARGETS[name].vendor == "generic":
        return NO_LEVEL
    if lacking := TARGETS[name].features - flags:
        return f"this Linux does not show {' and '.join(sorted(lacking))}"
    if TARGETS[name].features == TARGETS[detected_name].features:
        return f"archspec has the same features for {name} and {detected_name}"
    return ""


def test_archspec_detects_on_recorded_arm_machines_what_the_tag_says_or_it_is_explained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts: Counter[str] = Counter()
    unexplained = set()
    for each in recorded_arm_machines():
        names = detected(monkeypatch, each.cpuinfo, "aarch64"), nearest_name(each.processor)
        reason = "the same" if names[0] == names[1] else why_different(*names, each.flags)
        counts[reason] += 1
        if not reason:
            unexplained.add((each.tag, *names))
    # The tag is that of all AmpereOne, and only the later one has SM3 and SM4.
    assert unexplained == {("ampere/ampereone", "ampere1a", "ampere1")}
    assert counts == RECORDED_ARM
