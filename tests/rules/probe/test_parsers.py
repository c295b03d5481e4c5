"""Outputs of tools: what each parser reads, and what it leaves out."""

import pytest

from ttag_rules.probe import (
    clinfo,
    cpuinfo,
    linux,
    lscpu,
    mainframes,
    nvidia_smi,
    riscv,
    rocminfo,
    vulkaninfo,
    x86,
)
from ttag_rules.probe.arm import identify as identify_arm, identify_apple, parts_called
from ttag_rules.probe.facts import implied, number
from ttag_rules.probe.names import board_name, product_name

# https://github.com/huggingface/candle/issues/733, a driver before 510
OLD_DRIVER = 'Field "compute_cap" is not a valid field to query.\n'
# https://github.com/rbonghi/jetson_stats/issues/864
ORIN = "NVIDIA Jetson AGX Orin Developer Kit\n", "nvidia,p3737-0000+p3701-0000\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Intel(R) Xeon(R) Platinum 8480+ @ 2.00GHz", "Intel Xeon Platinum 8480+"),
        ("Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz", "Intel Core i7-6700K"),
        ("13th Gen Intel(R) Core(TM) i9-13900K", "Intel Core i9-13900K"),
        ("AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763"),
        ("AMD Ryzen 5 5600G with Radeon Graphics", "AMD Ryzen 5 5600G"),
        ("Intel(R) UHD Graphics [0x9bca]", "Intel UHD Graphics"),
        ("AMD Radeon RX 6800 XT (RADV NAVI21)", "AMD Radeon RX 6800 XT"),
        ("POWER8E (raw), altivec supported", "POWER8E"),
        ("ARMv7 Processor rev 3 (v7l)", ""),
        ("-", ""),
    ],
)
def test_product_is_named_without_marks(text: str, name: str) -> None:
    assert product_name(text) == name


def test_board_is_named_without_its_revision() -> None:
    assert board_name("Raspberry Pi 4 Model B Rev 1.4") == "Raspberry Pi 4 Model B"


@pytest.mark.parametrize(
    ("text", "value"),
    [("64(0x40)", 64), ("0xd08", 0xD08), ("24564 MiB", 24564), ("[N/A]", 0), ("", 0), ("6.5", 0)],
)
def test_number_is_what_a_text_begins_with(text: str, value: int) -> None:
    assert number(text) == value


def test_cores_are_counted_per_package() -> None:
    block = "processor: {0}\nphysical id: {1}\nsiblings: 2\ncpu cores: 2\n\n"
    text = "".join(block.format(*numbers) for numbers in ((0, 0), (1, 1), (2, 0), (3, 1)))
    assert (cpuinfo.parse(text).cores, cpuinfo.parse(text).threads) == (4, 4)


def test_features_are_those_that_all_cores_have() -> None:
    text = "processor: 0\nFeatures: fp aes\n\nprocessor: 1\nFeatures: fp sve\n"
    assert cpuinfo.parse(text).flags == {"fp"}


def test_lines_after_the_last_processor_describe_the_machine() -> None:
    info = cpuinfo.parse("processor: 0\nCPU part: 0xd08\n\nHardware: BCM2711\n")
    assert info.common == {"hardware": "BCM2711"}
    assert info.get("hardware") == "BCM2711"


def test_lscpu_states_caches_together_since_it_counts_them() -> None:
    fields = lscpu.parse("L2 cache: 4 MiB (2 instances)\nL3 cache: 46080K\n")
    assert (fields.cache_bytes(2), fields.cache_bytes(3)) == (4 * 1024 * 1024, 0)


def test_lscpu_reads_nested_json() -> None:
    text = """{"lscpu": [{"field": "Vendor ID:", "data": "X", "children": [
        {"field": "Model name:", "data": "Y", "children": [
            {"field": "Core(s) per socket:", "data": "6"}, {"field": "Socket(s):", "data": "2"}
    ]}]}]}"""
    fields = lscpu.parse(text)
    assert (fields.get("Model name"), fields.cores) == ("Y", 12)


CORES = "Model name: {}\nCore(s) per socket: {}\nSocket(s): {}\n"


