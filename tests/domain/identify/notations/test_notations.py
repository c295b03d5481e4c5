# ruff: noqa: E501 - tables read best in rows
"""Reading what people write about machines: what texts state, and as many that state nothing."""

import time
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.identify.identifying import Identification, identify
from registry.domain.identify.readings import Reading
from tests.domain.builders import KINDS
from ttag_rules.pointer import look_up


def identified(text: str) -> Identification:
    return identify(text, KINDS)


STATED: list[tuple[str, dict[str, Any]]] = [
    ("CFLAGS += -O2 -march=znver4 -pipe", {"/kind": "llvm", "/mcpu": "znver4"}),
    ("CPU = -mcpu=cortex-m7\nFLOAT-ABI = -mfloat-abi=hard\nMCU = $(CPU) -mthumb", {"/mtriple": "thumbv7em-unknown-none-eabi", "/mcpu": "cortex-m7", "/mfloat-abi": "hard"}),
    ("aarch64-linux-gnu-gcc -mcpu=cortex-a53 x.c", {"/mtriple": "aarch64-unknown-linux-gnu", "/mcpu": "cortex-a53"}),
    ("see -march=rv64gc_zba for this board", {"/mattr": ["+m", "+a", "+f", "+d", "+c", "+zicsr", "+zifencei", "+zba"], "/mabi": "lp64d"}),
    ("use -mavx2 -mno-avx512f here", {"/mattr": ["+avx2", "-avx512f"]}),
    ("the flags -mcpu=cortex-a7 -mfpu=neon-vfpv4 -mfloat-abi=hard are it", {"/mcpu": "cortex-a7"}),
    ("llc -mtriple=aarch64-linux-gnu -mcpu=cortex-a53 -mattr=+crc", {"/mattr": ["+crc"]}),
    ("NVCCFLAGS = -O3 \\\n  -gencode arch=compute_87,code=sm_87", {"/kind": "cuda", "/arch": "sm_87"}),
    ("hipcc --offload-arch=gfx1201 a.cpp && ./a.out", {"/kind": "rocm", "/mcpu": "gfx1201"}),
    ("cmake -DCMAKE_CUDA_ARCHITECTURES=86 ..", {"/kind": "cuda", "/arch": "sm_86"}),
    ("TORCH_CUDA_ARCH_LIST='12.0+PTX' pip install .", {"/arch": "sm_120"}),
    ("PYTORCH_ROCM_ARCH=gfx942", {"/kind": "rocm", "/mcpu": "gfx942"}),
    ("spack install hdf5 cuda_arch=90a", {"/arch": "sm_90a"}),
    ("HSA_OVERRIDE_GFX_VERSION=9.0.10", {"/mcpu": "gfx90a"}),
    ("cargo build --target riscv32imac-unknown-none-elf", {"/mtriple": "riscv32-unknown-none-elf", "/mattr": ["+m", "+a", "+c"], "/mabi": "ilp32"}),
    ("RUSTFLAGS='-Ctarget-cpu=neoverse-n1 -Ctarget-feature=+lse' cargo b --target aarch64-unknown-linux-musl", {"/mtriple": "aarch64-unknown-linux-musl", "/mcpu": "neoverse-n1", "/mattr": ["+lse"]}),
    ("zig build -Dtarget=x86_64-linux-musl -Dcpu=skylake_avx512+aes", {"/mtriple": "x86_64-linux-musl", "/mcpu": "skylake-avx512", "/mattr": ["+aes"]}),
    ("zig cc -target aarch64-linux-gnu.2.31", {"/mtriple": "aarch64-linux-gnu"}),
    ("./run --target thumbv7em-none-eabihf", {"/mtriple": "thumbv7em-none-eabihf"}),
    ("docker build --platform=linux/arm64/v8 .", {"/mtriple": "aarch64-unknown-linux"}),
    ("GOOS=windows GOARCH=amd64 go build", {"/mtriple": "x86_64-pc-windows"}),
    ('constraint_values = ["@platforms//cpu:aarch64", "@platforms//os:linux"]', {"/mtriple": "aarch64-unknown-linux"}),
    ("[settings]\nos=Linux\narch=armv8\n", {"/mtriple": "aarch64-unknown-linux"}),
    ("[host_machine]\nsystem = 'linux'\ncpu_family = 'arm'\n", {"/mtriple": "arm-unknown-linux"}),
    ("set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR riscv64)", {"/mtriple": "riscv64-unknown-linux"}),
    ("-DANDROID_ABI=arm64-v8a -DANDROID_PLATFORM=android-24", {"/mtriple": "aarch64-unknown-linux-android"}),
    ('{ system = "aarch64-darwin"; }', {"/mtriple": "aarch64-apple-macosx"}),
    ("__archspec=1=skylake_avx512", {"/mcpu": "skylake-avx512"}),
    ("__archspec=1=m1", {"/mcpu": "apple-m1"}),
    ("__archspec=1=alderlake", {"/mcpu": "alderlake"}),
    ("hdf5@1.14 arch=linux-ubuntu22.04-zen3", {"/mtriple": "x86_64-unknown-linux", "/mcpu": "znver3"}),
    ("import tvm\ntarget = tvm.target.Target(\n    {'kind': 'cuda', 'arch': 'sm_80'}, host=('llvm'))\nx = 1", {"/arch": "sm_80"}),
    ("with tvm.target.cuda(arch='sm_75'):\n    pass", {"/kind": "cuda", "/arch": "sm_75"}),
]  # fmt: skip
NAMED: list[tuple[str, str]] = [
    ("MSI RTX 4070 Ti Super 16GB Gaming X", "NVIDIA GeForce RTX 4070 Ti Super"),
    ("Gainward rtx4090 Phantom", "NVIDIA GeForce rtx4090"),
    ("Sapphire Pulse RX 7900 XTX 24GB", "AMD Radeon RX 7900 XTX"),
    ("PNY NVIDIA A100 80GB PCIe retail", "NVIDIA A100 80GB PCIe"),
    ("NVIDIA Tesla T4 16GB passive", "Tesla T4"),
    ("PNY Quadro RTX 6000", "NVIDIA Quadro RTX 6000"),
    ("Dell laptop with RTX 4060 and 16 GB RAM", "NVIDIA GeForce RTX 4060 Laptop GPU"),
    ("ThinkStation Threadripper PRO 5995WX", "AMD Ryzen Threadripper PRO 5995WX"),
    ("i7-12700H notebook", "Intel Core i7-12700H"),
    ("Xeon Gold 5415+ tray", "Intel Xeon Gold 5415+"),
    ("Intel Pentium Gold G6600 boxed", "Intel Pentium Gold G6600"),
    ("Xeon W-1250 workstation", "Intel Xeon W-1250"),
    ("Mac mini M4 Pro", "Apple M4 Pro"),
    ("Raspberry Pi 4 Model B", "Raspberry Pi 4 Model B"),
    ("flash with --chip STM32H723ZG", "STM32H723"),
    ('TORCH_CUDA_ARCH_LIST="8.9" make  # RTX 4090', "NVIDIA GeForce RTX 4090"),
    ("t = tvm.target.Target('nvidia/geforce-rtx-3090')\nu = 2", "nvidia/geforce-rtx-3090"),
]
WISHED: list[tuple[str, set[tuple[str, str]]]] = [
    ("24 GB gpu under 300 W", {("memory_min", "24 GiB"), ("power_max", "300"), ("where", "/hardware/category=gpu")}),
    ("nvidia GPU with at least 16GB since 2022", {("memory_min", "16 GiB"), ("where", "/hardware/launched/year>=2022"), ("where", "/hardware/category=gpu"), ("vendor", "NVIDIA")}),
    ("microcontroller with 512 KB RAM", {("memory_min", "512 KiB"), ("where", "/hardware/category=microcontroller")}),
    ("instance with 64 cores", {("cores_min", "64"), ("where", "/hardware/category=cloud-instance")}),
]  # fmt: skip
SILENT: list[str] = [
    "It was a bright cold day; the carriage took the A100 northwards, past 300 fields.",
    "The board met at 8, the phone rang, and 3 GB of evidence lay on the table of the processor of the case.",
    "M1 and M2 were lovers once. Core values matter to the Xeon people of Ryzen.",
    "The current install supports CUDA capabilities sm_50 sm_60 sm_70.",
    "error: supported targets: x86_64-unknown-linux-gnu, aarch64-apple-darwin",
    "supported targets:\n  aarch64-apple-darwin\n  x86_64-unknown-linux-gnu\n",
    "note: valid target CPU values are: nocona, core2, haswell, znver1",
    "requires an RTX 3060 or better",
    "Supported GPUs: A100, H100 and L40S",
    "an alternative to the H100 GPU",
    "torch==2.1.0+cu118\nnvidia-cublas-cu12==12.1.3.1\nm2r2==0.3.3\n",
    '{"name": "app", "kind": "library", "dependencies": {"rx": "580"}}',
    "numpy @ https://example.org/numpy-1.26-cp311-cp311-linux_x86_64.whl",
    "libc6:amd64 (2.35)",
    "cd src\nsudo apt install gcc-aarch64-linux-gnu\ntar xf gcc-arm-none-eabi-10.3-x86_64-linux.tar.bz2\n",
    "cp target/aarch64-unknown-linux-gnu/release/app /usr/lib/x86_64-linux-gnu/\n",
    "gcc -march=native -O3 a.c",
    "RUSTFLAGS='-C target-cpu=native' cargo test",
    "cmake -DCMAKE_CUDA_ARCHITECTURES=native ..",
    "nvcc -gencode arch=compute_80,code=compute_80 a.cu",
    "<a target=_blank href=x>make target=build</a>",
    "__archspec=1=armv8.2a target=aarch64 target=m10 __archspec=1=m",
    "dev = tvm.cuda(0)\nx = topi.cuda('a')",
    "target = tvm.target.Target(name, host=host)\nprint(target)",
    "300W gpu",
    "H101 GPU SXM5 80GB",
    "Radeon [RX 7900 XT/7900 XTX]",
    "-m -march= --target= -mcpu= --offload-arch= GOARCH= TORCH_CUDA_ARCH_LIST=",
    "\u4f60\u597d\u4e16\u754c \u0416\u0434\u0430\u043d\u043e \u2603",
    "\u0661\u0662\u0663 GB gpu",
    "\uff32\uff34\uff38 \uff14\uff10\uff19\uff10",
    "12:34:56 7.5 8.6 9.0",
    "sm_80",
    "sm_80 or sm_86",
    "sm_80sm_86",
    "sm_998 sm_999",
]


