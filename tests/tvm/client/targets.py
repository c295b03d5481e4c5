"""Targets that the tests publish in the namespace acme."""

import json
from collections.abc import Mapping
from typing import Any

from tests.serving import Server, send_request

TRIPLE = "x86_64-unknown-linux-gnu"


def cpu(mcpu: str, **options: Any) -> dict[str, Any]:
    """Return the body of a CPU."""
    return {"kind": "llvm", "mtriple": TRIPLE, "mcpu": mcpu, "num-cores": 2, **options}


# Every x86-64 machine runs x86-64; all but the oldest run x86-64-v2.
BASE, NEWER = cpu("x86-64"), cpu("x86-64-v2")
SCALAR = {"tir.disable_vectorize": True}


def card(**options: Any) -> dict[str, Any]:
    """Return the body of a GPU with a host."""
    return {"kind": "cuda", "arch": "sm_75", "host": BASE, **options}


def board(device: dict[str, Any], host: dict[str, Any] = BASE) -> dict[str, Any]:
    """Return the body of a composite with one device, a GPU or a CPU."""
    label = "gpu" if device["kind"] == "cuda" else "cpu"
    return {"kind": "composite", "devices": {label: device}, "host": host}


GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_75"}
# Bodies in which a node inside, or a library, says more than the root.
INNER: Mapping[str, dict[str, Any]] = {
    "acme/scalar-host": board(NEWER, {**BASE, "flow": SCALAR}),
    "acme/aot-host": board(NEWER, {**BASE, "executor": "aot", "runtime": "cpp"}),
    "acme/scalar-gpu": board({**GPU, "flow": SCALAR}),
    "acme/graph-gpu": board({**GPU, "executor": "graph"}),
    "acme/recorded-gpu": board({**GPU, "executor": "vm", "runtime": "cuda-graph"}),
    "acme/cutlass-gpu": board({**GPU, "flow": {"enable-byoc": ["cutlass"]}}),
    "acme/fused-gpu": board({**GPU, "flow": {"relax.FuseOps.max_depth": 4}}),
    "acme/scalar-launcher": card(host={**BASE, "flow": SCALAR}),
    "acme/scalar-both": card(host={**BASE, "flow": SCALAR}, flow=SCALAR),
    "acme/fused": {**BASE, "flow": {"relax.FuseOps.max_depth": 4}},
    "acme/misspelt": {**BASE, "flow": {"tirx.disable_vectorise": True}},
    "acme/same": board({**BASE, "flow": SCALAR}),
    "acme/nested": {
        "kind": "composite",
        "devices": {
            "machine": {**board(NEWER), "executor": "aot", "runtime": "cpp", "flow": SCALAR},
            "other": NEWER,
        },
        "host": BASE,
    },
    "acme/inner-npu": board(BASE)
    | {
        "devices": {
            "npu": {
                "kind": "byoc",
                "codegen": "tiny-matmul",
                "devices": [{**BASE, "flow": SCALAR}],
                "host": {**BASE, "runtime": "crt"},
            }
        }
    },
    **{f"acme/{name}": card(libs=[name]) for name in ("cublas", "cudnn", "cutlass", "thrust")},
    "acme/cublas-too": card(libs=["cublas"], model="too"),
    "acme/cublas-newer": card(libs=["cublas"], arch="sm_80"),
    "acme/cublas-cpu": {**BASE, "libs": ["cublas"]},
    "acme/dnnl": {**BASE, "libs": ["dnnl"]},
    "acme/enabled": {**BASE, "flow": {"enable-byoc": ["tiny-matmul"]}},
    "acme/nnapi": {**BASE, "libs": ["nnapi"]},
}
BODIES: Mapping[str, dict[str, Any]] = {
    **INNER,
    "acme/plain": BASE,
    "acme/vm": {**BASE, "executor": "vm", "runtime": "cpp"},
    "acme/aot": {**BASE, "executor": "aot", "runtime": "cpp"},
    "acme/graph": {**BASE, "executor": "graph"},
    "acme/scalar": {**BASE, "flow": {"tir.disable_vectorize": True}},
    "acme/aligned": {**BASE, "executor": {"kind": "aot", "workspace-byte-alignment": 64}},
    "acme/unlinked": {**BASE, "flow": {"link-params": False}},
    "acme/documented": {**BASE, "hardware": {"vendor": "Acme", "cores": 2}},
    "acme/newer": NEWER,
    "acme/arm": {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72"},
    "acme/unreleased": {"kind": "llvm", "mtriple": "riscv64-unknown-linux-gnu", "mcpu": "acme-x9"},
    "acme/unfeatured": cpu("x86-64", mattr=["+sse4.1", "+avx99", "-avx98"]),
    "acme/unfeatured-host": {
        "kind": "cuda",
        "arch": "sm_75",
        "host": cpu("x86-64", mattr=["+avx99"]),
    },
    "acme/mixed": {
        "kind": "composite",
        "devices": {"big": cpu("skylake-avx512"), "little": cpu("haswell")},
        "host": cpu("haswell"),
    },
    "acme/two": {"kind": "composite", "devices": {"base": BASE, "newer": NEWER}, "host": BASE},
    "acme/two:aot": {
        "kind": "composite",
        "devices": {"base": BASE, "newer": NEWER},
        "host": BASE,
        "executor": "aot",
        "runtime": "cpp",
    },
    "acme/gpu": {
        "kind": "composite",
        "devices": {"gpu": {"kind": "cuda", "arch": "sm_75"}},
        "host": BASE,
    },
    "acme/turing": {"kind": "cuda", "arch": "sm_75", "host": BASE},
    "acme/adreno": {"kind": "opencl", "device": "adreno", "host": BASE},
    "acme/dsp": {
        "kind": "hexagon",
        "mtriple": "hexagon",
        "mcpu": "hexagonv68",
        "mattr": ["+hvxv68", "+hvx-length128b"],
        "num-cores": 4,
        "vtcm-capacity": 4194304,
        "host": BASE,
    },
    "acme/pi": {"kind": "llvm", "mtriple": "armv7l-linux-gnueabihf", "mcpu": "cortex-a53"},
    "acme/windows": {"kind": "llvm", "mtriple": "x86_64-win32", "mcpu": "x86-64"},
    "acme/recorded": {
        "kind": "cuda",
        "arch": "sm_75",
        "host": BASE,
        "executor": "vm",
        "runtime": "cuda-graph",
    },
    "acme/offload": {
        "kind": "composite",
        "devices": {
            "npu": {
                "kind": "byoc",
                "codegen": "tiny-matmul",
                "devices": {"core": {"kind": "ext_dev", "model": "npu"}},
                "host": NEWER,
                "runtime": "crt",
            }
        },
        "host": BASE,
        "executor": "vm",
    },
    "acme/two-npus": {
        "kind": "composite",
        "devices": {
            name: {"kind": "byoc", "codegen": "tiny-matmul", "devices": {"core": core}}
            for name, core in [("first", BASE), ("second", NEWER)]
        },
        "host": BASE,
    },
}


def publish_all(server: Server, token: str) -> None:
    """Publish all of them, each as version 1.0.0."""
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "If-None-Match": "*",
    }
    for tag, body in BODIES.items():
        content = json.dumps({"target": body, "message": "", "sources": []}).encode()
        answer = send_request(server.port, "POST", f"/api/v1/versions/{tag}", content, **headers)
        assert answer.status == 201, answer.body
