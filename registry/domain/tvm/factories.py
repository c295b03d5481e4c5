"""The functions of `tvm.target` that returned targets, as in TVM 0.23, the last release with them.

`vta` and `micro` went with 0.19. Where releases differ in what a target says about its machine, the
target comes with a note, or the call is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from registry.domain.document import Json
from registry.domain.errors import echo
from registry.domain.names.near_names import nearest_names
from registry.domain.tvm import hexagon_factory

MODEL, ARCH, OPTIONS, SERIES = "model", "arch", "options", "series"
UNKNOWN = "unknown"  # the model, by default
# The command lines that they begin with.
LINES: Mapping[str, str] = {
    "adreno": "opencl -keys=adreno,opencl,gpu -device=adreno",
    "arm_cpu": "llvm -keys=arm_cpu,cpu -device=arm_cpu",
    "bifrost": "opencl -device=bifrost",
    "cuda": "cuda",
    "intel_graphics": "opencl -device=intel_graphics -thread_warp_size=16",
    "mali": "opencl -device=mali",
    "micro": "c",
    "rasp": "llvm -keys=arm_cpu,cpu -device=arm_cpu",
    "riscv_cpu": "llvm -keys=arm_cpu,cpu -device=arm_cpu",  # TVM's own keys for it
    "rocm": "rocm",
    "stm32": "c -keys=arm_cpu,cpu -device=arm_cpu",
    "vta": "ext_dev -keys=vta,cpu -device=vta",
}
HEXAGON = "hexagon"
NAMES = (*LINES, HEXAGON)
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(LINES, (MODEL, OPTIONS)),
    "cuda": (MODEL, ARCH, OPTIONS),
    "rasp": (OPTIONS,),
    "stm32": (SERIES, OPTIONS),
    HEXAGON: hexagon_factory.PARAMETERS,
}
KIRIN = "-model=kirin970 -mtriple=arm64-linux-android -mattr=+neon"
RISCV_32 = "-mtriple=riscv32-unknown-linux-gnu -mabi=ilp32"
RISCV_64 = "-mtriple=riscv64-unknown-linux-gnu -mabi=lp64d"
ARM_MODELS: Mapping[str, str] = {
    "pixel2": "-model=snapdragon835 -mtriple=arm64-linux-android -mattr=+neon",
    **dict.fromkeys(("mate10", "mate10pro", "p20", "p20pro"), KIRIN),
    "rasp3b": "-model=bcm2837 -mtriple=armv7l-linux-gnueabihf -mattr=+neon",
    "rasp4b": "-model=bcm2711 -mtriple=armv8l-linux-gnueabihf -mattr=+neon -mcpu=cortex-a72",
    "rasp4b64": "-model=bcm2711 -mtriple=aarch64-linux-gnu -mattr=+neon -mcpu=cortex-a72",
    "rk3399": "-model=rk3399 -mtriple=aarch64-linux-gnu -mattr=+neon",
    "pynq": "-model=pynq -mtriple=armv7a-linux-eabi -mattr=+neon",
    "ultra96": "-model=ultra96 -mtriple=aarch64-linux-gnu -mattr=+neon",
    "beagleai": (
        "-model=beagleai -mtriple=armv7a-linux-gnueabihf -mattr=+neon,+vfp4,+thumb2"
        " -mcpu=cortex-a15"
    ),
    "stm32mp1": (
        "-model=stm32mp1 -mtriple=armv7a-linux-gnueabihf -mattr=+neon,+vfp4,+thumb2 -mcpu=cortex-a7"
    ),
    "thunderx": (
        "-model=thunderx -mtriple=aarch64-linux-gnu -mattr=+neon,+crc,+lse -mcpu=thunderxt88"
    ),
}
RISCV_MODELS: Mapping[str, str] = {
    **{f"sifive-{core}": f"{RISCV_32} -mcpu=sifive-{core}" for core in ("e31", "e76")},
    **{f"sifive-{core}": f"{RISCV_64} -mcpu=sifive-{core}" for core in ("u54", "u74")},
    "licheepi3a": f"{RISCV_64} -mcpu=spacemit-x60 -mfloat-abi=hard -num-cores=8",
}
WITHOUT_MODEL = frozenset({"licheepi3a"})  # whose options do not state the model
MICRO_MODELS: Mapping[str, str] = {
    "host": "",
    "esp32": "",
    **dict.fromkeys(("atsamd51", "cxd5602gg", "stm32l4r5zi"), "-mcpu=cortex-m4"),
    **dict.fromkeys(("mps2_an521", "nrf5340dk", "stm32u5xx"), "-mcpu=cortex-m33"),
    **dict.fromkeys(("imxrt10xx", "stm32h7xx"), "-mcpu=cortex-m7"),
    "mps3_an547": "-mcpu=cortex-m55",
    "nrf52840": "-mcpu=cortex-m4+nodsp",
    "rp2040": "-mcpu=cortex-m0",
    "sam3x8e": "-mcpu=cortex-m3",
    "stm32f746xx": "-mcpu=cortex-m7 -march=armv7e-m",
    "zynq_mp_r5": "-mcpu=cortex-r5",
}
STM32_SERIES: Mapping[str, str] = {
    "stm32H7xx": "-mcpu=cortex-m7 -march=armv7e-m",
    "stm32F7xx": "-mcpu=cortex-m7",
    **{f"stm32{series}xx": "-mcpu=cortex-m4" for series in ("F4", "G4", "F3", "L4")},
    **{f"stm32{series}xx": "-mcpu=cortex-m3" for series in ("F2", "F1", "L1")},
    **{f"stm32{series}xx": "-mcpu=cortex-m0+" for series in ("G0", "L0")},
    **{f"stm32{series}xx": "-mcpu=cortex-m33" for series in ("U5", "L5")},
    "stm32F0xx": "-mcpu=cortex-m0",
}
MODELS: Mapping[str, Mapping[str, str]] = {
    "arm_cpu": ARM_MODELS,
    "micro": MICRO_MODELS,
    "riscv_cpu": RISCV_MODELS,
    "stm32": STM32_SERIES,
}
CLOSED = ("micro", "stm32")  # they reject other models
DEFAULT_MODELS = {"rasp": "rasp3b", "riscv_cpu": "sifive-u54"}
DIFFERENCES: Mapping[tuple[str, str], str] = {
    ("arm_cpu", "stm32mp1"): "TVM 0.7 stated no mcpu for stm32mp1",
    ("micro", "nrf52840"): "until TVM 0.9 the mcpu of nrf52840 was cortex-m4",
}


class FactoryError(Exception):
    """A call of a function that returns no single target; `near` are similar models."""

    def __init__(self, message: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.near = near


@dataclass(frozen=True, slots=True)
class FactoryTarget:
    """A command line, options beside it, which may hold blanks, and notes."""

    line: str
    stated: Mapping[str, Json] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def call_factory(name: str, arguments: Mapping[str, Json]) -> FactoryTarget:
    """Return the target that a function returned. Raises `FactoryError`."""
    stated = {key: value for key, value in arguments.items() if value is not None}
    if name == HEXAGON:
        return _hexagon(stated)
    options = _options(stated.pop(OPTIONS, ""))
    model = stated.pop(SERIES if name == "stm32" else MODEL, DEFAULT_MODELS.get(name, ""))
    table = MODELS.get("arm_cpu" if name == "rasp" else name, {})
    line = LINES[name]
    if isinstance(model, str) and model in table:
        line = f"{line} {table[model]}"
    elif name in CLOSED:
        expected = ", ".join(table)
        near = nearest_names(str(model), table)
        raise FactoryError(f"{name} has no model {echo(model)}: it has {expected}", near)
    if model and name != "stm32" and model not in WITHOUT_MODEL and " -model=" not in line:
        stated[MODEL] = model
    difference = DIFFERENCES.get((name, str(model)))
    notes = [difference] if difference else []
    if table and model not in table:
        notes.append(f"{name} knows no model {echo(model or UNKNOWN)}: it states no machine")
    return FactoryTarget(_merged(line, options), stated, tuple(notes))


def _hexagon(arguments: Mapping[str, Json]) -> FactoryTarget:
    try:
        line, notes = hexagon_factory.hexagon_line(arguments)
    except ValueError as error:
        raise FactoryError(str(error)) from None
    return FactoryTarget(line, notes=notes)


def _options(value: Json) -> list[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise FactoryError(f"options is {echo(value)}: expected a text or a list of texts")
    return " ".join(map(str, words)).split()


def _merged(line: str, options: list[str]) -> str:
    """Return a line with further options; those that it has already are left out, as by TVM."""
    known = line.split()
    for option in options:
        name, _, value = option.lstrip("-").partition("=")
        stated = next((word for word in known if word.lstrip("-").partition("=")[0] == name), "")
        if value and stated and stated.lstrip("-") != option.lstrip("-"):
            raise FactoryError(f"options states {echo(option)}, the function already {stated}")
    return " ".join([*known, *(option for option in options if option not in known)])