@pytest.mark.parametrize(("text", "values"), STATED, ids=[text for text, _ in STATED])
def test_text_states_values(text: str, values: dict[str, Any]) -> None:
    (reading,) = identified(text).readings
    assert {pointer: look_up(reading.body, pointer) for pointer in values} == values


@pytest.mark.parametrize(("text", "values"), STATED, ids=[text for text, _ in STATED])
def test_every_value_has_a_place(text: str, values: dict[str, Any]) -> None:
    (reading,) = identified(text).readings
    for pointer in values:
        places = [fact for fact in reading.facts if fact.pointer == pointer]
        assert places
        assert all(0 <= fact.start < fact.end <= len(text) for fact in places)


@pytest.mark.parametrize(("text", "name"), NAMED, ids=[text for text, _ in NAMED])
def test_text_names_a_product(text: str, name: str) -> None:
    (reading,) = identified(text).readings
    assert reading.names[-1] == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Intel Core i7-12700K 12-Core 3.6 GHz", "Intel Core i7-12700K"),
        ("AMD EPYC 9654 96-Core SP5", "AMD EPYC 9654"),
        ("Core Ultra 7 155H 16 cores", "Intel Core Ultra 7 155H"),
        ("AMD Ryzen 7 5800X3D AM4", "AMD Ryzen 7 5800X3D"),
        ("Core i5-13600K LGA1700", "Intel Core i5-13600K"),
        ("Google Pixel 8 Pro 128GB 5G", "Google Pixel 8 Pro"),
        ("Samsung Galaxy S23 SM-S911B 256GB", "Samsung Galaxy S23"),
        ("MacBook Pro 14 inch M3 16GB 2023", "Apple M3"),
        ("Raspberry Pi 5 8 GB", "Raspberry Pi 5"),
        ("STM32F407VGT6", "STM32F407"),
        ("ESP32-S3-WROOM-1 N16R8", "ESP32-S3"),
        ("ESP32-C3-MINI-1", "ESP32-C3"),
        ("ESP32-WROOM-32E", "ESP32"),
    ],
)
def test_measures_after_a_name_are_no_part_of_it(text: str, name: str) -> None:
    (reading,) = identified(text).readings
    assert reading.names[-1] == name