@pytest.mark.parametrize(
    ("text", "cores"),
    [
        (CORES.format("Cortex-A76", 4, 1), 4),
        (CORES.format("Cortex-A55", 4, 1) + CORES.format("Cortex-A76", 2, 2), 8),
        (CORES.format("Cortex-A55", 4, "-") + CORES.format("Cortex-A76", 2, 2), 0),
        ("Model name: Cortex-A76\nCore(s) per cluster: 4\nSocket(s): -\nCluster(s): 2\n", 8),
        ("Model name: Cortex-A76\nCore(s) per cluster: 4\nSocket(s): -\n", 0),
        ("Core(s) per socket: 2\nSocket(s): 2\nModel name: Cortex-A53\n", 4),
    ],
)
def test_lscpu_counts_the_cores_of_each_kind(text: str, cores: int) -> None:
    assert lscpu.parse(text).cores == cores


@pytest.mark.parametrize(
    ("vendor", "names", "mcpu"),
    [
        ("ARM", ["Cortex-A76"], "cortex-a76"),
        ("ARM", ["Neoverse-N1"], "neoverse-n1"),
        ("ARM", ["Cortex-A76", "Cortex-A55"], "cortex-a55"),
        ("ARM", ["Cortex-A99"], "generic"),
        ("ARM", ["Cortex-A76", "Cortex-A99"], "generic"),
        ("ARM", [""], "generic"),
        ("Ampere", ["Neoverse-N1"], "generic"),
        ("", ["Cortex-A76"], "generic"),
    ],
)
def test_lscpu_alone_names_the_cores_of_arm(vendor: str, names: list[str], mcpu: str) -> None:
    assert identify_arm(parts_called(vendor, names), ()).mcpu == mcpu


def test_dash_of_lscpu_is_no_value() -> None:
    assert lscpu.parse("Model name: -\n").get("Model name") == ""


def test_device_tree_ends_strings_with_nul() -> None:
    board = linux.parse_board(
        "Raspberry Pi 4 Model B Rev 1.4\n", "raspberrypi,4-model-b\nbrcm,bcm2711\n"
    )
    assert (board.model, board.chip) == ("Raspberry Pi 4 Model B Rev 1.4", "brcm,bcm2711")
    assert linux.parse_board(*ORIN).model == "NVIDIA Jetson AGX Orin Developer Kit"


@pytest.mark.parametrize(
    ("capability", "arch", "registers"),
    [
        ("5.3", "sm_53", 32768),
        ("7.5", "sm_75", 65536),
        ("9.0", "sm_90a", 65536),
        ("10.0", "sm_100a", 65536),
        ("12.0", "sm_120", 65536),
        ("12.1", "sm_121", 65536),
    ],
)
def test_compute_capability_decides_arch_and_limits(
    capability: str, arch: str, registers: int
) -> None:
    (device,) = nvidia_smi.parse(f"name, compute_cap\nNVIDIA GPU, {capability}\n")
    assert device.options["arch"] == arch
    assert device.options["registers_per_block"] == registers


def test_gpu_without_compute_capability_has_no_arch() -> None:
    (device,) = nvidia_smi.parse("name, memory.total [MiB]\nTesla T4, 15360 MiB\n")
    assert "arch" not in device.options
    assert (device.model, device.memory_bytes) == ("Tesla T4", 15360 * 1024 * 1024)


def test_memory_that_is_shared_is_not_stated() -> None:
    # The columns of https://github.com/Chen-zexi/vllm-cli/pull/11
    (device,) = nvidia_smi.parse("index, name, memory.total [MiB]\n0, Orin (nvgpu), [N/A]\n")
    assert (device.model, device.memory_bytes) == ("Orin (nvgpu)", 0)


def test_message_of_an_old_driver_is_no_gpu() -> None:
    assert nvidia_smi.parse(OLD_DRIVER) == ()


def test_comma_belongs_to_the_name() -> None:
    (device,) = nvidia_smi.parse("name, compute_cap\nNVIDIA T400, 4GB, 7.5\n")
    assert (device.model, device.options["arch"]) == ("T400, 4GB", "sm_75")


def test_warnings_before_the_table_are_no_gpus() -> None:
    text = "WARNING: infoROM is corrupted\nname, compute_cap\nTesla T4, 7.5\n"
    assert [device.model for device in nvidia_smi.parse(text)] == ["Tesla T4"]


def test_accelerators_that_are_no_gpus_are_left_out() -> None:
    text = (
        "Agent 1\n  Name: aie2p\n  Device Type: DSP\nAgent 2\n  Name: gfx1151\n  Device Type: GPU\n"
    )
    assert [device.options["mcpu"] for device in rocminfo.parse(text)] == ["gfx1151"]


