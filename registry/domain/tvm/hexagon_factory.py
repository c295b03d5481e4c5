"""The function `tvm.target.hexagon` of TVM 0.7 to 0.23."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from registry.domain.document import Json
from registry.domain.errors import echo

VERSION, LENGTH, CORES, CAPACITY = "cpu_ver", "hvx", "num_cores", "vtcm_capacity"
FLOATS: Mapping[str, str] = {"use_qfloat": "hvx-qfloat", "use_ieee_fp": "hvx-ieee-fp"}
SIMULATOR = ("sim_args", "sim_options")
COMPILER = ("llvm_options", "llvm_args")
PARAMETERS = (VERSION, LENGTH, *COMPILER, *SIMULATOR, *FLOATS, CORES, CAPACITY, "link_params")
FORMER = ("v60", "v62")  # of TVM 0.7 and 0.8
# Bytes of tightly coupled memory by version; 0 is no limit.
CAPACITIES = {
    **dict.fromkeys((*FORMER, "v67", "v67t", "v71"), 0),
    **dict.fromkeys(("v65", "v66"), 2**18),
    "v68": 2**22,
    **dict.fromkeys(("v69", "v73", "v75"), 2**23),
}
LENGTHS = (0, 64, 128)  # bytes of a vector; 0 is no vectors
FIRST_WITH_FLOATS = 68  # the version whose vectors can hold floating-point numbers
VECTORISES = "v68"  # for which TVM asks LLVM to vectorise floating-point code
CORES_OF_TVM = 4


def hexagon_line(arguments: Mapping[str, Json]) -> tuple[str, tuple[str, ...]]:
    """Return the command line of a call, with notes. Raises `ValueError`.

    The version must be stated: v66 was the default until TVM 0.12, and v68 afterwards.
    """
    version = _version(arguments.get(VERSION))
    words = [
        f"hexagon -mtriple=hexagon -mcpu=hexagon{version}",
        f"-mattr={','.join(_features(version, arguments))}",
    ]
    releases = "0.7 and 0.8 return it"
    if version not in FORMER:
        releases = "0.14 to 0.23 return it; earlier releases state fewer options"
        words.append(f"-num-cores={_number(arguments, CORES, CORES_OF_TVM)}")
        words.append(f"-vtcm-capacity={_number(arguments, CAPACITY, CAPACITIES[version])}")
    options = [word for name in COMPILER for word in _words(name, arguments.get(name))]
    if version == VECTORISES:
        options.append("-force-hvx-float")
    if options:
        words.append(f"-llvm-options={','.join(options)}")
    if "link_params" in arguments:
        words.append(f"-link-params={int(_is_on(arguments, 'link_params'))}")
    left_out = [f"{name} is for the simulator: left out" for name in SIMULATOR if name in arguments]
    return " ".join(words), (f"as TVM {releases}", *left_out)


def _version(value: Json) -> str:
    if value is None:
        message = "hexagon without a version is v66 until TVM 0.12, and v68 afterwards"
        raise ValueError(f"{message}: state it")
    text = value.lower() if isinstance(value, str) else ""
    version = text[max(text.find("v"), 0) :]
    if version not in CAPACITIES:
        known = ", ".join(sorted(CAPACITIES))
        raise ValueError(f"{echo(value)} is not a version of hexagon: expected one of {known}")
    return version


def _features(version: str, arguments: Mapping[str, Json]) -> Iterator[str]:
    length = _number(arguments, LENGTH, 128)
    if length not in LENGTHS:
        raise ValueError(f"hvx is {length}: expected 0, 64 or 128")
    yield from (f"+hvx{version}", f"+hvx-length{length}b") if length else ("-hvx",)
    if int(version[1:3]) >= FIRST_WITH_FLOATS:
        for name, feature in FLOATS.items():
            yield f"{'+' if _is_on(arguments, name, name == 'use_qfloat') else '-'}{feature}"


def _number(arguments: Mapping[str, Json], name: str, default: int) -> int:
    value = arguments.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} is {echo(value)}: expected a number from 0")
    return value


def _is_on(arguments: Mapping[str, Json], name: str, default: bool = False) -> bool:
    value = arguments.get(name, default)
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {echo(value)}: expected True or False")
    return value


def _words(name: str, value: Json) -> list[str]:
    words = [value] if isinstance(value, str) else value or []
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name} is {echo(value)}: expected a text or a list of texts")
    return " ".join(map(str, words)).split()