@pytest.mark.parametrize(
    "text",
    [
        *("Snapdragon 8 Elite Gen 5", "Samsung Galaxy S23 Plus SM550", "Google Pixel 8 9"),
        *("Samsung Galaxy S10 5G Exynos 98280", "Apple M4 Max 2095", "Raspberry Pi 5 500"),
        *("Intel Core i7-12700K 13", "Intel Core i7-12700K 12700", "STM32L4520"),
        *("Snapdragon 8 Elite Gen5", "Samsung Galaxy S24 nano", "Snapdragon 8 Gen 2+"),
        *("Apple M2 Extreme", "Snapdragon 8+ Gen 1+"),
        *("NVIDIA GeForce RTX 4090 Pro", "NVIDIA GeForce RTX 4090 S", "AMD Radeon VII Max"),
        *("AMD Radeon RX 580 2048SP", "AMD Ryzen 5 7500F X", "Intel Core i5-8500T D", "ESP32-H2 X"),
        *("Intel Xeon E5-2637 v2 II", "AMD EPYC 7313P XT"),
    ],
)
def test_a_word_after_a_name_makes_another_name(text: str) -> None:
    (reading,) = identified(text).readings
    assert reading.names == (text,)
    assert reading.body["hardware"]["model"] == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Intel Core i7-12700H Laptop 16GB", "Intel Core i7-12700H"),
        ("Intel Core i5-8500T Slim", "Intel Core i5-8500T"),
        ("RTX 4090 + 64GB RAM", "NVIDIA GeForce RTX 4090"),
        ("RTX 4090+i9-14900K", "NVIDIA GeForce RTX 4090"),
        ("Samsung Galaxy Note 10. New", "Samsung Galaxy Note 10"),
    ],
)
def test_a_word_of_the_thing_that_has_it_makes_no_other_name(text: str, name: str) -> None:
    assert identified(text).readings[0].names[-1] == name


