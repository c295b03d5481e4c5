"""Bodies: hosts, several devices, libraries, and what is said to be unknown."""

import pytest

from tests.client.probe.recordings import MACHINES, outputs
from ttag.errors import SettingsError
from ttag.probe import describe
from ttag_rules.probe.outputs import MAX_OUTPUT, Outputs

CPUINFO = (MACHINES / "ryzen-9-5950x" / "cpuinfo.txt").read_text()
T4 = "name, compute_cap, memory.total [MiB]\nTesla T4, 7.5, 15360 MiB\n"


def unknown(machine: Outputs) -> list[str]:
    return [each.what for each in describe(machine).unknown]


def test_gpu_has_the_processor_as_its_host() -> None:
    body = describe(outputs(cpuinfo=CPUINFO, nvidia_smi=T4)).body
    assert body["kind"] == "cuda"
    assert body["host"] == describe(outputs(cpuinfo=CPUINFO)).body


def test_different_gpus_are_a_composite_with_one_host() -> None:
    rocm = "Agent 1\n  Name: gfx1100\n  Device Type: GPU\n"
    body = describe(outputs(cpuinfo=CPUINFO, nvidia_smi=T4, rocminfo=rocm)).body
    assert body["kind"] == "composite"
    assert isinstance(body["devices"], dict)
    assert [device["kind"] for device in body["devices"].values()] == ["cuda", "rocm"]
    assert list(body["devices"]) == ["gpu0", "gpu1"]
    assert body["host"] == describe(outputs(cpuinfo=CPUINFO)).body


def test_gpu_that_its_own_tool_describes_is_not_listed_again() -> None:
    again = "  Device Name          Tesla T4\n  Device Vendor          NVIDIA Corporation\n"
    listed = f"{again}  Device Type          GPU\n"
    body = describe(outputs(nvidia_smi=T4, clinfo=listed)).body
    assert body["kind"] == "cuda"


def test_gpu_that_two_drivers_list_counts_once() -> None:
    driver = (MACHINES / "uhd-graphics-9bca" / "clinfo.txt").read_text()
    assert describe(outputs(clinfo=driver * 2)).body == describe(outputs(clinfo=driver)).body


def test_vendor_tool_that_is_absent_is_asked_for() -> None:
    vulkan = (MACHINES / "radeon-r9-380-and-hd-530" / "vulkaninfo.txt").read_text()
    machine = Outputs({"vulkaninfo.txt": vulkan}, {"rocminfo.txt": "not installed"})
    remedies = {each.what: each.remedy for each in describe(machine).unknown}
    assert remedies["the architecture of AMD Radeon R9 380 Series"] == "rocminfo: not installed"


def test_reasons_why_no_gpu_was_seen_are_grouped() -> None:
    failures = {"nvidia-smi.csv": "not installed", "rocminfo.txt": "not installed"}
    failures["clinfo.txt"] = "did not end within 10 seconds"
    machine = Outputs({"cpuinfo.txt": CPUINFO}, failures)
    remedies = {each.what: each.remedy for each in describe(machine).unknown}
    expected = "nvidia-smi, rocminfo: not installed; clinfo: did not end within 10 seconds"
    assert remedies["GPUs, if there are any"] == expected


ROCM = "Agent 1\n  Name: gfx1100\n  Device Type: GPU\n"


@pytest.mark.parametrize(
    ("texts", "failures", "told"),
    [
        ({"rocminfo.txt": ROCM}, {"nvidia-smi.csv": "exit code 9: no driver"}, ["NVIDIA"]),
        ({"nvidia-smi.csv": T4}, {"rocminfo.txt": "did not end within 10 seconds"}, ["AMD"]),
        ({"rocminfo.txt": ROCM, "nvidia-smi.csv": "Failed to initialize NVML"}, {}, ["NVIDIA"]),
        ({"cpuinfo.txt": CPUINFO, "nvidia-smi.csv": "name\n"}, {}, ["NVIDIA"]),
        ({"rocminfo.txt": ROCM}, {"nvidia-smi.csv": "not installed"}, []),
        ({"rocminfo.txt": ROCM}, {"nvidia-smi.csv": "not in the recording"}, []),
        ({"rocminfo.txt": ROCM, "nvidia-smi.csv": T4}, {"clinfo.txt": "exit code 1"}, []),
        ({"cpuinfo.txt": CPUINFO, "nvidia-smi.csv": ""}, {}, []),
    ],
)
def test_tool_that_shows_no_gpu_of_its_vendor_is_not_passed_over(
    texts: dict[str, str], failures: dict[str, str], told: list[str]
) -> None:
    gpus = [what for what in unknown(Outputs(texts, failures)) if what.startswith("GPUs of")]
    assert gpus == [f"GPUs of {vendor}, if there are any" for vendor in told]