def test_renderers_on_the_processor_are_no_gpus() -> None:
    text = "GPU0:\n\tdeviceType = PHYSICAL_DEVICE_TYPE_CPU\n\tdeviceName = llvmpipe (LLVM 17.0.6)\n"
    assert vulkaninfo.parse(text) == ()
    text = "  Device Name                  pthread-0x0a1\n  Device Type                  CPU\n"
    assert clinfo.parse(text) == ()


@pytest.mark.parametrize(
    ("flags", "mcpu"),
    [
        ("", "skylake-avx512"),
        ("avx512_vnni", "cascadelake"),
        ("avx512_vnni avx512_bf16", "cooperlake"),
    ],
)
def test_flags_tell_generations_of_one_model_apart(flags: str, mcpu: str) -> None:
    assert x86.identify("GenuineIntel", 6, 85, flags.split()).mcpu == mcpu


def test_avx512_that_a_hypervisor_masks_is_switched_off() -> None:
    flags = [x86.FLAGS.get(each, each) for each in implied("skylake", x86.FEATURES)]
    core = x86.identify("GenuineIntel", 6, 85, flags)
    off = ("-avx512f", "-avx512cd", "-avx512bw", "-avx512dq", "-avx512vl")
    assert (core.mcpu, core.mattr) == ("skylake-avx512", off)


@pytest.mark.parametrize("level", x86.LEVELS)
def test_unknown_processor_gets_the_level_of_its_flags(level: str) -> None:
    flags = [x86.FLAGS.get(each, each) for each in implied(level, x86.FEATURES)]
    core = x86.identify("", 15, 6, flags)
    assert (core.mcpu, core.mattr) == (level, ())
    known = "LLVM has no name for unknown vendor family 15 model 6"
    assert core.caveat == f"{known}; {level} is the level of its features"


def test_processor_without_a_family_is_not_said_to_be_unknown_to_llvm() -> None:
    core = x86.identify("GenuineIntel", 0, 0, ())
    assert core.caveat == "its family and model are not stated; x86-64 is the level of its features"


def test_smallest_core_is_chosen_in_any_order() -> None:
    core = identify_arm([(0x41, 0xD4E), (0x41, 0xD46), (0x41, 0xD4D)], ())
    assert core.mcpu == "cortex-a510"
    assert core.caveat.startswith("it also has cortex-a715, cortex-x3; ")


def test_sve_that_the_kernel_hides_is_switched_off() -> None:
    # Snapdragon 8 Gen 2: https://github.com/util-linux/util-linux/issues/3062
    features = "fp asimd aes sha2 crc32 atomics asimdhp asimdrdm asimddp asimdfhm i8mm bf16"
    assert identify_arm([(0x41, 0xD46)], features.split()).mattr[-2:] == ("-sve", "-sve2")


def test_cryptography_that_a_core_may_lack_is_switched_on() -> None:
    assert identify_arm([(0x41, 0xD46)], ["asimd", "aes", "sha2"]).mattr[:2] == ("+aes", "+sha2")


def test_unknown_part_is_generic_with_the_features_that_it_shows() -> None:
    core = identify_arm([(0x70, 0x662)], ("fp", "asimd", "crc32", "sve"))
    assert (core.mcpu, core.mattr) == ("generic", ("+crc", "+sve"))
    named = "LLVM has no name for implementer 0x70 part 0x662"
    assert core.caveat == f"{named}; its features are listed"


def test_unknown_chip_of_apple_gets_the_oldest_name() -> None:
    assert identify_apple("Apple M9 Ultra").mcpu == "apple-a14"
    assert "'Apple M9 Ultra'" in identify_apple("Apple M9 Ultra").caveat


def test_unknown_design_lists_its_extensions() -> None:
    core = riscv.identify("rv64imafdcv_zicsr_zba_sstc", "thead,c908")
    assert (core.mcpu, core.mabi) == ("generic-rv64", "lp64d")
    assert core.mattr == ("+m", "+a", "+f", "+d", "+c", "+v", "+zicsr", "+zba")


def test_known_design_lists_what_its_name_does_not_imply() -> None:
    assert riscv.identify("rv64imafdc_zba_zbb", "sifive,u74-mc").mattr == ("+zba", "+zbb")


@pytest.mark.parametrize(("machine", "mcpu"), [("3931", "z16"), ("8561", "z15"), ("1", "generic")])
def test_machine_type_decides_the_processor_of_ibm_z(machine: str, mcpu: str) -> None:
    assert mainframes.identify_z(machine).mcpu == mcpu


def test_processor_after_power11_is_generic() -> None:
    assert mainframes.identify_power("POWER12 (architected)").mcpu == "generic"