@pytest.mark.parametrize("text", ["Samsung Galaxy Note 10.1", "NVIDIA RTX 4090+", "RX 6800 XT+"])
def test_a_name_that_goes_on_is_no_product(text: str) -> None:
    assert identified(text).readings == ()


@pytest.mark.parametrize(
    "text",
    [
        *("AMD RTX 4090", "Radeon RTX 4090", "ATI RTX 4090", "Intel RTX 4060", "Apple RTX 4090"),
        *("NVIDIA RX 7900 XTX", "GeForce RX 6800 XT", "NVIDIA MI300X", "Intel H100 GPU"),
    ],
)
def test_a_gpu_of_another_maker_is_no_product(text: str) -> None:
    assert identified(text).readings == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("NVIDIA Tesla T4", "Tesla T4"),
        ("VGA: NVIDIA Corporation GeForce RTX 3080", "NVIDIA GeForce RTX 3080"),
        ("AMD Radeon Instinct MI50", "AMD Instinct MI50"),
        ("AMD, RTX 4090", "NVIDIA GeForce RTX 4090"),
        ("Gigabyte RTX 3090 Turbo", "NVIDIA GeForce RTX 3090"),
        ("RTX 4090 FE", "NVIDIA GeForce RTX 4090"),
        ("MSI RTX 3060 Gaming X", "NVIDIA GeForce RTX 3060"),
        ("MSI RTX 4090 Suprim Liquid X", "NVIDIA GeForce RTX 4090"),
    ],
)
def test_words_of_its_maker_and_of_cards_are_no_part_of_a_gpu(text: str, name: str) -> None:
    (reading,) = identified(text).readings
    assert reading.names[-1] == name


def test_another_model_is_another_machine() -> None:
    assert "Raspberry Pi 4" not in identified("Raspberry Pi 4 Model Q").readings[0].names
    assert "Raspberry Pi 4 Model B" in identified("Raspberry Pi 4 Model B").readings[0].names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Snapdragon 695 (SM6379)", ("SM6379",)),
        ("Snapdragon 695 5G (SM6375)", ("SM6375",)),
        ("Snapdragon 695, Snapdragon 680 (SM6225)", ("Snapdragon 695",)),
        ("Snapdragon 695 (6 nm)", ("Snapdragon 695",)),
    ],
)
def test_the_code_of_a_chip_decides(text: str, names: tuple[str, ...]) -> None:
    assert identified(text).readings[0].names[-1:] == names


