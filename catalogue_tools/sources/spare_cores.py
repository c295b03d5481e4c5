"""Reads reports of clouds' machines: the processor, which of its features they hide, and GPUs.

Spare Cores starts one machine of each type and keeps what lscpu, dmidecode and nvidia-smi print.
The processors of instance families, another table of this source, are kept by hand: machines hide
their model, and which machines stand for a family is a judgement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from catalogue_tools.clouds.families import family_name
from catalogue_tools.facts import Row, Table, rows_by
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import form_of, number, table_reader

REPO = "SpareCores/sc-inspector-data"
PROCESSORS = "data/*/*/lscpu/stdout"
MEMORY = "data/*/*/dmidecode/stdout"
GPUS = "data/*/*/nvidia_smi/stdout"
CLOUDS = {"hcloud": "hetzner", "alicloud": "alibaba"}  # whose namespaces have other names
WITHOUT_FAMILIES = {"hetzner"}  # dedicated machines, by folder

# LLVM's names by family and model of CPUID, as LLVM's own detection maps them.
INTEL = {
    42: "sandybridge",
    45: "sandybridge",
    60: "haswell",
    61: "broadwell",
    62: "ivybridge",
    63: "haswell",
    79: "broadwell",
    94: "skylake",
    106: "icelake-server",
    143: "sapphirerapids",
    158: "skylake",
    167: "rocketlake",
    173: "graniterapids",
    207: "emeraldrapids",
}
XEON_SCALABLE = 85  # three generations, which differ by their features
ZEN_2, ZEN_4, ZEN_3_AGAIN = 0x30, 0x10, range(0x20, 0x60)  # their first models
ZEN, ZEN_3_AND_4, ZEN_5 = 23, 25, 26  # families
FLAGS = {  # features whose names in Linux and in LLVM differ by more than an underscore
    "abm": "lzcnt",
    "amx_bf16": "amx-bf16",
    "amx_int8": "amx-int8",
    "amx_tile": "amx-tile",
    "bmi1": "bmi",
    "lahf_lm": "sahf",
    "pclmulqdq": "pclmul",
    "pni": "sse3",
    "rdrand": "rdrnd",
    "sha_ni": "sha",
    "sse4_1": "sse4.1",
    "sse4_2": "sse4.2",
}
SLICE = re.compile(r"(?:GRID )?(.+)-\d+Q")
PART = re.compile(r"GRID |MIG |-\d+[QCAB]$")  # of a GPU
NOISE = re.compile(r"\((?:R|TM)\)| CPU(?= |$)|@.*| T [\d.]+GHz| Processor| \d+-Core")
SHOUTED = re.compile(r"\b(?:INTEL|XEON|PLATINUM)\b")
MODULE = re.compile(r"^Memory Device$(?:\n\t.*)*?\n\tSize: (\d+) ([MGT]B)$", re.MULTILINE)
UNITS = {"MB": 1, "GB": 1 << 10, "TB": 1 << 20}  # dmidecode means powers of two
GPU_NAME = re.compile(r"<product_name>(?:NVIDIA )?([^<]+)</product_name>")
GPU_MEMORY = re.compile(r"<fb_memory_usage>\s*<total>(\d+) MiB")
GPU = re.compile(f"{GPU_NAME.pattern}.*?{GPU_MEMORY.pattern}", re.DOTALL)


@table_reader("spare-cores/nvidia_gpus", REPO, GPUS)
def read_products(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the products of the table, as their machines describe them."""
    for row in table.rows:
        path = f"data/{row['seen_on']}/nvidia_smi/stdout"
        sizes = clone.matches(path, GPU_MEMORY, "memory of a GPU")
        yield {**row, "memory_mib": int(sizes[0])}
    seen = set(table.by("name"))
    for path in clone.files(GPUS):
        match = GPU_NAME.search(clone.text(path))
        if match and match[1] not in seen and not PART.search(match[1]):
            seen.add(match[1])
            yield f"{match[1]}: seen on {'/'.join(PurePosixPath(path).parts[1:3])}"


