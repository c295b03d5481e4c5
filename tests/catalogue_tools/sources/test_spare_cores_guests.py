"""Reports of lscpu and nvidia-smi give the processors and the GPUs of machines."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from catalogue_tools.facts import Row, read_table
from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.spare_cores import llvm_name, memory_mib
from tests.catalogue_tools.sources.clones import clone_of, read

CASCADE_LAKE = {
    "Architecture": "x86_64",
    "Vendor ID": "GenuineIntel",
    "CPU family": "6",
    "Model": "85",
    "Model name": "Intel(R) Xeon(R) Platinum 8275CL CPU @ 3.00GHz",
    "CPU(s)": "48",
    "Thread(s) per core": "2",
}
MODULES = """# dmidecode 3.5
Handle 0x1000, DMI type 16, 23 bytes
Physical Memory Array
\tMaximum Capacity: 96 GB

Handle 0x1100, DMI type 17, 84 bytes
Memory Device
\tTotal Width: 72 bits
\tSize: 64 GB
\tSpeed: 2933 MT/s

Handle 0x1101, DMI type 17, 84 bytes
Memory Device
\tSize: No Module Installed

Handle 0x1102, DMI type 17, 84 bytes
Memory Device
\tSize: 32768 MB
"""
VNNI = "pni ssse3 sse4_1 sse4_2 avx avx2 bmi1 bmi2 f16c fma abm movbe popcnt lahf_lm cx16 adx aes "
VNNI += "pclmulqdq rdrand rdseed avx512f avx512cd avx512bw avx512dq avx512vl avx512_vnni"


def report(fields: Mapping[str, str], flags: str) -> str:
    """Return fields in the form of lscpu, the flags below another as newer ones print them."""
    lines: list[Row] = [{"field": f"{name}:", "data": text} for name, text in fields.items()]
    lines[-1]["children"] = [{"field": "Flags:", "data": flags}]
    return json.dumps({"lscpu": lines})


def guest(folder: Path, flags: str, path: str = "aws/c5.12xlarge", **fields: str) -> Row:
    """Return what the reader makes of a machine."""
    files = {
        f"data/{path}/lscpu/stdout": report({**CASCADE_LAKE, **fields}, flags),
        f"data/{path}/dmidecode/stdout": MODULES,
    }
    (row,) = read("spare-cores/guests", clone_of(folder, files)).rows
    return row


def card(product: str, memory: int) -> str:
    """Return a GPU in the form of nvidia-smi."""
    return (
        f"<gpu><product_name>NVIDIA {product}</product_name>"
        f"<fb_memory_usage><total>{memory} MiB</total></fb_memory_usage></gpu>"
    )


def cards(folder: Path, *texts: str) -> list[Row]:
    """Return what the reader makes of the GPUs of a machine."""
    files = {"data/alicloud/ecs.gn7i/nvidia_smi/stdout": "".join(texts)}
    return list(read("spare-cores/machine_gpus", clone_of(folder, files)).rows)


def test_machine_has_its_processor_and_threads(tmp_path: Path) -> None:
    row = guest(tmp_path, VNNI)
    assert row == {
        "cloud": "aws",
        "type": "c5.12xlarge",
        "family": "c5",
        "mcpu": "cascadelake",
        "model": "Intel Xeon Platinum 8275CL",
        "threads": 48,
        "threads_per_core": 2,
        "memory_mib": 98304,
    }
    assert row in read_table("spare-cores/guests").rows


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("Intel(R) Xeon(R) Platinum 8269CY CPU T 3.10GHz", "Intel Xeon Platinum 8269CY"),
        ("Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz", "Intel Xeon Platinum 8269CY"),
        ("Intel(R) Xeon(R) CPU E5-2665 0 @ 2.40GHz", "Intel Xeon E5-2665 0"),
        ("INTEL(R) XEON(R) PLATINUM 8581C CPU", "Intel Xeon Platinum 8581C"),
        ("AMD EPYC 7R13 48-Core Processor", "AMD EPYC 7R13"),
        ("Intel Core Processor (Haswell, no TSX)", "Intel Core (Haswell, no TSX)"),
    ],
)
def test_model_is_the_name_of_the_product(tmp_path: Path, text: str, model: str) -> None:
    assert guest(tmp_path, VNNI, **{"Model name": text})["model"] == model


def test_cascade_lake_without_vnni_is_a_skylake(tmp_path: Path) -> None:
    row = guest(tmp_path, VNNI.removesuffix(" avx512_vnni"))
    assert row["mcpu"] == "skylake-avx512"
    assert "hides" not in row


def test_feature_that_the_machine_does_not_report_is_hidden(tmp_path: Path) -> None:
    assert guest(tmp_path, VNNI.replace(" adx", ""))["hides"] == ["adx"]


def test_clouds_have_the_names_of_namespaces(tmp_path: Path) -> None:
    row = guest(tmp_path, VNNI, path="hcloud/cpx11")
    assert (row["cloud"], row["family"]) == ("hetzner", "cpx")


def test_dedicated_machines_are_left_out(tmp_path: Path) -> None:
    text = report(CASCADE_LAKE, VNNI)
    files = {"data/hetzner/PX/lscpu/stdout": text, "data/hetzner/PX/dmidecode/stdout": MODULES}
    assert read("spare-cores/guests", clone_of(tmp_path, files)).rows == ()


def test_memory_without_modules_is_unknown() -> None:
    assert memory_mib(MODULES) == 98304
    assert memory_mib("Memory Device\n\tSize: No Module Installed\n") == 0
    assert memory_mib("") == 0


@pytest.mark.parametrize(
    ("fields", "mcpu"),
    [
        (("AuthenticAMD", "23", "1"), "znver1"),
        (("AuthenticAMD", "23", "49"), "znver2"),
        (("AuthenticAMD", "25", "1"), "znver3"),
        (("AuthenticAMD", "25", "33"), "znver3"),
        (("AuthenticAMD", "25", "17"), "znver4"),
        (("AuthenticAMD", "25", "97"), "znver4"),
        (("AuthenticAMD", "26", "2"), "znver5"),
        (("GenuineIntel", "6", "106"), "icelake-server"),
        (("GenuineIntel", "6", "207"), "emeraldrapids"),
    ],
)
def test_number_of_a_processor_gives_its_name(fields: tuple[str, str, str], mcpu: str) -> None:
    vendor, family, model = fields
    report = {"Vendor ID": vendor, "CPU family": family, "Model": model}
    assert llvm_name({**CASCADE_LAKE, **report}, set()) == mcpu


def test_processor_of_arm_has_the_name_of_its_core(tmp_path: Path) -> None:
    row = guest(tmp_path, "aes", **{"Architecture": "aarch64", "Model name": "Neoverse-N1"})
    assert row["mcpu"] == "neoverse-n1"
    assert "hides" not in row


@pytest.mark.parametrize(
    "fields",
    [
        {"Model": "999"},
        {"Model": "none"},
        {"Vendor ID": "AuthenticAMD", "CPU family": "99"},
        {"CPU(s)": "many"},
    ],
)
def test_processor_that_nobody_knows_is_refused(tmp_path: Path, fields: dict[str, str]) -> None:
    with pytest.raises(SourceError):
        guest(tmp_path, VNNI, **fields)


def test_report_of_another_form_is_refused(tmp_path: Path) -> None:
    files = {"data/aws/c5.large/lscpu/stdout": "{}", "data/aws/c5.large/dmidecode/stdout": ""}
    clone = clone_of(tmp_path, files)
    with pytest.raises(SourceError, match="is no report of lscpu"):
        read("spare-cores/guests", clone)


def test_gpus_are_counted_with_their_memory(tmp_path: Path) -> None:
    row = {"cloud": "alibaba", "type": "ecs.gn7i", "gpu": "A10", "gpus": 2, "memory_mib": 23028}
    assert cards(tmp_path, card("A10", 23028), card("A10", 23028)) == [row]


def test_part_of_a_gpu_has_no_number_and_no_memory(tmp_path: Path) -> None:
    part = {"cloud": "alibaba", "type": "ecs.gn7i", "gpu": "T4 slice"}
    assert cards(tmp_path, card("GRID T4-4Q", 4096)) == [part]


def test_machine_without_gpus_has_no_row(tmp_path: Path) -> None:
    assert cards(tmp_path, "<attached_gpus>0</attached_gpus>") == []


def test_gpus_that_differ_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="GPUs that differ"):
        cards(tmp_path, card("A10", 23028), card("T4", 15360))