@pytest.mark.parametrize(("text", "search"), WISHED, ids=[text for text, _ in WISHED])
def test_wish_leads_to_a_list(text: str, search: set[tuple[str, str]]) -> None:
    (reading,) = identified(text).readings
    assert set(reading.search) == search
    assert reading.body == {}


@pytest.mark.parametrize("text", SILENT)
def test_other_text_describes_no_machine(text: str) -> None:
    assert identified(text).readings == ()


def archs(readings: tuple[Reading, ...]) -> list[tuple[str, str]]:
    return [
        (str(reading.body.get("arch") or reading.body.get("mcpu")), reading.facts[-1].stated)
        for reading in readings
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('TORCH_CUDA_ARCH_LIST="8.0;8.6+PTX"', ["sm_80", "sm_86"]),
        ("set(CMAKE_CUDA_ARCHITECTURES 75-real 86-virtual 90)", ["sm_75", "sm_90"]),
        ("AMDGPU_TARGETS=gfx90a,gfx942", ["gfx90a", "gfx942"]),
        ("sm_70 sm_80\nsm_90a\n", ["sm_70", "sm_80", "sm_90a"]),
        ("['sm_75', 'sm_86']", ["sm_75", "sm_86"]),
        ("gfx90a:xnack+;gfx942", ["gfx90a:xnack+", "gfx942"]),
        ("nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90", ["sm_80", "sm_90"]),
    ],
)  # fmt: skip
def test_list_of_architectures_is_several_readings(text: str, names: list[str]) -> None:
    assert archs(identified(text).readings) == [(name, "ambiguous") for name in names]


def test_lines_that_differ_are_several_machines() -> None:
    readings = identified("gcc -march=haswell a.c\ngcc -march=znver3 a.c\n").readings
    assert [reading.body["mcpu"] for reading in readings] == ["haswell", "znver3"]


def test_long_list_of_triples_is_what_a_compiler_knows() -> None:
    names = ("linux-gnu", "linux-musl", "none-elf")
    triples = [
        f"{arch}-unknown-{name}" for arch in ("aarch64", "riscv64", "x86_64") for name in names
    ]
    identification = identified("$ rustc --print target-list\n" + "\n".join(triples))
    assert identification.readings == ()
    assert [part.text for part in identification.ignored] == triples


def test_platforms_of_a_list_are_several_readings() -> None:
    readings = identified("platforms: linux/amd64,linux/arm64").readings
    triples = ["x86_64-unknown-linux", "aarch64-unknown-linux"]
    assert [reading.body["mtriple"] for reading in readings] == triples


def test_more_precise_triple_replaces_a_platform() -> None:
    text = "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR aarch64)\nset(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)"
    (reading,) = identified(text).readings
    assert reading.body["mtriple"] == "aarch64-linux-gnu"


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("gcc -march=native", ("native", "says the machine that builds, whatever it is")),
        ("gcc -march=haswell -mtune=skylake", ("skylake", "tunes code, and states no machine")),
        ("MSI RTX 4090 Trio", ("Trio", "tells no products apart")),
        ("needs at least a GTX 1060", ("GTX 1060", "is mentioned, not described as the machine")),
        ("24 GB gpu under $500", ("under $500", "prices are not in the catalogue")),
        ("300W gpu", ("300W", "says neither a least nor a most")),
        ("CUDAARCHS=999", ("999", "names no GPU that is known")),
    ],
)
def test_ignored_part_has_its_reason(text: str, ignored: tuple[str, str]) -> None:
    parts = [part for part in identified(text).ignored if (part.text, part.reason) == ignored]
    assert parts or "-march=haswell" in text
    assert all(text[part.start : part.end] == part.text for part in parts)


def test_memory_of_a_card_comes_first_among_its_names() -> None:
    (reading,) = identified("Asus RTX 4060 Ti OC 16GB").readings
    assert reading.names[-2:] == ("NVIDIA GeForce RTX 4060 Ti 16GB", "NVIDIA GeForce RTX 4060 Ti")
    assert reading.body["hardware"]["memory_bytes"] == 16 << 30