@table_reader("spare-cores/guests", REPO, PROCESSORS, MEMORY, key="cloud type")
def read(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield what each machine reports of its processor and its memory."""
    with_memory = {*clone.files(MEMORY)}
    for path in clone.files(PROCESSORS):
        cloud, name = PurePosixPath(path).parts[1:3]
        if cloud in WITHOUT_FAMILIES:
            continue
        with form_of(path, "is no report of lscpu"):
            fields = dict(_fields(json.loads(clone.text(path))["lscpu"]))
            row = _row(CLOUDS.get(cloud, cloud), name, fields)
        memory = path.replace("lscpu", "dmidecode")
        if memory in with_memory and (size := memory_mib(clone.text(memory))):
            row["memory_mib"] = size
        yield row


@table_reader("spare-cores/machine_gpus", REPO, GPUS, key="cloud type")
def read_gpus(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield the GPUs of each machine, all alike, with the memory that its driver shows."""
    for path in clone.files(GPUS):
        cloud, name = PurePosixPath(path).parts[1:3]
        cards = GPU.findall(clone.text(path))
        if len(set(cards)) > 1:
            raise SourceError(f"{path} has GPUs that differ: {sorted(set(cards))}.")
        if cards:
            (product, memory), *_ = cards
            row: Row = {"cloud": CLOUDS.get(cloud, cloud), "type": name}
            if part := SLICE.fullmatch(product):
                yield row | {"gpu": f"{part[1]} slice"}
            else:
                size = number(memory, f"memory in {path}")
                yield row | {"gpu": product, "gpus": len(cards), "memory_mib": size}


def _fields(lines: list[Row]) -> Iterator[tuple[str, str]]:
    """Yield names and values of a report, of which some stand below others."""
    for line in lines:
        yield line["field"].rstrip(":"), line.get("data") or ""
        yield from _fields(line.get("children", []))


def _row(cloud: str, name: str, fields: Mapping[str, str]) -> Row:
    flags = {FLAGS.get(flag, flag.replace("_", "")) for flag in fields.get("Flags", "").split()}
    mcpu = llvm_name(fields, flags)
    row: Row = {
        "cloud": cloud,
        "type": name,
        "family": family_name(cloud, name),
        "mcpu": mcpu,
        "model": _model(fields["Model name"]),
        "threads": number(fields["CPU(s)"], f"CPU(s) of {name}"),
        "threads_per_core": number(fields["Thread(s) per core"], f"threads of {name}"),
    }
    implied = rows_by("zig/x86_features", "mcpu").get(mcpu, {}).get("features", ())
    if hidden := [feature for feature in implied if feature not in flags]:
        row["hides"] = hidden
    return row


def memory_mib(text: str) -> int:
    """Return the sum of the memory modules that dmidecode prints, in MiB; 0 if it prints none."""
    return sum(int(size) * UNITS[unit] for size, unit in MODULE.findall(text))


def llvm_name(fields: Mapping[str, str], flags: set[str]) -> str:
    """Return LLVM's name of a processor. Raises `KeyError` or `ValueError` for an unknown one."""
    if fields["Architecture"] != "x86_64":
        return fields["Model name"].lower()
    family, model = int(fields["CPU family"]), int(fields["Model"])
    if fields["Vendor ID"] == "AuthenticAMD":
        return _amd(family, model)
    if model != XEON_SCALABLE:
        return INTEL[model]
    # Decision 140: a Cascade Lake without VNNI is a Skylake to compilers.
    if "avx512vnni" not in flags:
        return "skylake-avx512"
    return "cooperlake" if "avx512bf16" in flags else "cascadelake"


def _amd(family: int, model: int) -> str:
    if family == ZEN:
        return "znver2" if model >= ZEN_2 else "znver1"
    if family == ZEN_3_AND_4:
        return "znver3" if model < ZEN_4 or model in ZEN_3_AGAIN else "znver4"
    return {ZEN_5: "znver5"}[family]


def _model(text: str) -> str:
    name = SHOUTED.sub(lambda match: match[0].capitalize(), NOISE.sub("", text))
    return " ".join(name.split())