def test_cores_of_a_list_that_was_cut_are_unknown() -> None:
    long = (CPUINFO + "\n") * (1 + MAX_OUTPUT // len(CPUINFO))
    machine = outputs(cpuinfo=long[:MAX_OUTPUT])
    assert "num-cores" not in describe(machine).body
    assert "num-cores, the number of physical cores" in unknown(machine)
    assert describe(outputs(cpuinfo=long[: MAX_OUTPUT - 1])).body["num-cores"]
    stated = outputs(cpuinfo=long[:MAX_OUTPUT], lscpu="Core(s) per socket: 480\nSocket(s): 2\n")
    assert describe(stated).body["num-cores"] == 960


LSCPU = "Architecture: x86_64\nCPU(s): 64\nCore(s) per socket: 32\nSocket(s): 1\n"


def quotas(**texts: str) -> list[str]:
    texts = {f"{name.replace('_', '-')}.txt": text for name, text in texts.items()}
    machine = Outputs({"lscpu.txt": LSCPU, "cpuinfo.txt": CPUINFO, **texts})
    assert describe(machine).body["num-cores"] == 32
    return [what.partition(": ")[2] for what in unknown(machine) if what.startswith("how much")]


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        ({"cpu_max": "200000 100000\n"}, "2"),
        ({"cpu_max": "50000 100000\n"}, "0.5"),
        ({"cpu_quota": "250000\n", "cpu_period": "100000\n"}, "2.5"),
        ({"cpu_max": "6300000 100000\n", "cpu_quota": "-1\n"}, "63"),
    ],
)
def test_cpu_quota_of_a_container_is_said(texts: dict[str, str], share: str) -> None:
    assert quotas(**texts) == [
        f"of 64 logical processors, a quota of the container grants the time of {share}"
    ]


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"cpu_max": "max 100000\n"},
        {"cpu_max": "6400000 100000\n"},
        {"cpu_max": "200000 0\n"},
        {"cpu_max": "-1 100000\n"},
        {"cpu_quota": "-1\n", "cpu_period": "100000\n"},
        {"cpu_quota": "200000\n"},
        {"cpu_period": "100000\n"},
    ],
)
def test_what_is_no_quota_is_not_said(texts: dict[str, str]) -> None:
    assert quotas(**texts) == []


MIG_HEADER = "name, compute_cap, memory.total [MiB], mig.mode.current\n"


@pytest.mark.parametrize(
    ("text", "is_sliced"),
    [
        (f"{MIG_HEADER}NVIDIA H200, 9.0, [Insufficient Permissions], Enabled\n", True),
        (f"{MIG_HEADER}NVIDIA T4, 7.5, 15360 MiB, [N/A]\nNVIDIA H200, 9.0, 0 MiB, Enabled\n", True),
        (f"{MIG_HEADER}NVIDIA H200, 9.0, 143771 MiB, Disabled\n", False),
        (f"{MIG_HEADER}NVIDIA T4, 7.5, 15360 MiB, [N/A]\n", False),
        (f"{MIG_HEADER}NVIDIA Enabled, 7.5, 15360 MiB, [N/A]\n", False),
        (T4, False),
    ],
)
def test_gpu_in_slices_says_so(text: str, is_sliced: bool) -> None:
    notes = [what for what in unknown(outputs(nvidia_smi=text)) if "MIG is on" in what]
    assert len(notes) == is_sliced
    assert describe(outputs(nvidia_smi=text)).body


def test_old_driver_leaves_arch_unknown() -> None:
    machine = outputs(nvidia_smi="name, memory.total [MiB]\nTesla T4, 15360 MiB\n")
    assert "arch of Tesla T4: this nvidia-smi does not print compute_cap" in unknown(machine)


@pytest.mark.parametrize(
    ("version", "library"),
    [
        ("musl libc (x86_64)\nVersion 1.2.5\n", "musl"),
        ("ldd (GNU libc) 2.36\n", "gnu"),
        ("", "gnu"),
    ],
)
def test_c_library_is_part_of_the_triple(version: str, library: str) -> None:
    body = describe(outputs(cpuinfo=CPUINFO, ldd=version)).body
    assert body["mtriple"] == f"x86_64-unknown-linux-{library}"


def test_32_bit_system_on_a_64_bit_processor_is_arm() -> None:
    cpuinfo = (MACHINES / "raspberry-pi-4" / "cpuinfo.txt").read_text()
    body = describe(outputs(cpuinfo=cpuinfo, uname="Linux 6.1.21-v8+ armv7l\n")).body
    assert (body["mtriple"], body["mcpu"]) == ("armv7a-unknown-linux-gnueabihf", "cortex-a72")
    assert "mattr" not in body


def test_board_is_the_model_and_its_maker_is_unknown() -> None:
    cpuinfo = (MACHINES / "raspberry-pi-4" / "cpuinfo.txt").read_text()
    machine = outputs(cpuinfo=cpuinfo)
    machine.texts["device-tree-model.txt"] = "Raspberry Pi 4 Model B Rev 1.4\n"
    assert describe(machine).body["hardware"] == {
        "model": "Raspberry Pi 4 Model B",
        "cores": 4,
        "threads": 4,
    }


def test_architecture_that_is_not_supported_is_not_guessed() -> None:
    machine = outputs(cpuinfo=CPUINFO, uname="Linux 5.10.0 i686\n", nvidia_smi=T4)
    assert "host" not in describe(machine).body
    assert "the processor" in unknown(machine)


def test_virtual_machine_says_so() -> None:
    assert any(
        what.startswith("the real machine: this one is virtual (KVM)")
        for what in unknown(outputs(lscpu="Architecture: x86_64\nHypervisor vendor: KVM\n"))
    )


def test_nothing_at_all_is_an_error() -> None:
    with pytest.raises(SettingsError, match="Nothing tells what this machine is"):
        describe(Outputs())
