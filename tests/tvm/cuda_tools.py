"""NVIDIA's assembler, as its wheels bring it for two major versions of CUDA."""

import subprocess
from pathlib import Path

FOLDERS = {"12": "nvidia/cuda_nvcc/bin", "13": "nvidia/cu13/bin"}
PTX = """.version {version}
.target {target}
.address_size 64
.visible .entry kernel(.param .u64 output) {{ ret; }}
"""
# Of PTX: the first that has all architectures of a major version of CUDA.
VERSIONS = {"12": "8.8", "13": "9.0"}
UNKNOWN = ("is not defined for option", "Unsupported .target", "not supported")


def tool(python: str, major: str, name: str) -> Path:
    """Return the path of a program of CUDA beside an interpreter."""
    (packages,) = Path(python).parent.parent.glob("lib/python3*/site-packages")
    return packages / FOLDERS[major] / name


def compiles(python: str, major: str, target: str, arch: str, folder: Path) -> bool | None:
    """Return whether ptxas compiles PTX of one architecture for another; None if it knows neither.

    The cubin is written to `kernel.cubin` in the folder.
    """
    source = folder / "kernel.ptx"
    source.write_text(PTX.format(version=VERSIONS[major], target=target))
    ptxas = str(tool(python, major, "ptxas"))
    command = [ptxas, f"-arch={arch}", str(source), "-o", str(folder / "kernel.cubin")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    output = result.stdout + result.stderr
    return None if any(text in output for text in UNKNOWN) else result.returncode == 0
