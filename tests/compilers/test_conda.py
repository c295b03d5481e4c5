"""rattler solves a local channel for the machine that the format `conda` describes."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from archspec.cpu import TARGETS
from rattler import VirtualPackage, VirtualPackageOverrides
from rattler.exceptions import DetectVirtualPackageError
from rattler.virtual_package import Override

from registry.domain.formats.conda import FORMAT
from tests.compilers.archspec_hosts import detected, recorded_arm_machines, recordings
from tests.domain.formats.machines import machine
from ttag_rules.notations.archspec import nearest_name
from ttag_rules.notations.archspec_names import MACHINES
from ttag_rules.notations.conda import LATER

SOLVE = """\
import asyncio, json, os, sys, traceback
from rattler import Channel, VirtualPackage, VirtualPackageOverrides, solve

def build():
    packages = VirtualPackage.detect(VirtualPackageOverrides.from_env())
    records = asyncio.run(solve(
        [Channel(sys.argv[1])], ["app"], platforms=[os.environ["CONDA_SUBDIR"], "noarch"],
        virtual_packages=packages,
    ))
    return [str(each.build) for each in records if each.name.normalized == "app"]

for line in sys.stdin:  # each in a process of its own, which need not import rattler again
    if not (child := os.fork()):
        os.environ.update(json.loads(line))
        status = 1
        try:
            print(*build(), flush=True)
            status = 0
        except Exception:
            traceback.print_exc()
        os._exit(status)  # threads of rattler may outlive the interpreter
    if os.waitpid(child, 0)[1]:
        print("failed", flush=True)