@pytest.mark.parametrize(
    ("text", "gib"),
    [
        ("Raspberry Pi 5 32GB", 32),
        ("Raspberry Pi 4 Model B 16 GB RAM", 16),
        ("Jetson AGX Xavier 128 GB", 128),
        ("Jetson Xavier NX 8GB, 16GB eMMC", 8),
        ("Jetson Orin NX 16GB", 16),
        ("Raspberry Pi 5 8GB with 256GB NVMe", 8),
    ],
)
def test_a_board_is_sold_with_its_memory(text: str, gib: int) -> None:
    (reading,) = identified(text).readings
    assert reading.body["hardware"]["memory_bytes"] == gib << 30
    assert reading.names[-2] == f"{reading.names[-1]} {gib}GB"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Raspberry Pi 5 with 128GB microSD",
            "Raspberry Pi 4 64 GB SD card",
            "Jetson Nano 64GB SD",
        ),
        *("Raspberry Pi 4 8GB 64GB card", "Jetson TX2 32GB eMMC", "Raspberry Pi 5, 256GB SSD"),
        *("EPYC 9654 768GB", "Google Pixel 8 128GB", "MacBook Air M1 8GB", "RTX 4060 16 GB RAM"),
    ],
)
def test_other_sizes_are_no_memory_of_the_product(text: str) -> None:
    assert "memory_bytes" not in identified(text).readings[0].body["hardware"]


@pytest.mark.parametrize(
    "text", ["iPhone16,1", "hw.machine: iPhone17,3", "iPad14,3", "Mac14,6", "MacBookPro18,3"]
)
def test_an_identifier_of_apple_is_a_name_of_its_own(text: str) -> None:
    (reading,) = identified(text).readings
    assert reading.names[-1] == text.rpartition(" ")[2]


@pytest.mark.parametrize("text", ["iPhone 16", "iPhone 16, 8 GB", "iPhone 16,1"])
def test_a_comma_after_a_name_makes_no_identifier(text: str) -> None:
    assert identified(text).readings[0].names[-1] == "Apple iPhone 16"


@pytest.mark.parametrize("text", ["XIAO RP2040", "GT 730 (DDR3, 128 bit)", "Arm Pixel 2"])
def test_a_line_may_be_a_name_as_a_whole(text: str) -> None:
    (reading,) = identified(f" {text}\n").readings
    assert reading.names[0] == text


def test_lines_together_are_no_name() -> None:
    (reading,) = identified("board:\nXIAO RP2040\n").readings
    assert reading.names == ("RP2040",)


@pytest.mark.parametrize("text", ["RTX 3050 6GB Laptop GPU", "Tesla V100 FHHL 16GB"])
def test_word_that_decides_is_in_every_name(text: str) -> None:
    (reading,) = identified(text).readings
    assert reading.names
    assert all("Laptop" in name or "FHHL" in name for name in reading.names)


def test_long_text_names_no_product() -> None:
    assert identified("word " * 500 + "MSI RTX 4090").readings == ()


HOSTILE = [
    "sm_80 ", "gfx90a,", "a-", "arm-", "/a", "a/b-", '"', 'TORCH_CUDA_ARCH_LIST="', "CUDAARCHS ", "GOARCH=arm64 ", "linux/arm64 ", " ", "\n",
    "CMAKE_SYSTEM_PROCESSOR ", "-s ", "-march=haswell ", "-march=cpu\n", "Target(", "target.cuda('a') ", "-Dcpu=a+a", "target-feature=+a,",
]  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_no_text_is_slow(part: str) -> None:
    text = part * (100_000 // len(part))
    started = time.process_time()
    identified(text)
    assert time.process_time() - started < 2


@given(st.text(max_size=300))
def test_no_text_is_an_error(text: str) -> None:
    identified(text)


PIECES = ["-march=", "znver3", "RTX", "4090", "8.6;", "linux/", "arm64", " ", "\n", '"', "--target", "=", "CUDAARCHS", "gpu", "24 GB", "under", "zig build", "-mcpu=", "aarch64-linux-gnu", "(", "Target", "arch="]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_places_are_within_the_text(text: str) -> None:
    identification = identified(text)
    for reading in identification.readings:
        for fact in reading.facts:
            assert 0 <= fact.start <= fact.end <= len(text)