"""
ARCHSPEC = "CONDA_OVERRIDE_ARCHSPEC"
EARLIER = {
    "alderlake": "skylake",
    "zen6": "zen5",
    "neoverse_v3ae": "neoverse_v2",
}  # for names that rattler does not take
LINUX = "x86_64-unknown-linux-gnu2.28"
LEVELS = {"x86_64": "1", "x86_64_v2": "2", "x86_64_v3": "3", "x86_64_v4": "4"}
# Builds of one program, the more specific the higher their number.
BUILDS: dict[str, list[tuple[str, list[str]]]] = {
    "linux-64": [
        ("any", []),
        ("v2", ["level >=2"]),
        ("v3", ["level >=3"]),
        ("v4", ["level >=4"]),
        ("new_libc", ["level >=4", "__glibc >=2.34"]),
        ("cuda11", ["__cuda >=11"]),
        ("cuda12", ["__cuda >=12"]),
        ("hopper", ["__cuda >=11", "__cuda_arch >=9.0"]),
    ],
    "linux-aarch64": [("any", []), ("v84", ["level >=84"])],
}


def record(name: str, version: str, build: str, number: int, depends: list[str]) -> dict[str, Any]:
    return {
        "name": name,
        "version": version,
        "build": build,
        "build_number": number,
        "depends": depends,
        "sha256": "0" * 64,
        "md5": "0" * 32,
        "size": 1,
    }


def levels(family: str) -> list[dict[str, Any]]:
    """Return what conda-forge has as `_x86_64-microarch-level`: a package for each processor."""
    level_of = LEVELS if family == "x86_64" else {"armv8.4a": "84", "aarch64": "8"}
    records = []
    for name, target in TARGETS.items():
        if target.family.name == family:
            ancestors = {name, *map(str, target.ancestors)}
            best = max((level_of[each] for each in ancestors & level_of.keys()), key=int)
            records.append(record("level", best, name, 0, [f"__archspec 1 {name}"]))
    return records


Chosen = Callable[[str], str]


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chosen]:
    """Return the build that rattler chooses with the variables of a text, and no others."""
    channel = tmp_path_factory.mktemp("channel")
    write_channel(channel)
    home = {"HOME": str(channel), "PATH": os.environ["PATH"], "RATTLER_CACHE_DIR": str(channel)}
    python = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}
    with subprocess.Popen(
        [sys.executable, "-c", SOLVE, channel.as_uri()],
        env=python | home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as solver:

        @cache
        def build_of(text: str) -> str:
            variables = dict(line.split("=", 1) for line in text.splitlines())
            assert solver.stdin is not None
            assert solver.stdout is not None
            solver.stdin.write(json.dumps(variables) + "\n")
            solver.stdin.flush()
            return solver.stdout.readline().strip()

        yield build_of


def write_channel(folder: Path) -> None:
    for subdir in ("noarch", *BUILDS):
        builds = BUILDS.get(subdir, [])
        apps = [record("app", "1.0", name, n, needs) for n, (name, needs) in enumerate(builds)]
        family = {"linux-64": "x86_64", "linux-aarch64": "aarch64"}.get(subdir)
        all_records = [*apps, *(levels(family) if family else [])]
        packages = {
            f"{each['name']}-{each['version']}-{each['build']}.tar.bz2": each
            for each in all_records
        }
        repodata = {"info": {"subdir": subdir}, "packages": packages, "packages.conda": {}}
        (folder / subdir).mkdir()
        (folder / subdir / "repodata.json").write_text(json.dumps(repodata))


def cpu(mcpu: str, *mattr: str, triple: str = LINUX) -> dict[str, Any]:
    return {"kind": "llvm", "mtriple": triple, "mcpu": mcpu, "mattr": [*mattr]}


def with_gpu(arch: str, mcpu: str = "haswell") -> dict[str, Any]:
    return {"kind": "cuda", "arch": arch, "host": cpu(mcpu)}


ARM = "aarch64-unknown-linux-gnu2.28"


@pytest.mark.parametrize(
    ("body", "build"),
    [
        (cpu("x86-64"), "any"),
        (cpu("nehalem"), "v2"),
        (cpu("znver1"), "v3"),
        (cpu("haswell"), "v3"),
        (cpu("haswell", "-avx2"), "v2"),
        (cpu("icelake-server"), "v4"),
        (cpu("icelake-server", triple="x86_64-unknown-linux-gnu2.34"), "new_libc"),
        (cpu("icelake-server", triple="x86_64-unknown-linux-gnu2.17"), "v4"),
        (cpu("alderlake"), "v3"),
        (cpu("tigerlake", "-avx512f"), "v3"),
        (cpu("core2"), "any"),
        (with_gpu("sm_80"), "cuda11"),
        (with_gpu("sm_89"), "cuda11"),
        (with_gpu("sm_120"), "hopper"),
        (with_gpu("sm_90a"), "hopper"),
        (with_gpu("sm_35"), "v3"),
        (cpu("cortex-a72", triple=ARM), "any"),
        (cpu("neoverse-v1", triple=ARM), "v84"),
    ],
)
def test_the_largest_build_that_runs_is_chosen(
    chosen: Chosen, body: dict[str, Any], build: str
) -> None:
    assert chosen(FORMAT.write(machine(body)).text) == build


def detects(name: str) -> bool:
    """Return whether rattler takes the name of a microarchitecture."""
    overrides = VirtualPackageOverrides(archspec=Override.string(name))
    try:
        VirtualPackage.detect(overrides)
    except DetectVirtualPackageError:
        return False
    return True


def test_names_are_those_that_rattler_takes() -> None:
    assert {name for name in MACHINES if not detects(name)} == LATER


def test_other_variables_make_other_choices(chosen: Chosen) -> None:
    text = FORMAT.write(machine(cpu("nehalem"))).text
    assert chosen(text) == "v2"
    assert chosen(text.replace("nehalem", "icelake")) == "v4"
    assert chosen(text.replace("CUDA=", "CUDA=12.4")) == "cuda12"


@pytest.mark.parametrize("folder", recordings("x86_64", "aarch64"), ids=lambda path: path.name)
def test_the_tag_alone_chooses_what_the_probe_of_the_machine_does(
    monkeypatch: pytest.MonkeyPatch, chosen: Chosen, folder: Path
) -> None:
    leaf = json.loads((folder / "body.json").read_text())
    text = FORMAT.write(machine({"kind": "llvm", **options(leaf)})).text
    named = next(line for line in text.splitlines() if ARCHSPEC in line)
    architecture = leaf["mtriple"].partition("-")[0]
    name = detected(monkeypatch, (folder / "cpuinfo.txt").read_text(), architecture)
    probed = text.replace(named, f"{ARCHSPEC}={EARLIER.get(name, name)}")
    assert chosen(probed) == chosen(text)


def test_on_recorded_arm_machines_the_tag_alone_chooses_no_less_than_what_is_detected(
    monkeypatch: pytest.MonkeyPatch, chosen: Chosen
) -> None:
    """archspec detects cores, and no level of Arm: on other cores conda has less than the tag."""
    text = FORMAT.write(machine(cpu("generic", triple=ARM))).text
    names = Counter(
        (
            detected(monkeypatch, each.cpuinfo, "aarch64"),
            nearest_name(each.processor, without=LATER),
        )
        for each in recorded_arm_machines()
    )
    builds = {
        name: chosen(text.replace("=aarch64\n", f"={EARLIER.get(name, name)}\n"))
        for name in {name for pair in names for name in pair}
    }
    assert names.total() == 147
    same = sum(count for pair, count in names.items() if len({builds[name] for name in pair}) == 1)
    less = {pair for pair in names if builds[pair[0]] != "any" == builds[pair[1]]}
    assert (same, less) == (138, set())


def options(leaf: dict[str, Any]) -> dict[str, Any]:
    return {name: leaf[name] for name in ("mtriple", "mcpu", "mattr") if name in leaf}
